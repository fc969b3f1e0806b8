"""The clock of a world: it is stopped, runs at a rate, or is being advanced; timers fire as it moves."""

from __future__ import annotations

from giftsim.engine.log.inputs import ClockRateSet, TimePassed
from giftsim.engine.worlds.changes import CLOCK, TIMER
from giftsim.engine.worlds.locked_state import LockedState, WorldPart
from giftsim.engine.worlds.world_errors import NoAdvance


class Clock(WorldPart):
    """The clock of a world.

    `advancing` is true during an advance, `canceled` once it has to end, `waits_for` is the delivery (event id,
    attempt number) that it waits for, and `app_acts` is true while it waits for the app. The event log lacks the last
    `fired_count` timers and, with `time_unlogged`, the time that has passed since; `advance_from_ms` is where an
    advance began that it lacks.
    """

    def __init__(self, world: LockedState) -> None:
        super().__init__(world)
        self.reset()

    @property
    def waits(self) -> bool:
        """Whether an advance waits for a delivery or for the app, without the lock."""
        return self.waits_for is not None or self.app_acts

    def reset(self) -> None:
        """Start again at the instant of the world's state, without an advance."""
        self.advancing = self.canceled = self.app_acts = False
        self.waits_for: tuple[str, int] | None = None
        self.fired_count, self.time_unlogged = 0, False
        self.advance_from_ms: int | None = None
        self._time_n = self._time_change_n = 0
        self.anchor()

    def anchor(self) -> None:
        """Let the running clock count from the current instant of the state."""
        world = self._world()
        self._anchor = (world.runtime.system.monotonic(), world.state.now_ms)

    def now_ms(self) -> int:
        """The instant that a running clock shows; the state's instant if the clock is stopped."""
        world = self._world()
        state = world.state
        if not state.rate:
            return state.now_ms
        since, at_ms = self._anchor
        return max(state.now_ms, at_ms + int((world.runtime.system.monotonic() - since) * 1000 * state.rate))

    def set_rate(self, rate: float) -> None:
        """Run at `rate` world seconds per real second from now on, or stop (0)."""
        world = self._world()
        world.add_event(ClockRateSet(at_ms=world.state.now_ms, rate=rate))
        world.state.set_rate(rate)
        self.anchor()
        world.note(CLOCK, f"the clock runs at {rate:g} x real time" if rate else "the clock was stopped")

    def catch_up(self) -> None:
        """Fire the timers of a running clock that are due by now, so that no call sees an overdue timer."""
        world = self._world()
        if world.state.rate and not self.advancing and not world.runtime.replaying:
            self._run_to(world, self.now_ms())
        if self.fired_count:
            self.log_time()
            world.tell_observer()

    def log_time(self, events: int = 0) -> None:
        """Append the time that has passed to the event log. Anything else is appended after it."""
        if self.fired_count or self.time_unlogged:
            from_ms, self.advance_from_ms = self.advance_from_ms, None
            to_ms = self._world().state.now_ms
            self.add_time(TimePassed(fired=self.fired_count, to_ms=to_ms, events=events, from_ms=from_ms))
            self.fired_count, self.time_unlogged = 0, False

    def begin_time(self) -> None:
        """Before the clock moves: keep the undo log of the last event, so that an undo can return to this instant."""
        world = self._world()
        if self._time_n != world.event_log.next_n:
            world.keep_undo_log()
            world.state.note_instant()
            self._time_n, self._time_change_n = world.event_log.next_n, world.changes.last_n

    def add_time(self, event: TimePassed) -> None:
        """Append time that has passed since `begin_time`, and keep its undo log."""
        world = self._world()
        if self._time_n != world.event_log.next_n:  # the pending undo log is that of the last event
            world.add_event(event)
            return
        world.event_log.add(event, self._time_change_n)
        world.keep_undo_log_of(event.n)

    def move_to(self, at_ms: int) -> None:
        """Show a later instant; an earlier one changes nothing."""
        state = self._world().state
        if at_ms > state.now_ms:
            self.begin_time()
            state.now_ms, self.time_unlogged = at_ms, True

    def cancel_advance(self) -> None:
        """Let the advance end after the timer that fires now. NoAdvance if there is none.

        Takes no lock: the advance holds it. If the advance waits for a delivery, that ends first.
        """
        if not self.advancing:
            raise NoAdvance(f"no advance of world {self._world().id} is under way")
        self.canceled = True

    def _run_to(self, world: LockedState, at_ms: int) -> None:
        state = world.state
        self.begin_time()
        while (timer := state.timers.peek()) and timer.due_ms <= at_ms:
            state.fire(timer)
            self.fired_count += 1
            world.note(TIMER, timer)
        self.move_to(at_ms)
