"""Simulated events for test records (T-4.196 to T-4.199)."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from giftsim.domain.team.orders.sandbox_events import simulate
from giftsim.gateway.call import Call, Handler, Response
from giftsim.webhooks.event import EVENT


def create_sandbox_event(call: Call) -> Response:
    """Let something happen to a test order or gift, and tell its subscriptions by one event."""
    state, body = call.state, call.body
    status = simulate(state, call.caller.tenant, body["type"], body["resource_id"])
    event = state[EVENT].get(state[EVENT].next_n - 1)  # the one that it was told by
    answer = {
        "event_id": event.id, "type": event.kind, "resource_id": body["resource_id"].lower(), "status": status,
        "livemode": False,
    }  # fmt: skip
    return Response(200, answer)


HANDLERS: Mapping[str, Handler] = MappingProxyType({"createSandboxEvent": create_sandbox_event})
