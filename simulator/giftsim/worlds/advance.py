"""How time passes: due timers fire in order, what they send leaves without any lock, and its results are verbs too."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from giftsim.courier import CourierClosed
from giftsim.event_log.events import Landed
from giftsim.kernel.instants import LATEST_MS, format_instant
from giftsim.kernel.state import State
from giftsim.kernel.timer import Timer
from giftsim.webhooks.dispatch import record
from giftsim.webhooks.dispatch import take as dispatched
from giftsim.webhooks.outgoing import Outcome, Outgoing
from giftsim.webhooks.sourcing import next_run
from giftsim.worlds import system_clock
from giftsim.worlds.advance_result import Trace
from giftsim.worlds.held_deliveries import carry, counted, let_stand
from giftsim.worlds.problem import ClockBackwards, ClockBusy, TooManyEvents, WorldGone
from giftsim.worlds.world import World

MOST_EVENTS = 10_000_000
MOST_AT_ONE_INSTANT = 100_000
BREATH_S = 0.005  # a long advance lets callers in between two instants this often


@dataclass(frozen=True)
class Goal:
    """Where an advance goes: to an instant, or (None) until the world is idle or time can no longer be written.

    Idle is a world where nothing is due but what repeats for ever.
    """

    to_ms: int | None

    def reached(self, state: State, timer: Timer) -> bool:
        """Whether nothing more is due on the way; `timer` is the one that is due first."""
        if self.to_ms is not None:
            return timer.due_ms > self.to_ms
        return timer.due_ms > LATEST_MS or (timer.kind in state.definitions.perpetual and state.idle())


def goal_at(state: State, to_ms: int) -> Goal:
    """Advance to an instant; ClockBackwards for one that has passed."""
    if to_ms < state.now_ms:
        raise ClockBackwards(f"the clock stands at {format_instant(state.now_ms)}; {format_instant(to_ms)} has passed")
    if to_ms > LATEST_MS:
        raise ClockBackwards("the clock goes up to 9999-12-31T23:59:59Z")
    return Goal(to_ms)


def next_due(state: State) -> int:
    """The instant at which something happens next; the hourly run at the latest."""
    hour = min(next_run(state, state.now_ms, inclusive=False), LATEST_MS)
    timer = state.timers.peek()
    return min(timer.due_ms, hour) if timer else hour


def advance(world: World, goal_of: Any, max_events: int = MOST_EVENTS) -> Trace:
    """Drive a world to a goal, made by `goal_of(state)` once it is quiet; every delivery on the way is tried."""
    with world.quiet() as state:
        catch_up(world)
        goal: Goal = goal_of(state)
        epoch, world.driving = world.epoch, True
        trace = Trace(state)
        try:
            _run(world, goal, trace, epoch, max_events)
        finally:
            if world.epoch == epoch:
                world.driving = False
                world.anchor()
                world.registry.parking.wake()
                _tell(world, trace)
        return trace


def catch_up(world: World) -> None:
    """Let a running world do what is due by now, so that no call sees a time past an unfired timer."""
    if world.state.rate and not world.driving and world.registry.replaying is None:
        _pass_to(world, world.present_ms())
    if world.fired:
        world.tell_time()


def _pass_to(world: World, at_ms: int) -> None:
    state = world.state
    while (timer := state.timers.peek()) and timer.due_ms <= at_ms:
        state.fire(timer)
        world.fired += 1
    if at_ms > state.now_ms:
        state.now_ms, world.untold = at_ms, True


def _run(world: World, goal: Goal, trace: Trace, epoch: int, max_events: int) -> None:
    state, breath = world.state, system_clock.monotonic()
    while True:
        _deliver(world, trace, epoch)
        if system_clock.monotonic() - breath > BREATH_S:
            _tell(world, trace)
            world.lock.release()
            world.lock.acquire()
            _still(world, epoch)
            breath = system_clock.monotonic()
            continue  # what callers left for the courier meanwhile goes before time does
        timer = state.timers.peek()
        if timer is None or goal.reached(state, timer):
            break
        _instant(world, timer.due_ms, trace, max_events)
    if goal.to_ms is not None:
        trace.hours(goal.to_ms)
        world.untold = world.untold or goal.to_ms > state.now_ms
        state.now_ms = max(state.now_ms, goal.to_ms)
    trace.to_ms = state.now_ms


def _instant(world: World, at_ms: int, trace: Trace, max_events: int) -> None:
    """Fire all that is due at one instant, in phase and serial order."""
    state, began = world.state, trace.count
    while (timer := state.timers.peek()) and timer.due_ms <= at_ms:
        if trace.count >= max_events or trace.count - began >= MOST_AT_ONE_INSTANT:
            trace.to_ms, trace.stopped = state.now_ms, timer.due_ms <= state.now_ms
            now, busiest = format_instant(state.now_ms), trace.worst()
            raise TooManyEvents(
                f"stopped at {now} after {trace.count} events; the busiest was {busiest}",
                now=now, fired_count=trace.count, busiest=busiest,
            )  # fmt: skip
        trace.fired(state, timer)
        state.fire(timer)
        world.fired += 1


def _tell(world: World, trace: Trace) -> None:
    """Write how far time has gone, before anybody else can act (G5)."""
    events = trace.count - trace.told_count if trace.stopped else 0
    trace.told_count = trace.count
    world.tell_time(events)


def _deliver(world: World, trace: Trace, epoch: int) -> None:
    """Send what waits for the courier, all of one instant together; record it in the order of the attempts (G23)."""
    while world.state.outbox:
        _tell(world, trace)
        batch = take(world)
        world.at_delivery = (batch[0].event_id, batch[0].number)
        try:
            outcomes = _sent(world, batch, epoch)
        finally:
            world.at_delivery = None
        for outgoing, outcome in zip(batch, outcomes, strict=True):
            trace.cost_s[outgoing.host] = trace.cost_s.get(outgoing.host, 0.0) + outcome.took_s
        _record(world, batch, outcomes)


def _still(world: World, epoch: int) -> None:
    if world.gone:
        raise WorldGone(f"world {world.id} was deleted while a delivery was under way")
    if world.epoch != epoch:
        raise ClockBusy(f"world {world.id} was reset or restored while a delivery was under way")


def take(world: World) -> list[Outgoing]:
    """What waits for the courier; the outbox is empty afterwards."""
    return dispatched(world.state, world.registry.origin, world.id) if world.state.outbox else []


def _sent(world: World, batch: list[Outgoing], epoch: int) -> Sequence[Outcome]:
    """Send a batch without the lock; the world must still be the same afterwards."""
    world.lock.release()
    try:
        with world.registry.lend():
            outcomes = carry(world, batch)
    except CourierClosed:
        raise WorldGone(f"world {world.id} ends with the simulator") from None
    finally:
        world.lock.acquire()
    _still(world, epoch)
    return outcomes


def _record(world: World, batch: Sequence[Outgoing], outcomes: Sequence[Outcome]) -> None:
    """Each result is a verb of its own, in the order of the attempts."""
    world.tell_time()
    for outgoing, outcome in zip(batch, outcomes, strict=True):
        world.event_log.add(
            Landed(
                attempt=outgoing.attempt, host=outgoing.host, outcome=outcome.outcome, status=outcome.status,
                signed_s=outcome.signed_s, took_s=outcome.took_s,
            )
        )  # fmt: skip
        with world.state.transaction():
            record(world.state, outgoing, outcome)


def dispatch(world: World) -> None:
    """Send what a call left for the courier in the background; the results come back as verbs (G21).

    An advance under way sends it itself, so that time waits for it.
    """
    with world.lock:
        if world.driving or world.registry.replaying is not None:
            return
        batch, epoch = take(world), world.epoch
        if not batch:
            return
        world.in_flight += len(batch)
        batch = let_stand(world, batch)
    if batch:
        world.registry.background(lambda: _bring_back(world, batch, epoch))


def _bring_back(world: World, batch: list[Outgoing], epoch: int) -> None:
    try:
        outcomes = world.registry.courier.send_all(batch)
    except BaseException:
        _land(world, len(batch))
        raise
    landed(world, batch, outcomes, epoch)


def landed(world: World, batch: Sequence[Outgoing], outcomes: Sequence[Outcome], epoch: int) -> None:
    """What was sent in the background is back: recorded, unless the world is another by now."""
    try:
        with world.lock:
            if world.epoch == epoch and not world.gone:
                _record(world, batch, outcomes)
                catch_up(world)
    finally:
        _land(world, len(batch))
    world.registry.wake()
    dispatch(world)


def _land(world: World, many: int) -> None:
    """So many deliveries are in flight no more."""
    with world.landed:
        world.in_flight -= many
        world.landed.notify_all()


def send_now(world: World, call: int) -> None:
    """Send what the call of that number left, inside the call and without the lock (a partner's ping, G21)."""
    if not world.state.outbox or not world.park(call):
        return
    batch, epoch = take(world), world.epoch
    world.in_flight += len(batch)
    try:
        with counted(world, batch):
            outcomes = _sent(world, batch, epoch)
        _record(world, batch, outcomes)
        world.resume(call)
    finally:
        world.parked.pop(call, None)
        _land(world, len(batch))
