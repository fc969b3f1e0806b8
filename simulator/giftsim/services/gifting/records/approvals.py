"""Approvals: a person approves or rejects what a team's key has prepared (A1.2, T-1.6)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from giftsim.engine.control.control_errors import Ambiguous
from giftsim.engine.control.pagination import list_records
from giftsim.engine.control.world_access import change_state, current_state
from giftsim.engine.gateway.call import Call, Response
from giftsim.engine.kernel.instants import format_instant, instant_or_null
from giftsim.engine.kernel.state import State
from giftsim.services.gifting.domain.team.billing.payment import payment_of
from giftsim.services.gifting.domain.team.campaigns import campaign, campaign_preparation
from giftsim.services.gifting.domain.team.member import MEMBERS
from giftsim.services.gifting.domain.team.orders import gift, gift_approval, order_approval, team_order
from giftsim.services.gifting.domain.team.orders.approval import PENDING, Approval, decide_approval, pending_approval
from giftsim.services.gifting.domain.team.orders.team_fulfilment import price_changed
from giftsim.services.gifting.records.gifting_kinds import APPROVAL, team_and_mode
from giftsim.services.gifting.records.named import PLACED, named_approver, require_record
from giftsim.services.gifting.records.parent_refs import ref_of_resource
from giftsim.services.gifting.records.searches import APPROVAL_SEARCH

ASK: Final = "ask"

# By the member that names an order, gift or campaign: its type in approvals, and how to request its approval.
APPROVABLE: Final[Mapping[str, tuple[str, Callable[[State, Any, str | None], Approval]]]] = {
    "team_order_id": (team_order.RESOURCE, order_approval.request_order_approval),
    "gift_id": (gift.RESOURCE, gift_approval.request_gift_approval),
    "campaign_id": (campaign.RESOURCE, campaign_preparation.request_campaign_approval),
}


def simulate_approval(call: Call) -> Response:
    """Approve or reject what is pending, and request the approval first if nothing is (G57); or only request it (G168).

    PaymentRefused for a gift that cannot be paid.
    """
    body = call.body
    with change_state(call) as state:
        approval = _named_approval(state, body)
        if body["decision"] == ASK:
            return Response(200, _view(state, approval))
        user = body.get("user")
        decided_by = None if user is None else named_approver(state, approval, user).n
        return Response(
            200, _view(state, decide_approval(state, approval, body["decision"], body.get("note"), decided_by))
        )


def list_approvals(call: Call) -> Response:
    """List approvals."""
    return list_records(call, APPROVAL_SEARCH, _view)


def get_approval(call: Call) -> Response:
    """One approval."""
    with current_state(call.world) as state:
        return Response(200, _view(state, require_record(state, APPROVAL, call.params["id"])))


def _named_approval(state: State, body: Mapping[str, Any]) -> Approval:
    """The approval of `approval_id`, or the pending one of an order, gift or campaign, which may be requested now."""
    named = [name for name in ("approval_id", *APPROVABLE) if name in body]
    if len(named) != 1:
        raise Ambiguous(f"name the approval by one of approval_id, {', '.join(APPROVABLE)}")
    if named == ["approval_id"]:
        if body["decision"] == ASK:
            raise Ambiguous(f"to ask, name the record to approve by one of {', '.join(APPROVABLE)}")
        return require_record(state, APPROVAL, body["approval_id"])
    [member] = named
    record, (resource_type, request) = require_record(state, PLACED[member], body[member]), APPROVABLE[member]
    note = body.get("note") if body["decision"] == ASK else None
    return pending_approval(state, resource_type, record.n) or request(state, record, note)


def _is_outdated(state: State, approval: Approval) -> bool:
    """Whether it is pending at an amount that is no longer the price, so that a yes pays nothing (G57)."""
    kind, slot = approval.resource_type, approval.resource
    if approval.status != PENDING or payment_of(state, kind, slot) is not None:
        return False
    if kind == campaign.RESOURCE:
        unpaid = campaign.unpaid_batches(state, state[campaign.CAMPAIGNS].get(slot))
        return any(price_changed(state, campaign.fulfilment_of(state, batch)) for batch in unpaid)
    if kind == gift.RESOURCE:
        return price_changed(state, gift.fulfilment_of(state, state[gift.GIFTS].get(slot)))
    return price_changed(state, team_order.fulfilment_of(state, state[team_order.TEAM_ORDERS].get(slot)))


def _view(state: State, approval: Approval) -> dict[str, Any]:
    return {
        "id": approval.id,
        **team_and_mode(state, approval),
        "status": approval.status,
        "resource_type": approval.resource_type,
        "resource_id": approval.resource_id,
        "about": ref_of_resource(approval.resource_type, approval.resource_id),
        "amount_cents": approval.amount_cents,
        "outdated": _is_outdated(state, approval),
        "note": approval.note,
        "decision_note": approval.decision_note,
        "decided_by": None if approval.decided_by is None else state[MEMBERS].get(approval.decided_by).user,
        "created_at": format_instant(approval.created_ms),
        "decided_at": instant_or_null(approval.decided_ms),
        "expires_at": instant_or_null(approval.expires_ms),
    }
