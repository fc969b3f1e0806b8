"""The end of the HTTP server: calls in progress are answered, no others are begun, held ones are not waited for."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from http.client import HTTPConnection

import pytest

from giftsim.engine.gateway.wsgi_app import Environ, StartResponse
from giftsim.engine.system import SYSTEM
from tests.support.listening import server_of
from tests.support.waiting import wait_until

WAIT_S = 10.0


class App:
    """An application that answers when it is released. `/held` and `/locked` wait with their thread lent."""

    def __init__(self) -> None:
        self.entered = threading.Semaphore(0)
        self.release = threading.Event()
        self.server = server_of(self)
        self.serving = threading.Thread(target=self._serve, daemon=True)
        self.limit_s, self.finish_s = WAIT_S, 0.0

    def _serve(self) -> None:
        self.server.run()
        began_s = SYSTEM.monotonic()
        self.server.finish(self.limit_s)
        self.finish_s = SYSTEM.monotonic() - began_s
        self.server.stop()

    def __call__(self, environ: Environ, start_response: StartResponse) -> Iterable[bytes]:
        self.entered.release()
        if environ["PATH_INFO"] in ("/held", "/locked"):
            with self.server.lend(for_lock=environ["PATH_INFO"] == "/locked"):
                self.release.wait(WAIT_S)
        elif environ["PATH_INFO"] == "/long":
            self.release.wait(WAIT_S)
        start_response("200 OK", [("Content-Length", "2")])
        return (b"ok",)

    @contextmanager
    def asked(self, path: str) -> Iterator[HTTPConnection]:
        """A connection with a request that the application has."""
        connection = HTTPConnection(self.server.host, self.server.port, timeout=WAIT_S)
        try:
            connection.request("GET", path)
            assert self.entered.acquire(timeout=WAIT_S)
            yield connection
        finally:
            connection.close()

    def is_gone(self) -> bool:
        """Whether nobody accepts connections any more."""
        with socket.socket() as probe:
            return probe.connect_ex((self.server.host, self.server.port)) != 0


@pytest.fixture
def app() -> Iterator[App]:
    """A served application."""
    app = App()
    app.serving.start()
    yield app
    app.release.set()
    app.server.request_stop()
    app.serving.join(WAIT_S)
    assert not app.serving.is_alive()


def test_a_call_in_progress_is_answered_and_no_other_is_begun(app: App) -> None:
    with app.asked("/") as idle, app.asked("/long") as long:
        assert idle.getresponse().read() == b"ok"
        app.server.request_stop()
        wait_until(app.is_gone)
        assert idle.sock.recv(1) == b"", "a connection without a request is closed"
        assert app.serving.is_alive()
        app.release.set()
        response = long.getresponse()
        assert (response.status, response.headers["Connection"], response.read()) == (200, "close", b"ok")
    app.serving.join(WAIT_S)


def test_calls_that_wait_are_not_waited_for(app: App) -> None:
    with app.asked("/held") as held, app.asked("/held"):
        app.server.request_stop()
        app.serving.join(WAIT_S)
        assert not app.serving.is_alive()
        assert held.sock.recv(1) == b""


def test_calls_that_wait_for_a_lock_are_waited_for(app: App) -> None:
    app.limit_s = 0.2
    with app.asked("/locked"), app.asked("/held"):
        app.server.request_stop()
        app.serving.join(WAIT_S)
        assert app.finish_s >= app.limit_s


def test_a_call_that_takes_too_long_is_not_waited_for(app: App) -> None:
    app.limit_s = 0.1
    with app.asked("/long") as long:
        app.server.request_stop()
        app.serving.join(WAIT_S)
        assert not app.serving.is_alive()
        assert long.sock.recv(1) == b""


def test_a_request_that_has_arrived_is_answered(app: App) -> None:
    with app.asked("/long"), app.asked("/long"):  # all threads are busy
        waiting = HTTPConnection(app.server.host, app.server.port, timeout=WAIT_S)
        waiting.request("GET", "/")
        app.server.request_stop()
        wait_until(app.is_gone)
        app.release.set()
        assert waiting.getresponse().read() == b"ok"
        waiting.close()
