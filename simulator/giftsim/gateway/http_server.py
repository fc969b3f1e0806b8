"""The HTTP server: waitress with two threads, and one more for every call that is held or waits (G17).

Waitress is fastest with few threads, accepts calls while a delivery is in progress, and starts in two milliseconds.
Granian is faster but cannot lend threads; cheroot and gunicorn are slower.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from waitress import wasyncore
from waitress.adjustments import Adjustments
from waitress.channel import ClientDisconnected
from waitress.task import ThreadedTaskDispatcher

from giftsim.gateway.call import ConnectionDropped
from giftsim.gateway.connection_limits import DEFAULT_CONNECTIONS, ConnectionLimits
from giftsim.gateway.descriptors import descriptor_limit
from giftsim.gateway.http_listener import Listener
from giftsim.gateway.wsgi_app import Environ, StartResponse, WsgiCallable
from giftsim.worlds import system_clock

BASE_THREADS = 2
MAX_HEADER_BYTES = 64 * 1024
MAX_BODY_BYTES = 64 * 1024 * 1024
FINISH_TURN_S = 0.01


class Server:
    """A listening server. A handler that blocks enters `lend`, so that another thread serves meanwhile."""

    def __init__(self, app: WsgiCallable, host: str, port: int, limits: ConnectionLimits = DEFAULT_CONNECTIONS) -> None:
        logging.getLogger("waitress").setLevel(logging.CRITICAL)
        self._app = app
        self._lent = 0
        self._lock = threading.Lock()
        self._limits = limits.within(descriptor_limit())
        adjustments = Adjustments(
            host=host, port=port, ident="giftsim", max_request_body_size=MAX_BODY_BYTES,
            max_request_header_size=MAX_HEADER_BYTES, clear_untrusted_proxy_headers=False,
        )  # fmt: skip
        dispatcher = ThreadedTaskDispatcher()
        dispatcher.set_thread_count(BASE_THREADS)
        self._server: Any = Listener(self._close_dropped, adjustments, dispatcher, self._limits, self.lend)
        self.host: str = self._server.effective_host
        self.port: int = int(self._server.effective_port)
        self._thread: threading.Thread | None = None
        self._stopping = False

    @contextmanager
    def lend(self) -> Iterator[None]:
        """Add a server thread while this one waits."""
        self._change_threads(+1)
        try:
            yield
        finally:
            self._change_threads(-1)

    def run(self) -> None:
        """Serve in this thread until `stop`, `request_stop`, SystemExit or KeyboardInterrupt."""
        while not self._stopping:
            self._turn(self._limits.check_s)

    def request_stop(self) -> None:
        """Let `run` return soon; a signal handler may call it."""
        if not self._stopping:
            self._stopping = True
            self._server.pull_trigger()

    def finish(self, limit_s: float) -> None:
        """Take no new calls, and answer those in progress within a time limit. Call it after `run`.

        It does not wait for calls that wait themselves: held ones, and those with a delivery under way.
        """
        self._turn(0)  # for what has arrived already
        self._turn(0)
        self._server.take_no_more()
        until_s, idle_turns = system_clock.monotonic() + limit_s, 0
        while idle_turns < 2 and system_clock.monotonic() < until_s:
            self._turn(FINISH_TURN_S)
            idle_turns = idle_turns + 1 if self._server.answering <= self._lent else 0

    def start(self) -> None:
        """Serve in a background thread."""
        self._thread = threading.Thread(target=self.run, name="server", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Stop listening and close every connection, without waiting for calls in progress."""
        self._stopping = True
        if self._thread is not None:
            self._server.trigger.pull_trigger()
            self._thread.join(2)
        self._close()
        self._server.task_dispatcher.shutdown(timeout=0.2)

    def _turn(self, timeout_s: float) -> None:
        """One turn of the event loop."""
        wasyncore.loop(timeout=timeout_s, map=self._server._map, use_poll=True, count=1)
        self._server.tend()

    def _close(self) -> None:
        wasyncore.close_all(self._server._map, ignore_all=True)

    def _change_threads(self, by: int) -> None:
        with self._lock:
            self._lent += by
            self._server.task_dispatcher.set_thread_count(BASE_THREADS + self._lent)

    def _close_dropped(self, environ: Environ, start_response: StartResponse) -> Iterable[bytes]:
        """Close the connection of a dropped call without a byte, as waitress does for a client that disconnected."""
        try:
            return self._app(environ, start_response)
        except ConnectionDropped:
            raise ClientDisconnected from None
