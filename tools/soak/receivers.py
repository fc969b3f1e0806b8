"""The webhook receivers of a soak: one that works and counts what arrives, and five that misbehave."""

from __future__ import annotations

import re
import socket
import threading
from collections import Counter, defaultdict
from contextlib import ExitStack, suppress

from tests.support.http_receiver import (
    OK_RESPONSE,
    Behaviour,
    HttpReceiver,
    drip_bytes,
    hang_up,
    reset_connection,
    respond_always,
)

GOOD = "good.partner.example"
WORK_S = 0.03  # how long the good receiver takes to respond, so that kills hit deliveries in flight
HEAD = b"HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n"
_TARGET = re.compile(rb"POST /([a-z0-9-]+)/")
_EVENT_ID = re.compile(rb"X-Service-Event-Id: (\S+)", re.IGNORECASE)


class Arrivals:
    """What arrived at the good receiver: how often each event id of each world, since it was last taken."""

    def __init__(self) -> None:
        self.total = 0
        self._lock = threading.Lock()
        self._counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
        self._excused: defaultdict[str, set[str]] = defaultdict(set)
        self._forked: set[str] = set()

    def note(self, request: bytes) -> None:
        """Count one request."""
        target, event_id = _TARGET.match(request), _EVENT_ID.search(request)
        assert target, request
        assert event_id, request
        world, event = target[1].decode(), event_id[1].decode()
        with self._lock:
            self.total += 1
            self._counts[world][event] += 1
            if world in self._forked:
                self._excused[world].add(event)

    def forking(self, world: str, *, begins: bool) -> None:
        """Note that a fork begins or ends to exist: what it sends cannot be told from what its parent sends."""
        with self._lock:
            (self._forked.add if begins else self._forked.discard)(world)

    def take(self, world: str) -> tuple[Counter[str], set[str]]:
        """The counts of a world since the last time, and the events that a fork may have sent; both begin anew."""
        with self._lock:
            return self._counts.pop(world, Counter()), self._excused.pop(world, set())


class Receivers:
    """Six receivers on loopback ports, and a trap that no request may reach: the redirecting one points there."""

    def __init__(self) -> None:
        self.arrivals = Arrivals()
        self._open = ExitStack()
        self.trap = self._receiver(hang_up)
        redirect = f"HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:{self.trap.port}/\r\nContent-Length: 0\r\n\r\n"
        self.by_host = {
            GOOD: self._receiver(self._count),
            "hanging.partner.example": self._receiver(hang),
            "dripping.partner.example": self._receiver(drip_bytes(HEAD)),
            "resetting.partner.example": self._receiver(reset_connection),
            "closing.partner.example": self._receiver(hang_up),
            "redirecting.partner.example": self._receiver(respond_always(redirect.encode())),
        }

    @property
    def options(self) -> list[str]:
        """The server options that forward each host to its receiver."""
        forwards = [f"{host}=http://127.0.0.1:{receiver.port}" for host, receiver in self.by_host.items()]
        return [part for forward in forwards for part in ("--forward", forward)]

    def close(self) -> None:
        """Close every port and connection."""
        self._open.close()

    def _receiver(self, behave: Behaviour) -> HttpReceiver:
        receiver = HttpReceiver(behave, keep=False)
        self._open.callback(receiver.close)
        return receiver

    def _count(self, connection: socket.socket, receiver: HttpReceiver) -> None:
        while (request := receiver.read_request(connection)) is not None:
            self.arrivals.note(request)
            receiver.released.wait(WORK_S)
            connection.sendall(OK_RESPONSE)


def hang(connection: socket.socket, receiver: HttpReceiver) -> None:
    """Read the request and never respond; return when the client gives up."""
    receiver.read(connection)
    with suppress(OSError):
        connection.recv(1)
