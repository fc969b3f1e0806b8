"""The HTTP server: what it sends, dropped connections, and threads for calls that wait or take long."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterable, Iterator
from contextlib import suppress
from email.utils import formatdate
from http.client import HTTPConnection
from typing import Any

import pytest

from giftsim.engine.gateway.call import ConnectionDropped
from giftsim.engine.gateway.wsgi_app import Environ, StartResponse
from giftsim.engine.server import ConnectionLimits, Server
from giftsim.engine.server.response import http_date
from giftsim.engine.system import SYSTEM
from tests.support.listening import application, server_of
from tests.support.waiting import wait_until

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
                self._wait()
        if environ["PATH_INFO"] == "/work":
            self._wait()
        if environ["PATH_INFO"] == "/fail":
            raise ValueError("a fault of the application")
        if environ["PATH_INFO"] == "/exit":
            raise SystemExit(1)
        if environ["PATH_INFO"] == "/stream":
            start_response("200 OK", [])
            return (bytes(100_000) for _ in range(100))
        start_response("200 OK", [("Content-Type", "text/plain")])
        return (environ["wsgi.input"].read() or b"ok",)

    def _wait(self) -> None:
        self.waiting.release()
        self.release.wait(WAIT_S)


@pytest.fixture
def app() -> Iterator[App]:
    """A served application."""
    app = App()
    app.server = server_of(app)
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


@pytest.mark.parametrize("path", ["/wait", "/work"])
def test_calls_that_wait_or_take_long_leave_others_served(app: App, path: str) -> None:
    """A call that waits says so by lending its thread; one that takes long is noticed."""
    bodies: list[Any] = []
    waiting = [threading.Thread(target=lambda: bodies.append(get(app, path))) for _ in range(8)]
    for thread in waiting:
        thread.start()
    assert all(app.waiting.acquire(timeout=WAIT_S) for _ in waiting)
    assert get(app, "/") == b"ok"
    assert bodies == []
    app.release.set()
    for thread in waiting:
        thread.join(WAIT_S)
    assert bodies == [b"ok"] * len(waiting)


def test_clock_and_threads_are_those_of_the_system_that_it_is_given() -> None:
    now_s, started = [1000.0], list[Any]()

    def start_thread(run: Any, name: str) -> None:
        started.append(run)
        SYSTEM.start_thread(run, name)

    system = SYSTEM._replace(monotonic=lambda: now_s[0], now_ms=lambda: 0, start_thread=start_thread)
    server = Server(application(App()), "127.0.0.1", 0, system, ConnectionLimits(check_s=0.01))
    server.start()
    with socket.create_connection((server.host, server.port), timeout=WAIT_S) as client:
        client.sendall(b"GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        assert b"\r\nDate: Thu, 01 Jan 1970 00:00:00 GMT\r\n" in client.recv(65_536)
        client.setblocking(False)

        def is_closed() -> bool:
            now_s[0] += ConnectionLimits().idle_s + 1
            with suppress(BlockingIOError):
                return client.recv(1) == b""
            return False

        wait_until(is_closed)
    assert started
    server.stop()


def test_a_stopped_server_accepts_no_connection() -> None:
    app = App()
    server = server_of(app)
    server.start()
    server.stop()
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection((server.host, server.port), timeout=WAIT_S)


def test_stopping_does_not_wait_for_calls_in_progress() -> None:
    app = App()
    app.server = server_of(app)
    app.server.start()
    with socket.create_connection((app.server.host, app.server.port), timeout=WAIT_S) as client:
        client.sendall(b"GET /work HTTP/1.1\r\nHost: a\r\n\r\n")
        assert app.waiting.acquire(timeout=WAIT_S)
        app.server.stop()
        assert client.recv(1) == b""
    app.release.set()


def exchange(app: App, *pieces: bytes) -> bytes:
    """All that the server sends on one connection to these pieces, the last of which closes the client's side of it."""
    with socket.create_connection((app.server.host, app.server.port), timeout=WAIT_S) as client:
        for piece in pieces:
            client.sendall(piece)
        client.shutdown(socket.SHUT_WR)
        return b"".join(iter(lambda: client.recv(65_536), b""))


def test_requests_that_are_sent_at_once_are_answered_in_their_order(app: App) -> None:
    post = b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\n%d"
    answers = exchange(app, b"".join(post % number for number in range(10))).split(b"HTTP/1.1 200 OK\r\n")
    assert [answer[-1:] for answer in answers] == [b"", *(b"%d" % number for number in range(10))]


def test_a_client_that_asks_before_it_sends_its_body_is_told_to_go_on(app: App) -> None:
    head = b"POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 4\r\n\r\n"
    with socket.create_connection((app.server.host, app.server.port), timeout=WAIT_S) as client:
        client.sendall(head)
        assert client.recv(65_536) == b"HTTP/1.1 100 Continue\r\n\r\n"
        client.sendall(b"body")
        assert client.recv(65_536).endswith(b"\r\n\r\nbody")


def test_a_client_is_told_to_go_on_once_its_earlier_requests_are_answered(app: App) -> None:
    head = b"POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 4\r\n\r\n"
    with socket.create_connection((app.server.host, app.server.port), timeout=WAIT_S) as client:
        client.sendall(b"GET / HTTP/1.1\r\nHost: a\r\n\r\n" + head)
        received = b""
        while not received.endswith(b"ok" + b"HTTP/1.1 100 Continue\r\n\r\n"):
            piece = client.recv(65_536)
            assert piece
            received += piece
        client.sendall(b"body")
        assert client.recv(65_536).endswith(b"\r\n\r\nbody")


def test_a_body_of_unknown_length_comes_in_chunks_and_the_connection_stays_open(app: App) -> None:
    connection = HTTPConnection(app.server.host, app.server.port, timeout=WAIT_S)
    for _ in range(2):
        connection.request("GET", "/stream")
        response = connection.getresponse()
        assert (response.headers["Transfer-Encoding"], response.headers["Connection"]) == ("chunked", None)
        assert len(response.read()) == 10_000_000
    connection.close()


def test_a_body_of_unknown_length_ends_with_the_connection_of_a_client_of_http_1_0(app: App) -> None:
    request = b"GET /stream HTTP/1.0\r\nConnection: keep-alive\r\n\r\n"
    head, _, body = exchange(app, request).partition(b"\r\n\r\n")
    assert (b"\r\nConnection: close" in head, len(body)) == (True, 10_000_000)


def test_a_client_of_http_1_0_keeps_its_connection_if_it_asks(app: App) -> None:
    request = b"GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n"
    assert exchange(app, request, request).count(b"\r\nConnection: Keep-Alive\r\n") == 2


def test_an_error_of_the_application_is_a_plain_500_without_its_text(
    app: App, caplog: pytest.LogCaptureFixture
) -> None:
    answer = exchange(app, b"GET /fail HTTP/1.1\r\nHost: a\r\n\r\n")
    assert answer.startswith(b"HTTP/1.1 500 Internal Server Error\r\nConnection: close\r\nContent-Type: text/plain")
    assert b"a fault of the application" not in answer
    assert "GET /fail failed" in caplog.text


def test_an_application_that_exits_ends_its_connection_alone(app: App, caplog: pytest.LogCaptureFixture) -> None:
    assert exchange(app, b"GET /exit HTTP/1.1\r\nHost: a\r\n\r\n").startswith(b"HTTP/1.1 500 ")
    assert "SystemExit" in caplog.text
    assert get(app, "/") == b"ok"


@pytest.mark.parametrize(
    "second", [0, 951_782_399, 951_782_400, 1_799_064_000, 4_102_444_799, *range(0, 31_536_000, 2_600_001)]
)
def test_a_date_is_written_as_http_writes_it(second: int) -> None:
    assert http_date(second) == formatdate(second, usegmt=True)
