"""Signals: one handler each, checked when definitions are built, found by the signal itself when they are called."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from giftsim.engine.kernel.definitions import DefinedTwice, PackageDefinitions, merge_definitions
from giftsim.engine.kernel.setting import flag
from giftsim.engine.kernel.signals import (
    AlreadyConnected,
    Connection,
    Handlers,
    KeyedSignal,
    NotConnected,
    Signal,
    connect,
    connect_key,
)
from giftsim.engine.kernel.state import State
from giftsim.engine.kernel.table import Record, TableSpec

GREETED: Signal[Callable[[str], str]] = Signal("greeted")
COUNTED: Signal[Callable[[], int]] = Signal("counted", lambda: 0)
ARRIVED: KeyedSignal[Callable[[int], int]] = KeyedSignal("arrived")
LEFT: KeyedSignal[Callable[[int], int]] = KeyedSignal("left", abs)


class Greeter:
    """A handler that is an object."""

    def __call__(self, name: str) -> str:
        return f"good day {name}"


def hello(name: str) -> str:
    return f"hello {name}"


def same(n: int) -> int:
    return n


def next_to(n: int) -> int:
    return n + 1


GREETER: Callable[[str], str] = Greeter()


def state_with(*connections: Connection) -> State:
    return State(PackageDefinitions(connections=connections).compiled(), 1, 0)


def test_a_signal_calls_its_handler() -> None:
    assert state_with(connect(GREETED, hello)).handler(GREETED)("Bo") == "hello Bo"


def test_a_keyed_signal_calls_the_handler_of_its_key() -> None:
    state = state_with(connect_key(ARRIVED, "first", lambda n: n + 1), connect_key(ARRIVED, "second", lambda n: n * 2))
    assert (state.handler_of(ARRIVED, "first")(5), state.handler_of(ARRIVED, "second")(5)) == (6, 10)


def test_a_default_handles_what_nothing_is_connected_to() -> None:
    bare = state_with()
    assert (bare.handler(COUNTED)(), bare.handler_of(LEFT, "any")(-3)) == (0, 3)
    state = state_with(connect(COUNTED, lambda: 7), connect_key(LEFT, "mine", lambda n: n))
    assert (state.handler(COUNTED)(), state.handler_of(LEFT, "mine")(-3), state.handler_of(LEFT, "other")(-3)) == (
        7, -3, 3,
    )  # fmt: skip


def test_a_signal_without_a_handler_is_named_when_it_is_called() -> None:
    state = state_with(connect_key(ARRIVED, "first", same))
    with pytest.raises(NotConnected, match=r"^the signal greeted has no handler; connect one in a definitions\.py$"):
        state.handler(GREETED)
    with pytest.raises(NotConnected, match=r"^the signal arrived\['second'\] has no handler; connect one in a "):
        state.handler_of(ARRIVED, "second")


def test_a_signal_with_two_handlers_is_refused_and_both_are_named() -> None:
    here = __name__
    said = f"the signal greeted has two handlers: {here}.hello and {here}.Greeter; connect one of them"
    with pytest.raises(AlreadyConnected) as refused:
        state_with(connect(GREETED, hello), connect(GREETED, GREETER))
    assert str(refused.value) == said
    with pytest.raises(AlreadyConnected, match=r"^the signal arrived\['first'\] has two handlers: .*same and .*to; "):
        state_with(connect_key(ARRIVED, "first", same), connect_key(ARRIVED, "first", next_to))


def test_handlers_are_looked_up_by_the_signal_and_not_by_its_name() -> None:
    twin: Signal[Callable[[str], str]] = Signal("greeted")
    handlers = Handlers([connect(GREETED, hello)])
    assert handlers[GREETED] is hello
    with pytest.raises(NotConnected):
        handlers[twin]


def test_merged_packages_keep_their_order_and_define_nothing_twice() -> None:
    tables = [TableSpec(name, Record) for name in ("one", "two")]
    first, second = (PackageDefinitions(tables=(table,)) for table in tables)
    assert merge_definitions(second, first).tables == (tables[1], tables[0])
    with pytest.raises(DefinedTwice, match=r"^the table one is defined twice$"):
        merge_definitions(first, second, first)
    timed = PackageDefinitions(timers={"late": lambda _state, _n: None})
    with pytest.raises(DefinedTwice, match=r"^the timer kind late is defined twice$"):
        merge_definitions(timed, timed)
    chosen = PackageDefinitions(settings=(flag("a.b", True, "whether"),))
    with pytest.raises(DefinedTwice, match=r"^the setting a\.b is defined twice$"):
        merge_definitions(chosen, chosen)
