"""The courier: the only outgoing socket. It carries requests to receivers and says what came back (P-6.16)."""

from __future__ import annotations

import errno
import io
import socket
import threading
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from http.client import HTTPException, HTTPResponse
from typing import Any, cast

from giftsim.webhooks import outgoing as word
from giftsim.webhooks.forward_targets import Place, is_forbidden, place
from giftsim.webhooks.outgoing import Outcome, Outgoing
from giftsim.webhooks.signed_request import written

MOST_READ = 64 * 1024
MOST_AT_ONCE = 16
MOST_PER_ENDPOINT = 4

# Connections are reused for a moment only: servers hang up on idle ones, and a request that meets that is lost.
MOST_IDLE = 16
LONGEST_IDLE_S = 1.0

# Some servers hang up after each answer without saying so: before the first reuse one waits a little for that to show.
PROBATION_S = 0.02

UNREACHABLE = (errno.ENETUNREACH, errno.EHOSTUNREACH, errno.EADDRNOTAVAIL)

Clock = Callable[[], float]
Resolve = Callable[..., Any]
Verdict = tuple[str, int | None]


class CourierClosed(Exception):
    """The courier was closed while this was under way: nothing is known about it."""


class Blocked(Exception):
    """A target resolves to an address that nothing is ever sent to."""


class Flooded(Exception):
    """The answer is longer than anybody reads."""


class Stream(io.RawIOBase):
    """The bytes of one answer: at most MOST_READ of them, all of them by the deadline."""

    def __init__(self, sock: socket.socket, deadline: float, monotonic: Clock) -> None:
        self.sock, self.deadline, self.monotonic = sock, deadline, monotonic
        self.left = MOST_READ

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        """Fill the buffer with what has come; TimeoutError at the deadline, Flooded at the bound."""
        if self.left <= 0:
            raise Flooded
        self.sock.settimeout(remaining(self.deadline, self.monotonic))
        count = self.sock.recv_into(buffer)
        self.left -= count
        return count

    def makefile(self, _mode: str) -> io.BufferedReader:
        return io.BufferedReader(self)


class Line:
    """One open connection."""

    def __init__(self, to: Place, sock: socket.socket, monotonic: Clock) -> None:
        self.to, self.sock, self.monotonic = to, sock, monotonic
        self.since = monotonic()

    def quiet(self, wait_s: float) -> bool:
        """Whether the other side has neither hung up nor said anything unasked, nor does so within `wait_s`."""
        try:
            self.sock.settimeout(wait_s)
            self.sock.recv(1, socket.MSG_PEEK)
        except OSError as error:
            return isinstance(error, BlockingIOError | TimeoutError)
        return False

    def write(self, request: bytes, deadline: float) -> None:
        """Hand over all of the request; OSError if not all of it left, so that nobody can have understood it."""
        self.sock.settimeout(remaining(deadline, self.monotonic))
        self.sock.sendall(request)

    def read(self, deadline: float) -> tuple[int, bool]:
        """The status of the answer, read to its end or bound, and whether the connection can serve another request."""
        stream = Stream(self.sock, deadline, self.monotonic)
        response = HTTPResponse(cast(socket.socket, stream), method="POST")
        try:
            response.begin()
            try:
                body = response.read(MOST_READ)
            except Flooded:
                return response.status, False
            if response.length and len(body) < MOST_READ:
                raise ConnectionResetError("the answer ends before its announced length")
            return response.status, response.isclosed() and not response.will_close
        finally:
            response.close()


class Courier:
    """Carries forwarded attempts. `wall` gives unix seconds for signatures, `monotonic` seconds for deadlines."""

    def __init__(self, *, wall: Clock, monotonic: Clock, resolve: Resolve = socket.getaddrinfo) -> None:
        self.wall, self.monotonic, self.resolve = wall, monotonic, resolve
        self._lock = threading.Lock()
        self._idle: deque[Line] = deque()
        self._busy: dict[int, socket.socket] = {}
        self._keeps_open: dict[Place, bool] = {}
        self._closed = False

    def send(self, outgoing: Outgoing) -> Outcome:
        """Make one request and wait for its answer, `timeout_s` real seconds in all; no failure raises.

        A redirect is an answer like others. What is no HTTP, or breaks off, is a reset. CourierClosed after `close`.
        """
        began = self.monotonic()
        signed_s = int(self.wall()) if outgoing.sign_s is None else outgoing.sign_s
        outcome, status = self._carry(place(outgoing.to), written(outgoing, signed_s), began + outgoing.timeout_s)
        if self._closed:
            raise CourierClosed
        return Outcome(outcome, status, signed_s, self.monotonic() - began)

    def send_all(self, batch: Sequence[Outgoing]) -> list[Outcome]:
        """Make these requests together, 16 at a time, up to 4 per endpoint; outcomes in the batch's order (G23)."""
        if len(batch) == 1:
            return [self.send(batch[0])]
        return Round(batch, self.send).run()

    def close(self) -> None:
        """Hang up at once, also on what is under way."""
        with self._lock:
            self._closed = True
            busy, idle = list(self._busy.values()), list(self._idle)
            self._idle.clear()
        for line in idle:
            line.sock.close()
        for sock in busy:
            with suppress(OSError):
                sock.shutdown(socket.SHUT_RDWR)

    def _carry(self, to: Place, request: bytes, deadline: float) -> Verdict:
        line: Line | None = None
        try:
            line = self._sent(to, request, deadline)
            status, reusable = line.read(deadline)
        except (OSError, HTTPException, Flooded, Blocked) as error:
            if line:
                self._release(line)
            return failure(error), None
        self._release(line, reusable)
        return word.judged(status), status

    def _sent(self, to: Place, request: bytes, deadline: float) -> Line:
        """A line over which the whole request has left.

        A reused line that breaks while it is written to gives way to a new one: part of a request is understood by
        nobody. Once all has left, nothing is repeated, since the receiver may have acted on it.
        """
        while True:
            reused = self._reuse(to)
            line = reused or Line(to, self._connect(to, deadline), self.monotonic)
            try:
                line.write(request, deadline)
            except OSError as error:
                self._release(line)
                if line is not reused or isinstance(error, TimeoutError):
                    raise
            else:
                return line

    def _connect(self, to: Place, deadline: float) -> socket.socket:
        failed: OSError = ConnectionRefusedError(f"{to.host} has no address")
        for family, kind, protocol, _, address in self.resolve(to.host, to.port, type=socket.SOCK_STREAM):
            if is_forbidden(str(address[0])):
                raise Blocked(address[0])
            sock = self._enter(socket.socket(family, kind, protocol))
            try:
                sock.settimeout(remaining(deadline, self.monotonic))
                sock.connect(address)
            except OSError as error:
                self._release(Line(to, sock, self.monotonic))
                failed = error
            else:
                sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                return sock
        raise failed

    def _reuse(self, to: Place) -> Line | None:
        """A kept line to this place that is fresh and quiet; stale ones on the way are closed."""
        while True:
            with self._lock:
                line = next((line for line in reversed(self._idle) if line.to == to), None)
                if line is None:
                    return None
                self._idle.remove(line)
            known = to in self._keeps_open
            if self.monotonic() - line.since <= LONGEST_IDLE_S:
                quiet = line.quiet(0 if known else PROBATION_S)
                self._keeps_open.setdefault(to, quiet)
                if quiet:
                    self._enter(line.sock)
                    return line
            line.sock.close()

    def _release(self, line: Line, reusable: bool = False) -> None:
        """Keep the line for the next request, or hang up; the oldest of too many gives way."""
        line.since = self.monotonic()
        ended: Line | None = line
        with self._lock:
            self._busy.pop(id(line.sock), None)
            if reusable and not self._closed and self._keeps_open.get(line.to, True):
                self._idle.append(line)
                ended = self._idle.popleft() if len(self._idle) > MOST_IDLE else None
        if ended:
            ended.sock.close()

    def _enter(self, sock: socket.socket) -> socket.socket:
        with self._lock:
            if not self._closed:
                self._busy[id(sock)] = sock
                return sock
        sock.close()
        raise CourierClosed


class Round:
    """One batch on its way: lanes of one request at a time, up to four per endpoint, walked by up to 16 threads."""

    def __init__(self, batch: Sequence[Outgoing], send: Callable[[Outgoing], Outcome]) -> None:
        self.batch, self.send = batch, send
        self.outcomes: dict[int, Outcome] = {}
        self.errors: list[BaseException] = []
        waiting: dict[int, deque[int]] = {}
        for n, outgoing in enumerate(batch):
            waiting.setdefault(outgoing.endpoint, deque()).append(n)
        # The first lanes of all endpoints come before the second of any: a slow endpoint holds up the others least.
        hands = {n: min(len(lane), batch[lane[0]].at_once) for n, lane in waiting.items()}
        self.lanes = deque(waiting[n] for turn in range(MOST_PER_ENDPOINT) for n in waiting if hands[n] > turn)

    def run(self) -> list[Outcome]:
        """Every outcome in the order of the batch; an error of one is raised once all have ended."""
        hands = min(len(self.lanes), MOST_AT_ONCE)
        others = [threading.Thread(target=self._walk, daemon=True) for _ in range(hands - 1)]
        for thread in others:
            thread.start()
        self._walk()
        for thread in others:
            thread.join()
        if self.errors:
            raise self.errors[0]
        return [self.outcomes[n] for n in range(len(self.batch))]

    def _walk(self) -> None:
        with suppress(IndexError):  # no lane is left
            while True:
                self._empty(self.lanes.popleft())

    def _empty(self, lane: deque[int]) -> None:
        while lane:
            try:
                n = lane.popleft()
            except IndexError:  # another of its lanes was quicker
                return
            try:
                self.outcomes[n] = self.send(self.batch[n])
            except BaseException as error:  # noqa: BLE001  # raised again in the thread that asked
                self.errors.append(error)


def remaining(deadline: float, monotonic: Clock) -> float:
    """Seconds until the deadline; TimeoutError once it has passed."""
    left = deadline - monotonic()
    if left <= 0:
        raise TimeoutError("the receiver took too long")
    return left


def failure(error: Exception) -> str:
    """The outcome that an error stands for; whatever breaks off, or is no HTTP, is a reset."""
    if isinstance(error, TimeoutError):
        return word.TIMEOUT
    if isinstance(error, socket.gaierror):
        return word.DNS_ERROR
    if isinstance(error, Blocked):
        return word.BLOCKED_ADDRESS
    if isinstance(error, ConnectionRefusedError) or getattr(error, "errno", None) in UNREACHABLE:
        return word.CONNECTION_REFUSED
    return word.CONNECTION_RESET
