"""Connections of the transport to a server: none stays open that nobody would close."""

from __future__ import annotations

import socket
import threading

from giftsim.testing import OverHttp

TIMEOUT_S = 10.0


def test_a_call_that_ends_after_the_transport_was_closed_closes_its_connection() -> None:
    """As that of a client which gave up waiting before its test ended."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(TIMEOUT_S)
        transport = OverHttp(f"http://127.0.0.1:{server.getsockname()[1]}")
        call = threading.Thread(target=transport.call, args=("GET", "/"))
        call.start()
        connection, _ = server.accept()
        with connection:
            connection.settimeout(TIMEOUT_S)
            assert connection.recv(1000).startswith(b"GET / HTTP/1.1")
            transport.close()
            connection.sendall(b"HTTP/1.1 204 No Content\r\n\r\n")
            assert connection.recv(1) == b""
        call.join()
