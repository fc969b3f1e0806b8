"""One open connection of the courier to a receiver, bounded in bytes and in time."""

from __future__ import annotations

import socket
from collections.abc import Callable

from giftsim.courier.response import PartialResponse, Reply
from giftsim.webhooks.forward_targets import ForwardTarget

MAX_RESPONSE_BYTES = 64 * 1024

Clock = Callable[[], float]


class ResponseTooLong(Exception):
    """The header of the response is longer than MAX_RESPONSE_BYTES."""


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
        """Read the response to its end or limit. OSError, NotHttp or ResponseTooLong when there is none."""
        response, left = PartialResponse(), MAX_RESPONSE_BYTES
        while not response.is_complete:
            self.sock.settimeout(remaining(deadline, self.monotonic))
            data = self.sock.recv(left)
            if data:
                response.feed(data)
            else:
                response.end()
            left -= len(data)
            if left == 0 and not response.is_complete:
                if response.status is None:
                    raise ResponseTooLong
                break
        return response.reply()


def remaining(deadline: float, monotonic: Clock) -> float:
    """Seconds until the deadline; TimeoutError once it has passed."""
    left = deadline - monotonic()
    if left <= 0:
        raise TimeoutError("the receiver took too long")
    return left
