"""Accepts connections, closes overdue ones, and lets slow ones give way (G82)."""

from __future__ import annotations

import logging
import socket
from collections import deque
from typing import Any

from giftsim.gateway.http.connection import Connection, Service
from giftsim.gateway.http.connection_limits import ConnectionLimits
from giftsim.gateway.http.descriptors import EXHAUSTED
from giftsim.gateway.http.event_loop import EventLoop
from giftsim.worlds import system_clock

BACKLOG = 1024
ACCEPT_AT_ONCE = 64
PAUSE_S = 0.2
TELL_EVERY_S = 60.0

ALL_BUSY = "all {} connections are busy; only calls of the test-control API get one of the {} others"
GIVE_WAY = "all {} connections are open: slow and idle ones are closed for new ones"
GAVE_WAY = "the request arrived so slowly that its connection gave way to another one"
NO_DESCRIPTORS = "no file descriptor is left for a new connection: raise the limit (ulimit -n) or close connections"


class Listener:
    """The listening socket. It accepts connections between two rounds of the loop, so that no event of a closed one is
    left.
    """

    def __init__(self, host: str, port: int, limits: ConnectionLimits) -> None:
        family, kind, protocol, _, address = _address(host, port)
        self.socket = socket.socket(family, kind, protocol)
        try:
            _share_port(self.socket)
            self.socket.bind(address)
            self.socket.listen(BACKLOG)
        except BaseException:
            self.socket.close()
            raise
        self.socket.setblocking(False)
        self.limits = limits
        self.loop = EventLoop(self.socket, self._tend)
        self.service: Service
        self._paused_until_s = self._next_check_s = 0.0
        self._told_s: dict[str, float] = {}

    def _tend(self) -> None:
        """Accept new connections, and now and then close those that are overdue."""
        if self.loop.has_arrivals:
            self.loop.has_arrivals = False
            self._accept_all()
        now_s = system_clock.monotonic()
        is_paused = now_s < self._paused_until_s
        self.loop.listen(listens=not is_paused)
        self.loop.longest_wait_s = PAUSE_S if is_paused else self.limits.check_s
        if now_s < self._next_check_s:
            return
        self._next_check_s = now_s + self.limits.check_s
        for connection in list(self.loop.connections):
            if self.limits.is_overdue(connection.activity, now_s):
                self.loop.end(connection, "the request did not arrive in time")

    def _accept_all(self) -> None:
        """Accept those who wait, in place of slow and idle connections if need be. What is left waits for a round."""
        limits, places = self.limits, self.limits.connections - len(self.loop.connections)
        to_go = deque(self._first_to_go(ACCEPT_AT_ONCE) if places < ACCEPT_AT_ONCE else ())
        if places <= 0 and not to_go:
            places += limits.reserved
            if places <= 0:
                return self._pause(ALL_BUSY.format(limits.connections, limits.reserved))
        for _ in range(min(max(places, 0) + len(to_go), ACCEPT_AT_ONCE)):
            accepted = self._accept_one()
            if accepted is None:
                break
            if to_go and len(self.loop.connections) >= limits.connections:
                self._tell(GIVE_WAY.format(limits.connections))
                self.loop.end(to_go.popleft(), GAVE_WAY)
            self._add(*accepted)
        return None

    def _accept_one(self) -> tuple[socket.socket, Any] | None:
        try:
            return self.socket.accept()
        except OSError as error:
            if error.errno in EXHAUSTED:
                self._close_one_without_descriptor()
            return None

    def _add(self, sock: socket.socket, address: Any) -> None:
        try:
            sock.setblocking(False)
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        except OSError:  # the client is gone already
            sock.close()
            return
        is_reserved = len(self.loop.connections) >= self.limits.connections
        self.loop.add(Connection(sock, address, self.service, is_reserved=is_reserved))

    def _close_one_without_descriptor(self) -> None:
        """Close the slowest connection, so that its file descriptor serves a new one after a pause."""
        self._pause(NO_DESCRIPTORS)
        for slowest in self._first_to_go(1):
            self.loop.end(slowest, GAVE_WAY)

    def _first_to_go(self, most: int) -> list[Connection]:
        connections = ((connection, connection.activity) for connection in self.loop.connections)
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


def _address(host: str, port: int) -> Any:
    """The address to listen on; of those that localhost has, the one of IPv4."""
    found = socket.getaddrinfo(host or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    return min(found, key=lambda info: info[0] != socket.AF_INET)


def _share_port(sock: socket.socket) -> None:
    """Take a port that a process before this one has just left. On Windows the option would let others take it too."""
    if hasattr(socket, "SO_EXCLUSIVEADDRUSE"):
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_EXCLUSIVEADDRUSE, 1)
    else:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
