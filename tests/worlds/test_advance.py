"""An advance of a world whose timers never end at one instant."""

from __future__ import annotations

import pytest

from giftsim.courier.courier import Courier
from giftsim.domain.fulfilment.mail import MAILS
from giftsim.event_log.inputs import TimePassed, WorldConfig
from giftsim.kernel.state import Definitions, State
from giftsim.webhooks.attempt import ATTEMPT
from giftsim.webhooks.event import EVENT
from giftsim.worlds import system_clock
from giftsim.worlds.advance import MAX_EVENTS_AT_ONE_INSTANT, advance, goal_at
from giftsim.worlds.problem import NoAdvance, TooManyEvents
from giftsim.worlds.runtime import Runtime
from giftsim.worlds.world import World


def again(state: State, subject: int) -> None:
    """Be due again at once."""
    state.timers.set(state.now_ms, "echo", subject, "echo.again", "it never ends")


def make_world(state: State) -> World:
    """A world with this state."""
    courier = Courier(wall=system_clock.seconds, monotonic=system_clock.monotonic)
    return World("w1", WorldConfig("empty", 1, 0), state, Runtime(courier))


def test_a_canceled_advance_ends_after_the_timer_in_progress() -> None:
    def fire(state: State, subject: int) -> None:
        if subject == 2:
            world.clock.cancel_advance()

    state = State(Definitions([EVENT, ATTEMPT, MAILS], {"one.shot": fire}), 1, 0)
    world = make_world(state)
    for subject, due_ms in enumerate((3, 5, 5, 5, 7)):
        state.timers.set(due_ms, "one", subject, "one.shot", "it is due")
    report = advance(world, lambda state: goal_at(state, 10))
    assert (report.canceled, report.count, report.to_ms, state.now_ms) == (True, 3, 5, 5)
    assert [timer.subject for timer in state.timers.soonest(9)] == [3, 4]
    [passed] = world.event_log.segments[-1].events
    assert passed == TimePassed(n=1, fired=3, to_ms=5, events=3, from_ms=0)
    rest = advance(world, lambda state: goal_at(state, 10))
    assert (rest.canceled, rest.count, state.now_ms) == (False, 2, 10)
    with pytest.raises(NoAdvance):
        world.clock.cancel_advance()


def test_timers_that_never_end_at_one_instant_end_the_advance() -> None:
    state = State(Definitions([EVENT, ATTEMPT, MAILS], {"echo.again": again}), 1, 0)
    state.timers.set(5, "echo", 0, "echo.again", "it never ends")
    world = make_world(state)
    with pytest.raises(TooManyEvents, match=r"the busiest was echo\.again \(100000 times\)"):
        advance(world, lambda state: goal_at(state, 10))
    assert (state.now_ms, state.timers.serial) == (5, MAX_EVENTS_AT_ONE_INSTANT + 1)
