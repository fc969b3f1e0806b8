"""The state of a world: settings and the outbox follow a rollback, and every copy has its own."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from giftsim.engine.kernel.errors import InvalidSetting, InvalidTransition
from giftsim.engine.kernel.instants import HOUR
from giftsim.engine.kernel.setting import number
from giftsim.engine.kernel.state import Definitions, State
from giftsim.engine.kernel.state_machine import After, InvalidMachine, Machine, Row
from giftsim.engine.kernel.table import Record, TableSpec
from giftsim.engine.kernel.timer import Timer, Timers

SIZE = number("size", 3, "how big")


def fresh() -> State:
    return State(Definitions([], settings={"size": SIZE}), 1, 0)


def test_a_setting_is_in_force_at_once_and_until_it_is_rolled_back() -> None:
    state = fresh()
    assert state.setting(SIZE) == 3
    with suppress(ZeroDivisionError), state.transaction():
        state.set_setting("size", 5)
        assert state.setting(SIZE) == 5
        raise ZeroDivisionError
    assert (state.setting(SIZE), state.setting_values) == (3, {})


def test_a_setting_that_was_set_before_is_restored_by_a_rollback() -> None:
    state = fresh()
    with state.transaction():
        state.set_setting("size", 5)
    with suppress(ZeroDivisionError), state.transaction():
        state.set_setting("size", 7)
        raise ZeroDivisionError
    assert (state.setting(SIZE), state.setting_values) == (5, {"size": 5})


def test_a_value_that_a_setting_cannot_take_changes_nothing() -> None:
    state = fresh()
    with pytest.raises(InvalidSetting, match=r"^setting size takes a whole number, not 'big'"):
        state.set_setting("size", "big")
    with pytest.raises(InvalidSetting, match=r"^there is no setting 'siez'; did you mean size\?"):
        state.set_setting("siez", 4)
    assert (state.setting(SIZE), state.setting_values) == (3, {})


def test_a_rollback_takes_back_what_was_to_be_sent() -> None:
    state = fresh()
    with state.transaction():
        state.send("kept")
    with suppress(ZeroDivisionError), state.transaction():
        state.send("taken back")
        raise ZeroDivisionError
    assert state.outbox == ["kept"]


def test_a_copy_has_settings_counters_and_meters_of_its_own() -> None:
    state = fresh()
    with state.transaction():
        state.set_counter("orders", 1)
        state.set_meter("calls", 1)
    twin = state.share()
    with twin.transaction():
        twin.set_setting("size", 5)
        twin.set_counter("orders", 2)
        twin.set_meter("calls", 2)
    assert (state.setting(SIZE), state.counter("orders"), state.meters) == (3, 1, {"calls": 1})


def test_a_copy_has_timers_of_its_own() -> None:
    state = fresh()
    with state.transaction():
        first = state.timers.set(5, "order", 0, "order.due", "it was ordered")
    twin, other = state.share(), state.share()
    with twin.transaction():
        twin.timers.set(7, "order", 1, "order.due", "it was ordered")
    with other.transaction():
        other.timers.cancel(first)
    assert [[timer.due_ms for timer in each.timers.soonest(9)] for each in (state, twin, other)] == [[5], [5, 7], []]


def test_copies_keep_what_was_there_when_they_were_made() -> None:
    state = State(Definitions([LAMPS]), 0, 0)
    copies = [state.share()]
    for status in ("off", "on", "broken"):
        with state.transaction():
            state[LAMPS].add(Lamp(state[LAMPS].next_n, status))
        copies += [state.share(), copies[-1].share()]
    with copies[1].transaction():
        copies[1][LAMPS].add(Lamp(1, "of a copy"))
    rows = [[row.status for row in copy.table("lamps")] for copy in copies]
    assert rows == [[], ["off", "of a copy"], [], ["off", "on"], [], ["off", "on", "broken"], []]


class Lamp(Record, frozen=True, gc=False):
    """A record with a state."""

    status: str = "off"


LAMPS: TableSpec[Lamp] = TableSpec("lamps", Lamp)


def machine(*rows: Row, initial: tuple[str, ...] = ("off",), final: tuple[str, ...] = ("broken",)) -> Machine[Lamp]:
    return Machine("lamp", LAMPS, initial=initial, final=final, rows=rows)


def after(delay_ms: int) -> After:
    return After(lambda state, _: state.now_ms + delay_ms, delay_ms, "nobody turned it off")


TURN_ON, TURN_OFF, BREAK = Row("off", "press", "on"), Row("on", "press", "off"), Row("on", "drop", "broken")


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ((TURN_ON, BREAK, Row("broken", "press", "on")), "lamp: broken is final, but a row leaves it by press"),
        ((TURN_ON, BREAK, Row("off", "press", "broken")), "lamp: two rows for press in off"),
        ((TURN_ON, BREAK, Row("dim", "press", "on")), "lamp: no row leads to dim"),
        ((TURN_ON, BREAK, Row("on", "press", "dim")), "lamp: no row leaves dim, and it is not final"),
        (
            (TURN_ON, BREAK, Row("on", "blink", "dim", after=after(0)), Row("dim", "blink", "on", after=after(0))),
            "lamp: on returns to itself without any time passing",
        ),
    ],
)
def test_an_invalid_table_is_refused_when_it_is_built(rows: tuple[Row, ...], message: str) -> None:
    with pytest.raises(InvalidMachine) as refused:
        machine(*rows)
    assert str(refused.value) == message


def test_two_rows_for_one_trigger_are_fine_when_the_first_has_a_guard_of_its_own() -> None:
    machine(Row("off", "press", "on", guard=lambda *_: False), Row("off", "press", "broken"), BREAK)


def test_a_machine_takes_rows_starts_timers_and_counts() -> None:
    lamp = machine(TURN_ON, TURN_OFF, BREAK, Row("on", "expire", "off", after=after(HOUR)))
    state = State(Definitions([LAMPS], lamp.timer_handlers()), 1, 0)
    with state.transaction():
        row = lamp.fire(state, state[LAMPS].add(Lamp(0)), "press")
    assert row.status == "on"
    timer = state.timers.peek()
    assert timer is not None
    assert (timer.due_ms, timer.kind, timer.because) == (HOUR, "lamp.expire", "nobody turned it off")
    state.fire(timer)
    assert (state[LAMPS].get(0).status, state.now_ms, state.timers.peek()) == ("off", HOUR, None)
    assert state.counter("row lamp off>press>on") == 1
    assert state.counter("row lamp on>expire>off") == 1


def test_a_state_that_is_left_takes_its_timer_with_it() -> None:
    lamp = machine(TURN_ON, TURN_OFF, BREAK, Row("on", "expire", "off", after=after(HOUR)))
    state = State(Definitions([LAMPS], lamp.timer_handlers()), 1, 0)
    with state.transaction():
        row = lamp.fire(state, state[LAMPS].add(Lamp(0)), "press")
        lamp.fire(state, row, "press")
    assert (state[LAMPS].get(0).status, state.timers.peek()) == ("off", None)


def test_of_two_rows_for_one_trigger_the_first_whose_guard_allows_is_taken() -> None:
    def has_power(state: State, _: Lamp) -> bool:
        return state.counter("power") == 1

    lamp = machine(Row("off", "press", "on", guard=has_power), Row("off", "press", "broken"), BREAK)
    state = State(Definitions([LAMPS]), 1, 0)
    for power, status in ((0, "broken"), (1, "on")):
        state.set_counter("power", power)
        assert lamp.fire(state, state[LAMPS].add(Lamp(state[LAMPS].next_n)), "press").status == status
    lamp = machine(Row("off", "press", "on", guard=has_power), BREAK)
    state.set_counter("power", 0)
    assert not lamp.can(state, state[LAMPS].add(Lamp(2)), "press")


def test_a_trigger_without_a_row_changes_nothing() -> None:
    lamp = machine(TURN_ON, TURN_OFF, BREAK)
    state = State(Definitions([LAMPS]), 1, 0)
    state[LAMPS].add(Lamp(0))
    assert not lamp.can(state, state[LAMPS].get(0), "drop")
    with (
        pytest.raises(InvalidTransition, match=r"^this lamp is off: drop does not fit that state$"),
        state.transaction(),
    ):
        lamp.fire(state, state[LAMPS].get(0), "drop")
    assert state[LAMPS].get(0).status == "off"


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
