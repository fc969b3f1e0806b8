"""Threads that wait for a change: calls that a fault holds or delays, advances at a held delivery, and watchers of the
changes (G16, G17)."""

from __future__ import annotations

import threading
from collections.abc import Callable

import msgspec

from giftsim.engine.problem import Problem

MAX_HELD_CALLS = 256
MAX_WATCHERS = 256
NO_THREAD = (
    "the system has no thread left for another call that waits; release held calls, or raise its limit (ulimit -u)"
)


class WaitLimits(msgspec.Struct, frozen=True):
    """How long a call waits, in real seconds, before it ends with 503 and the reason.

    `held_call_s` is for a call or delivery that is held (G81), `settle_s` for a control call that waits for deliveries
    in flight (G80).
    """

    held_call_s: float = 600.0
    settle_s: float = 60.0


DEFAULT_LIMITS = WaitLimits()


class TooManyHeldCalls(Problem, status=503, code="service_unavailable"):
    """The simulator cannot hold another call."""


class TooManyWatchers(Problem, status=503, code="service_unavailable"):
    """Too many calls wait for changes of worlds."""


class HeldTooLong(Problem, status=503, code="service_unavailable"):
    """A fault held the call for the longest time that a call may be held (G81)."""


class SimulatorStops(Problem, status=503, code="service_unavailable"):
    """The simulator ended while the call was held."""


class Waiters:
    """A condition that wakes all waiting threads, and a bounded number of places for held calls.

    `can_wait` says whether the server can spare the current thread: a call that would wait is refused otherwise.
    """

    def __init__(self, changed: threading.Condition) -> None:
        self.changed = changed
        self.can_wait: Callable[[], bool] = lambda: True
        self.held_call_count = 0
        self._watched: list[threading.Condition] = []  # an entry for each thread that waits on one

    def reserve(self) -> None:
        """Take a place for one held call. TooManyHeldCalls when all places are taken, or no thread is left."""
        if not self.can_wait():
            raise TooManyHeldCalls(NO_THREAD)
        with self.changed:
            if self.held_call_count >= MAX_HELD_CALLS:
                raise TooManyHeldCalls(f"{MAX_HELD_CALLS} calls are held by faults already; release some of them")
            self.held_call_count += 1

    def release(self) -> None:
        """Give one place back."""
        with self.changed:
            self.held_call_count -= 1

    @property
    def watchers(self) -> int:
        """The number of threads that wait on other conditions."""
        return len(self._watched)

    def watch(self, condition: threading.Condition) -> None:
        """Take a place for a thread that waits on another condition, which is notified too. TooManyWatchers."""
        if not self.can_wait():
            raise TooManyWatchers(NO_THREAD)
        with self.changed:
            if len(self._watched) >= MAX_WATCHERS:
                raise TooManyWatchers(
                    f"{MAX_WATCHERS} calls wait for changes or stream them already; close some of them"
                )
            self._watched.append(condition)

    def unwatch(self, condition: threading.Condition) -> None:
        """Give the place back."""
        with self.changed:
            self._watched.remove(condition)

    def notify(self) -> None:
        """Let every waiting thread check its condition again: a fault was deleted, a world replaced."""
        with self.changed:
            self.changed.notify_all()
            watched = list(dict.fromkeys(self._watched))
        for condition in watched:
            with condition:
                condition.notify_all()
