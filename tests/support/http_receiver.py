"""Webhook receivers on raw sockets, well-behaved or not, and a courier with fake clocks."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

import msgspec

from giftsim.engine.courier.courier import Courier
from giftsim.engine.system import SYSTEM, System
from giftsim.engine.webhooks.outgoing import Outcome, Outgoing

BODY = b'{"id":"evt_1","data":{"name":"\xc3\x85sa"}}'
OK_RESPONSE = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
SECRET = "whsec_4f9a"

Behaviour = Callable[[socket.socket, "HttpReceiver"], None]


class HttpReceiver:
    """A raw server on loopback. `behave` serves each connection; `requests` are the complete requests received.

    With `keep=False` it forgets them, for a run in which many arrive.
    """

    def __init__(self, behave: Behaviour, *, keep: bool = True) -> None:
        self.behave, self.keep = behave, keep
        self.requests: list[bytes] = []
        self.connections = 0
        self.in_flight, self.peak = 0, 0
        self.lock = threading.Lock()
        self.released = threading.Event()
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self.listener.getsockname()[1]
        self.sockets: list[socket.socket] = []
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                connection, _ = self.listener.accept()
                self.connections += 1
                self.sockets.append(connection)
                threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection: socket.socket) -> None:
        with connection, suppress(OSError):
            self.behave(connection, self)
        if not self.keep:
            self.sockets.remove(connection)

    def read(self, connection: socket.socket) -> bytes | None:
        """Read one complete request; its body, or None at the end of the connection."""
        request = self.read_request(connection)
        return None if request is None else request.partition(b"\r\n\r\n")[2]

    def read_request(self, connection: socket.socket) -> bytes | None:
        """Read one complete request with its head, or None at the end of the connection."""
        data = b""
        while b"\r\n\r\n" not in data:
            if not (piece := connection.recv(65536)):
                return None
            data += piece
        head, _, body = data.partition(b"\r\n\r\n")
        length = int(head.lower().partition(b"content-length: ")[2].split(b"\r\n")[0])
        while len(body) < length:
            if not (piece := connection.recv(65536)):
                return None
            body += piece
        request = head + b"\r\n\r\n" + body
        if self.keep:
            with self.lock:
                self.requests.append(request)
        return request

    def close(self) -> None:
        """Close the port and every connection, and release waiting behaviours."""
        self.released.set()
        with suppress(OSError):
            self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()
        for connection in self.sockets:
            with suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)


@contextmanager
def http_receiver(behave: Behaviour) -> Iterator[HttpReceiver]:
    """Run a receiver with this behaviour."""
    receiver = HttpReceiver(behave)
    try:
        yield receiver
    finally:
        receiver.close()


def respond_always(response: bytes) -> Behaviour:
    """Respond to every request."""

    def behave(connection: socket.socket, receiver: HttpReceiver) -> None:
        while receiver.read(connection) is not None:
            connection.sendall(response)

    return behave


def respond_once(response: bytes) -> Behaviour:
    """Respond to one request and close the connection."""

    def behave(connection: socket.socket, receiver: HttpReceiver) -> None:
        receiver.read(connection)
        connection.sendall(response)

    return behave


def outgoing_request(port: int, **changes: object) -> Outgoing:
    """A webhook request to a port of this machine."""
    request = Outgoing(
        attempt=0, endpoint=0, host="hooks.partner.example", event_id="evt_1", number=1, to=f"http://127.0.0.1:{port}",
        path="/gifts?from=us", headers=(("Host", "hooks.partner.example"), ("Content-Type", "application/json")),
        body=BODY, secret=SECRET, sign_s=None, effect="", timeout_s=5.0,
    )  # fmt: skip
    return msgspec.structs.replace(request, **changes)


class FakeClocks:
    """The courier's clocks: a fixed system time, and a monotonic clock that `ahead_s` moves forward."""

    def __init__(self) -> None:
        self.ahead_s = 0.0

    def system(self) -> System:
        return SYSTEM._replace(now_ms=lambda: 1_900_000_000_900, monotonic=self.monotonic)

    def monotonic(self) -> float:
        return SYSTEM.monotonic() + self.ahead_s  # a real receiver needs real seconds


def never_respond(connection: socket.socket, receiver: HttpReceiver) -> None:
    """Read the request and wait."""
    receiver.read(connection)
    receiver.released.wait(10)


def hang_up(connection: socket.socket, receiver: HttpReceiver) -> None:
    """Read the request and close the connection."""
    receiver.read(connection)


def reset_connection(connection: socket.socket, receiver: HttpReceiver) -> None:
    """Read the request and reset the connection."""
    receiver.read(connection)
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\x01\x00\x00\x00\x00\x00\x00\x00")


def drip_bytes(head: bytes) -> Behaviour:
    """Send `head`, then single bytes without end, each within the time-out of one read."""

    def behave(connection: socket.socket, receiver: HttpReceiver) -> None:
        receiver.read(connection)
        connection.sendall(head)
        while not receiver.released.wait(0.05):
            connection.sendall(b"x")

    return behave


def outcome_and_status(outcome: Outcome) -> tuple[str, int | None]:
    """An outcome's name and status."""
    return outcome.outcome, outcome.status


@contextmanager
def running_courier(clocks: FakeClocks) -> Iterator[Courier]:
    """A courier with these clocks, closed afterwards."""
    courier = Courier(clocks.system())
    try:
        yield courier
    finally:
        courier.close()
