"""One open connection of the courier to a receiver, bounded in bytes and in time, and the response that it parses."""

from __future__ import annotations

import socket
from collections.abc import Callable
from typing import NamedTuple

from httptools import HttpParserError, HttpParserUpgrade, HttpResponseParser

from giftsim.engine.webhooks.forward_targets import ForwardTarget
from giftsim.engine.webhooks.receiver_script import KEPT_BYTES

SWITCHING_PROTOCOLS = 101


class NotHttp(Exception):
    """A receiver sent something that is not an HTTP response."""


class Reply(NamedTuple):
    """A response: its status, the beginning of its body, whether that is cut, and whether the connection can go on."""

    status: int
    body: bytes
    cut: bool
    reusable: bool


class PartialResponse:
    """A response as far as it has arrived. `status` is None until its header has."""

    def __init__(self) -> None:
        self._parser = HttpResponseParser(self)
        self._parser.set_dangerous_leniencies(  # receivers written by hand end their lines with a mere line feed
            lenient_headers=True,
            lenient_version=True,
            lenient_optional_cr_before_lf=True,
            lenient_optional_lf_after_cr=True,
            lenient_optional_crlf_after_chunk=True,
            lenient_spaces_after_chunk_size=True,
            lenient_data_after_close=True,
        )
        self.status: int | None = None
        self.is_complete = False
        self._kept, self._body_bytes = b"", 0
        self._keeps_open = self._has_end = False

    def feed(self, data: bytes) -> None:
        """Parse the next bytes. NotHttp if that fails, unless the response is complete already."""
        try:
            self._parser.feed_data(data)
        except HttpParserUpgrade:
            self._keeps_open = False
        except HttpParserError as error:
            if not self.is_complete:
                raise NotHttp(str(error)) from None
            self._keeps_open = False

    def end(self) -> None:
        """The receiver has closed the connection. ConnectionResetError unless that ends the response."""
        if self.status is None or self._has_end:
            raise ConnectionResetError("the response breaks off")
        self.is_complete = True

    def reply(self) -> Reply:
        """The response, or its beginning, once its header has arrived."""
        assert self.status is not None
        cut = self._body_bytes > len(self._kept) or not self.is_complete
        return Reply(self.status, self._kept, cut, self.is_complete and self._keeps_open)

    # What llhttp calls.

    def on_message_begin(self) -> None:
        """A response begins: the one that was asked for, or another one behind it."""
        if self.is_complete:
            self._keeps_open = False

    def on_header(self, name: bytes, value: bytes) -> None:
        """A header. Some say where the body ends; without them it ends with the connection."""
        if name.lower() == b"content-length" or (name.lower() == b"transfer-encoding" and b"chunked" in value.lower()):
            self._has_end = True

    def on_headers_complete(self) -> None:
        """The header has arrived. One with a status below 200 announces another response."""
        status = self._parser.get_status_code()
        if not self.is_complete and (status >= 200 or status == SWITCHING_PROTOCOLS):
            self.status = status

    def on_body(self, part: bytes) -> None:
        """A part of the body."""
        if self.is_complete:
            return
        self._body_bytes += len(part)
        self._kept += part[: KEPT_BYTES - len(self._kept)]

    def on_message_complete(self) -> None:
        """The response has arrived."""
        if self.status is not None and not self.is_complete:
            self.is_complete, self._keeps_open = True, self._parser.should_keep_alive()


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
