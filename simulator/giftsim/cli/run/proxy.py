"""A proxy on this machine for the program of `run`: it takes connections, each of which has a thread.

Clients reach it in three ways: as an HTTP proxy (CONNECT, or whole URLs), and without a proxy by a connection that was
meant for a routed host (preload.cjs does that in Node).
"""

from __future__ import annotations

import socket
import ssl
import threading
from contextlib import suppress

import click

from giftsim.cli.run.forwarder import NO_DESCRIPTORS, Forwarder
from giftsim.cli.run.passage import LISTENS_ON
from giftsim.cli.run.routes import Routes
from giftsim.cli.run.session import Session, TlsSocket
from giftsim.engine.server import ConnectionLimits
from giftsim.engine.server.connection import Service
from giftsim.engine.system import BACKLOG, EXHAUSTED, descriptor_limit

PAUSE_S = 0.2
SETTLE_S, TURN_S = 5.0, 0.01
ALL_BUSY = "all {} connections of the proxy are busy: more are refused with 503 until one is free"
NO_THREAD = "the system has no thread left for another connection: raise the limit (ulimit -u)"


class Proxy:
    """Listens on a free port of this machine, and holds as many connections as `serve` does (G344).

    If all are taken, a connection without a request gives way to a new one. `simulator` is the service of the server
    that answers the routed hosts.
    """

    def __init__(
        self, routes: Routes, simulator: Service, context: ssl.SSLContext | None, *, passes_others: bool
    ) -> None:
        self._context, self._limits = context, ConnectionLimits().within(descriptor_limit())
        if context is not None:
            context.sslsocket_class = TlsSocket
        self._monotonic = simulator.system.monotonic
        self._listening = socket.create_server((LISTENS_ON, 0), backlog=BACKLOG)
        self._listening.settimeout(self._limits.check_s)
        self.port: int = self._listening.getsockname()[1]
        self.forwarder = Forwarder(routes, simulator, self.port, passes_others=passes_others)
        self._sessions: set[Session] = set()
        self._lock = threading.Lock()
        self._closing = threading.Event()
        self._said: set[str] = set()
        self._next_check_s = 0.0

    def start(self) -> None:
        """Serve in the background until `close`."""
        threading.Thread(target=self._accept_all, name="proxy", daemon=True).start()

    def settle(self) -> None:
        """Wait until all is counted that an ended program did last.

        What it left running may hold connections, for which this waits some seconds at most.
        """
        until_s = self._monotonic() + SETTLE_S
        while any(session.is_undecided for session in self._held()) and self._monotonic() < until_s:
            self._closing.wait(TURN_S)

    def close(self) -> None:
        """Take no more connections."""
        self._closing.set()
        with suppress(OSError):  # wakes the thread that accepts; on some systems its next turn does
            self._listening.shutdown(socket.SHUT_RDWR)

    def _accept_all(self) -> None:
        with self._listening:
            while not self._closing.is_set():
                self._accept()
                self._end_overdue()

    def _accept(self) -> None:
        """Wait for a connection, and have a thread answer it."""
        try:
            client, _ = self._listening.accept()
        except TimeoutError:
            return
        except OSError as error:
            if error.errno in EXHAUSTED:
                self._say(NO_DESCRIPTORS)
                self._give_way()
                self._closing.wait(PAUSE_S)
            return
        limits = self._limits
        is_reserved = len(self._held()) >= limits.connections and not self._give_way()
        if is_reserved:
            self._say(ALL_BUSY.format(limits.connections))
        if len(self._sessions) < limits.connections + limits.reserved:
            self._start(client, is_reserved=is_reserved)
        else:
            client.close()

    def _start(self, client: socket.socket, *, is_reserved: bool) -> None:
        client.settimeout(self._limits.idle_s)
        with suppress(OSError):  # the client is gone already
            client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        session = Session(client, self.forwarder, self._context, is_reserved=is_reserved)
        with self._lock:
            self._sessions.add(session)
        try:
            threading.Thread(target=self._run, args=(session,), name="proxy connection", daemon=True).start()
        except RuntimeError:
            self._say(NO_THREAD)
            client.close()
            self._forget(session)

    def _run(self, session: Session) -> None:
        try:
            session.run()
        finally:
            self._forget(session)

    def _forget(self, session: Session) -> None:
        with self._lock:
            self._sessions.discard(session)

    def _held(self) -> list[Session]:
        """The connections, without those that only get a refusal."""
        with self._lock:
            return [session for session in self._sessions if not session.is_reserved]

    def _give_way(self) -> bool:
        """End the connection that is used least; False if all are busy."""
        candidates = [(session, session.activity) for session in self._held()]
        for session in self._limits.first_to_go(candidates, self._monotonic(), 1):
            session.end()
            self._forget(session)
            return True
        return False

    def _end_overdue(self) -> None:
        """End the connections that take too long, once every `check_s`."""
        now_s = self._monotonic()
        if now_s < self._next_check_s:
            return
        self._next_check_s = now_s + self._limits.check_s
        with self._lock:
            overdue = [each for each in self._sessions if self._limits.is_overdue(each.activity, now_s)]
        for session in overdue:
            session.end()

    def _say(self, text: str) -> None:
        """Say once, for the user and not for the client, what is not answered."""
        if text not in self._said:
            self._said.add(text)
            click.echo(f"giftsim: {text}", err=True)
