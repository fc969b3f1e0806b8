"""What caused a change of a record, and an event: a call, a verb of the control API, or the clock.

For undo, the event log keeps what each record was before it changed. That is also the history of the record.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

import msgspec

from giftsim.engine.gateway.own_kinds import EVENT
from giftsim.engine.gateway.simulated_service import service_of
from giftsim.engine.kernel.state import State
from giftsim.engine.kernel.table import Record, TableSpec, Undo, is_addition
from giftsim.engine.kernel.timer import PART as TIMERS
from giftsim.engine.kernel.timer import Timer, is_start
from giftsim.engine.log.inputs import AnyInput, AttemptCompleted, ClientCall, ControlCall
from giftsim.engine.log.segment import Segment
from giftsim.engine.webhooks.event import Event
from giftsim.engine.worlds.world import World

MOST_CHANGES = 100_000  # of a world that are searched, the newest first
Entries = Sequence[Undo | State]  # of a change, in order
Wanted = Mapping[str, Collection[int]]  # the slots of each table


class Cause(msgspec.Struct, frozen=True):
    """A cause: its `kind` (`call`, `verb`, `clock` or `delivery`), its text, and a call's number in the call log."""

    kind: str
    text: str
    call: int | None = None


class History:
    """The earlier versions of some records, each with the event after which it was replaced.

    `wanted` are the slots of each table. Changes that the log has dropped, that a fixture made, or that are older
    than the last MOST_CHANGES have no cause.
    """

    def __init__(self, world: World, state: State, wanted: Wanted) -> None:
        self.state = state
        self._versions: dict[tuple[str, int], list[tuple[Segment, int, Record]]] = {}  # the newest first
        self._unborn = {(table, n) for table, slots in wanted.items() for n in slots}
        looked_at = 0
        for segment, n, entries in newest_first(world, state):
            self._add(segment, n, entries, wanted)
            looked_at += len(entries)
            if not self._unborn or looked_at > MOST_CHANGES:
                return  # earlier changes cannot be theirs, or are too many to search

    def _add(self, segment: Segment, n: int, entries: Entries, wanted: Wanted) -> None:
        slots = wanted.get
        for entry in reversed(entries):  # no generator nor list of its own: it runs for every change of a world
            if entry.__class__ is not Undo or not (own := slots(entry.part)) or entry.former.n not in own:
                continue
            key = (entry.part, entry.former.n)
            if key in self._unborn:
                self._versions.setdefault(key, []).append((segment, n, entry.former))
                if is_addition(entry):
                    self._unborn.discard(key)

    def cause(self, table: TableSpec[Any], record: Record, at_ms: int, **columns: Any) -> Cause | None:
        """The cause that gave a record these columns at an instant; None if unknown."""
        change = self.change(table, record, **columns)
        return None if change is None else cause_of(self.state, *change, at_ms)

    def change(self, table: TableSpec[Any], record: Record, **columns: Any) -> tuple[Segment, int] | None:
        """The event after which a record got these columns; None if unknown."""
        after = record
        for segment, n, former in self._versions.get((table.name, record.n), ()):
            if _has(after, columns) and (former is after or not _has(former, columns)):
                return segment, n
            after = former
        return None

    def formers(self, table: TableSpec[Any], record: Record) -> Iterator[Record]:
        """What a record was before, the newest first; one version for each of its changes that the log still has."""
        return (former for _, _, former in self._versions.get((table.name, record.n), ()))


def newest_first(world: World, state: State) -> Iterator[tuple[Segment, int, Entries]]:
    """The undo entries of each change, the newest first, with the segment and the event after which it was made."""
    segments = world.event_log.segments
    yield segments[-1], segments[-1].next_n - 1, state.undo_log or ()
    for segment in reversed(segments):
        for n in reversed(segment.undo_logs):
            yield segment, n, segment.undo_logs[n]


def _has(record: Record, columns: Mapping[str, Any]) -> bool:
    return all(getattr(record, name) == value for name, value in columns.items())


def cause_of(state: State, segment: Segment, n: int, at_ms: int) -> Cause | None:
    """The cause of a change after event `n`: the call if it happened at that instant, or else the clock."""
    place = n - segment.first_n
    event: AnyInput | None = segment.events[place] if 0 <= place < len(segment.events) else None
    if isinstance(event, ClientCall) and event.at_ms == at_ms:
        outcome = segment.outcomes.get(n)
        path = event.path.partition("?")[0]
        page = service_of(state).page(path)
        if page is not None:
            return Cause("call", page.title)
        return Cause("call", f"{event.method} {path}", outcome.entry.seq if outcome and outcome.entry else None)
    if isinstance(event, ControlCall) and event.at_ms == at_ms:
        return Cause("verb", f"{event.method} {event.path.partition('?')[0].removeprefix('/')}")
    if isinstance(event, AttemptCompleted):
        return Cause("delivery", "the answer to a webhook")
    return Cause("clock", "the clock")


def cause_of_event(world: World, state: State, event: Event) -> Cause | None:
    """The cause of an event: a call, a verb, or the timer that fired. None if unknown."""
    looked_at = 0
    for segment, n, entries in newest_first(world, state):
        for place, entry in enumerate(entries):
            if isinstance(entry, Undo) and entry.part == EVENT.table.name and entry.former.n == event.n:
                if not is_addition(entry):
                    continue
                timer = _fired(entries[:place], event.occurred_ms)
                return Cause("clock", timer.because) if timer else cause_of(state, segment, n, event.occurred_ms)
        looked_at += len(entries)
        if looked_at > MOST_CHANGES:
            break
    return None


def _fired(entries: Entries, at_ms: int) -> Timer | None:
    """The timer that fired at an instant, last of these entries; None if what was done from outside came after it."""
    for entry in reversed(entries):
        if isinstance(entry, Undo) and entry.part == TIMERS and not is_start(entry) and entry.former.due_ms == at_ms:
            return entry.former if isinstance(entry.former, Timer) else None
    return None
