"""Receivers, and what was sent to them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from giftsim.control.pagination import numbered, page
from giftsim.control.world_access import changing, present, present_and_settled
from giftsim.gateway.call import Call, Handler, Response
from giftsim.kernel.placeholders import fill
from giftsim.webhooks import inbox, receiver
from giftsim.webhooks.attempt import find
from giftsim.webhooks.dispatch import resend
from giftsim.worlds import system_clock
from giftsim.worlds.sending import complete_held
from giftsim.worlds.world import World


def list_receivers(call: Call) -> Response:
    """Who answers for which host."""
    with present(call.world) as state:
        return page(call, "receivers", numbered(receiver.list_receivers(state)), receiver.view)


def put_receiver(call: Call) -> Response:
    """Say who answers for a host; offsets count from the world's `now` at its creation."""
    with changing(call) as state:
        entry = receiver.set_receiver(state, call.params["host"], call.body, start_ms=call.world.config.now_ms)
        timed_out = call.world.held_deliveries.time_out(entry=entry.host)
    complete_held(call.world, timed_out)
    return Response(200, receiver.view(entry))


def delete_receiver(call: Call) -> Response:
    """Forget who answers for a host."""
    with changing(call) as state:
        receiver.delete_receiver(state, call.params["host"])
        timed_out = call.world.held_deliveries.time_out(entry=call.params["host"].lower())
    complete_held(call.world, timed_out)
    return Response(200, {"deleted": call.params["host"]})


def list_deliveries(call: Call) -> Response:
    """Every attempt, once nothing is in flight; while one stands at an advance or is held, as they are."""
    query = call.query
    seen = present if call.world.advancing or call.world.held_deliveries.unanswered else present_and_settled
    with seen(call.world) as state:
        found = inbox.list_attempts(
            state, after=query["after"], limit=query["limit"], kind=query["type"], host=query["host"]
        )
        rows = [
            inbox.attempt_view(state, attempt, filler(call.world), int(system_clock.seconds()))
            for attempt in found.attempts
        ]
    return Response(200, {"deliveries": rows, "next": found.next})


def resend_delivery(call: Call) -> Response:
    """Send it once more; what is forwarded leaves after this answer."""
    with changing(call) as state:
        attempt = resend(state, call.params["seq"])
        return Response(201, inbox.attempt_view(state, attempt, filler(call.world), int(system_clock.seconds())))


def get_delivery_request(call: Call) -> Response:
    """The request of an attempt, as it was sent or signed now."""
    wall_s = int(system_clock.seconds())
    with present(call.world) as state:
        attempt = find(state, call.params["seq"])
        signed_s = wall_s if call.query["sign"] == "now" else inbox.signed_s(state, attempt, wall_s)
        return Response(200, inbox.request_view(state, attempt, filler(call.world), signed_s))


def filler(world: World) -> Callable[[bytes], bytes]:
    """What completes stored bytes of a world (G1)."""
    return lambda stored: fill(stored, world.runtime.origin, world.id)


HANDLERS: Mapping[str, Handler] = MappingProxyType(
    {
        "listReceivers": list_receivers,
        "putReceiver": put_receiver,
        "deleteReceiver": delete_receiver,
        "listDeliveries": list_deliveries,
        "resendDelivery": resend_delivery,
        "getDeliveryRequest": get_delivery_request,
    }
)
