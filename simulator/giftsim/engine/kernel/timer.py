"""Timers, as records: they fire in the order of due time, phase and serial number (B45)."""

from __future__ import annotations

from collections.abc import Iterator, MutableMapping
from heapq import heapify, heappop, heappush
from typing import Any

import msgspec

from giftsim.engine.kernel.layered import copy_layered
from giftsim.engine.kernel.table import Undo

FIRST_PHASE = 0
PART = "timers"  # the name of the timers in undo entries


class Timer(msgspec.Struct, frozen=True, gc=False):
    """A trigger `kind` that is due at an instant, for the record `subject` (a slot) of `owner`.

    Timers of one instant fire by `phase`, lowest first, then by `serial`. `because` is the reason, for people.
    """

    due_ms: int
    phase: int
    serial: int
    owner: str
    subject: int
    kind: str
    because: str


def key_of(timer: Timer) -> int:
    """The key of a timer, by which timers are in order."""
    return timer.due_ms << 44 | timer.phase << 40 | timer.serial


def _keys(present: int | tuple[int, ...]) -> tuple[int, ...]:
    return (present,) if isinstance(present, int) else present


class Timers:
    """The pending timers of one world: a heap of integer keys over a dict of live timers.

    `of` has the keys of a record's timers, by owner and subject. Mostly that is one, and then bare, so that the garbage
    collector has nothing to visit, however many timers there are.
    """

    def __init__(self, log: list[Undo]) -> None:
        self.log = log
        self.live: MutableMapping[int, Timer] = {}
        self.of: dict[str, MutableMapping[int, int | tuple[int, ...]]] = {}
        self.serial = 0
        self._heap: list[int] = []
        self._shared = False

    def set(self, due_ms: int, owner: str, subject: int, kind: str, because: str, phase: int = FIRST_PHASE) -> Timer:
        """Start a timer for a record."""
        if self._shared:
            self._own()
        self.serial += 1
        timer = Timer(due_ms, phase, self.serial, owner, subject, kind, because)
        self._insert(timer)
        self.log.append(Undo(_unset, PART, timer))
        return timer

    def clear(self, owner: str, subject: int) -> None:
        """Cancel every timer of a record."""
        of_owner = self.of.get(owner)
        if of_owner and subject in of_owner:
            for key in _keys(of_owner[subject]):
                self.cancel(self.live[key])

    def cancel(self, timer: Timer) -> None:
        """Cancel one timer. Firing a timer begins with this, inside the transaction of its handler."""
        if self._shared:
            self._own()
        self._delete(timer)
        self.log.append(Undo(_uncancel, PART, timer))
        if len(self._heap) > 2 * len(self.live) + 64:
            self._heap = list(self.live)
            heapify(self._heap)

    def extend(self, timers: dict[int, Timer]) -> None:
        """Add the timers of a checkpoint, by key, where there are none yet."""
        for key in sorted(timers):
            self._insert(timers[key])

    def peek(self) -> Timer | None:
        """The next timer, or None."""
        while self._heap and self._heap[0] not in self.live:
            if self._shared:
                self._own()
            heappop(self._heap)
        return self.live[self._heap[0]] if self._heap else None

    def owned(self, owner: str, subject: int) -> list[Timer]:
        """The timers of one record, soonest first."""
        return [self.live[key] for key in sorted(_keys(self.of.get(owner, {}).get(subject, ())))]

    def soonest(self, limit: int) -> list[Timer]:
        """The next `limit` timers in firing order. Looks at no more of the heap than it has to."""
        heap, live = self._heap, self.live
        found: dict[int, Timer] = {}
        frontier = [(heap[0], 0)] if heap else []
        while frontier and len(found) < limit:
            key, place = heappop(frontier)
            for child in (2 * place + 1, 2 * place + 2):
                if child < len(heap):
                    heappush(frontier, (heap[child], child))
            if key in live:
                found[key] = live[key]
        return list(found.values())

    def __len__(self) -> int:
        return len(self.live)

    def share(self, log: list[Undo]) -> Timers:
        """A copy that costs nothing until one side changes it."""
        twin = Timers(log)
        twin.live, twin.of, twin.serial, twin._heap = self.live, self.of, self.serial, self._heap
        twin._shared = self._shared = True
        return twin

    def rows(self) -> Iterator[tuple[Any, ...]]:
        """Every timer as plain values in firing order, without serial numbers (for the fingerprint)."""
        for key in sorted(self.live):
            timer = self.live[key]
            yield (timer.due_ms, timer.phase, timer.owner, timer.subject, timer.kind)

    def _own(self) -> None:
        self.live = copy_layered(self.live)
        self.of = {owner: copy_layered(keys) for owner, keys in self.of.items()}
        self._heap = self._heap.copy()
        self._shared = False

    def _insert(self, timer: Timer) -> None:
        key = key_of(timer)
        self.live[key] = timer
        keys = self.of.get(timer.owner)
        if keys is None:
            keys = self.of[timer.owner] = {}
        present = keys.get(timer.subject)
        keys[timer.subject] = key if present is None else (*_keys(present), key)
        heappush(self._heap, key)

    def _delete(self, timer: Timer) -> None:
        key = key_of(timer)
        del self.live[key]
        keys = self.of[timer.owner]
        present = keys[timer.subject]
        if isinstance(present, int):
            del keys[timer.subject]
            return
        rest = tuple([other for other in present if other != key])
        keys[timer.subject] = rest[0] if len(rest) == 1 else rest


def _uncancel(timers: Timers, timer: Timer) -> None:
    if timers._shared:
        timers._own()
    timers._insert(timer)


def _unset(timers: Timers, timer: Timer) -> None:
    if timers._shared:
        timers._own()
    timers._delete(timer)
    timers.serial -= 1


def is_start(entry: Undo) -> bool:
    """Whether an undo entry takes back the start of a timer, which is its `former`; else it puts one back."""
    return entry.revert is _unset
