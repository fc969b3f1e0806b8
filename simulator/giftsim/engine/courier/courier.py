"""The courier sends webhook requests to real receivers. It owns the only outgoing sockets (P-6.16)."""

from __future__ import annotations

import errno
import socket
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, suppress

import msgspec

from giftsim.engine.courier.connection import Connection, NotHttp, Reply, ResponseTooLong, remaining
from giftsim.engine.courier.fair_queue import Dispatcher, Job
from giftsim.engine.system import SYSTEM, System
from giftsim.engine.webhooks import outgoing as outcomes
from giftsim.engine.webhooks.forward_targets import ForwardTarget, is_allowed, may_connect, parse_target
from giftsim.engine.webhooks.outgoing import Outcome, Outgoing, request_bytes

MAX_PER_RECEIVER = 4


class Batch:
    """The requests of one batch; `when_done(batch)` is called once the last of them is back."""

    def __init__(
        self,
        requests: Sequence[Outgoing],
        send: Callable[[Outgoing], Outcome],
        when_done: Callable[[Batch], None],
        lock: AbstractContextManager[object],
    ) -> None:
        self._requests, self._send, self._when_done = requests, send, when_done
        self._outcomes: dict[int, Outcome] = {}
        self._errors: list[BaseException] = []
        self._left = len(requests)
        self._lock = lock

    def jobs(self) -> Iterator[tuple[str, int, Job]]:
        """For each request: its receiver, how many requests to it may run at a time, and the job that sends it."""
        for n, request in enumerate(self._requests):
            yield request.to, min(request.at_once, MAX_PER_RECEIVER), self._job(n)

    def outcomes(self) -> list[Outcome]:
        """The outcomes in the order of the requests; an error of one of them is raised."""
        if self._errors:
            raise self._errors[0]
        return [self._outcomes[n] for n in range(len(self._requests))]

    def _job(self, n: int) -> Job:
        def run() -> None:
            try:
                self._outcomes[n] = self._send(self._requests[n])
            except BaseException as error:  # noqa: BLE001 - raised again by `outcomes`
                self._errors.append(error)
            with self._lock:
                self._left -= 1
                is_done = not self._left
            if is_done:
                self._when_done(self)

        return run


# Connections are reused for a moment only. Servers close idle ones, and a request sent on a closing one is lost.
MAX_IDLE = 16
MAX_IDLE_S = 1.0

# Some servers close after each response without announcing it. The first reuse waits this long for the close to show.
PROBATION_S = 0.02

UNREACHABLE = (errno.ENETUNREACH, errno.EHOSTUNREACH, errno.EADDRNOTAVAIL)


class CourierClosed(Exception):
    """The courier was closed, or the request's group ended, while it was in progress; its outcome is unknown."""


class SendGroup:
    """Requests that end together and share the threads fairly with others, such as those of one world (G80).

    Change `ended` only by `Courier.end`.
    """

    def __init__(self) -> None:
        self.ended = False


class AddressBlocked(Exception):
    """The target is not allowed, or resolves to an address that the courier never connects to."""


class Courier:
    """Sends forwarded attempts, to loopback and to what `forward_allow` lists (G25).

    Signatures have the unix seconds of the system's clock.
    """

    def __init__(self, system: System = SYSTEM, *, forward_allow: tuple[str, ...] = ()) -> None:
        self.system, self.monotonic, self.forward_allow = system, system.monotonic, forward_allow
        self._lock = system.lock()
        self._idle: deque[Connection] = deque()
        self._busy: dict[int, tuple[socket.socket, SendGroup]] = {}
        self._keeps_open: dict[ForwardTarget, bool] = {}
        self._closed = False
        self.dispatcher = Dispatcher(system=system)

    def send(self, outgoing: Outgoing, group: SendGroup | None = None) -> Outcome:
        """Send one request and wait for its response, at most `timeout_s` real seconds. Failures are outcomes.

        Redirects are not followed. What is not HTTP or breaks off is a reset. CourierClosed after `close`, and after
        the `end` of its group.
        """
        signed_s = self.system.now_ms() // 1000 if outgoing.sign_s is None else outgoing.sign_s
        outcome = self.exchange(outgoing.to, request_bytes(outgoing, signed_s), outgoing.timeout_s, group)
        return msgspec.structs.replace(outcome, signed_s=signed_s)

    def exchange(self, to: str, request: bytes, timeout_s: float, group: SendGroup | None = None) -> Outcome:
        """Send these bytes, which are not signed here, as `send` does; `signed_s` of the outcome is 0."""
        group = group or SendGroup()
        self._check_open(group)
        started_s = self.monotonic()
        reply = self._exchange(parse_target(to), request, started_s + timeout_s, group)
        self._check_open(group)
        took_s = self.monotonic() - started_s
        if isinstance(reply, str):
            return Outcome(reply, None, 0, took_s)
        return Outcome(outcomes.outcome_of_status(reply.status), reply.status, 0, took_s, reply.body, reply.cut)

    def send_all(self, requests: Sequence[Outgoing], group: SendGroup | None = None) -> list[Outcome]:
        """Send requests together, up to 16 at a time and 4 per receiver; the outcomes in their order (G23)."""
        if len(requests) == 1:
            return [self.send(requests[0], group)]
        done = self.system.event()
        batch = self.start_all(requests, group or SendGroup(), lambda _: done.set())
        self.dispatcher.help()
        if requests:
            done.wait()
        return batch.outcomes()

    def start_all(self, requests: Sequence[Outgoing], group: SendGroup, when_done: Callable[[Batch], None]) -> Batch:
        """Send requests in the background, in turn with those of other groups; `when_done` must not raise."""
        batch = Batch(requests, lambda request: self.send(request, group), when_done, self.system.lock())
        self.dispatcher.submit((group, receiver, limit, job) for receiver, limit, job in batch.jobs())
        return batch

    def end(self, group: SendGroup) -> None:
        """End the requests of a group at once. They, and later ones, raise CourierClosed."""
        with self._lock:
            group.ended = True
            busy = [sock for sock, owner in self._busy.values() if owner is group]
        _shut_down(busy)

    def close(self) -> None:
        """Close all connections at once, including those in use."""
        with self._lock:
            self._closed = True
            busy, idle = [sock for sock, _ in self._busy.values()], list(self._idle)
            self._idle.clear()
        self.dispatcher.close()
        for connection in idle:
            connection.sock.close()
        _shut_down(busy)

    def _check_open(self, group: SendGroup) -> None:
        if self._closed or group.ended:
            raise CourierClosed

    def _exchange(self, to: ForwardTarget, request: bytes, deadline: float, group: SendGroup) -> Reply | str:
        """The response, or the outcome where there is none."""
        connection: Connection | None = None
        try:
            connection = self._send_request(to, request, deadline, group)
            reply = connection.read(deadline)
        except (OSError, NotHttp, ResponseTooLong, AddressBlocked) as error:
            if connection:
                self._release(connection)
            return outcome_of(error)
        self._release(connection, reply.reusable)
        return reply

    def _send_request(self, to: ForwardTarget, request: bytes, deadline: float, group: SendGroup) -> Connection:
        """Send the whole request and return the connection that it went over.

        If a reused connection breaks during sending, the request is sent again over a new one: a receiver cannot have
        acted on part of a request. A request that was sent whole is never repeated.
        """
        while True:
            reused = self._reuse(to, group)
            connection = reused or Connection(to, self._connect(to, deadline, group), self.monotonic)
            try:
                connection.write(request, deadline)
            except OSError as error:
                self._release(connection)
                if connection is not reused or isinstance(error, TimeoutError):
                    raise
            else:
                return connection

    def _connect(self, to: ForwardTarget, deadline: float, group: SendGroup) -> socket.socket:
        if not is_allowed(to, self.forward_allow):
            raise AddressBlocked(to.host)  # a state may hold a target that was allowed when it was set (G71)
        failed: OSError = ConnectionRefusedError(f"{to.host} has no address")
        for family, kind, protocol, _, address in self.system.resolve(to.host, to.port, type=socket.SOCK_STREAM):
            if not may_connect(to, str(address[0])):
                raise AddressBlocked(address[0])
            sock = self._register(self.system.socket(family, kind, protocol), group)
            try:
                sock.settimeout(remaining(deadline, self.monotonic))
                sock.connect(address)
            except OSError as error:
                self._release(Connection(to, sock, self.monotonic))
                failed = error
            else:
                sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                return sock
        raise failed

    def _reuse(self, to: ForwardTarget, group: SendGroup) -> Connection | None:
        """A fresh and quiet idle connection to the target, or None; stale ones are closed."""
        while True:
            with self._lock:
                connection = next((connection for connection in reversed(self._idle) if connection.to == to), None)
                if connection is None:
                    return None
                self._idle.remove(connection)
            known = to in self._keeps_open
            if self.monotonic() - connection.since <= MAX_IDLE_S:
                quiet = connection.is_quiet(0 if known else PROBATION_S)
                self._keeps_open.setdefault(to, quiet)
                if quiet:
                    self._register(connection.sock, group)
                    return connection
            connection.sock.close()

    def _release(self, connection: Connection, reusable: bool = False) -> None:
        """Keep the connection for the next request, or close it; the oldest of too many is closed."""
        connection.since = self.monotonic()
        surplus: Connection | None = connection
        with self._lock:
            self._busy.pop(id(connection.sock), None)
            if reusable and not self._closed and self._keeps_open.get(connection.to, True):
                self._idle.append(connection)
                surplus = self._idle.popleft() if len(self._idle) > MAX_IDLE else None
        if surplus:
            surplus.sock.close()

    def _register(self, sock: socket.socket, group: SendGroup) -> socket.socket:
        with self._lock:
            if not self._closed and not group.ended:
                self._busy[id(sock)] = sock, group
                return sock
        sock.close()
        raise CourierClosed


def _shut_down(sockets: Iterable[socket.socket]) -> None:
    """Break connections that other threads are using."""
    for sock in sockets:
        with suppress(OSError):
            sock.shutdown(socket.SHUT_RDWR)


def outcome_of(error: Exception) -> str:
    """The outcome of an error; what breaks off or is not HTTP is a connection reset."""
    if isinstance(error, TimeoutError):
        return outcomes.TIMEOUT
    if isinstance(error, socket.gaierror):
        return outcomes.DNS_ERROR
    if isinstance(error, AddressBlocked):
        return outcomes.BLOCKED_ADDRESS
    if isinstance(error, ConnectionRefusedError) or getattr(error, "errno", None) in UNREACHABLE:
        return outcomes.CONNECTION_REFUSED
    return outcomes.CONNECTION_RESET
