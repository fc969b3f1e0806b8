"""One connection, over a pair of sockets: a client that is gone costs nothing but its own connection."""

from __future__ import annotations

import socket
from collections.abc import Iterable
from contextlib import nullcontext
from typing import Any

import pytest

from giftsim.server.connection import Connection, Service
from giftsim.server.response import DateHeader
from tests.support.listening import SYSTEM, application


def answer(_environ: dict[str, Any], start: Any) -> Iterable[bytes]:
    """An application with an answer of many parts."""
    start("200 OK", [])
    return (bytes(100_000) for _ in range(100))


def fail(_environ: dict[str, Any], _start: Any) -> Iterable[bytes]:
    """An application with a bug that looks like a broken connection."""
    raise ConnectionError("a connection of the application")


def service(app: Any) -> Service:
    """An application that is served without other threads."""
    return Service(application(app), {}, nullcontext, SYSTEM, DateHeader(SYSTEM.now_ms), send_s=1.0)


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
