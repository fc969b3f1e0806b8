"""The server: an application at an address. It lends threads to calls that wait (G17), and ends cleanly (G133)."""

from __future__ import annotations

import sys
from contextlib import AbstractContextManager, suppress
from queue import Empty
from typing import Any

from giftsim.engine.server.connection import Application, Service
from giftsim.engine.server.listener import ConnectionLimits, Listener
from giftsim.engine.server.response import NAME, DateHeader
from giftsim.engine.system import System, descriptor_limit

ANY_ADDRESS, LOOPBACK = ("0.0.0.0", "::"), "127.0.0.1"
FINISH_TURN_S = 0.01
# A wait without an end would miss a signal: on Windows each, and elsewhere one that arrives between the interpreter's
# last look for signals and the wait.
SIGNAL_TURN_S = 0.5


def origin_of(scheme: str, host: str, port: int) -> str:
    """The origin at which this machine reaches a server that listens on `host` and `port`."""
    name = LOOPBACK if host in ANY_ADDRESS else host
    return f"{scheme}://[{name}]:{port}" if ":" in name else f"{scheme}://{name}:{port}"


class Server:
    """A listening server. A handler that blocks enters `lend`, so that another thread serves meanwhile."""

    def __init__(
        self, application: Application, host: str, port: int, system: System, limits: ConnectionLimits | None = None
    ) -> None:
        limits = (limits or ConnectionLimits()).within(descriptor_limit())
        listening = system.listen(host, port)
        self.host, self.port = listening.getsockname()[:2]
        self._monotonic = system.monotonic
        date = DateHeader(system.now_ms)
        self.service = Service(application, self._environ(), self.lend, self.can_lend, system, date, limits.send_s)
        self._loop = Listener(listening, self.service, limits).loop
        self._stop_requests = system.queue()
        self._is_started = False

    @property
    def origin(self) -> str:
        """The URL of the server on its own machine."""
        return origin_of("http", self.host, self.port)

    def lend(self, *, for_lock: bool = False) -> AbstractContextManager[None]:
        """Have another thread serve while this one waits, `for_lock` or for something outside the server."""
        return self._loop.threads.lend(for_lock=for_lock)

    def can_lend(self) -> bool:
        """Whether others are served while a call waits: False if the system has no thread left."""
        return self._loop.threads.can_lend()

    def run(self) -> None:
        """Serve until `request_stop`, SystemExit or KeyboardInterrupt. This thread only waits."""
        self.start()
        while True:
            with suppress(Empty):
                return self._stop_requests.get(timeout=SIGNAL_TURN_S)

    def request_stop(self) -> None:
        """Have `run` return soon. Signal handlers may call it."""
        self._stop_requests.put(None)

    def start(self) -> None:
        """Serve in background threads."""
        if not self._is_started:
            self._is_started = True
            self._loop.threads.start()

    def finish(self, limit_s: float) -> None:
        """Take no new calls, and answer those that have arrived, within a time limit.

        It does not wait for calls that wait for something outside: held ones, and those with a delivery under way.
        """
        until_s = self._monotonic() + limit_s
        self._loop.take_no_new_calls()
        while self._loop.is_answering and self._monotonic() < until_s:
            self._loop.wait_for_answer(FINISH_TURN_S)

    def stop(self) -> None:
        """Stop listening and close every connection, without waiting for calls in progress."""
        self.request_stop()
        self._loop.threads.stop(self._loop.wake)
        self._loop.close()

    def _environ(self) -> dict[str, Any]:
        """The part of the WSGI environment that is the same for every request."""
        return {
            "wsgi.version": (1, 0),
            "wsgi.url_scheme": "http",
            "wsgi.errors": sys.stderr,
            "wsgi.multithread": True,
            "wsgi.multiprocess": False,
            "wsgi.run_once": False,
            "wsgi.input_terminated": True,
            "SCRIPT_NAME": "",
            "SERVER_NAME": self.host,
            "SERVER_PORT": str(self.port),
            "SERVER_SOFTWARE": NAME,
        }
