"""The response of a receiver, parsed by llhttp (httptools), of which a bounded part is kept."""

from __future__ import annotations

from typing import NamedTuple

from httptools import HttpParserError, HttpParserUpgrade, HttpResponseParser

from giftsim.webhooks.receiver_answer import KEPT_BYTES

SWITCHING_PROTOCOLS = 101


class NotHttp(Exception):
    """What a receiver sends is no HTTP response."""


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
            lenient_headers=True, lenient_version=True, lenient_optional_cr_before_lf=True,
            lenient_optional_lf_after_cr=True, lenient_optional_crlf_after_chunk=True,
            lenient_spaces_after_chunk_size=True, lenient_data_after_close=True,
        )  # fmt: skip
        self.status: int | None = None
        self.is_complete = False
        self._kept, self._body_bytes = b"", 0
        self._keeps_open = self._has_end = False

    def feed(self, data: bytes) -> None:
        """Take in the next bytes. NotHttp unless the response is complete before what cannot be parsed."""
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
        """A response begins, or what follows the one that was asked for."""
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
