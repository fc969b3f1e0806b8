"""What an advance did: the timers that fired, the hourly runs it passed, and where it ended."""

from __future__ import annotations

from typing import Any

from giftsim.kernel.instants import HOUR, format_instant
from giftsim.kernel.state import State
from giftsim.kernel.timer import SOURCING_PHASE, Timer
from giftsim.webhooks.sourcing import next_run

MOST_LISTED = 1_000


class Trace:
    """Counts everything and lists the first thousand. Empty hours are arithmetic, so a century costs nothing."""

    def __init__(self, state: State) -> None:
        self.from_ms = state.now_ms
        self.to_ms = state.now_ms
        self.listed: list[dict[str, Any]] = []
        self.count = 0
        self.busiest: dict[str, int] = {}
        self.cost_s: dict[str, float] = {}
        self.told_count = 0  # when the world's inputs were last told of it
        self.stopped = False  # at the bound of events, with more due at that instant
        self._next_hour = next_run(state, state.now_ms, inclusive=False)

    def fired(self, state: State, timer: Timer) -> None:
        """A timer is about to fire; hourly runs that come before it are counted first (B45)."""
        self.hours(timer.due_ms if timer.phase >= SOURCING_PHASE else timer.due_ms - 1)
        if timer.phase == SOURCING_PHASE:
            return
        self.count += 1
        self.busiest[timer.kind] = self.busiest.get(timer.kind, 0) + 1
        if len(self.listed) < MOST_LISTED:
            self.listed.append({"at": format_instant(timer.due_ms), "kind": timer.kind, "subject": named(state, timer)})

    def hours(self, upto_ms: int) -> None:
        """Count the hourly runs up to an instant, this included."""
        if upto_ms < self._next_hour:
            return
        runs = (upto_ms - self._next_hour) // HOUR + 1
        for i in range(min(runs, MOST_LISTED - len(self.listed))):
            at = format_instant(self._next_hour + i * HOUR)
            self.listed.append({"at": at, "kind": "webhooks.source", "subject": "webhooks"})
        self.count += runs
        self._next_hour += runs * HOUR

    def worst(self) -> str:
        """The timer that fired most often, for the message of an endless advance."""
        if not self.busiest:
            return "none"
        kind = max(self.busiest, key=lambda name: (self.busiest[name], name))
        return f"{kind} ({self.busiest[kind]} times)"


def named(state: State, timer: Timer) -> str:
    """What a timer is for, in the words of whoever owns it."""
    name = state.definitions.hooks.get(f"name {timer.owner}")
    return str(name(state, timer.subject)) if name else f"{timer.owner} {timer.subject}"
