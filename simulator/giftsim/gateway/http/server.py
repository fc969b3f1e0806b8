"""The HTTP server: a thread that waits, parses by llhttp and answers, and more of them for calls that wait (G17)."""

from __future__ import annotations

import sys
from contextlib import AbstractContextManager, suppress
from queue import Empty, SimpleQueue
from typing import Any

from giftsim.gateway.http.connection import Service
from giftsim.gateway.http.connection_limits import DEFAULT_CONNECTIONS, ConnectionLimits
from giftsim.gateway.http.descriptors import descriptor_limit
from giftsim.gateway.http.listener import Listener
from giftsim.gateway.http.response import NAME
from giftsim.gateway.wsgi_app import WsgiCallable
from giftsim.worlds import system_clock

FINISH_TURN_S = 0.01
# A wait without an end would miss a signal: on Windows each, and elsewhere one that arrives between the interpreter's
# last look for signals and the wait.
LOOK_S = 0.5


class Server:
    """A listening server. A handler that blocks enters `lend`, so that another thread serves meanwhile."""

    def __init__(self, app: WsgiCallable, host: str, port: int, limits: ConnectionLimits = DEFAULT_CONNECTIONS) -> None:
        self._listener = Listener(host, port, limits.within(descriptor_limit()))
        self._loop = self._listener.loop
        self.host, self.port = self._listener.socket.getsockname()[:2]
        self._listener.service = Service(app, self._environ(), self.lend, limits.send_s)
        self._stop_requests: SimpleQueue[None] = SimpleQueue()
        self._is_started = False

    def lend(self) -> AbstractContextManager[None]:
        """Have another thread serve while this one waits."""
        return self._loop.threads.lend()

    def run(self) -> None:
        """Serve until `request_stop`, SystemExit or KeyboardInterrupt. This thread only waits."""
        self.start()
        while True:
            with suppress(Empty):
                return self._stop_requests.get(timeout=LOOK_S)

    def request_stop(self) -> None:
        """Let `run` return soon; a signal handler may call it."""
        self._stop_requests.put(None)

    def start(self) -> None:
        """Serve in background threads."""
        if not self._is_started:
            self._is_started = True
            self._loop.threads.start()

    def finish(self, limit_s: float) -> None:
        """Take no new calls, and answer those that have arrived within a time limit.

        It does not wait for calls that wait themselves: held ones, and those with a delivery under way.
        """
        until_s = system_clock.monotonic() + limit_s
        self._loop.take_no_more()
        while self._loop.is_answering and system_clock.monotonic() < until_s:
            self._loop.wait_for_answer(FINISH_TURN_S)

    def stop(self) -> None:
        """Stop listening and close every connection, without waiting for calls in progress."""
        self.request_stop()
        self._loop.threads.stop(self._loop.wake)
        self._loop.close()

    def _environ(self) -> dict[str, Any]:
        """What is the same in the WSGI environment of every request."""
        return {
            "wsgi.version": (1, 0), "wsgi.url_scheme": "http", "wsgi.errors": sys.stderr, "wsgi.multithread": True,
            "wsgi.multiprocess": False, "wsgi.run_once": False, "wsgi.input_terminated": True, "SCRIPT_NAME": "",
            "SERVER_NAME": self.host, "SERVER_PORT": str(self.port), "SERVER_SOFTWARE": NAME,
        }  # fmt: skip
