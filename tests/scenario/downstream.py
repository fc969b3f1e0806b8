"""A downstream app on this machine: it answers as it is told, and remembers every call."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple


class Asked(NamedTuple):
    """A call that came in; the body is JSON where it is any, else text."""

    method: str
    path: str
    headers: dict[str, str]
    body: Any


Behave = Callable[[Asked], tuple[int, Any] | None]


class Downstream:
    """The app, while it runs; `behave` answers a call with status and JSON, or hangs up with None."""

    def __init__(self, behave: Behave) -> None:
        self.asked: list[Asked] = []
        self.behave = behave
        app = self

        class Handler(BaseHTTPRequestHandler):
            def answer(self) -> None:
                raw = self.rfile.read(int(self.headers.get("Content-Length", 0))).decode()
                body = json.loads(raw) if self.headers.get("Content-Type") == "application/json" else raw
                asked = Asked(self.command, self.path, {n.lower(): v for n, v in self.headers.items()}, body)
                app.asked.append(asked)
                told = app.behave(asked)
                if told is None:
                    self.close_connection = True
                    return
                sent = json.dumps(told[1]).encode()
                self.send_response(told[0])
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(sent)))
                self.end_headers()
                self.wfile.write(sent)

            do_GET = do_POST = do_DELETE = answer  # noqa: N815  # the names that the server looks for

            def log_message(self, *_: Any) -> None:
                """Nothing."""

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self.server.server_port}"


@contextmanager
def running(behave: Behave = lambda _: (200, {})) -> Iterator[Downstream]:
    """An app that runs."""
    app = Downstream(behave)
    thread = threading.Thread(target=lambda: app.server.serve_forever(poll_interval=0.01), daemon=True)
    thread.start()
    try:
        yield app
    finally:
        app.server.shutdown()
        app.server.server_close()
        thread.join()
