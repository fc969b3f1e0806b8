"""The difference between two worlds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from itertools import islice
from types import MappingProxyType
from typing import Any

from giftsim.control.differences import differences, settings_that_differ
from giftsim.control.pagination import numbered, page
from giftsim.control.problem import Ambiguous
from giftsim.control.views import diff as views
from giftsim.control.world_access import current_state
from giftsim.gateway.call import Call, Handler, Response
from giftsim.kernel.state import State
from giftsim.webhooks.event import EVENT
from giftsim.worlds.world import World

LISTED = 100  # events


def diff_worlds(call: Call) -> Response:
    """List the records, events and money that differ between a world and another one."""
    this, other = call.world, call.registry.find(call.query["with"])
    if this is other:
        raise Ambiguous(f"with: {this.id} is the world itself; name another one")
    with _both(this, other) as states:
        sides = (this, states[0]), (other, states[1])
        return _answer(call, sides)


def _answer(call: Call, sides: views.Sides) -> Response:
    (_, this), (_, other) = sides
    found = differences(this, other)
    settings = settings_that_differ(this, other)
    kind = call.query["kind"]
    rows = (each for table, of in found.items() if kind in (None, views.kind_of(table)) for each in of.rows())
    events = islice(found[EVENT.name].rows(), LISTED) if EVENT.name in found else ()
    more: dict[str, Any] = {
        "this": views.head(*sides[0]),
        "other": views.head(*sides[1]),
        "same": not found and not settings and _same_time(this, other),
        "kinds": views.counts(found),
        "settings": [{"name": name, "this": left, "other": right} for name, (left, right) in settings.items()],
        "events": [views.event(sides, each) for each in events],
        "balances": views.balances(sides, found),
        "ledger": views.ledger(found),
    }
    return page(call, "diff", numbered(rows), lambda row: views.record(sides, row), **more)


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


HANDLERS: Mapping[str, Handler] = MappingProxyType({"diffWorlds": diff_worlds})
