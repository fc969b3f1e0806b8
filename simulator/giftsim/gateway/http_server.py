"""The HTTP server: waitress with few threads, which grow while calls are parked or wait (G17).

waitress because one thread of it serves faster than eight, it takes a call back during a delivery, and it embeds in
two milliseconds; granian serves more but cannot lend threads, cheroot and gunicorn serve less.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from waitress import wasyncore
from waitress.channel import ClientDisconnected
from waitress.server import create_server

from giftsim.gateway.call import Dropped
from giftsim.gateway.wsgi_app import Environ, StartResponse, Wsgi

BASE_THREADS = 2
MOST_CONNECTIONS = 1_000  # more than calls are ever parked, so that whoever releases them gets in


class Server:
    """A listening server. `lend` is what whoever blocks enters, so that another thread serves meanwhile."""

    def __init__(self, app: Wsgi, host: str, port: int) -> None:
        logging.getLogger("waitress").setLevel(logging.CRITICAL)
        self._app = app
        self._lent = 0
        self._lock = threading.Lock()
        self._server: Any = create_server(
            self._closing_dropped, host=host, port=port, threads=BASE_THREADS, ident="giftsim",
            max_request_body_size=64 * 1024 * 1024, channel_timeout=600, clear_untrusted_proxy_headers=False,
            connection_limit=MOST_CONNECTIONS,
        )  # fmt: skip
        self.host: str = self._server.effective_host
        self.port: int = int(self._server.effective_port)
        self._thread: threading.Thread | None = None

    @contextmanager
    def lend(self) -> Iterator[None]:
        """Have one more thread serve as long as this one is busy with something else."""
        self._change(+1)
        try:
            yield
        finally:
            self._change(-1)

    def run(self) -> None:
        """Serve in this thread until `stop`, SystemExit or KeyboardInterrupt."""
        wasyncore.loop(timeout=1, map=self._server._map, use_poll=True)

    def start(self) -> None:
        """Serve in a thread of its own."""
        self._thread = threading.Thread(target=self.run, name="server", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Stop listening and close every connection; calls still at work are not waited for."""
        if self._thread is not None:
            self._server.trigger.pull_trigger(self._close)
            self._thread.join(2)
        else:
            self._close()
        self._server.task_dispatcher.shutdown(timeout=0.2)

    def _close(self) -> None:
        wasyncore.close_all(self._server._map, ignore_all=True)

    def _change(self, by: int) -> None:
        with self._lock:
            self._lent += by
            self._server.task_dispatcher.set_thread_count(BASE_THREADS + self._lent)

    def _closing_dropped(self, environ: Environ, start_response: StartResponse) -> Iterable[bytes]:
        """A dropped call closes its connection with zero bytes; waitress does so for a client that went away."""
        try:
            return self._app(environ, start_response)
        except Dropped:
            raise ClientDisconnected from None
