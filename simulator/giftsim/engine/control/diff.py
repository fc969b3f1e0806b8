"""The differences between two worlds, as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import islice
from typing import Any

import msgspec

from giftsim.engine.control.control_errors import Ambiguous
from giftsim.engine.control.pagination import numbered, page
from giftsim.engine.control.world_access import current_state
from giftsim.engine.control.worlds import now_and_calls
from giftsim.engine.gateway.call import Call, Response
from giftsim.engine.gateway.idempotency_record import StoredBody
from giftsim.engine.gateway.own_kinds import EVENT, event_ref
from giftsim.engine.gateway.simulated_service import Ledger, service_of
from giftsim.engine.kernel.instants import format_instant
from giftsim.engine.kernel.placeholders import fill_text
from giftsim.engine.kernel.state import State
from giftsim.engine.kernel.table import Record
from giftsim.engine.provenance.differences import (
    ADDED,
    CHANGED,
    REMOVED,
    Difference,
    TableDifference,
    differences,
    postings_by_account,
    settings_that_differ,
)
from giftsim.engine.worlds.world import World
from giftsim.services.secrets import REDACTED, redact

LONGEST = 300  # characters of a value
NAMES = ("name", "label", "title", "to", "email", "url")
Sides = tuple[tuple[World, State], tuple[World, State]]


def head(world: World, state: State) -> dict[str, Any]:
    """A world that is compared."""
    return {"id": world.id, **now_and_calls(state), "timers": len(state.timers)}


def counts(found: Mapping[str, TableDifference]) -> list[dict[str, Any]]:
    """How many records of each kind were added, removed and changed."""
    return [
        {
            "kind": difference.service.word(table),
            ADDED: len(difference.added),
            REMOVED: len(difference.removed),
            CHANGED: len(difference.changed),
        }
        for table, difference in found.items()
    ]


def record(sides: Sides, difference: Difference) -> dict[str, Any]:
    """A record that differs, as the other world has it, or as this one has it if the other lacks it."""
    (this_world, this), (other_world, other) = sides
    row = difference.this if difference.other is None else difference.other
    world, state = (this_world, this) if difference.other is None else (other_world, other)
    if row is None:
        raise ValueError("a difference without a row")
    kind = difference.service.kind_of_table.get(difference.table)
    about = kind.ref(state, row) if kind else None
    return {
        "kind": difference.service.word(difference.table),
        "id": about.id if about and kind and kind.by_ref else kind.id(row) if kind else getattr(row, "id", row.n + 1),
        "what": difference.what,
        "label": _label(world, state, difference.table, row),
        "subject": about,
        "members": [
            {
                "name": name.removesuffix("_ms"),
                "this": _value(this_world, name, getattr(difference.this, name)),
                "other": _value(other_world, name, getattr(difference.other, name)),
            }
            for name in difference.members
        ],
    }


def ledger(state: State, found: Mapping[str, TableDifference]) -> dict[str, Any]:
    """The amounts that ledger entries of only one world move, by ledger account."""
    money = service_of(state).ledger
    difference = found.get(money.entries.name) if money else None
    this, other = (difference.removed, difference.added) if difference else ([], [])
    return {"this_entries": len(this), "other_entries": len(other), "accounts": _moved(money, this, other)}


def _moved(money: Ledger | None, this: Sequence[Any], other: Sequence[Any]) -> list[dict[str, Any]]:
    if money is None:
        return []
    moved = postings_by_account(money, this), postings_by_account(money, other)
    return [
        {"account": money.name(name), "this_cents": moved[0][name], "other_cents": moved[1][name]}
        for name in sorted({*moved[0], *moved[1]})
        if moved[0][name] != moved[1][name]
    ]


def event(sides: Sides, difference: Difference) -> dict[str, Any]:
    """An event that only one world has."""
    row = difference.this or difference.other
    state = sides[difference.this is None][1]
    entry = state[EVENT.table].get(row.n if row else 0)
    return {
        "what": difference.what,
        "id": entry.id,
        "type": entry.kind,
        "at": format_instant(entry.occurred_ms),
        "label": EVENT.label_of(state, entry.n),
        "subject": EVENT.ref(state, entry),
        "about": event_ref(state, entry),
    }


def _label(world: World, state: State, table: str, row: Record) -> str:
    kind = service_of(state).kind_of_table.get(table)
    if kind is not None and kind.label is not None:
        return kind.label(state, row)
    named = next((str(value) for name in NAMES if (value := getattr(row, name, None))), "")
    return redact(fill_text(named, world.runtime.origin, world.id))[:LONGEST]


def _value(world: World, name: str, value: Any) -> Any:
    """A value for people: instants as text, bytes as text, and long ones cut."""
    if name.endswith("_ms") and isinstance(value, int):
        return format_instant(value)
    if isinstance(value, str):
        return _cut(redact(fill_text(value, world.runtime.origin, world.id)))
    if isinstance(value, StoredBody):
        value = value.read()
    if isinstance(value, bytes):
        return _cut(redact(value.decode(errors="replace")))
    text = redact(msgspec.json.encode(value).decode())
    return msgspec.to_builtins(value) if len(text) <= LONGEST and REDACTED not in text else _cut(text)


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}… ({len(text):,} characters)"


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
    found, service = differences(this, other), service_of(this)
    settings = settings_that_differ(this, other)
    kind = call.query["kind"]
    rows = (each for table, of in found.items() if kind in (None, service.word(table)) for each in of.rows())
    events = islice(found[EVENT.table.name].rows(), LISTED) if EVENT.table.name in found else ()
    more: dict[str, Any] = {
        "this": head(*sides[0]),
        "other": head(*sides[1]),
        "same": not found and not settings and _same_time(this, other),
        "kinds": counts(found),
        "settings": [{"name": name, "this": left, "other": right} for name, (left, right) in settings.items()],
        "events": [event(sides, each) for each in events],
        "balances": service.ledger.balances(sides, found) if service.ledger else [],
        "ledger": ledger(this, found),
    }
    return page(call, "diff", numbered(rows), lambda row: record(sides, row), **more)


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
