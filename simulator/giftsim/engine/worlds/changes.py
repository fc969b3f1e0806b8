"""The feed of changes of a world: calls, events, deliveries, outputs, timers and time, with numbers that only grow.

The feed lives with the world in this process and is not part of its state. An undo removes its entries, but does not
use their numbers again. An entry is a few bytes that name a record; the reader adds the text.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import Any

import msgspec
from msgspec.structs import replace

from giftsim.engine.kernel.signals import Signal
from giftsim.engine.kernel.state import State
from giftsim.engine.kernel.table import TableSpec
from giftsim.engine.webhooks.attempt import ATTEMPT, Attempt
from giftsim.engine.webhooks.delivery import ATTEMPT_TIMER
from giftsim.engine.webhooks.event import EVENT, PING_SUBJECT
from giftsim.engine.webhooks.fan_out import HOURLY_RUN_TIMER
from giftsim.engine.webhooks.outgoing import DELIVERED
from giftsim.engine.worlds.change_counts import Timeline

MAX_ENTRIES = 10_000
_COUNTED_AT_ONCE = 500  # before they are dropped

CALL, CONTROL = "call", "control"
EVENT_KIND, DELIVERY, FAULT, HOLD = "event", "delivery", "fault", "hold"
TIMER, CLOCK, SNAPSHOT, REWOUND, DROPPED = "timer", "clock", "snapshot", "rewound", "dropped"
# What the service sends other than by webhooks, such as mail: a word for each, and a table that only grows.
OUTPUTS: Signal[Sequence[tuple[str, TableSpec[Any]]]] = Signal("outputs", ())  # told itself, by no function

WEBHOOK_TIMERS = (ATTEMPT_TIMER, HOURLY_RUN_TIMER)
SAVED, DELETED = "saved", "deleted"


class Change(msgspec.Struct, frozen=True, gc=False):
    """Change number `n`, after event `event_n` of the event log.

    What `about` is depends on the kind:

    - a call: its number;
    - an event, an attempt or another record: its slot;
    - a timer: the timer;
    - a fault: its name;
    - a snapshot: its name, and whether it was saved or deleted;
    - an action: its text;
    - an undo, a restore or a reset: the number that the world returned to, and why.

    `failed` says how a call or a delivery ended; None for what has not ended.
    """

    n: int
    at_ms: int
    event_n: int
    kind: str
    about: Any
    failed: bool | None = False


class TakenChanges(msgspec.Struct):
    """The changes after number `after_n` that an undo takes away, and the timeline before it."""

    after_n: int
    changes: list[Change]
    timeline: Timeline


class Changes:
    """The newest changes of a world. `last_n` is the number of the last one, `dropped_n` of the last that was dropped.

    The `timeline` counts also those that were dropped. The path of a call leaves the counting to whoever asks for it.

    Entries are added and read with the world's lock. To wait for the next one, wait on `added`, without the lock.
    """

    def __init__(self, state: State, added: threading.Condition, max_entries: int = MAX_ENTRIES) -> None:
        self.max_entries = max_entries
        self.entries: deque[Change] = deque()
        self.last_n = self.dropped_n = 0
        self._timeline = Timeline()
        self._counted_n = 0  # the changes up to this number are in the timeline
        self.added = added
        self._waiting = 0
        self._outputs = state.definitions.handlers[OUTPUTS]
        self._note_rows(state)

    def add(self, state: State, event_n: int, kind: str, about: Any, failed: bool | None = False) -> None:
        """Add a change, and after it the events, attempts and outputs that are new in the state since the last one."""
        if kind is TIMER and about.kind in WEBHOOK_TIMERS:  # the deliveries are told
            failed = None
        self._list(Change(self.last_n + 1, state.now_ms, event_n, kind, about, failed))
        rows = state[EVENT].next_n + state[ATTEMPT].next_n
        for _, spec in self._outputs:
            rows += state[spec].next_n
        if rows != self._rows:
            self._add_rows(state, event_n)
        if self._waiting:
            self._notify()

    def _notify(self) -> None:
        with self.added:
            self.added.notify_all()

    @property
    def timeline(self) -> Timeline:
        """How much of each kind happened, and when."""
        self._count(self.after(self._counted_n))
        return self._timeline

    def rewind(self, state: State, event_n: int, to: int, reason: str) -> None:
        """Remove the changes after number `to`, which `state` has no more, and add one that says so.

        If change `to` itself is not listed, clients cannot rely on any change before it either.
        """
        entries = self.entries
        while entries and entries[-1].n > to:
            gone = entries.pop()
            if gone.failed is not None and gone.n <= self._counted_n:
                self._timeline.remove(gone.kind, gone.n, failed=gone.failed)
        if not entries or entries[-1].n != to:
            self.timeline.end_at(to, state.now_ms)
            entries.clear()
            to = 0
        self._note_rows(state)
        self.add(state, event_n, REWOUND, (to, reason), None)

    def since(self, n: int) -> TakenChanges:
        """The changes after number `n`, with all that is counted, for a redo."""
        return TakenChanges(n, list(self.after(n)), self.timeline.kept())

    def bring_back(self, state: State, event_n: int, taken: TakenChanges, told_n: int, reason: str) -> int:
        """After a redo: remove the changes since the undo that change `told_n` tells, and list those that it removed.

        Returns by how much their numbers have grown.
        """
        self.rewind(state, event_n, told_n, reason)
        shift = self.last_n - taken.after_n
        for change in taken.changes:
            self._list(replace(change, n=change.n + shift))
        taken.timeline.shift(taken.after_n, shift)
        self._timeline, self._counted_n = taken.timeline, self.last_n
        self._notify()
        return shift

    def is_listed(self, n: int) -> bool:
        """Whether change `n` is kept."""
        return any(change.n == n for change in reversed(self.entries))

    def at_snapshot(self, name: str) -> int:
        """The number of the change at which a snapshot was saved; 0 if it is not known."""
        about = name, SAVED
        return next((each.n for each in reversed(self.entries) if each.kind == SNAPSHOT and each.about == about), 0)

    def after(self, n: int) -> Iterator[Change]:
        """The changes that are kept with a greater number, oldest first."""
        entries = self.entries
        newer = 0
        for change in reversed(entries):
            if change.n <= n:
                break
            newer += 1
        return islice(entries, len(entries) - newer, None)

    def wait(self, after: int, limit_s: float, has_ended: Callable[[], bool]) -> None:
        """Wait without the world's lock for a change after number `after`, until it `has_ended`, or for `limit_s`."""
        with self.added:
            self._waiting += 1
            try:
                self.added.wait_for(lambda: self.last_n > after or has_ended(), limit_s)
            finally:
                self._waiting -= 1

    def _list(self, change: Change) -> None:
        entries = self.entries
        entries.append(change)
        if len(entries) > self.max_entries:
            if entries[0].n > self._counted_n:
                self._count(islice(entries, _COUNTED_AT_ONCE))
            self.dropped_n = entries.popleft().n
        self.last_n = change.n  # last, because waiting threads look at nothing else

    def _count(self, changes: Iterable[Change]) -> None:
        """Count changes, the oldest first that are not counted yet."""
        add = self._timeline.add
        for change in changes:
            if change.failed is not None:
                add(change.kind, change.at_ms, change.n, failed=change.failed)
            self._counted_n = change.n

    def _note_rows(self, state: State) -> None:
        """Note how many rows the state has."""
        self._events, self._attempts = state[EVENT].next_n, state[ATTEMPT].next_n
        self._sent = []
        for _, spec in self._outputs:
            self._sent.append(state[spec].next_n)
        self._rows = self._events + self._attempts + sum(self._sent)

    def _add_rows(self, state: State, event_n: int) -> None:
        now_ms, add = state.now_ms, self._list
        for event in state[EVENT].rows[self._events :]:
            if event is not None and event.subject != PING_SUBJECT:
                add(Change(self.last_n + 1, event.occurred_ms, event_n, EVENT_KIND, event.n, None))
        for (kind, spec), first in zip(self._outputs, self._sent, strict=True):
            for n in range(first, state[spec].next_n):
                add(Change(self.last_n + 1, now_ms, event_n, kind, n))
        for attempt in state[ATTEMPT].rows[self._attempts :]:
            if attempt is not None:
                add(Change(self.last_n + 1, now_ms, event_n, DELIVERY, attempt.n, has_failed(attempt)))
                if attempt.fault:
                    add(Change(self.last_n + 1, now_ms, event_n, FAULT, attempt.fault))
        self._note_rows(state)


def has_failed(attempt: Attempt) -> bool | None:
    """Whether an attempt failed; None while it is under way."""
    return None if attempt.outcome is None else attempt.outcome != DELIVERED
