"""Which connections stay open: their time-outs, and who gives way when all places are taken (G82). Knows no server."""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum
from heapq import nsmallest
from typing import NamedTuple, TypeVar

import msgspec

T = TypeVar("T")

SPARE_DESCRIPTORS = 96  # for the courier, the journal file and the rest of the process
FEWEST = 16
FAST_BYTES_PER_S = 64 * 1024  # a body that arrives at this speed is not slow


class Phase(Enum):
    """What a connection is doing; the order is that in which connections give way."""

    ARRIVING = 0  # the header of a request has arrived in part
    ARRIVING_BODY = 1
    DRAINING = 2  # the rest of a refused request is read and dropped
    IDLE = 3  # nothing of the next request has arrived
    SENDING = 4  # the client has not read the response yet
    BUSY = 5  # a request is being served


class Activity(NamedTuple):
    """The phase of a connection, since when it lasts, and the bytes of the body that have arrived."""

    phase: Phase
    since_s: float
    body_bytes: int = 0


class ConnectionLimits(msgspec.Struct, frozen=True):
    """At most `connections`, and `reserved` more that serve the test-control API alone.

    A request must arrive within `header_s`, and its body within `body_s` and a second for each `body_bytes_per_s` that
    have arrived. A connection may be idle for `idle_s`; a client may take `send_s` to read on, and may send for
    `drain_s` after its request was refused. A request that takes longer than `patience_s` is slow: its connection gives
    way to new ones first. `check_s` is the time between two checks.
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
        """The connections that give way to new ones: slow ones, then the least recently active, and no busy ones.

        A response that is being read gives way last.
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


DEFAULT_CONNECTIONS = ConnectionLimits()
