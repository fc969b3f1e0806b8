"""The HTTP server: dropped connections, and threads for calls that wait."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterable, Iterator
from http.client import HTTPConnection
from typing import Any

import pytest

from giftsim.gateway.call import ConnectionDropped
from giftsim.gateway.http_server import BASE_THREADS, Server
from giftsim.gateway.wsgi_app import Environ, StartResponse

WAIT_S = 10


class App:
    """An application that answers, drops the connection, or waits with its thread lent."""

    def __init__(self) -> None:
        self.waiting = threading.Semaphore(0)
        self.release = threading.Event()
        self.server: Server

    def __call__(self, environ: Environ, start_response: StartResponse) -> Iterable[bytes]:
        if environ["PATH_INFO"] == "/drop":
            raise ConnectionDropped("fault drop: before")
        if environ["PATH_INFO"] == "/wait":
            with self.server.lend():
                self.waiting.release()
                self.release.wait(WAIT_S)
        start_response("200 OK", [("Content-Length", "2")])
        return (b"ok",)


@pytest.fixture
def app() -> Iterator[App]:
    """A served application."""
    app = App()
    app.server = Server(app, "127.0.0.1", 0)
    app.server.start()
    yield app
    app.release.set()
    app.server.stop()


def get(app: App, path: str) -> bytes:
    """The body of a response."""
    connection = HTTPConnection(app.server.host, app.server.port, timeout=WAIT_S)
    connection.request("GET", path)
    body = connection.getresponse().read()
    connection.close()
    return body


def test_a_free_port_is_chosen_and_served(app: App) -> None:
    assert app.server.port > 0
    assert get(app, "/") == b"ok"


def test_a_dropped_connection_is_closed_without_a_byte(app: App) -> None:
    with socket.create_connection((app.server.host, app.server.port), timeout=WAIT_S) as connection:
        connection.sendall(b"GET /drop HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert connection.recv(1) == b""


def test_calls_that_wait_with_their_threads_lent_leave_others_served(app: App) -> None:
    bodies: list[Any] = []
    waiting = [threading.Thread(target=lambda: bodies.append(get(app, "/wait"))) for _ in range(4 * BASE_THREADS)]
    for thread in waiting:
        thread.start()
    assert all(app.waiting.acquire(timeout=WAIT_S) for _ in waiting)
    assert get(app, "/") == b"ok"
    assert bodies == []
    app.release.set()
    for thread in waiting:
        thread.join(WAIT_S)
    assert bodies == [b"ok"] * len(waiting)


def test_a_stopped_server_accepts_no_connection() -> None:
    app = App()
    server = Server(app, "127.0.0.1", 0)
    server.start()
    server.stop()
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection((server.host, server.port), timeout=WAIT_S)
