"""Approvals: a person approves or rejects what a team's key has prepared (A1.2, T-1.6)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from giftsim.control.pagination import filtered_page, rows_of_table
from giftsim.control.problem import Ambiguous, ApprovalNotFound, CampaignNotFound, GiftNotFound
from giftsim.control.record_lookup import find_in_any_team, require_in_any_team
from giftsim.control.world_access import Trial, change_state, current_state
from giftsim.domain.fulfilment.problem import TeamOrderNotFound
from giftsim.domain.team.campaigns import campaign_preparation
from giftsim.domain.team.campaigns.campaign import CAMPAIGNS
from giftsim.domain.team.member import MEMBERS, find_member
from giftsim.domain.team.orders import gift_approval, order_approval
from giftsim.domain.team.orders.approval import APPROVAL, APPROVALS, Approval, decide, renew_outdated
from giftsim.domain.team.orders.gift import GIFTS
from giftsim.domain.team.orders.team_order import TEAM_ORDERS
from giftsim.domain.team.team import TEAMS
from giftsim.domain.team.tenant import Id, is_live, tenant_of_owner
from giftsim.gateway.call import Call, Response
from giftsim.kernel.instants import format_instant, instant_or_null
from giftsim.kernel.state import State
from giftsim.kernel.table import TableSpec
from giftsim.problem import InvalidState, Problem

RequestApproval = Callable[[State, Any], Approval]

# What can be approved, by the member that names it: its table, how to request its approval, and the error if missing.
APPROVABLE: Final[Mapping[str, tuple[TableSpec[Any], RequestApproval, type[Problem]]]] = {
    "team_order_id": (TEAM_ORDERS, order_approval.request_order_approval, TeamOrderNotFound),
    "gift_id": (GIFTS, gift_approval.pending_gift_approval, GiftNotFound),
    "campaign_id": (CAMPAIGNS, campaign_preparation.request_campaign_approval, CampaignNotFound),
}


def simulate_approval(call: Call) -> Response:
    """Approve or reject, and request the approval first if nobody has.

    PaymentRefused for a gift that cannot be paid. Of that, only the renewal of an outdated approval is kept (G57).
    """
    body = call.body
    with change_state(call) as state:
        approval = _named_approval(state, body)
        decided_by = _named_approver(state, approval, body.get("user"))
        refusal = renew_outdated(state, approval, body["decision"])
        if refusal is not None:
            if not isinstance(call, Trial):
                state.commit_so_far()
            raise refusal
        return Response(200, _view(state, decide(state, approval, body["decision"], body.get("note"), decided_by)))


def list_approvals(call: Call) -> Response:
    """List approvals."""
    with current_state(call.world) as state:
        return filtered_page(
            call,
            "approvals",
            rows_of_table(state[APPROVALS]),
            lambda row: _view(state, row),
            status=lambda row: row.status,
            statuses=APPROVAL.states,
        )


def get_approval(call: Call) -> Response:
    """One approval."""
    with current_state(call.world) as state:
        return Response(200, _view(state, _approval(state, call.params["id"])))


def _named_approval(state: State, body: Mapping[str, Any]) -> Approval:
    """The approval of `approval_id`, or of the order, gift or campaign in a body, which is requested now if need be."""
    named = [name for name in ("approval_id", *APPROVABLE) if name in body]
    if len(named) != 1:
        raise Ambiguous(f"name the approval by one of approval_id, {', '.join(APPROVABLE)}")
    if named == ["approval_id"]:
        return _approval(state, body["approval_id"])
    spec, request_approval, error = APPROVABLE[named[0]]
    record = find_in_any_team(state, spec, body[named[0]])
    if record is None:
        raise error(f"no team has the {named[0]} {str(body[named[0]])[:60]}")
    return request_approval(state, record)


def _approval(state: State, approval_id: Id) -> Approval:
    return require_in_any_team(state, APPROVALS, approval_id, ApprovalNotFound, "an approval")


def _named_approver(state: State, approval: Approval, user: str | None) -> int | None:
    """The slot of the member of the approval's team who decides. InvalidState for a member who may not."""
    if user is None:
        return None
    member = find_member(state, state[TEAMS].get(tenant_of_owner(state, approval.owner).team), user)
    if not member.may_approve:
        raise InvalidState(f"{user} has the role {member.role}: name an approver or an owner of the team")
    return member.n


def _view(state: State, approval: Approval) -> dict[str, Any]:
    return {
        "id": approval.id,
        "team_id": state[TEAMS].get(tenant_of_owner(state, approval.owner).team).id,
        "livemode": is_live(approval),
        "status": approval.status,
        "resource_type": approval.resource_type,
        "resource_id": approval.resource_id,
        "amount_cents": approval.amount_cents,
        "note": approval.note,
        "decision_note": approval.decision_note,
        "decided_by": None if approval.decided_by is None else state[MEMBERS].get(approval.decided_by).user,
        "created_at": format_instant(approval.created_ms),
        "decided_at": instant_or_null(approval.decided_ms),
        "expires_at": instant_or_null(approval.expires_ms),
    }
