"""Which connections are open: it accepts new ones, closes overdue ones, and lets slow ones give way (G82)."""

from __future__ import annotations

import logging
import socket
from collections import deque
from collections.abc import Iterable
from heapq import nsmallest
from typing import TypeVar

import msgspec

from giftsim.engine.server.connection import Activity, Connection, Phase, Service
from giftsim.engine.server.event_loop import EventLoop
from giftsim.engine.system import EXHAUSTED

T = TypeVar("T")

SPARE_DESCRIPTORS = 96  # for webhooks, the journal file and the rest of the process
FEWEST = 16
FAST_BYTES_PER_S = 64 * 1024  # a body that arrives at this speed is not slow
ACCEPT_AT_ONCE = 64
PAUSE_S = 0.2
WARN_EVERY_S = 60.0

ALL_BUSY = "all {} connections are busy; only calls of the test-control API get one of the {} others"
GIVE_WAY = "all {} connections are open: slow and idle ones are closed for new ones"
GAVE_WAY = "the request arrived so slowly that its connection gave way to another one"
NO_DESCRIPTORS = "no file descriptor is left for a new connection: raise the limit (ulimit -n) or close connections"


class ConnectionLimits(msgspec.Struct, frozen=True):
    """At most `connections` are open, and `reserved` more that serve only the paths the application reserves.

    A request must arrive within `header_s`, and its body within `body_s` and a second for each `body_bytes_per_s` that
    have arrived. A connection may be idle for `idle_s`. A client may take `send_s` to read on, and may send for
    `drain_s` after its request was refused. A request that takes longer than `patience_s` to arrive is slow: its
    connection gives way to new ones first. Overdue connections are looked for every `check_s`.
    """

    connections: int = 1_000
    reserved: int = 32
    idle_s: float = 600.0
    header_s: float = 20.0
    body_s: float = 30.0
    body_bytes_per_s: int = 1_024
    send_s: float = 120.0
    drain_s: float = 30.0
    patience_s: float = 1.0
    check_s: float = 1.0

    def within(self, descriptors: int) -> ConnectionLimits:
        """The same limits, with no more connections than there are file descriptors for."""
        most = max(descriptors - SPARE_DESCRIPTORS - self.reserved, FEWEST)
        return self if most >= self.connections else msgspec.structs.replace(self, connections=most)

    def is_overdue(self, activity: Activity, now_s: float) -> bool:
        """Whether a connection has been in its phase for too long."""
        longest_s = {
            Phase.ARRIVING: self.header_s,
            Phase.ARRIVING_BODY: self.body_s + activity.body_bytes / self.body_bytes_per_s,
            Phase.DRAINING: self.drain_s,
            Phase.IDLE: self.idle_s,
            Phase.SENDING: self.send_s,
        }.get(activity.phase)
        return longest_s is not None and now_s - activity.since_s > longest_s

    def first_to_go(self, connections: Iterable[tuple[T, Activity]], now_s: float, most: int) -> list[T]:
        """The connections that give way to new ones: slow ones first, then the least recently active, never busy ones.

        Those whose client is reading a response give way last.
        """
        candidates = [
            (self._rank(activity, now_s), activity.since_s, n, connection)
            for n, (connection, activity) in enumerate(connections)
            if activity.phase is not Phase.BUSY
        ]
        return [connection for _, _, _, connection in nsmallest(most, candidates)]

    def _rank(self, activity: Activity, now_s: float) -> int:
        if activity.phase not in (Phase.ARRIVING, Phase.ARRIVING_BODY):
            return int(activity.phase.value)
        expected_s = self.patience_s + activity.body_bytes / FAST_BYTES_PER_S
        return 0 if now_s - activity.since_s > expected_s else int(Phase.IDLE.value)


class Listener:
    """Accepts and closes connections, between two rounds of the event loop: no event remains for a closed one."""

    def __init__(self, listening: socket.socket, service: Service, limits: ConnectionLimits) -> None:
        self._socket, self._service, self._limits = listening, service, limits
        self._monotonic = service.system.monotonic
        self.loop = EventLoop(listening, self._look_after, service.system)
        self._paused_until_s = self._next_check_s = 0.0
        self._next_warning_s: dict[str, float] = {}

    def _look_after(self) -> None:
        """Accept new connections. Every `check_s` close those that are overdue."""
        if self.loop.has_arrivals:
            self.loop.has_arrivals = False
            self._accept_all()
        now_s = self._monotonic()
        is_paused = now_s < self._paused_until_s
        self.loop.listen(listens=not is_paused)
        self.loop.longest_wait_s = PAUSE_S if is_paused else self._limits.check_s
        if now_s < self._next_check_s:
            return
        self._next_check_s = now_s + self._limits.check_s
        self.loop.threads.can_lend()  # the system may have threads again
        for connection in list(self.loop.connections):
            if self._limits.is_overdue(connection.activity, now_s):
                self.loop.end(connection, "the request did not arrive in time")

    def _accept_all(self) -> None:
        """Accept waiting connections, in place of slow and idle ones if need be. The rest wait for the next round."""
        limits, places = self._limits, self._limits.connections - len(self.loop.connections)
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
                self._warn(GIVE_WAY.format(limits.connections))
                self.loop.end(to_go.popleft(), GAVE_WAY)
            self._add(accepted)
        return None

    def _accept_one(self) -> socket.socket | None:
        try:
            return self._socket.accept()[0]
        except OSError as error:
            if error.errno in EXHAUSTED:
                self._close_one_without_descriptor()
            return None

    def _add(self, sock: socket.socket) -> None:
        try:
            sock.setblocking(False)
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        except OSError:  # the client is gone already
            sock.close()
            return
        is_reserved = len(self.loop.connections) >= self._limits.connections
        self.loop.add(Connection(sock, self._service, is_reserved=is_reserved))

    def _close_one_without_descriptor(self) -> None:
        """Close the slowest connection, so that its file descriptor serves a new one after a pause."""
        self._pause(NO_DESCRIPTORS)
        for slowest in self._first_to_go(1):
            self.loop.end(slowest, GAVE_WAY)

    def _first_to_go(self, most: int) -> list[Connection]:
        connections = ((connection, connection.activity) for connection in self.loop.connections)
        return self._limits.first_to_go(connections, self._monotonic(), most)

    def _pause(self, reason: str) -> None:
        self._paused_until_s = self._monotonic() + PAUSE_S
        self._warn(reason)

    def _warn(self, message: str) -> None:
        """Log a warning, at most once every WARN_EVERY_S."""
        now_s = self._monotonic()
        if now_s >= self._next_warning_s.get(message, 0.0):
            self._next_warning_s[message] = now_s + WARN_EVERY_S
            logging.getLogger("giftsim").warning("%s", message)
