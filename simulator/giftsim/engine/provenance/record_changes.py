"""What a moment changed, member by member: records before and after, money between accounts, timers set and canceled.

What is empty (null, "" or []) is left out of a new record.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from typing import Any

import msgspec

from giftsim.engine.gateway.own_kinds import ATTEMPT, EVENT
from giftsim.engine.gateway.simulated_service import Service
from giftsim.engine.kernel.reverts import restore_setting
from giftsim.engine.kernel.state import STATE, State
from giftsim.engine.kernel.table import Record, Undo, is_addition
from giftsim.engine.kernel.timer import PART as TIMERS
from giftsim.engine.kernel.timer import Timer, is_start, key_of
from giftsim.engine.provenance.differences import ADDED, CHANGED, REMOVED, find_differences
from giftsim.engine.provenance.record_json import columns, key_of_record, members_of, value_as_json
from giftsim.engine.webhooks.attempt import WIRE_TIMING
from giftsim.engine.webhooks.receiver_script import RECEIVER_ANSWER

Members = dict[str, Any]
Slot = tuple[str, int]  # a table and a slot of it
Find = Callable[[str, int], Record | None]  # the row in a slot as it was after the change, or None


@cache
def _apart(service: Service) -> frozenset[str]:
    """The tables that entries of their own show: money, events, attempts and other outputs."""
    own = (EVENT.table, ATTEMPT.table, WIRE_TIMING, RECEIVER_ANSWER, *(each.kind.table for each in service.outputs))
    return frozenset(spec.name for spec in (*own, *((service.ledger.entries,) if service.ledger else ())))


def rows_of(state: State) -> Find:
    """The rows of a state."""
    return lambda table, n: state.table(table).at(n)


class Written(msgspec.Struct):
    """What a moment wrote: rows by their table and slot with their former version, timers, settings."""

    rows: dict[Slot, Record | None]
    set: list[Timer]
    canceled: list[Timer]
    settings: dict[str, Any]


def former_versions(entries: Iterable[Undo | State]) -> Written:
    """The oldest former version of each row that the undo entries of a moment name, and its timers."""
    rows, timers, settings = dict[Slot, Record | None](), dict[int, tuple[bool, bool, Timer]](), dict[str, Any]()
    for entry in entries:
        if not isinstance(entry, Undo):
            continue
        part, former = entry.part, entry.former
        if part == TIMERS:
            starts, was_live = is_start(entry), timers.get(key_of(former), (not is_start(entry),))[0]
            timers[key_of(former)] = (was_live, starts, former)
        elif part != STATE:
            rows.setdefault((part, former.n), None if is_addition(entry) else former)
        elif entry.revert is restore_setting:
            settings.setdefault(*former)
    return Written(
        rows,
        [timer for was_live, is_live, timer in timers.values() if is_live and not was_live],
        [timer for was_live, is_live, timer in timers.values() if was_live and not is_live],
        {name: None if former is msgspec.UNSET else former for name, former in settings.items()},
    )


def written_between(before: State, after: State) -> Written:
    """The differences between a state and the one that replaced it."""
    rows: dict[Slot, Record | None] = {}
    for table, found in find_differences(before, after, in_all=True).items():
        rows |= {(table, row.n): row for row, _ in found.changed}
        rows |= {(table, row.n): row for row in found.removed} | {(table, row.n): None for row in found.added}
    was, now = before.timers.live, after.timers.live
    names = {*before.setting_values, *after.setting_values}
    return Written(
        rows,
        [timer for key, timer in now.items() if was.get(key) != timer],
        [timer for key, timer in was.items() if now.get(key) != timer],
        {
            name: before.setting_values.get(name)
            for name in sorted(names)
            if before.setting_values.get(name) != after.setting_values.get(name)
        },
    )


def changed_records(service: Service, find: Find, rows: Mapping[Slot, Record | None]) -> Iterator[dict[str, Any]]:
    """Each record that differs from its former version, in the order in which they were written first."""
    apart = _apart(service)
    for (table, n), former in rows.items():
        if table in apart:
            continue
        present = find(table, n)
        change: dict[str, Any] = {"record": key_of_record(service, table, n)}
        if former is None and present is not None:
            yield change | {"what": ADDED, "members": members_of(service, table, present)}
        elif former is not None and present is None:
            yield change | {"what": REMOVED, "members": members_of(service, table, former)}
        elif former is not None and present is not None and (members := _changed(service, table, former, present)):
            yield change | {"what": CHANGED, "members": members}


def _changed(service: Service, table: str, former: Record, present: Record) -> Members:
    found = {}
    for name, shown in columns(service, table, type(present)):
        was, now = getattr(former, name, None), getattr(present, name)
        if was != now:
            found[shown] = [value_as_json(name, was), value_as_json(name, now)]
    return found


def money_moves(service: Service, find: Find, rows: Mapping[Slot, Record | None]) -> list[Mapping[str, Any]]:
    """The new entries of the ledger."""
    if service.ledger is None:
        return []
    name, move = service.ledger.entries.name, service.ledger.move
    slots = (n for (table, n), former in rows.items() if table == name and former is None)
    return [move(row) for n in slots if (row := find(name, n)) is not None]
