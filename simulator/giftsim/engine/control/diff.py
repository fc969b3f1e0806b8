"""The differences between two worlds."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from typing import Any

from giftsim.engine.control.control_errors import Ambiguous
from giftsim.engine.control.pagination import number_rows, respond_with_page
from giftsim.engine.control.world_access import current_state
from giftsim.engine.control.worlds import now_and_calls
from giftsim.engine.gateway.call import Call, Response
from giftsim.engine.gateway.own_kinds import EVENT
from giftsim.engine.gateway.simulated_service import service_of
from giftsim.engine.kernel.state import State
from giftsim.engine.provenance.differences import (
    Sides,
    counts_by_kind,
    event_difference,
    find_differences,
    ledger_difference,
    record_difference,
    settings_that_differ,
)
from giftsim.engine.worlds.world import World

LISTED = 100  # events


def diff_worlds(call: Call) -> Response:
    """List the records, events and money that differ between a world and another one."""
    this, other = call.world, call.registry.find(call.query["with"])
    if this is other:
        raise Ambiguous(f"with: {this.id} is the world itself; name another one")
    with _both(this, other) as states:
        sides = (this, states[0]), (other, states[1])
        return _answer(call, sides)


def _answer(call: Call, sides: Sides) -> Response:
    (_, this), (_, other) = sides
    found, service = find_differences(this, other), service_of(this)
    settings = settings_that_differ(this, other)
    kind = call.query["kind"]
    rows = (each for table, of in found.items() if kind in (None, service.word(table)) for each in of.rows())
    events = islice(found[EVENT.table.name].rows(), LISTED) if EVENT.table.name in found else ()
    more: dict[str, Any] = {
        "this": _head(*sides[0]),
        "other": _head(*sides[1]),
        "same": not found and not settings and _same_time(this, other),
        "kinds": counts_by_kind(found),
        "settings": [{"name": name, "this": left, "other": right} for name, (left, right) in settings.items()],
        "events": [event_difference(sides, each) for each in events],
        "balances": service.ledger.balances(sides, found) if service.ledger else [],
        "ledger": ledger_difference(this, found),
    }
    return respond_with_page(call, "diff", number_rows(rows), lambda row: record_difference(sides, row), **more)


def _same_time(this: State, other: State) -> bool:
    """Whether both clocks are at the same instant, and the same timers are due."""
    return this.now_ms == other.now_ms and (
        this.timers.live is other.timers.live or list(this.timers.rows()) == list(other.timers.rows())
    )


@contextmanager
def _both(this: World, other: World) -> Iterator[tuple[State, State]]:
    """Hold the locks of two worlds, always in the same order, and yield their states."""
    first, second = sorted((this, other), key=lambda world: world.id)
    with current_state(first) as one, current_state(second) as two:
        yield (one, two) if first is this else (two, one)


def _head(world: World, state: State) -> dict[str, Any]:
    """A world that is compared."""
    return {"id": world.id, **now_and_calls(state), "timers": len(state.timers)}
