"""Attempts that stand at a receiver of mode hold, and what they are answered."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from giftsim.control.handlers.webhooks import filler
from giftsim.control.pagination import page
from giftsim.control.world_access import flush, present
from giftsim.gateway.call import Call, Handler, Response
from giftsim.gateway.problem import InvalidBody
from giftsim.kernel.state import State
from giftsim.webhooks import inbox
from giftsim.webhooks.attempt import find
from giftsim.webhooks.receiver_script import Answer, read_step
from giftsim.webhooks.receiver_script import answer as answered
from giftsim.worlds import system_clock
from giftsim.worlds.held_deliveries import HeldDelivery
from giftsim.worlds.sending import complete_held, wait_for_held
from giftsim.worlds.world import World

SHOWN = ("seq", "at", "url", "event_id", "type", "attempt", "mark", "request")


def list_held(call: Call) -> Response:
    """What stands now; with `wait`, once something does or no advance is under way."""
    flush(call.world)
    if call.query["wait"]:
        wait_for_held(call.world)
    with present(call.world) as state:
        rows = ((found.outgoing.attempt + 1, found) for found in call.world.held_deliveries.unanswered)
        return page(call, "held", rows, lambda found: _shown(call.world, state, found))


def answer_delivery(call: Call) -> Response:
    """Answer for the receiver; without a word of what, as it would by itself."""
    with present(call.world) as state:
        row = find(state, call.params["seq"])
        found = call.world.held_deliveries.find(row.n)
        given = _read(call.body) if call.body else found.default_answer
        shown = _shown(call.world, state, found)
        found.answer = given
    complete_held(call.world, [found])
    return Response(200, {**shown, "outcome": given.outcome, "status": given.status})


def _read(body: Mapping[str, Any]) -> Answer:
    try:
        return answered(read_step(body))
    except ValueError as error:
        raise InvalidBody(str(error)) from None


def _shown(world: World, state: State, found: HeldDelivery) -> dict[str, Any]:
    row = inbox.attempt_view(state, find(state, found.outgoing.attempt + 1), filler(world), int(system_clock.seconds()))
    own = {"outcome": found.default_answer.outcome, "status": found.default_answer.status}
    return {**{name: row[name] for name in SHOWN}, "own": own}


HANDLERS: Mapping[str, Handler] = MappingProxyType(
    {
        "listHeld": list_held,
        "answerDelivery": answer_delivery,
    }
)
