"""What one client call changed, read from what the event log keeps for undo, like the causes of a timeline."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from giftsim.engine.gateway.own_kinds import ENDPOINT, EVENT, timer_ref
from giftsim.engine.gateway.record_kind import Kind
from giftsim.engine.gateway.simulated_service import Output, service_of
from giftsim.engine.kernel.instants import format_exact
from giftsim.engine.kernel.state import State
from giftsim.engine.kernel.table import Record, Undo, is_addition
from giftsim.engine.kernel.timer import Timer
from giftsim.engine.log.inputs import CallResumed
from giftsim.engine.log.segment import Segment
from giftsim.engine.provenance.causes import Entries, newest_first
from giftsim.engine.provenance.record_changes import (
    Find,
    Slot,
    changed_records,
    former_versions,
    money_moves,
    rows_of,
)
from giftsim.engine.provenance.record_json import describe_record
from giftsim.engine.worlds.advance import subject_label
from giftsim.engine.worlds.world import World

# Columns for giftsim alone: what it counts, and slots of records that nobody knows by name.
UNSAID = frozenset({"seen", "used", "sequence", "hits", "subject", "place", "since", "owner", "toward"})
SLOTS: Mapping[str, Kind[Any]] = {"endpoint": ENDPOINT}  # columns that hold the slot of a record


def effects_of_call(world: World, state: State, seq: int) -> dict[str, Any]:
    """What a call changed, by its number in the call log; `known` is false if the event log has dropped it."""
    found = _written_by(world, state, seq)
    if found is None:
        return {"known": False, **_view(state, rows_of(state), ())}
    own, later = found
    find = _rows_before(state, later, former_versions(own).rows)
    return {"known": True, **_view(state, find, own)}


def _written_by(world: World, state: State, seq: int) -> tuple[list[Undo | State], Iterator[Entries]] | None:
    """The undo entries of a call, and those of all that came after it, the newest first. None if they are not kept."""
    place = _event_of(world, seq)
    if place is None or place[1] < world.event_log.known_from:
        return None
    ns = {
        place[1],
        *(event.n for event in place[0].events if isinstance(event, CallResumed) and event.call == place[1]),
    }
    own, later = list[Undo | State](), list[Entries]()
    for _, n, entries in newest_first(world, state):
        if n < place[1]:
            break
        if n in ns:
            own[:0] = entries
        else:
            later.append(entries)
    return own, iter(later)


def _event_of(world: World, seq: int) -> tuple[Segment, int] | None:
    for segment in reversed(world.event_log.segments):
        if segment.world_id == world.id:
            for n, outcome in segment.outcomes.items():
                if outcome.entry is not None and outcome.entry.seq == seq:
                    return segment, n
    return None


def _rows_before(state: State, later: Iterable[Entries], wanted: Mapping[Slot, Record | None]) -> Find:
    """The rows as they were before later changes, given the newest first."""
    rows = {(table, n): state.table(table).at(n) for table, n in wanted}
    for entries in later:
        for entry in reversed(entries):
            if isinstance(entry, State):
                rows = {(table, n): entry.table(table).at(n) for table, n in wanted}
            elif (entry.part, getattr(entry.former, "n", None)) in rows:
                rows[entry.part, entry.former.n] = None if is_addition(entry) else entry.former
    return lambda table, n: rows.get((table, n))


def _view(state: State, find: Find, entries: Entries) -> dict[str, Any]:
    found, service = former_versions(entries), service_of(state)
    added = [key for key, former in found.rows.items() if former is None]
    return {
        "changes": [
            {"record": _described(state, find, table, n, former), **_named(state, change)}
            for (table, n), former in found.rows.items()
            for change in changed_records(service, find, {(table, n): former})
        ],
        "ledger": money_moves(service, find, found.rows),
        "set": [_timer(state, timer) for timer in found.set],
        "canceled": [_timer(state, timer) for timer in found.canceled],
        "events": [{"id": row.id, "type": row.kind} for row in _added(state, added, EVENT.table.name)],
        "mail": [],
        **{output.name: _briefly(output, _added(state, added, output.kind.table.name)) for output in service.outputs},
    }


def _briefly(output: Output, rows: Iterable[Any]) -> list[dict[str, Any]]:
    views = (output.view(row) for row in rows)
    return [{name: view[name] for name in output.brief} for view in views]


def _added(state: State, added: Iterable[Slot], name: str) -> list[Any]:
    return [row for table, n in added if table == name and (row := state.table(table).at(n)) is not None]


def _described(state: State, find: Find, table: str, n: int, former: Record | None) -> dict[str, Any]:
    row = find(table, n) or former
    if row is None or state.table(table).at(n) is None:
        return {"kind": table, "id": n + 1, "label": None, "title": None, "of": None}
    return {"label": None, "title": None, "of": None, **describe_record(state, table, row)}


def _named(state: State, change: dict[str, Any]) -> dict[str, Any]:
    """A change without what is giftsim's alone, in which a member that is a slot names its record."""
    service = service_of(state)
    unsaid, slots = UNSAID | service.unsaid, {**SLOTS, **service.slots}
    members = {name: value for name, value in change["members"].items() if name not in unsaid}
    for name in members.keys() & slots.keys():
        members[name] = _names(state, slots[name], members[name])
    return {"what": change["what"], "members": members}


def _names(state: State, kind: Kind[Any], value: Any) -> Any:
    if isinstance(value, list):
        return [_names(state, kind, each) for each in value]
    return kind.label_of(state, value) if isinstance(value, int) else value


def _timer(state: State, timer: Timer) -> dict[str, Any]:
    subject, about = subject_label(state, timer), timer_ref(state, timer)
    return {"due": format_exact(timer.due_ms), "because": timer.because, "subject": subject, "about": about}
