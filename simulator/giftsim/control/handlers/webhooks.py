"""Receivers, and what was sent to them."""

from __future__ import annotations

from collections.abc import Callable

from giftsim.control.pagination import numbered, page
from giftsim.control.world_access import changing, present, settled
from giftsim.gateway.call import Call, Reply
from giftsim.kernel.placeholders import fill
from giftsim.webhooks import inbox, receiver
from giftsim.webhooks.attempt import find
from giftsim.webhooks.dispatch import resend
from giftsim.worlds import system_clock
from giftsim.worlds.held_deliveries import bring_home, give_up
from giftsim.worlds.world import World


def list_receivers(call: Call) -> Reply:
    """Who answers for which host."""
    with present(call.here) as state:
        return page(call, "receivers", numbered(receiver.listed(state)), receiver.view)


def put_receiver(call: Call) -> Reply:
    """Say who answers for a host; offsets count from the world's `now` at its creation."""
    with changing(call) as state:
        entry = receiver.put(state, call.params["host"], call.body, start_ms=call.here.config.now_ms)
        left = give_up(call.here, entry.host)
    bring_home(call.here, left)
    return Reply(200, receiver.view(entry))


def delete_receiver(call: Call) -> Reply:
    """Forget who answers for a host."""
    with changing(call) as state:
        receiver.delete(state, call.params["host"])
        left = give_up(call.here, call.params["host"].lower())
    bring_home(call.here, left)
    return Reply(200, {"deleted": call.params["host"]})


def list_deliveries(call: Call) -> Reply:
    """Every attempt, once nothing is in flight; while one stands at an advance or is held, as they are."""
    query = call.query
    seen = present if call.here.driving or call.here.standings.open else settled
    with seen(call.here) as state:
        found = inbox.deliveries(
            state, after=query["after"], limit=query["limit"], kind=query["type"], host=query["host"]
        )
        rows = [inbox.row(state, attempt, filler(call.here), int(system_clock.seconds())) for attempt in found.attempts]
    return Reply(200, {"deliveries": rows, "next": found.next})


def resend_delivery(call: Call) -> Reply:
    """Send it once more; what is forwarded leaves after this answer."""
    with changing(call) as state:
        attempt = resend(state, call.params["seq"])
        return Reply(201, inbox.row(state, attempt, filler(call.here), int(system_clock.seconds())))


def get_delivery_request(call: Call) -> Reply:
    """The request of an attempt, as it was sent or signed now."""
    wall_s = int(system_clock.seconds())
    with present(call.here) as state:
        attempt = find(state, call.params["seq"])
        signed_s = wall_s if call.query["sign"] == "now" else inbox.signed_s(state, attempt, wall_s)
        return Reply(200, inbox.request(state, attempt, filler(call.here), signed_s))


def filler(world: World) -> Callable[[bytes], bytes]:
    """What completes stored bytes of a world (G1)."""
    return lambda stored: fill(stored, world.registry.origin, world.id)
