"""Advances of a world's clock: timers fire in order, and every delivery on the way is sent and recorded.

The report of an advance says which timers fired, how many hourly runs passed, and at which instant it ended.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from giftsim.engine.kernel.instants import HOUR, LATEST_MS, format_instant
from giftsim.engine.kernel.state import TIMER_SUBJECT, State
from giftsim.engine.kernel.table import TableSpec
from giftsim.engine.kernel.timer import Timer
from giftsim.engine.webhooks.delivery import HOURLY_RUN_PHASE
from giftsim.engine.webhooks.fan_out import next_run
from giftsim.engine.worlds.app_stops import AppStops
from giftsim.engine.worlds.changes import CLOCK, TIMER
from giftsim.engine.worlds.world import World
from giftsim.engine.worlds.world_errors import ClockBackwards, EndOfCalendar, TooManyEvents

Slots = tuple[int, ...]  # of several tables

MAX_EVENTS = 10_000_000
MAX_SET_AT_ONE_INSTANT = 100_000  # timers that fire at the instant at which they were set
YIELD_EVERY_S = 0.005  # a long advance lets callers in between two instants this often, in real seconds
MAX_LISTED = 1_000
MAX_CHANGED = 100


class Goal(msgspec.Struct, frozen=True):
    """Where an advance ends: at an instant, or (None) when the world is idle or the calendar ends.

    A world is idle when only timers that repeat for ever are left.
    """

    to_ms: int | None

    def reached(self, state: State, timer: Timer) -> bool:
        """Whether nothing more is due before the goal; `timer` is the next one."""
        if self.to_ms is not None:
            return timer.due_ms > self.to_ms
        return timer.due_ms > LATEST_MS or (timer.kind in state.definitions.perpetual and state.idle())


def goal_at(state: State, to_ms: int) -> Goal:
    """The goal at an instant. ClockBackwards for one in the past, EndOfCalendar for one after the year 9999."""
    if to_ms < state.now_ms:
        raise ClockBackwards(f"the clock is at {format_instant(state.now_ms)}; {format_instant(to_ms)} has passed")
    if to_ms > LATEST_MS:
        raise EndOfCalendar(
            f"the clock is at {format_instant(state.now_ms)} and goes up to {format_instant(LATEST_MS)}, where the"
            " calendar ends; advance by less"
        )
    return Goal(to_ms)


def next_due(state: State) -> int:
    """The instant of the next event; at the latest the next hourly run."""
    hour = min(next_run(state, state.now_ms, inclusive=False), LATEST_MS)
    timer = state.timers.peek()
    return min(timer.due_ms, hour) if timer else hour


class AdvanceReport:
    """Counts everything that fires, and says what happened to the first 100 subjects.

    With `lists`, it lists the first thousand timers. With `cuts`, the advance ends early in place of TooManyEvents.
    Hourly runs with nothing to do are counted by arithmetic, so a century of them costs nothing.
    `events` are all other timers that have fired; the bound of an advance counts these.
    `logged_events` are the events when the event log was last written; `stopped` is true when the advance ended with
    more due at that instant, `canceled` when it was canceled. `cost_s` is the real time that deliveries took, in
    seconds by host. `added` are the slots of `tables` that the advance filled, from the first ones to those after the
    last ones: what others add while it gives the lock away is not in it. `stops` are what it showed to the app of the
    world, if there is one.
    """

    def __init__(self, state: State, tables: Sequence[TableSpec[Any]], *, lists: bool, cuts: bool) -> None:
        self.tables = tables
        self.added: list[tuple[Slots, Slots]] = []
        self._slots = self._next_slots(state)
        self.from_ms = state.now_ms
        self.to_ms = state.now_ms
        self.listed: list[dict[str, Any]] = []
        self._most_listed = MAX_LISTED if lists else 0
        self.cuts = cuts
        self.changed: dict[tuple[str, int], dict[str, Any]] = {}
        self.events = 0
        self.hourly_runs = 0
        self.count_by_kind: dict[str, int] = {}
        self.cost_s: dict[str, float] = {}
        self.logged_events = 0
        self.stopped = self.canceled = False
        self.stops: AppStops | None = None
        self._next_hour = next_run(state, state.now_ms, inclusive=False)

    def _next_slots(self, state: State) -> Slots:
        return tuple([state[spec].next_n for spec in self.tables])

    def pause(self, state: State) -> None:
        """Note what was added until now. Call it before the lock is given away, and at the end."""
        slots = self._next_slots(state)
        if slots != self._slots:
            self.added.append((self._slots, slots))

    def resume(self, state: State) -> None:
        """Note from where on the advance adds again. Call it with the lock."""
        self._slots = self._next_slots(state)

    @property
    def count(self) -> int:
        """The number of timers that fired, with the hourly runs."""
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
        if len(self.listed) < self._most_listed:
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
        listed = range(self._next_hour, upto_ms + 1, HOUR)[: self._most_listed - len(self.listed)]
        self.listed += [
            {"at": format_instant(at_ms), "kind": "webhooks.source", "subject": "webhooks"} for at_ms in listed
        ]
        self.hourly_runs += runs
        self._next_hour += runs * HOUR

    def summary(self, state: State) -> str:
        """One line about the advance so far."""
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


def advance(
    world: World,
    goal_of: Callable[[State], Goal],
    max_events: int = MAX_EVENTS,
    *,
    at_end: Callable[[State, AdvanceReport], object] | None = None,
    tables: Sequence[TableSpec[Any]] = (),
    lists: bool = False,
    cuts: bool = False,
) -> AdvanceReport:
    """Advance a world to a goal, which `goal_of` makes once the world has settled.

    `at_end` is called before anybody else can change the world. With `lists` the report lists timers; it has what was
    added to `tables`. TooManyEvents beyond `max_events`, in which hourly runs do not count; what happened until then
    stays. It ends early after `Clock.cancel_advance`, and with `cuts` at `max_events`.
    """
    clock = world.clock
    with world.settled() as state:
        clock.catch_up()
        goal = goal_of(state)
        epoch, clock.advancing, clock.canceled = world.epoch, True, False
        clock.advance_from_ms = state.now_ms
        report = AdvanceReport(state, tables, lists=lists, cuts=cuts)
        report.stops = AppStops.of(world, epoch)
        try:
            _run(world, goal, report, epoch, max_events)
        finally:
            if world.epoch == epoch:
                clock.advancing = False
                clock.anchor()
                if report.stops is not None:
                    report.stops.end()
                world.runtime.waiters.notify()
                _log_time(world, report)
                clock.advance_from_ms = None
                world.note(CLOCK, report.summary(state))
        report.pause(state)
        if at_end is not None:
            at_end(state, report)
        return report


def _run(world: World, goal: Goal, report: AdvanceReport, epoch: int, max_events: int) -> None:
    state, monotonic = world.state, world.runtime.system.monotonic
    yielded_s, stops = monotonic(), report.stops
    while True:
        if stops is not None and stops.is_due():
            _let_app_act(world, stops, report, goal)
        if _send_outbox(world, report, epoch) and stops is not None:
            stops.note_sent()
        if stops is not None and stops.is_due():
            continue
        if monotonic() - yielded_s > YIELD_EVERY_S:
            _log_time(world, report)
            report.pause(state)
            world.lock.give_way()
            world.check_epoch(epoch)
            report.resume(state)
            yielded_s = monotonic()
            continue  # deliveries that callers have caused meanwhile go out before time moves on
        timer = state.timers.peek()
        timer = None if timer is None or goal.reached(state, timer) else timer
        stop_ms = None if stops is None else stops.next_stop(goal.to_ms, None if timer is None else timer.due_ms)
        if timer is None and stop_ms is None:
            break
        if world.clock.canceled:
            report.to_ms, report.canceled = state.now_ms, True
            return
        if stop_ms is not None:
            world.clock.move_to(stop_ms)
        elif timer is not None:
            _fire_instant(world, timer.due_ms, report, max_events)
            world.tell_observer()
    if goal.to_ms is not None:
        report.add_hourly_runs(goal.to_ms)
        world.clock.move_to(goal.to_ms)
    report.to_ms = state.now_ms


def _fire_instant(world: World, at_ms: int, report: AdvanceReport, max_events: int) -> None:
    """Fire all timers of one instant, in order of phase and serial number."""
    state, clock, changes = world.state, world.clock, world.changes
    event_n, last_set, most_set = world.event_log.next_n - 1, state.timers.serial, MAX_SET_AT_ONE_INSTANT
    clock.begin_time()
    while (timer := state.timers.peek()) and timer.due_ms <= at_ms:
        enough = report.events >= max_events or most_set <= 0
        clock.canceled = clock.canceled or (report.cuts and enough)
        if clock.canceled and not is_hourly_run(timer):
            report.stopped = timer.due_ms <= state.now_ms
            return
        if enough and not is_hourly_run(timer):
            report.to_ms, report.stopped = state.now_ms, timer.due_ms <= state.now_ms
            now, busiest = format_instant(state.now_ms), report.busiest()
            raise TooManyEvents(
                f"stopped at {now} after {report.events} events besides hourly runs; the busiest was {busiest}",
                now=now,
                fired_count=report.count,
                hourly_runs=report.hourly_runs,
                busiest=busiest,
            )
        most_set -= timer.serial > last_set
        report.add(state, timer)
        state.fire(timer)
        clock.fired_count += 1
        changes.add(state, event_n, TIMER, timer)


def _let_app_act(world: World, stops: AppStops, report: AdvanceReport, goal: Goal) -> None:
    """Show the app the current instant, and wait until it has acted."""
    _log_time(world, report)
    report.pause(world.state)
    timer = world.state.timers.peek()
    upto_ms = [each for each in (goal.to_ms, None if timer is None else timer.due_ms) if each is not None]
    stops.show(min(upto_ms, default=None), is_end=world.state.now_ms == goal.to_ms)
    report.resume(world.state)


def _send_outbox(world: World, report: AdvanceReport, epoch: int) -> bool:
    """Send the deliveries of one instant together, and record them in the order of the attempts (G23).

    Returns whether there were any.
    """
    clock, deliveries, is_sent = world.clock, world.deliveries, False
    while world.state.outbox:
        _log_time(world, report)
        batch = deliveries.take_outbox()
        clock.waits_for = (batch[0].event_id, batch[0].number)
        report.pause(world.state)
        try:
            outcomes = deliveries.send(batch, epoch)
        finally:
            if world.epoch == epoch:
                clock.waits_for = None
        report.resume(world.state)
        for outgoing, outcome in zip(batch, outcomes, strict=True):
            report.cost_s[outgoing.host] = report.cost_s.get(outgoing.host, 0.0) + outcome.took_s
        deliveries.record(batch, outcomes)
        is_sent = True
    return is_sent


def _log_time(world: World, report: AdvanceReport) -> None:
    """Write to the event log how far time has gone, before any call can change the world (G5)."""
    events = report.events - report.logged_events if report.stopped else 0
    report.logged_events = report.events
    world.clock.log_time(events)
