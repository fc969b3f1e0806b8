"""Approvals: a person approves or rejects what a team's key has prepared (A1.2, T-1.6)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from giftsim.control.kinds import APPROVAL, team_and_mode
from giftsim.control.named import PLACED, named_approver, require
from giftsim.control.pagination import list_records
from giftsim.control.problem import Ambiguous
from giftsim.control.refs import resource
from giftsim.control.world_access import Trial, change_state, current_state
from giftsim.domain.team.campaigns import campaign_preparation
from giftsim.domain.team.member import MEMBERS
from giftsim.domain.team.orders import gift_approval, order_approval
from giftsim.domain.team.orders.approval import Approval, decide, renew_outdated
from giftsim.gateway.call import Call, Response
from giftsim.kernel.instants import format_instant, instant_or_null
from giftsim.kernel.state import State

# How to request the approval of an order, gift or campaign, by the member that names it.
APPROVABLE: Final[Mapping[str, Callable[[State, Any], Approval]]] = {
    "team_order_id": order_approval.request_order_approval,
    "gift_id": gift_approval.pending_gift_approval,
    "campaign_id": campaign_preparation.request_campaign_approval,
}


def simulate_approval(call: Call) -> Response:
    """Approve or reject, and request the approval first if nobody has.

    PaymentRefused for a gift that cannot be paid. Of that, only the renewal of an outdated approval is kept (G57).
    """
    body = call.body
    with change_state(call) as state:
        approval = _named_approval(state, body)
        user = body.get("user")
        decided_by = None if user is None else named_approver(state, approval, user).n
        refusal = renew_outdated(state, approval, body["decision"])
        if refusal is not None:
            if not isinstance(call, Trial):
                state.commit_so_far()
            raise refusal
        return Response(200, _view(state, decide(state, approval, body["decision"], body.get("note"), decided_by)))


def list_approvals(call: Call) -> Response:
    """List approvals."""
    return list_records(call, "approvals", APPROVAL, _view)


def get_approval(call: Call) -> Response:
    """One approval."""
    with current_state(call.world) as state:
        return Response(200, _view(state, require(state, APPROVAL, call.params["id"])))


def _named_approval(state: State, body: Mapping[str, Any]) -> Approval:
    """The approval of `approval_id`, or of the order, gift or campaign in a body. It is requested now if nobody has."""
    named = [name for name in ("approval_id", *APPROVABLE) if name in body]
    if len(named) != 1:
        raise Ambiguous(f"name the approval by one of approval_id, {', '.join(APPROVABLE)}")
    if named == ["approval_id"]:
        return require(state, APPROVAL, body["approval_id"])
    [member] = named
    return APPROVABLE[member](state, require(state, PLACED[member], body[member]))


def _view(state: State, approval: Approval) -> dict[str, Any]:
    return {
        "id": approval.id,
        **team_and_mode(state, approval),
        "status": approval.status,
        "resource_type": approval.resource_type,
        "resource_id": approval.resource_id,
        "about": resource(approval.resource_type, approval.resource_id),
        "amount_cents": approval.amount_cents,
        "note": approval.note,
        "decision_note": approval.decision_note,
        "decided_by": None if approval.decided_by is None else state[MEMBERS].get(approval.decided_by).user,
        "created_at": format_instant(approval.created_ms),
        "decided_at": instant_or_null(approval.decided_ms),
        "expires_at": instant_or_null(approval.expires_ms),
    }
