"""Threads that wait for a change: calls that a fault holds or delays, and advances at a held delivery (G16, G17)."""

from __future__ import annotations

import threading

from giftsim.problem import Problem

MAX_HELD_CALLS = 256
MAX_WATCHERS = 256


class TooManyHeldCalls(Problem, status=503, code="service_unavailable"):
    """The simulator holds as many calls as it can."""


class TooManyWatchers(Problem, status=503, code="service_unavailable"):
    """As many calls wait for changes of worlds as can."""


class HeldTooLong(Problem, status=503, code="service_unavailable"):
    """A fault held the call for as long as any call is held (G81)."""


class SimulatorStops(Problem, status=503, code="service_unavailable"):
    """The simulator ended while the call was held."""


class Waiters:
    """A condition on which all waiting threads look again, and a bounded number of places for held calls."""

    def __init__(self) -> None:
        self.changed = threading.Condition()
        self.held_calls = 0
        self._watched: list[threading.Condition] = []  # on which others wait, each with an entry of its own

    def reserve(self) -> None:
        """Take a place for one held call. TooManyHeldCalls when all places are taken."""
        with self.changed:
            if self.held_calls >= MAX_HELD_CALLS:
                raise TooManyHeldCalls(f"{MAX_HELD_CALLS} calls are held by faults already; release some of them")
            self.held_calls += 1

    def release(self) -> None:
        """Give one place back."""
        with self.changed:
            self.held_calls -= 1

    @property
    def watchers(self) -> int:
        """How many places are taken by those that wait on other conditions."""
        return len(self._watched)

    def watch(self, condition: threading.Condition) -> None:
        """Take a place for one that waits on another condition, which is notified too. TooManyWatchers."""
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
