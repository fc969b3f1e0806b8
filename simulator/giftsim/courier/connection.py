"""One open connection of the courier to a receiver, bounded in bytes and in time."""

from __future__ import annotations

import io
import socket
from collections.abc import Callable
from http.client import HTTPResponse
from typing import Any, NamedTuple, cast

from giftsim.webhooks.forward_targets import ForwardTarget
from giftsim.webhooks.receiver_answer import KEPT_BYTES

MAX_RESPONSE_BYTES = 64 * 1024

Clock = Callable[[], float]


class ResponseTooLong(Exception):
    """The response is longer than MAX_RESPONSE_BYTES."""


class Reply(NamedTuple):
    """A response: its status, the beginning of its body, whether that is cut, and whether the connection can go on."""

    status: int
    body: bytes
    cut: bool
    reusable: bool


class BoundedStream(io.RawIOBase):
    """The bytes of one response, limited to MAX_RESPONSE_BYTES and to the deadline."""

    def __init__(self, sock: socket.socket, deadline: float, monotonic: Clock) -> None:
        self.sock, self.deadline, self.monotonic = sock, deadline, monotonic
        self.left = MAX_RESPONSE_BYTES

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        """Read into the buffer; TimeoutError at the deadline, ResponseTooLong at the limit."""
        if self.left <= 0:
            raise ResponseTooLong
        self.sock.settimeout(remaining(self.deadline, self.monotonic))
        count = self.sock.recv_into(buffer)
        self.left -= count
        return count

    def makefile(self, _mode: str) -> io.BufferedReader:
        return io.BufferedReader(self)


class Connection:
    """One open connection to a receiver; `since` is when it was last used."""

    def __init__(self, to: ForwardTarget, sock: socket.socket, monotonic: Clock) -> None:
        self.to, self.sock, self.monotonic = to, sock, monotonic
        self.since = monotonic()

    def is_quiet(self, wait_s: float) -> bool:
        """Whether the receiver has neither closed the connection nor sent anything, and does not within `wait_s`."""
        try:
            self.sock.settimeout(wait_s)
            self.sock.recv(1, socket.MSG_PEEK)
        except OSError as error:
            return isinstance(error, BlockingIOError | TimeoutError)
        return False

    def write(self, request: bytes, deadline: float) -> None:
        """Send the whole request. OSError if part of it was not sent, so that the receiver cannot have acted on it."""
        self.sock.settimeout(remaining(deadline, self.monotonic))
        self.sock.sendall(request)

    def read(self, deadline: float) -> Reply:
        """Read the response to its end or limit."""
        stream = BoundedStream(self.sock, deadline, self.monotonic)
        response = HTTPResponse(cast(socket.socket, stream), method="POST")
        try:
            response.begin()
            body = b""
            try:
                body = response.read(KEPT_BYTES)
                more = len(response.read(MAX_RESPONSE_BYTES - len(body))) if len(body) == KEPT_BYTES else 0
            except ResponseTooLong:
                return Reply(response.status, body, True, False)
            if response.length and len(body) + more < MAX_RESPONSE_BYTES:
                raise ConnectionResetError("the response ends before its announced length")
            return Reply(response.status, body, more > 0, response.isclosed() and not response.will_close)
        finally:
            response.close()


def remaining(deadline: float, monotonic: Clock) -> float:
    """Seconds until the deadline; TimeoutError once it has passed."""
    left = deadline - monotonic()
    if left <= 0:
        raise TimeoutError("the receiver took too long")
    return left
