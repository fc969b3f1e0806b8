"""What waitress does differently here, for every connection of the server.

- Header names are sent as they are documented (`X-RateLimit-Limit`); waitress capitalizes them (`X-Ratelimit-Limit`).
- The connection stays open after a response without a body: 204, and every response to HEAD.
- Two `Idempotency-Key` headers can be told from one whose value holds a comma.
- A body over the server's limit reaches the application, which refuses it like every body that is too large (G18).
  Its rest is read and dropped, so that a client that is still sending gets to read the response.
"""

from __future__ import annotations

import io
import socket
from contextlib import suppress
from typing import Any

from waitress.channel import HTTPChannel
from waitress.parser import HTTPRequestParser, get_header_lines
from waitress.task import ErrorTask, WSGITask
from waitress.utilities import RequestEntityTooLarge, build_http_date

from giftsim.gateway.json_body import MAX_BYTES
from giftsim.gateway.repeated_headers import LINE_BREAK, SINGLE

WITHOUT_BODY = ("1", "204", "304")  # the statuses, or beginnings of them, whose responses have neither body nor length
OWN_HEADERS = ("content-length", "connection")


class Parser(HTTPRequestParser):  # type: ignore[misc]
    """Parses a request. `too_large` is set for one whose body is over the server's limit."""

    error: Any
    too_large = False

    def received(self, data: bytes) -> int:
        """Take in the next bytes; how many of them belong to this request."""
        consumed: int = super().received(data)
        if isinstance(self.error, RequestEntityTooLarge):
            self.error, self.too_large, self.connection_close, self.expect_continue = None, True, True, False
            return len(data)
        return consumed

    def parse_header(self, header_plus: bytes) -> None:
        """Parse request line and headers. The values of a repeated single header are joined by a line break."""
        super().parse_header(header_plus)
        key = SINGLE.upper().replace("-", "_")
        if "," in self.headers.get(key, ""):
            lines = [line.partition(b":") for line in get_header_lines(header_plus.partition(b"\r\n")[2])]
            values = [value.strip(b" \t") for name, _, value in lines if name.lower() == SINGLE.encode()]
            self.headers[key] = LINE_BREAK.join(value.decode("latin-1") for value in values)

    def get_body_stream(self) -> Any:
        """The body. In place of one that is too large to read: zeros, more of them than any body may have bytes."""
        return io.BytesIO(bytes(MAX_BYTES + 1)) if self.too_large else super().get_body_stream()


class ResponseTask(WSGITask):  # type: ignore[misc]
    """Answers a request by the application."""

    def build_response_header(self) -> bytes:
        """Status line and headers. The connection is closed where the client wants it or the length is unknown."""
        headers = [pair for pair in self.response_headers if pair[0].lower() not in OWN_HEADERS]
        if self.content_length is not None and not self.status.startswith(WITHOUT_BODY):
            headers.append(("Content-Length", str(self.content_length)))
        elif self.has_body:
            self.close_on_finish = True
        if self.request.connection_close:
            self.close_on_finish = True
        if self.close_on_finish:
            headers.append(("Connection", "close"))
        elif self.version == "1.0":
            headers.append(("Connection", "Keep-Alive"))
        headers += [("Server", self.channel.server.adj.ident), ("Date", build_http_date(self.start_time))]
        self.channel.has_unread_body = self.request.too_large
        lines = [f"HTTP/{self.version} {self.status}", *(f"{name}: {value}" for name, value in headers)]
        return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1")

    @property
    def has_body(self) -> bool:
        """Whether the response has a body."""
        return self.request.command != "HEAD" and not self.status.startswith(WITHOUT_BODY)


class RefusalTask(ErrorTask):  # type: ignore[misc]
    """Answers what is not HTTP, in plain text: no interface has seen it (G18)."""

    @property
    def has_body(self) -> bool:
        """Whether the response has a body. A request line that cannot be read has no method."""
        return getattr(self.request, "command", None) != "HEAD"


class Connection(HTTPChannel):  # type: ignore[misc]
    """One connection. After a body that is too large it is closed once the client has stopped sending."""

    parser_class, task_class, error_task_class = Parser, ResponseTask, RefusalTask
    has_unread_body, drains = False, False

    def received(self, data: bytes) -> bool:
        """Take in the next bytes, or drop them."""
        return True if self.drains else bool(super().received(data))

    def readable(self) -> bool:
        """Whether the server reads on."""
        return self.drains or bool(super().readable())

    def handle_close(self) -> None:
        """Close the connection. While the client may still be sending a body, close only the server's side of it."""
        if self.has_unread_body and not self.drains:
            self.drains, self.will_close = True, False
            with suppress(OSError):
                self.socket.shutdown(socket.SHUT_WR)
            return
        super().handle_close()
