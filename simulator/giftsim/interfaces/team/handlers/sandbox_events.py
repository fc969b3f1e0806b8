"""Simulated events for test records (T-4.196 to T-4.199)."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from giftsim.domain.team.orders.sandbox_events import apply_event
from giftsim.gateway.call import Call, Handler, Response
from giftsim.webhooks.event import EVENT


def create_sandbox_event(call: Call) -> Response:
    """Simulate a change of a test order or gift, which sends one webhook event."""
    state, body = call.state, call.body
    status = apply_event(state, call.caller.tenant, body["type"], body["resource_id"])
    event = state[EVENT].get(state[EVENT].next_n - 1)  # the event that the simulation sent
    result = {
        "event_id": event.id, "type": event.kind, "resource_id": body["resource_id"].lower(), "status": status,
        "livemode": False,
    }  # fmt: skip
    return Response(200, result)


HANDLERS: Mapping[str, Handler] = MappingProxyType({"createSandboxEvent": create_sandbox_event})
