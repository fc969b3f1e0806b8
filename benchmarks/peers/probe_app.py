"""An application that asks of its HTTP server what giftsim asks, behind one of several: `-m … SERVER PORT`."""

from __future__ import annotations

import logging
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, nullcontext
from typing import Any

THREADS = 300  # of a pool: giftsim holds up to 256 calls, and others have to be served beside them
QUIET_S, KEEP_ALIVE_S = 1.0, 15.0
PATIENCE_S = 60.0


class Dropped(Exception):
    """Raised to have the connection closed without an answer."""


class ProbeApp:
    """`/drop`, `/hold`, `/release`, `/slow`, `/stream`; other paths return how many calls are held and streams open."""

    def __init__(self) -> None:
        self.lend: Callable[[], AbstractContextManager[object]] = nullcontext
        self.held = self.streams = 0
        self._released = threading.Event()
        self._lock = threading.Lock()

    def __call__(self, environ: dict[str, Any], start: Callable[..., Any]) -> Iterable[bytes]:
        path = environ["PATH_INFO"]
        if path == "/stream":
            start("200 OK", [("Content-Type", "text/event-stream")])
            return Stream(self, environ.get("waitress.client_disconnected", lambda: False))
        if path == "/drop":
            raise Dropped
        if path == "/hold":
            self._hold()
        elif path == "/slow":
            time.sleep(1)
        elif path == "/release":
            self._released.set()
        content = f"{self.held} {self.streams}".encode()
        start("200 OK", [("Content-Type", "text/plain"), ("Content-Length", str(len(content)))])
        return (content,)

    def _hold(self) -> None:
        self.count("held", 1)
        with self.lend():
            self._released.wait(PATIENCE_S)
        self.count("held", -1)

    def count(self, name: str, step: int) -> None:
        """Add to a count."""
        with self._lock:
            setattr(self, name, getattr(self, name) + step)


class Stream:
    """A silent stream, made as giftsim makes its own. It asks the server about the client if the server can tell."""

    def __init__(self, app: ProbeApp, is_gone: Callable[[], bool]) -> None:
        self._app, self._is_gone = app, is_gone
        app.count("streams", 1)

    def __iter__(self) -> Iterator[bytes]:
        yield b"retry: 1000\n\n"
        sent_s = time.monotonic()
        while not self._is_gone():
            with self._app.lend():
                time.sleep(QUIET_S)
            is_quiet = time.monotonic() - sent_s > KEEP_ALIVE_S
            sent_s = time.monotonic() if is_quiet else sent_s
            yield b": nothing new\n\n" if is_quiet else b""

    def close(self) -> None:
        """Note that the stream has ended."""
        self._app.count("streams", -1)


def giftsim(port: int) -> None:
    """giftsim's own, used as `giftsim serve` does."""
    from giftsim.engine.server import Application, Server, System

    server = Server(Application(app, Dropped, 4096, lambda _: ", ", "/", lambda: "req_1"), "127.0.0.1", port, System())
    app.lend = server.lend
    signal.signal(signal.SIGTERM, lambda *_: server.request_stop())
    server.run()
    server.finish(5)
    server.stop()


def waitress(port: int) -> None:
    """SystemExit ends its loop, and cancels what waits."""
    from waitress.server import create_server

    server = create_server(app, host="127.0.0.1", port=port, threads=THREADS, channel_request_lookahead=1)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit())
    server.run()


def cheroot(port: int) -> None:
    """Its `stop` waits for all threads."""
    from cheroot.wsgi import Server

    server = Server(("127.0.0.1", port), app, numthreads=THREADS)
    signal.signal(signal.SIGTERM, lambda *_: threading.Thread(target=server.stop).start())
    server.safe_start()


def granian(port: int) -> None:
    """It handles signals in a process that supervises the serving one."""
    from granian import Granian
    from granian.constants import Interfaces

    Granian(
        "benchmarks.peers.probe_app:app", address="127.0.0.1", port=port, interface=Interfaces.WSGI, workers=1,
        blocking_threads=THREADS, websockets=False, log_enabled=False, workers_kill_timeout=5,
    ).serve()  # fmt: skip


def uvicorn(port: int) -> None:
    """It handles signals itself; a2wsgi adapts the application."""
    import uvicorn as library
    from a2wsgi import WSGIMiddleware

    library.run(
        WSGIMiddleware(app, workers=THREADS), host="127.0.0.1", port=port, log_level="critical",
        timeout_graceful_shutdown=5,
    )  # fmt: skip


app = ProbeApp()
SERVERS = (giftsim, waitress, cheroot, granian, uvicorn)

if __name__ == "__main__":
    logging.disable()
    {server.__name__: server for server in SERVERS}[sys.argv[1]](int(sys.argv[2]))
