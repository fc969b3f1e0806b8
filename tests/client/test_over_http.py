"""The client of a server: its connections, its URL and its headers."""

from __future__ import annotations

import multiprocessing
import socket
import threading
from contextlib import closing

import pytest

from giftsim.engine.client.over_http import HttpClient
from tests.client.conftest import App
from tests.support.listening import server_of

TIMEOUT_S = 60.0


def test_a_call_that_ends_after_the_client_was_closed_closes_its_connection() -> None:
    """As that of a caller that gave up waiting before its test ended."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(TIMEOUT_S)
        client = HttpClient(f"http://127.0.0.1:{server.getsockname()[1]}")
        call = threading.Thread(target=client.call, args=("GET", "/"))
        call.start()
        connection, _ = server.accept()
        with connection:
            connection.settimeout(TIMEOUT_S)
            assert connection.recv(1000).startswith(b"GET / HTTP/1.1")
            client.close()
            connection.sendall(b"HTTP/1.1 204 No Content\r\n\r\n")
            assert connection.recv(1) == b""
        call.join()


def test_the_path_of_the_url_and_the_headers_of_the_client_are_sent_with_every_call(app: App) -> None:
    server = server_of(app)
    server.start()
    with closing(HttpClient(f"{server.origin}/below/", {"X-Caller": "ada", "X-Other": "o"})) as client:
        client.call("GET", "/here", headers={"X-Caller": "bo"})
    server.stop()
    assert app.environ["PATH_INFO"] == "/below/here"
    assert (app.environ["HTTP_X_CALLER"], app.environ["HTTP_X_OTHER"]) == ("bo", "o")


def test_no_server_is_a_connection_error_with_its_cause() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    with pytest.raises(ConnectionError, match=rf"^http://127.0.0.1:{port} did not respond to GET /x: ") as error:
        HttpClient(f"http://127.0.0.1:{port}").call("GET", "/x")
    assert isinstance(error.value.__cause__, ConnectionRefusedError)


def test_a_silent_server_is_named() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        origin = f"http://127.0.0.1:{silent.getsockname()[1]}"
        with (
            closing(HttpClient(origin)) as client,
            pytest.raises(TimeoutError, match=f"{origin} did not respond to GET /x"),
        ):
            client.call("GET", "/x", timeout_s=0.05)


@pytest.mark.filterwarnings("ignore:.*use of fork:DeprecationWarning")
def test_a_forked_process_opens_its_own_connection() -> None:
    """Two processes that write to one connection would read each other's answers."""

    def answer_next(path: str) -> socket.socket:
        connection, _ = server.accept()
        connection.settimeout(TIMEOUT_S)
        assert connection.recv(1000).startswith(f"GET {path} ".encode())
        connection.sendall(b"HTTP/1.1 204 No Content\r\n\r\n")
        return connection

    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(TIMEOUT_S)
        with closing(HttpClient(f"http://127.0.0.1:{server.getsockname()[1]}")) as client:
            call = threading.Thread(target=client.call, args=("GET", "/first"))
            call.start()
            first = answer_next("/first")
            call.join()
            child = multiprocessing.get_context("fork").Process(target=client.call, args=("GET", "/child"), daemon=True)
            child.start()
            with first, answer_next("/child"):
                child.join()
            assert child.exitcode == 0
