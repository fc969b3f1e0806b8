"""Simulated events for test records (T-4.196 to T-4.199)."""

from __future__ import annotations

from contextlib import suppress

from giftsim.engine.gateway.call import Call, Response
from giftsim.engine.webhooks.event import EVENT
from giftsim.services.gifting.domain.team.design.proof import find_order_item, sign_sandbox_proof
from giftsim.services.gifting.domain.team.orders.gift import RESOURCE as GIFT
from giftsim.services.gifting.domain.team.sandbox_events import apply_campaign_event, apply_event
from giftsim.services.gifting.domain.team.team_errors import NotFound, validation_error

PROOF_SIGNED = "proof.signed"


def create_sandbox_event(call: Call) -> Response:
    """Simulate a change of a test record. All but the signature of a proof send one webhook event."""
    state, kind, resource_id = call.state, call.body["type"], call.body["resource_id"]
    if kind == PROOF_SIGNED:
        status, event_id = _sign_proof(call, resource_id), None
    else:
        status = _move(call, kind, resource_id)
        event_id = state[EVENT].get(state[EVENT].next_n - 1).id  # the event that the simulation sent
    result = {
        "event_id": event_id,
        "type": kind,
        "resource_id": resource_id.lower(),
        "status": status,
        "livemode": False,
    }
    return Response(200, result)


def _sign_proof(call: Call, item_id: str) -> str:
    try:
        item = find_order_item(call.state, call.caller.tenant, item_id)
    except NotFound:
        raise validation_error(
            "resource_id", "must be the UUID of a test order item of this key that needs a proof"
        ) from None
    return sign_sandbox_proof(call.state, item).status


def _move(call: Call, kind: str, resource_id: str) -> str:
    """Move an order, a gift or a campaign. The events of a campaign are those of gifts (G66)."""
    noun, _, status = kind.partition(".")
    if noun == GIFT:
        with suppress(NotFound):
            return apply_campaign_event(call.state, call.caller.tenant, status, resource_id)
    return apply_event(call.state, call.caller.tenant, kind, resource_id)
