"""The differences between two states: rows by their slots, and the entries that only one of them has (G163).

Tables that two worlds share are skipped, and rows that are the same object are equal without a comparison. A fork that
has diverged for a while is therefore compared in milliseconds, however large it is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from giftsim.engine.gateway.own_kinds import EVENT, event_ref
from giftsim.engine.gateway.simulated_service import Ledger, Service, service_of
from giftsim.engine.kernel.instants import format_instant
from giftsim.engine.kernel.placeholders import fill_text
from giftsim.engine.kernel.state import State
from giftsim.engine.kernel.table import Record
from giftsim.engine.provenance.record_json import LONGEST, name_of, public_id, value_as_json
from giftsim.engine.worlds.world import World

CHUNK = 1_000
ADDED, REMOVED, CHANGED = "added", "removed", "changed"
MEMBERS = {"party": "event", "addressee": "party"}  # a column has the name of its JSON member, but for these


class Difference(NamedTuple):
    """A row of a table that only one state has, or that differs; `this` is None if it was added, `other` if removed."""

    service: Service
    table: str
    this: Record | None
    other: Record | None

    @property
    def what(self) -> str:
        """Whether the other state added it, removed it or changed it."""
        return ADDED if self.this is None else REMOVED if self.other is None else CHANGED

    @property
    def members(self) -> list[str]:
        """The members that differ."""
        if self.this is None or self.other is None:
            return []
        this, other, hidden = self.this, self.other, self.service.hidden(self.table)
        names = (name for name in this.__struct_fields__ if name not in hidden)
        return [MEMBERS.get(name, name) for name in names if getattr(this, name) != getattr(other, name)]


class TableDifference(NamedTuple):
    """The rows of a table that differ: those in both states, and those that only one of them has."""

    service: Service
    table: str
    changed: list[tuple[Any, Any]]
    removed: list[Any]
    added: list[Any]

    def __bool__(self) -> bool:
        return bool(self.changed or self.removed or self.added)

    def rows(self) -> Iterator[Difference]:
        """Each row that differs, made lazily."""
        yield from (Difference(self.service, self.table, this, other) for this, other in self.changed)
        yield from (Difference(self.service, self.table, row, None) for row in self.removed)
        yield from (Difference(self.service, self.table, None, row) for row in self.added)


def find_differences(this: State, other: State, *, in_all: bool = False) -> dict[str, TableDifference]:
    """All rows that differ, by table, without tables that have none; `in_all` also in those apart from fingerprints."""
    found, service = {}, service_of(this)
    for table, twin in zip(this.tables(), other.tables(), strict=True):
        if (in_all or table.spec.hashed) and table.rows is not twin.rows:
            difference = _compare(service, table.name, table.rows, twin.rows)
            if difference:
                found[table.name] = difference
    return found


def _compare(service: Service, name: str, this: list[Any], other: list[Any]) -> TableDifference:
    logs = service.logs
    pairs = list(_unequal_pairs(this, other))
    common = min(len(this), len(other))
    removed = [row for row, twin in pairs if row is not None and (twin is None or name in logs)] + this[common:]
    added = [twin for row, twin in pairs if twin is not None and (row is None or name in logs)] + other[common:]
    removed, added = [row for row in removed if row is not None], [row for row in added if row is not None]
    if name in logs:
        return TableDifference(service, name, [], *_only_in_one(logs[name], removed, added))
    both = [pair for pair in pairs if None not in pair and Difference(service, name, *pair).members]
    return TableDifference(service, name, both, removed, added)


def _unequal_pairs(this: list[Any], other: list[Any]) -> Iterator[tuple[Any, Any]]:
    """The rows of slots that both tables have, where they differ. Lists of the same objects are equal at once."""
    common = min(len(this), len(other))
    for start in range(0, common, CHUNK):
        stop = min(start + CHUNK, common)
        left, right = this[start:stop], other[start:stop]
        if left != right:
            yield from (pair for pair in zip(left, right, strict=True) if pair[0] is not pair[1] and pair[0] != pair[1])


def _only_in_one(key_of: Callable[[Any], object], this: list[Any], other: list[Any]) -> tuple[list[Any], list[Any]]:
    """The entries of a log that only one state has, whatever their order."""
    if not this or not other:
        return this, other
    in_this, in_other = Counter(map(key_of, this)), Counter(map(key_of, other))
    return _beyond(key_of, this, in_this - in_other), _beyond(key_of, other, in_other - in_this)


def _beyond(key_of: Callable[[Any], object], rows: list[Any], more: Counter[object]) -> list[Any]:
    """The surplus rows: for each key that one side has more often, the number of rows it has more."""
    taken = []
    for row in rows:
        key = key_of(row)
        if more[key] > 0:
            more[key] -= 1
            taken.append(row)
    return taken


def settings_that_differ(this: State, other: State) -> dict[str, tuple[Any, Any]]:
    """The settings that differ, with the values of both."""
    settings = this.definitions.settings
    values = (
        (name, [state.setting_values.get(name, settings[name].default) for state in (this, other)]) for name in settings
    )
    return {name: (left, right) for name, (left, right) in values if left != right}


def postings_by_account(ledger: Ledger, entries: Iterable[Any]) -> Counter[str]:
    """The cents that entries move to each account of a ledger; accounts that count together as one."""
    totals: Counter[str] = Counter()
    for entry in entries:
        for account, cents in entry.postings:
            totals[ledger.together(account)] += cents
    return totals


# ---- As JSON

Sides = tuple[tuple[World, State], tuple[World, State]]  # this world and the other one


def counts_by_kind(found: Mapping[str, TableDifference]) -> list[dict[str, Any]]:
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


def record_difference(sides: Sides, difference: Difference) -> dict[str, Any]:
    """A record that differs, as the other world has it, or as this one has it if the other lacks it."""
    row = difference.this if difference.other is None else difference.other
    world, state = sides[difference.other is not None]
    if row is None:
        raise ValueError("a difference without a row")
    kind = difference.service.kind_of_table.get(difference.table)
    about = kind.ref(state, row) if kind else None
    return {
        "kind": difference.service.word(difference.table),
        "id": about.id if about and kind and kind.by_ref else public_id(difference.service, difference.table, row),
        "what": difference.what,
        "label": _label(world, state, difference.table, row),
        "subject": about,
        "members": [
            {
                "name": name.removesuffix("_ms"),
                "this": _shown_value(sides[0], name, getattr(difference.this, name)),
                "other": _shown_value(sides[1], name, getattr(difference.other, name)),
            }
            for name in difference.members
        ],
    }


def ledger_difference(state: State, found: Mapping[str, TableDifference]) -> dict[str, Any]:
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


def event_difference(sides: Sides, difference: Difference) -> dict[str, Any]:
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
    service = service_of(state)
    kind = service.kind_of_table.get(table)
    if kind is not None and kind.label is not None:
        return kind.label(state, row)
    named = name_of(row) or str(getattr(row, "to", None) or "")
    return service.secret_table.redact(fill_text(named, world.runtime.origin, world.id))[:LONGEST]


def _shown_value(side: tuple[World, State], name: str, value: Any) -> Any:
    """A value without secrets, with the addresses of its world."""
    world, state = side
    if isinstance(value, str):
        value = fill_text(value, world.runtime.origin, world.id)
    return value_as_json(name, value, instant=format_instant, clean=service_of(state).secret_table.redact)
