"""The listening socket of waitress: it accepts connections, closes overdue ones, and lets slow ones give way (G82)."""

from __future__ import annotations

import logging
import socket
from collections import deque
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

from waitress import wasyncore
from waitress.adjustments import Adjustments
from waitress.server import TcpWSGIServer
from waitress.task import ThreadedTaskDispatcher

from giftsim.gateway.connection_limits import ConnectionLimits
from giftsim.gateway.descriptors import EXHAUSTED
from giftsim.gateway.http_connection import Connection
from giftsim.worlds import system_clock

ACCEPT_AT_ONCE = 64
PAUSE_S = 0.2
TELL_EVERY_S = 60.0

ALL_BUSY = "all {} connections are busy; only calls of the test-control API get one of the {} others"
GIVE_WAY = "all {} connections are open: slow and idle ones are closed for new ones"
GAVE_WAY = "the request arrived so slowly that its connection gave way to another one"
NO_DESCRIPTORS = "no file descriptor is left for a new connection: raise the limit (ulimit -n) or close connections"


class Listener(TcpWSGIServer):  # type: ignore[misc]
    """Accepts connections between two rounds of the event loop, in `tend`, so that no event of a closed one is left."""

    def __init__(
        self, app: Any, adj: Adjustments, dispatcher: ThreadedTaskDispatcher, limits: ConnectionLimits,
        lend: Callable[[], AbstractContextManager[None]],
    ) -> None:  # fmt: skip
        self.limits, self.lend = limits, lend
        self._has_arrivals = False
        self._paused_until_s = self._next_check_s = 0.0
        self._told_s: dict[str, float] = {}
        self.channel_class = Connection
        address = min(adj.listen, key=lambda info: info[0] != socket.AF_INET)  # of the addresses that localhost has
        super().__init__(app, dispatcher=dispatcher, adj=adj, sockinfo=address)

    def readable(self) -> bool:
        """Whether to look for new connections. There is a pause after one that could not be accepted."""
        return bool(self.accepting) and system_clock.monotonic() >= self._paused_until_s

    def handle_accept(self) -> None:
        """Note that there are new connections."""
        self._has_arrivals = True

    def tend(self) -> None:
        """Accept new connections, and now and then close those that are overdue."""
        if self._has_arrivals:
            self._has_arrivals = False
            self._accept_all()
        now_s = system_clock.monotonic()
        if now_s >= self._next_check_s:
            self._next_check_s = now_s + self.limits.check_s
            for connection in list(self.active_channels.values()):
                if self.limits.is_overdue(connection.activity, now_s):
                    connection.end("the request did not arrive in time")

    def take_no_more(self) -> None:
        """Close the listening socket and every connection without a request; the others close after their response."""
        wasyncore.dispatcher.close(self)
        for connection in list(self.active_channels.values()):
            if not connection.is_answering:
                connection.end("the simulator stops")
            for request in list(connection.requests):
                request.connection_close = True

    @property
    def answering(self) -> int:
        """How many connections have a request whose response they have not sent."""
        return sum(connection.is_answering for connection in list(self.active_channels.values()))

    def _accept_all(self) -> None:
        """Accept those who wait, in place of slow and idle connections if need be. What is left waits for a round."""
        limits, places = self.limits, self.limits.connections - len(self.active_channels)
        to_go = deque(self._first_to_go(ACCEPT_AT_ONCE) if places < ACCEPT_AT_ONCE else ())
        if places <= 0 and not to_go:
            places += limits.reserved
            if places <= 0:
                return self._pause(ALL_BUSY.format(limits.connections, limits.reserved))
        for _ in range(min(max(places, 0) + len(to_go), ACCEPT_AT_ONCE)):
            accepted = self._accept_one()
            if accepted is None:
                break
            if to_go and len(self.active_channels) >= limits.connections:
                self._tell(GIVE_WAY.format(limits.connections))
                to_go.popleft().end(GAVE_WAY)
            self._add(*accepted)
        return None

    def _accept_one(self) -> tuple[socket.socket, Any] | None:
        try:
            accepted: tuple[socket.socket, Any] | None = self.accept()
        except OSError as error:
            if error.errno in EXHAUSTED:
                self._close_one_without_descriptor()
            return None
        return accepted

    def _add(self, sock: socket.socket, address: Any) -> None:
        try:
            self.set_socket_options(sock)
        except OSError:  # the client is gone already
            sock.close()
            return
        is_reserved = len(self.active_channels) >= self.limits.connections
        connection = self.channel_class(self, sock, self.fix_addr(address), self.adj, map=self._map)
        connection.is_reserved = is_reserved

    def _close_one_without_descriptor(self) -> None:
        """Close the slowest connection, so that its file descriptor serves a new one after a pause."""
        self._pause(NO_DESCRIPTORS)
        for slowest in self._first_to_go(1):
            slowest.end(GAVE_WAY)

    def _first_to_go(self, most: int) -> list[Connection]:
        connections = ((connection, connection.activity) for connection in list(self.active_channels.values()))
        return self.limits.first_to_go(connections, system_clock.monotonic(), most)

    def _pause(self, reason: str) -> None:
        self._paused_until_s = system_clock.monotonic() + PAUSE_S
        self._tell(reason)

    def _tell(self, message: str) -> None:
        """Log a warning, but not again and again."""
        now_s = system_clock.monotonic()
        if now_s >= self._told_s.get(message, 0.0):
            self._told_s[message] = now_s + TELL_EVERY_S
            logging.getLogger("giftsim").warning("%s", message)
