"""An advance of a world whose timers never end at one instant."""

from __future__ import annotations

import pytest

from giftsim.courier.courier import Courier
from giftsim.event_log.config import WorldConfig
from giftsim.kernel.state import Definitions, State
from giftsim.worlds import system_clock
from giftsim.worlds.advance import MAX_EVENTS_AT_ONE_INSTANT, advance, goal_at
from giftsim.worlds.problem import TooManyEvents
from giftsim.worlds.runtime import Runtime
from giftsim.worlds.world import World


def again(state: State, subject: int) -> None:
    """Be due again at once."""
    state.timers.set(state.now_ms, "echo", subject, "echo.again", "it never ends")


def test_timers_that_never_end_at_one_instant_end_the_advance() -> None:
    state = State(Definitions([], {"echo.again": again}), 1, 0)
    state.timers.set(5, "echo", 0, "echo.again", "it never ends")
    courier = Courier(wall=system_clock.seconds, monotonic=system_clock.monotonic)
    world = World("w1", WorldConfig("empty", 1, 0), state, Runtime(courier))
    with pytest.raises(TooManyEvents, match=r"the busiest was echo\.again \(100000 times\)"):
        advance(world, lambda state: goal_at(state, 10))
    assert (state.now_ms, state.timers.serial) == (5, MAX_EVENTS_AT_ONE_INSTANT + 1)
