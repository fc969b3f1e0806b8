"""The event loop: what fails unexpectedly for one connection ends that connection alone, and is logged."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from typing import Any

import pytest

from giftsim.engine.server.connection import Connection, Service
from giftsim.engine.server.event_loop import EventLoop
from giftsim.engine.server.response import DateHeader
from giftsim.engine.system import SYSTEM
from tests.support.listening import application

WAIT_S = 10.0
REQUEST = b"GET / HTTP/1.1\r\nHost: a\r\n\r\n"


class Unlucky(Exception):
    """An exception that the server does not expect."""


class FailsToReceive(Connection):
    """Its parser has a fault."""

    def receive(self) -> None:
        raise Unlucky


class FailsToServe(Connection):
    """The code around the application has a fault."""

    def serve(self) -> None:
        raise Unlucky


class FailsLate(Connection):
    """It fails when another thread is the leader already."""

    def serve(self) -> None:
        with self._service.lend():
            pass
        raise Unlucky


class FailsToSettle(Connection):
    """It fails when it is given back to the leading thread."""

    def serve(self) -> None:
        with self._service.lend():
            super().serve()

    @property
    def can_serve(self) -> bool:
        if self._idle_s != self._began_s and not self.requests:
            raise Unlucky
        return super().can_serve


def answer(environ: dict[str, Any], start_response: Any) -> list[bytes]:
    """The application."""
    environ["wsgi.input"].read()
    start_response("200 OK", [])
    return [b"served"]


class Loop:
    """An event loop over pairs of sockets, whose connections are of any class."""

    def __init__(self, stack: ExitStack, app: Any = answer) -> None:
        self._listening = socket.create_server(("127.0.0.1", 0))
        self._stack, self._arrivals, self.fails_once = stack, list[Connection](), False
        self.loop = EventLoop(self._listening, self._add_arrivals, SYSTEM)
        date = DateHeader(SYSTEM.now_ms)
        self.service = Service(
            application(app), {}, self.loop.threads.lend, self.loop.threads.can_lend, SYSTEM, date, WAIT_S
        )
        self.loop.threads.start()

    def _add_arrivals(self) -> None:
        if self.fails_once:
            self.fails_once = False
            raise Unlucky
        while self._arrivals:
            self.loop.add(self._arrivals.pop())

    def connect(self, kind: type[Connection]) -> socket.socket:
        """Open a connection; its client's end."""
        client, server = (self._stack.enter_context(each) for each in socket.socketpair())
        client.settimeout(WAIT_S)
        server.setblocking(False)
        self._arrivals.append(kind(server, self.service, is_reserved=False))
        self.loop.wake()
        return client

    def close(self) -> None:
        """Stop it."""
        self.loop.threads.stop(self.loop.wake)
        self.loop.close()


@pytest.fixture
def loop() -> Iterator[Loop]:
    """A running event loop."""
    with ExitStack() as stack:
        loop = Loop(stack)
        yield loop
        loop.close()


def rest(client: socket.socket) -> bytes:
    """What a client receives until its connection is closed."""
    received = b""
    with suppress(ConnectionResetError):
        while piece := client.recv(65_536):
            received += piece
    return received


@pytest.mark.parametrize("kind", [FailsToReceive, FailsToServe, FailsLate, FailsToSettle])
def test_a_fault_ends_its_connection_and_others_are_served_on(
    loop: Loop, kind: type[Connection], caplog: pytest.LogCaptureFixture
) -> None:
    before = loop.connect(Connection)
    failing = loop.connect(kind)
    failing.sendall(REQUEST)
    received = rest(failing)
    assert (b"served" in received) is (kind is FailsToSettle)
    for client in (before, loop.connect(Connection)):
        client.sendall(REQUEST)
        assert client.recv(65_536).endswith(b"served")
    assert caplog.text.count("a connection failed, and is closed") == 1
    assert "Unlucky" in caplog.text


def test_a_fault_of_the_leading_thread_leaves_the_connection_it_served_last(
    loop: Loop, caplog: pytest.LogCaptureFixture
) -> None:
    client = loop.connect(Connection)
    client.sendall(REQUEST)
    assert client.recv(65_536).endswith(b"served")
    loop.fails_once = True
    for _ in range(2):
        client.sendall(REQUEST)
        assert client.recv(65_536).endswith(b"served")
    assert "a thread of the server failed" in caplog.text


def test_a_client_waits_for_one_pipelined_request_and_not_for_all() -> None:
    served: list[str] = []

    def app(environ: dict[str, Any], start_response: Any) -> list[bytes]:
        served.append(environ["PATH_INFO"])
        if environ["PATH_INFO"] == "/50":
            other.sendall(b"GET /other HTTP/1.1\r\nHost: a\r\n\r\n")
        start_response("200 OK", [])
        return [b"served"]

    with ExitStack() as stack:
        loop = Loop(stack, app)
        other, pipelining = loop.connect(Connection), loop.connect(Connection)
        pipelining.sendall(b"".join(b"GET /%d HTTP/1.1\r\nHost: a\r\n\r\n" % n for n in range(1, 200)))
        assert other.recv(65_536).endswith(b"served")
        loop.close()
    assert served.index("/other") in (50, 51)


def test_requests_that_arrived_together_are_answered_one_after_another_while_the_server_ends() -> None:
    fifth_began = threading.Event()

    def app(environ: dict[str, Any], start_response: Any) -> list[bytes]:
        path = environ["PATH_INFO"]
        if path == "/1":
            ending.loop.take_no_new_calls()
        elif path == "/4":
            with ending.loop.threads.lend():
                assert not fifth_began.wait(0.2)
        elif path == "/5":
            fifth_began.set()
        start_response("200 OK", [])
        return [path.encode()]

    with ExitStack() as stack:
        ending = Loop(stack, app)
        client = ending.connect(Connection)
        client.sendall(b"".join(b"GET /%d HTTP/1.1\r\nHost: a\r\n\r\n" % n for n in range(1, 9)))
        answers = rest(client).split(b"HTTP/1.1 ")[1:]
        ending.close()
    assert [answer.split(b"\r\n\r\n")[1] for answer in answers] == [b"/%d" % n for n in range(1, 9)]
