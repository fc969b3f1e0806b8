"""The network of the simulated machine: its listening sockets, and the selectors of its processes."""

from __future__ import annotations

import errno
import selectors
import socket as sockets
from collections import deque
from random import Random  # noqa: TID251 - the seed decides
from types import TracebackType
from typing import Any, NamedTuple

from tests.simulation.scheduler import Owner, Scheduler, Task
from tests.simulation.sockets import Descriptors, Socket, Waitable

BACKLOG = 1024
UNLIMITED = 1_000_000


class Listener(Waitable):
    """A listening socket."""

    def __init__(self, network: Network, owner: Owner, port: int) -> None:
        super().__init__(network.scheduler)
        self.network, self.owner, self.port = network, owner, port
        self.number = network.descriptors_of(owner).take(self)
        self.waiting: deque[Socket] = deque()
        self.is_closed = False

    def readiness(self) -> int:
        """What it can do without waiting."""
        return selectors.EVENT_READ if self.waiting else 0

    def getsockname(self) -> tuple[str, int]:
        """The address."""
        return ("127.0.0.1", self.port)

    def accept(self) -> tuple[Socket, tuple[str, int]]:
        """The next connection. BlockingIOError, OSError."""
        self.scheduler.point()
        if self.is_closed:
            raise OSError(errno.EBADF, "Bad file descriptor")
        if not self.waiting:
            raise BlockingIOError(errno.EAGAIN, "Resource temporarily unavailable")
        client = self.waiting[0]
        accepted = Socket(self.network, self.owner, client.random)
        self.waiting.popleft()
        client.peer, accepted.peer = accepted, client
        accepted.inbound, accepted.outbound = client.outbound, client.inbound
        accepted.is_connected = True
        accepted.changed()
        return accepted, ("127.0.0.1", 1)

    def accept_blocking(self) -> Socket:
        """Wait for the next connection."""
        while not self.waiting:
            self.wait(None)
        return self.accept()[0]

    def close(self) -> None:
        """Close it. Connections that wait are broken."""
        if self.is_closed:
            return
        self.scheduler.point()
        self.drop()

    def drop(self) -> None:
        """Close it as the system does when a process ends."""
        if self.is_closed:
            return
        self.is_closed = True
        self.network.descriptors_of(self.owner).give_back(self.number)
        if self.network.listeners.get(self.port) is self:
            del self.network.listeners[self.port]
        for client in self.waiting:
            client.reset()
        self.changed()

    def detach_from(self, selector: Selector) -> None:
        """Forget a selector."""
        self.selectors.pop(selector.number, None)


class Key(NamedTuple):
    """What is registered with a selector."""

    fileobj: Any
    fd: int
    events: int
    data: Any


class Selector:
    """A selector that tells what is ready in any order."""

    def __init__(self, network: Network, owner: Owner) -> None:
        self._network, self._owner, self._scheduler = network, owner, network.scheduler
        self.number = network.descriptors_of(owner).take(self)
        self._keys: dict[int, Key] = {}
        self._waiting: Task | None = None
        self._is_closed = False

    def register(self, fileobj: Any, events: int, data: Any = None) -> None:
        """Look for events of a socket. KeyError if it is registered already, ValueError if it is closed."""
        if fileobj.is_closed:
            raise ValueError("Invalid file object")
        if fileobj.number in self._keys:
            raise KeyError("is already registered")
        self._keys[fileobj.number] = Key(fileobj, fileobj.number, events, data)
        fileobj.selectors[self.number] = self

    def unregister(self, fileobj: Any) -> None:
        """Look no more. KeyError if it is not registered."""
        if fileobj.number not in self._keys:
            raise KeyError("is not registered")
        del self._keys[fileobj.number]
        fileobj.selectors.pop(self.number, None)

    def modify(self, fileobj: Any, events: int, data: Any = None) -> None:
        """Look for other events."""
        self.unregister(fileobj)
        self.register(fileobj, events, data)

    def select(self, timeout: float | None = None) -> list[tuple[Key, int]]:
        """Wait until something is ready; what is."""
        scheduler = self._scheduler
        scheduler.point()
        until_s = None if timeout is None else scheduler.now_s + timeout
        while True:
            if self._is_closed:
                raise ValueError("I/O operation on closed selector")
            if found := self._ready():
                return found
            left_s = None if until_s is None else until_s - scheduler.now_s
            if left_s is not None and left_s <= 0:
                return []
            self._waiting = scheduler.check_alive()
            scheduler.wait(left_s)
            self._waiting = None

    def wake(self) -> None:
        """Look again."""
        if self._waiting is not None:
            self._scheduler.wake(self._waiting)

    def close(self) -> None:
        """Close it."""
        if self._is_closed:
            return
        self._scheduler.point()
        self._is_closed = True
        for key in self._keys.values():
            key.fileobj.selectors.pop(self.number, None)
        self._network.descriptors_of(self._owner).give_back(self.number)
        self.wake()

    def __enter__(self) -> Selector:
        return self

    def __exit__(self, _k: type[BaseException] | None, _e: BaseException | None, _t: TracebackType | None) -> None:
        self.close()

    def _ready(self) -> list[tuple[Key, int]]:
        found = [(key, mask) for key in self._keys.values() if (mask := key.fileobj.readiness() & key.events)]
        if len(found) > 1:
            self._scheduler.random.shuffle(found)
        return found


class Network:
    """Which ports are listened on, and the descriptors of each owner."""

    def __init__(self, scheduler: Scheduler) -> None:
        self.scheduler = scheduler
        self.listeners: dict[int, Listener] = {}
        self._descriptors: dict[str, Descriptors] = {}

    def descriptors_of(self, owner: Owner) -> Descriptors:
        """The descriptors of a process."""
        return self._descriptors.setdefault(owner.name, Descriptors(UNLIMITED))

    def drop_all(self, owner: Owner) -> None:
        """Close what a process has open, as the system does when it ends."""
        for each in list(self.descriptors_of(owner).open.values()):
            if isinstance(each, Socket | Listener):
                each.drop()

    def limit(self, owner: Owner, most: int) -> None:
        """Let a process open so many at most."""
        self.descriptors_of(owner).most = most

    def listen(self, owner: Owner, port: int) -> Listener:
        """Listen on a port. OSError if it is in use."""
        if port in self.listeners:
            raise OSError(errno.EADDRINUSE, "Address already in use")
        listener = self.listeners[port] = Listener(self, owner, port)
        return listener

    def join(self, client: Socket, port: int) -> None:
        """Connect to a port. ConnectionRefusedError."""
        listener = self.listeners.get(port)
        if listener is None or len(listener.waiting) >= BACKLOG:
            raise ConnectionRefusedError(errno.ECONNREFUSED, "Connection refused")
        client.is_connected = True
        listener.waiting.append(client)
        listener.changed()

    def connect(self, owner: Owner, port: int, random: Random) -> Socket:
        """A connection to a port. OSError."""
        client = Socket(self, owner, random)
        try:
            client.connect(("127.0.0.1", port))
        except OSError:
            client.close()
            raise
        return client

    def pair(self, owner: Owner, random: Random) -> tuple[Socket, Socket]:
        """Two sockets that are connected."""
        one, other = Socket(self, owner, random), Socket(self, owner, random)
        one.peer, other.peer = other, one
        one.inbound, one.outbound = other.outbound, other.inbound
        one.is_connected = other.is_connected = True
        return one, other

    def socket(self, owner: Owner, random: Random) -> Socket:
        """A socket of a process. OSError."""
        return Socket(self, owner, random)

    def selector(self, owner: Owner) -> Selector:
        """A selector of a process. OSError."""
        return Selector(self, owner)

    def resolve(self, host: str, port: int, **_: object) -> list[tuple[Any, ...]]:
        """The address of a name: this machine, but for names that end with `.invalid`."""
        self.scheduler.point()
        if host.endswith(".invalid"):
            raise sockets.gaierror(sockets.EAI_NONAME, "Name or service not known")
        return [(sockets.AF_INET, sockets.SOCK_STREAM, 6, "", ("127.0.0.1", port))]
