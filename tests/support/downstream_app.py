"""A downstream app for tests: an HTTP server on this machine that answers as it is told and keeps its requests."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple


class AppRequest(NamedTuple):
    """A request that the app received; the body is decoded if it is JSON, else text."""

    method: str
    path: str
    headers: dict[str, str]
    body: Any


Respond = Callable[[AppRequest], tuple[int, Any] | None]


class DownstreamApp:
    """A running app; `respond` returns the status and the JSON of a response, or None to close the connection."""

    def __init__(self, respond: Respond) -> None:
        self.requests: list[AppRequest] = []
        self.respond = respond
        app = self

        class Handler(BaseHTTPRequestHandler):
            def handle_request(self) -> None:
                raw = self.rfile.read(int(self.headers.get("Content-Length", 0))).decode()
                body = json.loads(raw) if self.headers.get("Content-Type") == "application/json" else raw
                headers = {name.lower(): value for name, value in self.headers.items()}
                request = AppRequest(self.command, self.path, headers, body)
                app.requests.append(request)
                response = app.respond(request)
                if response is None:
                    self.close_connection = True
                    return
                status, content = response[0], json.dumps(response[1]).encode()
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

            do_GET = do_POST = do_DELETE = handle_request  # noqa: N815  # the names that http.server calls

            def log_message(self, *_: Any) -> None:
                """Log nothing."""

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self.server.server_port}"


@contextmanager
def run_app(respond: Respond = lambda _: (200, {})) -> Iterator[DownstreamApp]:
    """Run an app for the length of a `with` block."""
    app = DownstreamApp(respond)
    thread = threading.Thread(target=lambda: app.server.serve_forever(poll_interval=0.01), daemon=True)
    thread.start()
    try:
        yield app
    finally:
        app.server.shutdown()
        app.server.server_close()
        thread.join()
