"""A real receiver on loopback, for what only a socket can show."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest


@pytest.fixture
def listener() -> Iterator[Callable[..., str]]:
    """Starts a receiver that does something before it answers 200; gives its address."""
    servers: list[ThreadingHTTPServer] = []

    def listen(act: Callable[[], object] = lambda: None) -> str:
        class Receiver(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                self.rfile.read(int(self.headers["Content-Length"]))
                act()
                self.send_response(200)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_: object) -> None:
                """Say nothing."""

        server = ThreadingHTTPServer(("127.0.0.1", 0), Receiver)
        servers.append(server)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        return f"http://127.0.0.1:{server.server_port}"

    yield listen
    for server in servers:
        server.shutdown()
        server.server_close()
