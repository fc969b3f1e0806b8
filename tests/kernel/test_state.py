"""The state of a world: settings and the outbox follow a rollback, and every copy has its own."""

from __future__ import annotations

from contextlib import suppress

import pytest

from giftsim.kernel.errors import InvalidSetting
from giftsim.kernel.setting import number
from giftsim.kernel.state import Definitions, State

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
