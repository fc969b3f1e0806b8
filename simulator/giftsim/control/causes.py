"""What caused a change of a record: a call, a verb of the control API, or the clock.

The event log keeps, for undo, what each record was before it changed. Read forwards, that is each record's history.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from typing import Any

import msgspec

from giftsim.event_log.events import AnyEvent, AttemptCompleted, ClientCall, ControlCall
from giftsim.event_log.segment import Segment
from giftsim.kernel.state import State
from giftsim.kernel.table import Record, Undo
from giftsim.worlds.world import World

Wanted = Mapping[str, Container[int]]  # the slots of each table


class Cause(msgspec.Struct, frozen=True):
    """A cause: its `kind` (`call`, `verb`, `clock` or `delivery`), its words, and a call's number in the journal."""

    kind: str
    text: str
    call: int | None = None


class History:
    """The earlier versions of some records, each with the event after which it was replaced.

    `wanted` are the slots of each table. What the log has forgotten, and what a fixture made, has no cause.
    """

    def __init__(self, world: World, state: State, wanted: Wanted) -> None:
        self._versions: dict[tuple[str, int], list[tuple[Segment, int, Record]]] = {}
        for segment in world.event_log.segments:
            for n, entries in segment.changes.items():
                self._add(segment, n, entries, wanted)
        self._add(segment, segment.next_n - 1, state.changes or (), wanted)

    def _add(self, segment: Segment, n: int, entries: Iterable[Undo | State], wanted: Wanted) -> None:
        for entry in entries:  # there can be 200,000 of them
            if entry.__class__ is Undo and entry.part in wanted and (former := entry.former).n in wanted[entry.part]:
                self._versions.setdefault((entry.part, former.n), []).append((segment, n, former))

    def cause(self, table: str, record: Record, at_ms: int, **columns: Any) -> Cause | None:
        """What made a record have these columns at an instant; None if it is not known any more."""
        versions = self._versions.get((table, record.n), [])
        formers = [former for _, _, former in versions]
        for i in range(len(versions) - 1, -1, -1):
            segment, n, former = versions[i]
            after = formers[i + 1] if i + 1 < len(formers) else record
            if _has(after, columns) and (former is after or not _has(former, columns)):
                return _cause(segment, n, at_ms)
        return None


def _has(record: Record, columns: Mapping[str, Any]) -> bool:
    return all(getattr(record, name) == value for name, value in columns.items())


def _cause(segment: Segment, n: int, at_ms: int) -> Cause | None:
    """The cause of a change after event `n`: the call itself, or, if it happened later, the clock that went on."""
    place = n - segment.first_n
    event: AnyEvent | None = segment.events[place] if 0 <= place < len(segment.events) else None
    if isinstance(event, ClientCall) and event.at_ms == at_ms:
        outcome = segment.outcomes.get(n)
        path = event.path.partition("?")[0]
        if path.startswith("/claim/"):
            return Cause("call", "the claim page")
        return Cause("call", f"{event.method} {path}", outcome.entry.seq if outcome and outcome.entry else None)
    if isinstance(event, ControlCall) and event.at_ms == at_ms:
        return Cause("verb", f"{event.method} {event.path.partition('?')[0].removeprefix('/')}")
    if isinstance(event, AttemptCompleted):
        return Cause("delivery", "the answer to a webhook")
    return Cause("clock", "the clock")
