"""Sockets: connections that deliver in pieces, late, or not at all, with the errors that real ones have."""

from __future__ import annotations

import errno
import selectors
import socket
from collections.abc import Callable
from random import Random  # noqa: TID251 - the seed decides
from typing import TYPE_CHECKING, Any

from tests.simulation.scheduler import Owner, Scheduler, Task

if TYPE_CHECKING:
    from tests.simulation.network import Network, Selector

ROOM = 64 * 1024
LATE = 0.15  # how often bytes take a while
LONGEST_DELAY_S = 0.02
PARTS = 0.25  # how often a read or write handles a part only


class Descriptors:
    """The descriptors that a process has open, by number; at most `most`."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.open: dict[int, Any] = {}
        self._next = 3

    def take(self, what: Any) -> int:
        """Open one for a socket, a selector or a file. OSError if there are too many."""
        if len(self.open) >= self.most:
            raise OSError(errno.EMFILE, "Too many open files")
        self._next += 1
        self.open[self._next] = what
        return self._next

    def give_back(self, number: int) -> None:
        """Close one."""
        del self.open[number]


class Pipe:
    """One direction of a connection. `delivered` has arrived; `room` is how much more may be on its way."""

    def __init__(self, room: int = ROOM) -> None:
        self.delivered = bytearray()
        self.room = room
        self.arrives_s = 0.0
        self.is_ended = self.is_broken = False
        self.will_end = False


class Waitable:
    """What threads and selectors wait for."""

    def __init__(self, scheduler: Scheduler) -> None:
        self.scheduler = scheduler
        self.tasks: list[Task] = []
        self.selectors: dict[int, Selector] = {}

    def readiness(self) -> int:
        """What it can do without waiting, of EVENT_READ and EVENT_WRITE."""
        raise NotImplementedError

    def changed(self) -> None:
        """Wake those that wait."""
        tasks, self.tasks = self.tasks, []
        for task in tasks:
            self.scheduler.wake(task)
        for selector in self.selectors.values():
            selector.wake()

    def wait(self, until_s: float | None) -> None:
        """Wait for a change. TimeoutError."""
        scheduler = self.scheduler
        left_s = None if until_s is None else until_s - scheduler.now_s
        if left_s is not None and left_s <= 0:
            raise TimeoutError("timed out")
        task = scheduler.check_alive()
        self.tasks.append(task)
        if not scheduler.wait(left_s) and task in self.tasks:
            self.tasks.remove(task)


class Socket(Waitable):
    """One end of a connection, with the members of a socket that the product uses."""

    def __init__(self, network: Network, owner: Owner, random: Random) -> None:
        super().__init__(network.scheduler)
        self.network, self.owner, self.random = network, owner, random
        self.number = network.descriptors_of(owner).take(self)
        self.inbound, self.outbound = Pipe(), Pipe()
        self.peer: Socket | None = None  # once the other side has accepted
        self.is_connected = self.is_closed = False
        self._timeout_s: float | None = None

    def setblocking(self, flag: bool) -> None:
        """Wait in `recv` and `send`, or not."""
        self._timeout_s = None if flag else 0.0

    def settimeout(self, value: float | None) -> None:
        """Wait for so long at most."""
        self._timeout_s = value

    def setsockopt(self, *_: Any) -> None:
        """Nothing: options are not simulated. OSError if the client is gone already."""
        if self.inbound.is_broken:
            raise OSError(errno.EINVAL, "Invalid argument")

    def getsockname(self) -> tuple[str, int]:
        """The address."""
        return ("127.0.0.1", 1)

    def fileno(self) -> int:
        """The number of the descriptor."""
        return -1 if self.is_closed else self.number

    def connect(self, address: tuple[str, int]) -> None:
        """Connect to a port of this machine. OSError."""
        self.scheduler.point()
        if self.random.random() < LATE:
            self.scheduler.sleep(self.random.random() * LONGEST_DELAY_S)
        self.network.join(self, int(address[1]))

    def readiness(self) -> int:
        """What it can do without waiting."""
        inbound, outbound = self.inbound, self.outbound
        can_read = inbound.delivered or inbound.is_ended or inbound.is_broken
        can_write = outbound.room > 0 or outbound.is_broken
        return (selectors.EVENT_READ if can_read else 0) | (selectors.EVENT_WRITE if can_write else 0)

    def recv(self, size: int, flags: int = 0) -> bytes:
        """What has arrived, or a part of it."""
        self._enter()
        inbound, until_s = self.inbound, self._until()
        while True:
            self._check_open()
            if inbound.delivered:
                return self._take(size, keeps=bool(flags & socket.MSG_PEEK))
            if inbound.is_broken:
                raise ConnectionResetError(errno.ECONNRESET, "Connection reset by peer")
            if inbound.is_ended:
                return b""
            self._wait(until_s)

    def send(self, data: bytes | memoryview) -> int:
        """Send bytes, or the first of them; how many."""
        self._enter()
        outbound, until_s = self.outbound, self._until()
        while True:
            self._check_open()
            if outbound.is_broken or outbound.will_end:
                raise BrokenPipeError(errno.EPIPE, "Broken pipe")
            if outbound.room > 0:
                size = min(len(data), outbound.room)
                if size > 1 and self.random.random() < PARTS:
                    size = 1 + int(self.random.random() * (size - 1))
                self._deliver(bytes(data[:size]))
                return size
            self._wait(until_s)

    def sendall(self, data: bytes) -> None:
        """Send all bytes."""
        rest = memoryview(data)
        while rest:
            rest = rest[self.send(rest) :]

    def shutdown(self, how: int) -> None:
        """End one direction, or both."""
        self._enter()
        self._check_open()
        if how in (socket.SHUT_WR, socket.SHUT_RDWR):
            self._end_sending()
        if how in (socket.SHUT_RD, socket.SHUT_RDWR):
            self.inbound.is_ended = True
            self.changed()

    def close(self) -> None:
        """Close it. What was not read tells the other side that the connection is broken, as TCP does."""
        if self.is_closed:
            return
        self._enter()
        self.drop()

    def drop(self) -> None:
        """Close it as the system does when a process ends."""
        if self.is_closed:
            return
        self.is_closed = True
        self.network.descriptors_of(self.owner).give_back(self.number)
        if self.is_connected:
            if self.inbound.delivered:
                self.reset()
            else:
                self._end_sending()
        self.changed()

    def reset(self) -> None:
        """Break the connection in both directions."""
        for pipe in (self.inbound, self.outbound):
            pipe.is_broken = True
        self.changed()
        if self.peer is not None:
            self.peer.changed()

    def detach_from(self, selector: Selector) -> None:
        """Forget a selector."""
        self.selectors.pop(selector.number, None)

    def _take(self, size: int, *, keeps: bool) -> bytes:
        inbound = self.inbound
        size = min(size, len(inbound.delivered))
        if size > 1 and not keeps and self.random.random() < PARTS:
            size = 1 + int(self.random.random() * (size - 1))
        data = bytes(inbound.delivered[:size])
        if not keeps:
            del inbound.delivered[:size]
            inbound.room += size
            if self.peer is not None:
                self.peer.changed()
        return data

    def _deliver(self, data: bytes) -> None:
        """Have bytes arrive at the other side, now or later, in order."""
        outbound, scheduler = self.outbound, self.scheduler
        outbound.room -= len(data)
        self._arrive(lambda: outbound.delivered.extend(data))
        if self.peer is not None and self.peer.is_closed:
            scheduler.call_at(scheduler.now_s + LONGEST_DELAY_S, self.reset)

    def _end_sending(self) -> None:
        outbound = self.outbound
        if not outbound.will_end:
            outbound.will_end = True
            self._arrive(lambda: setattr(outbound, "is_ended", True))

    def _arrive(self, what: Callable[[], object]) -> None:
        outbound, scheduler = self.outbound, self.scheduler
        delay_s = self.random.random() * LONGEST_DELAY_S if self.random.random() < LATE else 0.0
        outbound.arrives_s = max(outbound.arrives_s, scheduler.now_s + delay_s)

        def arrive() -> None:
            what()
            if self.peer is not None:
                self.peer.changed()

        if outbound.arrives_s <= scheduler.now_s:
            arrive()
        else:
            scheduler.call_at(outbound.arrives_s, arrive)

    def _enter(self) -> None:
        self.scheduler.point()

    def _check_open(self) -> None:
        if self.is_closed:
            raise OSError(errno.EBADF, "Bad file descriptor")
        if not self.is_connected:
            raise OSError(errno.ENOTCONN, "Transport endpoint is not connected")

    def _until(self) -> float | None:
        return None if self._timeout_s is None else self.scheduler.now_s + self._timeout_s

    def _wait(self, until_s: float | None) -> None:
        if self._timeout_s == 0.0:
            raise BlockingIOError(errno.EAGAIN, "Resource temporarily unavailable")
        self.wait(until_s)
