"""The hub of Node processes, to which threads of the test connect as processes do."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from typing import Any

import pytest

from giftsim.engine.worlds.app_clock import AppDidNotAct
from giftsim.workbench.app_clock.node_clocks import NodeClocks

Answer = dict[str, Any] | None


class Process:
    """A process that answers each time with what `act` says, or nothing, and keeps what it was told."""

    def __init__(
        self, hub: NodeClocks, act: Callable[[dict[str, Any]], Answer], *, key: str = "", pid: int = 71
    ) -> None:
        self.told: list[dict[str, Any]] = []
        self._act = act
        self.socket = socket.create_connection(("127.0.0.1", hub.port))
        self.say({"key": key or hub.key, "pid": pid})
        self._thread = threading.Thread(target=self._follow, daemon=True)
        self._thread.start()

    def say(self, message: dict[str, Any]) -> None:
        """Send a message."""
        self.socket.sendall(json.dumps(message).encode() + b"\n")

    def _follow(self) -> None:
        with self.socket.makefile("rb") as lines:
            for line in lines:
                message = json.loads(line)
                self.told.append(message)
                if "n" in message and (answer := self._act(message)) is not None:
                    self.say({"n": message["n"], **answer})

    def end(self) -> None:
        """End the process."""
        self.socket.shutdown(socket.SHUT_RDWR)
        self._thread.join()
        self.socket.close()


@contextmanager
def connected(hub: NodeClocks, act: Callable[[dict[str, Any]], Answer], **how: Any) -> Iterator[Process]:
    """A process that is connected to the hub."""
    process = Process(hub, act, **how)
    try:
        yield process
    finally:
        process.end()


@pytest.fixture
def hub() -> Iterator[NodeClocks]:
    with closing(NodeClocks(acts_s=0.2)) as hub:
        yield hub


def test_nobody_wants_anything_while_no_process_is_there(hub: NodeClocks) -> None:
    assert hub.show(1_000) is None
    assert hub.go_on(1_000, 5_000) is None


def test_a_process_sees_the_time_and_says_when_its_timer_is_due(hub: NodeClocks) -> None:
    with connected(hub, lambda _: {"next": 4_000}) as process:
        assert hub.show(1_000) == 4_000
    assert process.told == [{"rate": 0.0}, {"n": 1, "now": 1_000, "acts": True, "upto": 1_000}]


def test_several_processes_see_the_time_before_the_first_acts(hub: NodeClocks) -> None:
    order: list[tuple[str, bool]] = []

    def acting(name: str, next_ms: int | None) -> Callable[[dict[str, Any]], Answer]:
        def act(message: dict[str, Any]) -> Answer:
            order.append((name, "acts" in message))
            return {"next": next_ms}

        return act

    with connected(hub, acting("a", None)), connected(hub, acting("b", 9_000)):
        assert hub.show(1_000) == 9_000
    assert sorted(order[:2]) == [("a", False), ("b", False)]
    assert order[2:] == [("a", True), ("b", True)]


def test_the_process_whose_timer_is_first_goes_on_until_that_of_another(hub: NodeClocks) -> None:
    def first(message: dict[str, Any]) -> Answer:
        return {"next": 6_500 if message.get("upto", 0) > 1_000 else 2_000}

    with connected(hub, first) as process, connected(hub, lambda _: {"next": 6_000}) as other:
        assert hub.go_on(1_000, 8_000) == 6_000
    assert process.told[-1]["upto"] == 6_000
    assert [each.get("upto") for each in other.told] == [None, None, 1_000]


def test_a_process_does_not_go_on_where_something_may_happen(hub: NodeClocks) -> None:
    with connected(hub, lambda _: {"next": 4_000}) as process:
        assert hub.go_on(1_000, 4_000) == 4_000
        assert hub.go_on(1_000, 1_000) == 4_000
    assert all(each.get("upto", 1_000) == 1_000 for each in process.told)


def test_the_rate_is_told_once_and_to_those_that_come_later(hub: NodeClocks) -> None:
    with connected(hub, lambda _: {"next": None}) as process:
        hub.show(1_000)
        hub.ticks(2.0)
        hub.ticks(2.0)
        with connected(hub, lambda _: {"next": None}) as later:
            hub.show(1_000)
    assert [each["rate"] for each in process.told if "rate" in each] == [0.0, 2.0]
    assert later.told[0] == {"rate": 2.0}


def test_a_process_that_starts_while_time_goes_on_is_told_so_at_once(hub: NodeClocks) -> None:
    hub.ticks(60.0)
    with socket.create_connection(("127.0.0.1", hub.port), timeout=10) as end, end.makefile("rb") as told:
        assert json.loads(told.readline()) == {"rate": 60.0}
    hub.ticks(0.0)


def test_a_process_that_is_busy_is_named(hub: NodeClocks) -> None:
    with connected(hub, lambda _: None), pytest.raises(AppDidNotAct, match=r"process 71 was busy for more than 0\.2 s"):
        hub.show(1_000)


def test_a_late_answer_is_not_taken_for_the_next(hub: NodeClocks) -> None:
    with connected(hub, lambda _: None) as process:
        with pytest.raises(AppDidNotAct):
            hub.show(1_000)
        process.say({"n": 1, "next": 1_500})
        with pytest.raises(AppDidNotAct):
            hub.show(2_000)


def test_calls_that_stay_open_are_named(hub: NodeClocks) -> None:
    answer = {"next": None, "open": ["GET /events"]}
    with connected(hub, lambda _: answer), pytest.raises(AppDidNotAct, match="waited long for GET /events: answer"):
        hub.show(1_000)


def test_a_process_that_waits_for_a_program_is_not_waited_for(hub: NodeClocks) -> None:
    with connected(hub, lambda _: None) as process:
        process.say({"blocked": True})
        assert hub.show(1_000) is None
        process.say({"blocked": False})
        with pytest.raises(AppDidNotAct):
            hub.show(2_000)


def test_a_process_that_ends_is_forgotten(hub: NodeClocks) -> None:
    with connected(hub, lambda _: {"next": 4_000}):
        assert hub.show(1_000) == 4_000
    assert hub.show(1_000) is None


@pytest.mark.parametrize(
    "line", [b'{"key": "another", "pid": 1}\n', b"GET / HTTP/1.1\r\n\r\n", b"[1]\n", b'{"key": 5}\n']
)
def test_another_program_is_sent_away(hub: NodeClocks, line: bytes) -> None:
    with socket.create_connection(("127.0.0.1", hub.port)) as stranger:
        stranger.sendall(line)
        assert hub.show(1_000) is None
        stranger.settimeout(10)
        with stranger.makefile("rb") as told:
            assert told.readlines() == [b'{"rate": 0.0}\n']


def test_what_a_process_says_wrongly_ends_it(hub: NodeClocks) -> None:
    with connected(hub, lambda _: {"next": None}) as process:
        hub.show(1_000)
        process.say({"blocked": "x" * 1_000_001})
        process.socket.sendall(b"x\n")
        assert hub.show(2_000) is None
