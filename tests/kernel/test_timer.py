"""Timers fire by due time, phase and serial number, and a rollback restores them."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from giftsim.kernel.state import Definitions, State
from giftsim.kernel.timer import Timer, Timers

WHEN = st.tuples(st.integers(0, 20), st.integers(0, 2))


def state_with(fired: list[Timer] | None = None) -> State:
    def note(state: State, subject: int) -> None:
        if fired is not None:
            fired.append(Timer(state.now_ms, state.firing_phase or 0, 0, "t", subject, "k", "r"))

    return State(Definitions([], {"k": note}), 1, 0)


@given(st.lists(WHEN, max_size=40))
def test_timers_fire_by_due_time_phase_and_order_of_creation(timers: list[tuple[int, int]]) -> None:
    fired: list[Timer] = []
    state = state_with(fired)
    for subject, (due_ms, phase) in enumerate(timers):
        state.timers.set(due_ms, "t", subject, "k", "r", phase)
    while timer := state.timers.peek():
        state.fire(timer)
    expected = sorted((due_ms, phase, subject) for subject, (due_ms, phase) in enumerate(timers))
    assert [(timer.due_ms, timer.phase, timer.subject) for timer in fired] == expected
    assert state.now_ms == max((due_ms for due_ms, _ in timers), default=0)


@given(st.lists(WHEN, max_size=20), st.lists(WHEN, max_size=20), st.integers(0, 19))
def test_a_rollback_restores_timers(kept: list[tuple[int, int]], undone: list[tuple[int, int]], cleared: int) -> None:
    state = state_with()
    with state.transaction():
        for subject, (due_ms, phase) in enumerate(kept):
            state.timers.set(due_ms, "t", subject, "k", "r", phase)
    before = [*state.timers.rows()], state.timers.serial
    with suppress(ZeroDivisionError), state.transaction():
        for subject, (due_ms, phase) in enumerate(undone):
            state.timers.set(due_ms, "u", subject, "k", "r", phase)
        state.timers.clear("t", cleared)
        raise ZeroDivisionError
    assert ([*state.timers.rows()], state.timers.serial) == before


def test_a_timer_that_fails_leaves_the_world_and_itself_as_they_were() -> None:
    def fail(_state: State, _subject: int) -> None:
        raise ZeroDivisionError

    state = State(Definitions([], {"k": fail}), 1, 0)
    timer = state.timers.set(5, "t", 0, "k", "r")
    with pytest.raises(ZeroDivisionError):
        state.fire(timer)
    assert (state.now_ms, state.timers.peek()) == (0, timer)


def test_clearing_a_record_cancels_its_timers_alone() -> None:
    state = state_with()
    for subject in (0, 1, 0):
        state.timers.set(1, "t", subject, "k", "r")
    state.timers.clear("t", 0)
    assert [timer.subject for timer in state.timers.soonest(10)] == [1]
    assert [timer.subject for timer in state.timers.owned("t", 1)] == [1]


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 30), st.integers(0, 9))), st.integers(0, 12))
def test_the_soonest_timers_are_the_first_of_all_in_order(steps: list[tuple[int, int, int]], limit: int) -> None:
    timers = Timers([])
    for action, due_ms, subject in steps:
        if action == 0:
            timers.clear("owner", subject)
        else:
            timers.set(due_ms, "owner", subject, "kind", "because")
    assert timers.soonest(limit) == [timers.live[key] for key in sorted(timers.live)][:limit]
