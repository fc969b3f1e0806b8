"""One connection, over a pair of sockets: a client that is gone costs nothing but its own connection."""

from __future__ import annotations

import socket
from collections.abc import Iterable, Iterator
from contextlib import nullcontext, suppress
from typing import Any

import pytest

from giftsim.engine.server.connection import Activity, Connection, Phase, Service
from giftsim.engine.server.listener import FEWEST, SPARE_DESCRIPTORS, ConnectionLimits
from giftsim.engine.server.response import DateHeader
from giftsim.engine.system import SYSTEM
from tests.support.listening import application


def answer(_environ: dict[str, Any], start: Any) -> Iterable[bytes]:
    """An application with an answer of many parts."""
    start("200 OK", [])
    return (bytes(100_000) for _ in range(100))


def fail(_environ: dict[str, Any], _start: Any) -> Iterable[bytes]:
    """An application with a bug that looks like a broken connection."""
    raise ConnectionError("a connection of the application")


def service(app: Any) -> Service:
    """An application that is served without other threads."""
    return Service(application(app), {}, nullcontext, lambda: True, SYSTEM, DateHeader(SYSTEM.now_ms), send_s=1.0)


@pytest.mark.parametrize("sent", [b"GET / HTTP/1.1\r\nHost: a\r\n\r\n", b"no request\r\n\r\n"])
@pytest.mark.parametrize("app", [answer, fail])
def test_a_client_that_is_gone_before_its_answer_ends_its_connection_only(
    sent: bytes, app: Any, caplog: pytest.LogCaptureFixture
) -> None:
    ours, theirs = socket.socketpair()
    ours.setblocking(False)
    connection = Connection(ours, service(app), is_reserved=False)
    theirs.sendall(sent)
    connection.receive()
    assert connection.can_serve
    theirs.close()
    connection.serve()
    assert connection.is_over
    assert ("GET / failed" in caplog.text) == (app is fail and sent.startswith(b"GET"))
    ours.close()


def test_a_client_that_is_gone_before_it_is_told_to_send_its_body_ends_its_connection_only() -> None:
    ours, theirs = socket.socketpair()
    ours.setblocking(False)
    connection = Connection(ours, service(answer), is_reserved=False)
    theirs.sendall(b"POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 4\r\n\r\n")
    theirs.close()
    connection.receive()
    assert connection.is_over
    ours.close()


def test_what_a_stream_could_not_send_is_sent_when_the_client_reads_on() -> None:
    ours, theirs = socket.socketpair()
    for end in (ours, theirs):
        end.setblocking(False)
    read = bytearray()

    def stream(_environ: dict[str, Any], start: Any) -> Iterator[bytes]:
        start("200 OK", [])
        yield bytes(500_000)
        for _ in range(20):  # the client reads, and the stream has nothing more to say
            with suppress(BlockingIOError):
                while data := theirs.recv(1_000_000):
                    read.extend(data)
            yield b""
        assert len(read) > 500_000

    connection = Connection(ours, service(stream), is_reserved=False)
    theirs.sendall(b"GET / HTTP/1.1\r\nHost: a\r\n\r\n")
    connection.receive()
    connection.serve()
    assert len(read) > 500_000
    ours.close()
    theirs.close()


def test_nothing_follows_an_answer_that_broke_off() -> None:
    ours, theirs = socket.socketpair()
    ours.setblocking(False)

    def break_off(_environ: dict[str, Any], start: Any) -> Iterator[bytes]:
        start("200 OK", [])
        yield b"begun"
        raise ValueError("a bug in the middle")

    connection = Connection(ours, service(break_off), is_reserved=False)
    theirs.sendall(b"GET / HTTP/1.1\r\nHost: a\r\n\r\n" * 2)
    connection.receive()
    connection.serve()
    assert not connection.can_serve
    assert theirs.recv(65_536).count(b"HTTP/1.1 200 OK") == 1
    ours.close()
    theirs.close()


def test_before_the_end_the_last_of_several_answers_says_that_the_connection_closes() -> None:
    ours, theirs = socket.socketpair()
    ours.setblocking(False)

    def short(_environ: dict[str, Any], start: Any) -> Iterable[bytes]:
        start("200 OK", [])
        return [b"short"]

    connection = Connection(ours, service(short), is_reserved=False)
    theirs.sendall(b"GET / HTTP/1.1\r\nHost: a\r\n\r\n" * 3)
    connection.receive()
    connection.is_ending = True
    while connection.can_serve:
        connection.serve()
    assert connection.is_over
    heads = [part.partition(b"\r\n\r\n")[0] for part in theirs.recv(1_000_000).split(b"HTTP/1.1 200 OK")[1:]]
    assert [b"Connection: close" in head for head in heads] == [False, False, True]
    ours.close()
    theirs.close()


LIMITS = ConnectionLimits(header_s=20, body_s=30, body_bytes_per_s=1_000, idle_s=600, send_s=120, drain_s=30)
NOW_S = 10_000.0


def since(phase: Phase, age_s: float, body_bytes: int = 0) -> Activity:
    """A phase that has lasted for so long."""
    return Activity(phase, NOW_S - age_s, body_bytes)


@pytest.mark.parametrize(
    ("phase", "longest_s"),
    [(Phase.ARRIVING, 20), (Phase.ARRIVING_BODY, 30), (Phase.IDLE, 600), (Phase.SENDING, 120), (Phase.DRAINING, 30)],
)
def test_each_phase_has_its_time_out(phase: Phase, longest_s: float) -> None:
    assert not LIMITS.is_overdue(since(phase, longest_s - 1), NOW_S)
    assert LIMITS.is_overdue(since(phase, longest_s + 1), NOW_S)


def test_a_request_that_is_served_has_no_time_out() -> None:
    assert not LIMITS.is_overdue(since(Phase.BUSY, 1_000_000), NOW_S)


def test_a_body_that_keeps_arriving_has_more_time() -> None:
    assert not LIMITS.is_overdue(since(Phase.ARRIVING_BODY, 90, body_bytes=64_000), NOW_S)
    assert LIMITS.is_overdue(since(Phase.ARRIVING_BODY, 90, body_bytes=50_000), NOW_S)


def test_slow_requests_give_way_first_then_the_least_recently_active() -> None:
    connections = {
        "served": since(Phase.BUSY, 900),
        "reading": since(Phase.SENDING, 9),
        "just begun": since(Phase.ARRIVING, 0.1),
        "idle": since(Phase.IDLE, 50),
        "long idle": since(Phase.IDLE, 300),
        "refused": since(Phase.DRAINING, 3),
        "slow": since(Phase.ARRIVING, 5),
        "slower": since(Phase.ARRIVING_BODY, 15, body_bytes=100),
        "uploading": since(Phase.ARRIVING_BODY, 3, body_bytes=1_000_000),
    }
    order = ["slower", "slow", "refused", "long idle", "idle", "uploading", "just begun", "reading"]
    assert LIMITS.first_to_go(connections.items(), NOW_S, 100) == order
    assert LIMITS.first_to_go(connections.items(), NOW_S, 3) == order[:3]


def test_there_are_no_more_connections_than_file_descriptors() -> None:
    limits = ConnectionLimits()
    assert limits.within(1_000_000) == limits
    assert limits.within(1_024).connections == 1_024 - SPARE_DESCRIPTORS - limits.reserved
    assert limits.within(64).connections == FEWEST
