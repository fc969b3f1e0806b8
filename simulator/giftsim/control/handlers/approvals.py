"""Approvals: a human decides what a team's key has prepared (A1.2, T-1.6)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final

from giftsim.control.pagination import page
from giftsim.control.problem import Ambiguous, ApprovalNotFound, CampaignNotFound, GiftNotFound
from giftsim.control.record_lookup import anywhere
from giftsim.control.world_access import changing, present
from giftsim.domain.fulfilment.problem import TeamOrderNotFound
from giftsim.domain.team.orders import authorization, gift_preparation
from giftsim.domain.team.orders.approval import APPROVALS, Approval, decide
from giftsim.domain.team.orders.gift import GIFTS
from giftsim.domain.team.orders.team_order import TEAM_ORDERS
from giftsim.domain.team.programs import campaign_preparation
from giftsim.domain.team.programs.campaign import CAMPAIGNS
from giftsim.domain.team.record_owner import is_live, space_at
from giftsim.domain.team.team import TEAMS
from giftsim.gateway.call import Call, Handler, Response
from giftsim.kernel.instants import format_instant, instant_or_null
from giftsim.kernel.state import State
from giftsim.kernel.table import TableSpec
from giftsim.problem import Problem

Ask = Callable[[State, Any], Approval]

# What can be approved: where it is found, and how it is asked about.
NAMED: Final[Mapping[str, tuple[TableSpec[Any], Ask, type[Problem]]]] = MappingProxyType(
    {
        "team_order_id": (TEAM_ORDERS, authorization.ask, TeamOrderNotFound),
        "gift_id": (GIFTS, gift_preparation.ask, GiftNotFound),
        "campaign_id": (CAMPAIGNS, campaign_preparation.ask, CampaignNotFound),
    }
)


def simulate_approval(call: Call) -> Response:
    """A human says yes or no, having been asked if need be."""
    body = call.body
    with changing(call) as state:
        return Response(200, _shown(state, decide(state, _named(state, body), body["decision"], body.get("note"))))


def list_approvals(call: Call) -> Response:
    """Every approval."""
    after = call.query["after"] or 0
    with present(call.world) as state:
        rows = ((row.n + 1, row) for row in state[APPROVALS] if row.n >= after)
        return page(call, "approvals", rows, lambda row: _shown(state, row))


def _named(state: State, body: Mapping[str, Any]) -> Approval:
    """The approval of an id, or the pending one of what a body names, which is asked about now if nobody has."""
    named = [name for name in ("approval_id", *NAMED) if name in body]
    if len(named) != 1:
        raise Ambiguous(f"name what is decided by one of approval_id, {', '.join(NAMED)}")
    if named == ["approval_id"]:
        approval = anywhere(state, APPROVALS, body["approval_id"])
        if approval is None:
            raise ApprovalNotFound(f"no team has an approval {str(body['approval_id'])[:60]}")
        return approval
    spec, ask, missing = NAMED[named[0]]
    found = anywhere(state, spec, body[named[0]])
    if found is None:
        raise missing(f"no team has anything by the {named[0]} {str(body[named[0]])[:60]}")
    return ask(state, found)


def _shown(state: State, approval: Approval) -> dict[str, Any]:
    return {
        "id": approval.id,
        "team_id": state[TEAMS].get(space_at(state, approval.owner).team).id,
        "livemode": is_live(approval),
        "status": approval.status,
        "resource_type": approval.resource_type,
        "resource_id": approval.resource_id,
        "amount_cents": approval.amount_cents,
        "note": approval.note,
        "decision_note": approval.decision_note,
        "created_at": format_instant(approval.created_ms),
        "decided_at": instant_or_null(approval.decided_ms),
        "expires_at": instant_or_null(approval.expires_ms),
    }


HANDLERS: Mapping[str, Handler] = MappingProxyType(
    {
        "simulateApproval": simulate_approval,
        "listApprovals": list_approvals,
    }
)
