"""Attempts that stand at a receiver of mode hold, and what they are answered."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from giftsim.control.handlers.webhooks import filler
from giftsim.control.pagination import page
from giftsim.control.world_access import flush, present
from giftsim.gateway.call import Call, Reply
from giftsim.gateway.problem import InvalidBody
from giftsim.kernel.state import State
from giftsim.webhooks import inbox
from giftsim.webhooks.attempt import find
from giftsim.webhooks.receiver_script import Answer, read_step
from giftsim.webhooks.receiver_script import answer as answered
from giftsim.worlds import system_clock
from giftsim.worlds.held_deliveries import Standing, answer, await_standing, bring_home
from giftsim.worlds.world import World

SHOWN = ("seq", "at", "url", "event_id", "type", "attempt", "mark", "request")


def list_held(call: Call) -> Reply:
    """What stands now; with `wait`, once something does or no advance is under way."""
    flush(call.here)
    if call.query["wait"]:
        await_standing(call.here)
    with present(call.here) as state:
        rows = ((found.outgoing.attempt + 1, found) for found in call.here.standings.open)
        return page(call, "held", rows, lambda found: _shown(call.here, state, found))


def answer_delivery(call: Call) -> Reply:
    """Answer for the receiver; without a word of what, as it would by itself."""
    with present(call.here) as state:
        row = find(state, call.params["seq"])
        found = call.here.standings.find(row.n)
        given = _read(call.body) if call.body else found.own
        shown = _shown(call.here, state, found)
        answer(found, given)
    bring_home(call.here, [found])
    return Reply(200, {**shown, "outcome": given.outcome, "status": given.status})


def _read(body: Mapping[str, Any]) -> Answer:
    try:
        return answered(read_step(body))
    except ValueError as error:
        raise InvalidBody(str(error)) from None


def _shown(world: World, state: State, found: Standing) -> dict[str, Any]:
    row = inbox.row(state, find(state, found.outgoing.attempt + 1), filler(world), int(system_clock.seconds()))
    own = {"outcome": found.own.outcome, "status": found.own.status}
    return {**{name: row[name] for name in SHOWN}, "own": own}
