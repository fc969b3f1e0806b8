"""State machines: an invalid table of rows is refused when it is built, and a valid one runs by its rows."""

from __future__ import annotations

import pytest

from giftsim.kernel.errors import InvalidTransition
from giftsim.kernel.instants import HOUR
from giftsim.kernel.state import Definitions, State
from giftsim.kernel.state_machine import After, InvalidMachine, Machine, Row
from giftsim.kernel.table import Record, TableSpec


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
