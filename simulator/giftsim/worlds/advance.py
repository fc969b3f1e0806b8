"""Advances of a world's clock: timers fire in order, and every delivery on the way is sent and recorded."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from giftsim.kernel.instants import LATEST_MS, format_instant
from giftsim.kernel.state import State
from giftsim.kernel.timer import Timer
from giftsim.webhooks.fan_out import next_run
from giftsim.worlds import system_clock
from giftsim.worlds.advance_report import AdvanceReport, is_hourly_run
from giftsim.worlds.changes import CLOCK, TIMER
from giftsim.worlds.problem import ClockBackwards, NoAdvance, TooManyEvents
from giftsim.worlds.sending import check_epoch, record_outcomes, send_batch, take_outbox
from giftsim.worlds.settled import settled
from giftsim.worlds.world import World

MAX_EVENTS = 10_000_000
MAX_EVENTS_AT_ONE_INSTANT = 100_000
YIELD_EVERY_S = 0.005  # a long advance lets callers in between two instants this often, in real seconds


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
    """The goal at an instant. ClockBackwards for one in the past or after the year 9999."""
    if to_ms < state.now_ms:
        raise ClockBackwards(f"the clock is at {format_instant(state.now_ms)}; {format_instant(to_ms)} has passed")
    if to_ms > LATEST_MS:
        raise ClockBackwards("the clock goes up to 9999-12-31T23:59:59Z")
    return Goal(to_ms)


def next_due(state: State) -> int:
    """The instant of the next event; at the latest the next hourly run."""
    hour = min(next_run(state, state.now_ms, inclusive=False), LATEST_MS)
    timer = state.timers.peek()
    return min(timer.due_ms, hour) if timer else hour


def advance(world: World, goal_of: Callable[[State], Goal], max_events: int = MAX_EVENTS) -> AdvanceReport:
    """Advance a world to a goal, which `goal_of` makes once the world has settled.

    TooManyEvents beyond `max_events`, in which hourly runs do not count; what happened until then stays. It ends early
    after `cancel`.
    """
    with settled(world) as state:
        world.catch_up()
        goal = goal_of(state)
        epoch, world.advancing, world.advance_canceled = world.epoch, True, False
        world.advance_from_ms = state.now_ms
        report = AdvanceReport(state)
        try:
            _run(world, goal, report, epoch, max_events)
        finally:
            if world.epoch == epoch:
                world.advancing = False
                world.anchor_clock()
                world.runtime.waiters.notify()
                _log_time(world, report)
                world.advance_from_ms = None
                world.note(CLOCK, report.summary(state))
        return report


def cancel(world: World) -> None:
    """Let the advance of a world end after the timer that fires now. NoAdvance if there is none.

    Takes no lock: the advance holds it. A delivery that the advance waits at ends first.
    """
    if not world.advancing:
        raise NoAdvance(f"no advance of world {world.id} is under way")
    world.advance_canceled = True


def _run(world: World, goal: Goal, report: AdvanceReport, epoch: int, max_events: int) -> None:
    state, yielded_s = world.state, system_clock.monotonic()
    while True:
        _send_outbox(world, report, epoch)
        if system_clock.monotonic() - yielded_s > YIELD_EVERY_S:
            _log_time(world, report)
            world.lock.release()
            world.lock.acquire()
            check_epoch(world, epoch)
            yielded_s = system_clock.monotonic()
            continue  # deliveries that callers have caused meanwhile go out before time moves on
        timer = state.timers.peek()
        if timer is None or goal.reached(state, timer):
            break
        if world.advance_canceled:
            report.to_ms, report.canceled = state.now_ms, True
            return
        _fire_instant(world, timer.due_ms, report, max_events)
        world.tell_observer()
    if goal.to_ms is not None:
        report.add_hourly_runs(goal.to_ms)
        if goal.to_ms > state.now_ms:
            world.begin_time()
            state.now_ms, world.time_unlogged = goal.to_ms, True
    report.to_ms = state.now_ms


def _fire_instant(world: World, at_ms: int, report: AdvanceReport, max_events: int) -> None:
    """Fire all timers of one instant, in order of phase and serial number."""
    state, most = world.state, min(max_events, report.events + MAX_EVENTS_AT_ONE_INSTANT)
    changes, event_n = world.changes, world.event_log.next_n - 1
    world.begin_time()
    while (timer := state.timers.peek()) and timer.due_ms <= at_ms:
        if world.advance_canceled and not is_hourly_run(timer):
            report.stopped = timer.due_ms <= state.now_ms
            return
        if report.events >= most and not is_hourly_run(timer):
            report.to_ms, report.stopped = state.now_ms, timer.due_ms <= state.now_ms
            now, busiest = format_instant(state.now_ms), report.busiest()
            raise TooManyEvents(
                f"stopped at {now} after {report.events} events besides hourly runs; the busiest was {busiest}",
                now=now, fired_count=report.count, hourly_runs=report.hourly_runs, busiest=busiest,
            )  # fmt: skip
        report.add(state, timer)
        state.fire(timer)
        world.fired_count += 1
        changes.add(state, event_n, TIMER, timer)


def _send_outbox(world: World, report: AdvanceReport, epoch: int) -> None:
    """Send the deliveries of one instant together, and record them in the order of the attempts (G23)."""
    while world.state.outbox:
        _log_time(world, report)
        batch = take_outbox(world)
        world.current_delivery = (batch[0].event_id, batch[0].number)
        try:
            outcomes = send_batch(world, batch, epoch)
        finally:
            if world.epoch == epoch:
                world.current_delivery = None
        for outgoing, outcome in zip(batch, outcomes, strict=True):
            report.cost_s[outgoing.host] = report.cost_s.get(outgoing.host, 0.0) + outcome.took_s
        record_outcomes(world, batch, outcomes)


def _log_time(world: World, report: AdvanceReport) -> None:
    """Write to the event log how far time has gone, before any call can change the world (G5)."""
    events = report.events - report.logged_events if report.stopped else 0
    report.logged_events = report.events
    world.log_time(events)
