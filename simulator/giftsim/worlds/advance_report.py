"""The report of an advance: the timers that fired, the hourly runs on the way, and the instant where it ended."""

from __future__ import annotations

from typing import Any

from giftsim.kernel.instants import HOUR, format_instant
from giftsim.kernel.state import TIMER_SUBJECT, State
from giftsim.kernel.timer import Timer
from giftsim.webhooks.fan_out import next_run
from giftsim.webhooks.phases import HOURLY_RUN_PHASE

MAX_LISTED = 1_000
MAX_CHANGED = 100


class AdvanceReport:
    """Counts everything that fires, lists the first thousand timers, and says what happened to the first 100 subjects.

    Hourly runs with nothing to do are counted by arithmetic, so a century of them costs nothing. `events` are all other
    timers that have fired, which the bound of an advance is about. `logged_events` are the events when the event log
    was last written; `stopped` is true when the advance ended with more due at that instant, `canceled` when it was
    canceled. `cost_s` is the real time that deliveries took, in seconds by host.
    """

    def __init__(self, state: State) -> None:
        self.from_ms = state.now_ms
        self.to_ms = state.now_ms
        self.listed: list[dict[str, Any]] = []
        self.changed: dict[tuple[str, int], dict[str, Any]] = {}
        self.events = 0
        self.hourly_runs = 0
        self.count_by_kind: dict[str, int] = {}
        self.cost_s: dict[str, float] = {}
        self.logged_events = 0
        self.stopped = self.canceled = False
        self._next_hour = next_run(state, state.now_ms, inclusive=False)

    @property
    def count(self) -> int:
        """How many timers have fired, with the hourly runs."""
        return self.events + self.hourly_runs

    def add(self, state: State, timer: Timer) -> None:
        """Count a timer that is about to fire, after the hourly runs that come before it (B45)."""
        before_ms = timer.due_ms if timer.phase >= HOURLY_RUN_PHASE else timer.due_ms - 1
        if before_ms >= self._next_hour:
            self.add_hourly_runs(before_ms)
        if timer.phase == HOURLY_RUN_PHASE:
            return
        self.events += 1
        counts, kind = self.count_by_kind, timer.kind
        counts[kind] = counts.get(kind, 0) + 1
        if len(self.changed) < MAX_CHANGED or (timer.owner, timer.subject) in self.changed:
            self._add_change(state, timer)
        if len(self.listed) < MAX_LISTED:
            subject = subject_label(state, timer)
            self.listed.append({"at": format_instant(timer.due_ms), "kind": timer.kind, "subject": subject})

    def _add_change(self, state: State, timer: Timer) -> None:
        """Note what fires for a subject, and when it last did."""
        key = (timer.owner, timer.subject)
        change = self.changed.get(key)
        if change is None:
            change = self.changed[key] = {"subject": subject_label(state, timer), "kinds": [], "at": ""}
        change["at"] = format_instant(timer.due_ms)
        if timer.kind not in change["kinds"]:
            change["kinds"].append(timer.kind)

    def add_hourly_runs(self, upto_ms: int) -> None:
        """Count the hourly runs up to and including an instant."""
        if upto_ms < self._next_hour:
            return
        runs = (upto_ms - self._next_hour) // HOUR + 1
        listed = range(self._next_hour, upto_ms + 1, HOUR)[: MAX_LISTED - len(self.listed)]
        self.listed += [
            {"at": format_instant(at_ms), "kind": "webhooks.source", "subject": "webhooks"} for at_ms in listed
        ]
        self.hourly_runs += runs
        self._next_hour += runs * HOUR

    def summary(self, state: State) -> str:
        """The advance so far, in words."""
        span = f"from {format_instant(self.from_ms)} to {format_instant(state.now_ms)}"
        return f"the clock was advanced {span}, {self.events} timers fired"

    def busiest(self) -> str:
        """The kind of timer that fired most often, for the message of an endless advance."""
        if not self.count_by_kind:
            return "none"
        kind = max(self.count_by_kind, key=lambda name: (self.count_by_kind[name], name))
        return f"{kind} ({self.count_by_kind[kind]} times)"


def is_hourly_run(timer: Timer) -> bool:
    """Whether a timer is the hourly run of webhooks, which repeats for ever."""
    return timer.phase == HOURLY_RUN_PHASE


def subject_label(state: State, timer: Timer) -> str:
    """The record that a timer is for, as people know it."""
    label = state.connected(TIMER_SUBJECT, timer.owner)
    return label(state, timer.subject) if label else f"{timer.owner} {timer.subject}"
