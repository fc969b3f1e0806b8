"""What waitress does differently here, for every connection of the server.

- Header names are sent as they are documented (`X-RateLimit-Limit`); waitress capitalizes them (`X-Ratelimit-Limit`).
- The connection stays open after a response without a body: 204, and every response to HEAD.
- Two `Idempotency-Key` headers can be told from one whose value holds a comma.
- Requests whose end is not clear are refused, and nothing after them is read as a request (G83).
- A connection knows what it is doing, so that slow ones can give way to new ones (G82).
- A body over the server's limit reaches the application, which refuses it like every body that is too large (G18).
  Its rest is read and dropped, so that a client that is still sending gets to read the response. So is what follows a
  request that is refused.
"""

from __future__ import annotations

import io
import socket
from contextlib import suppress
from typing import Any

from waitress.channel import HTTPChannel
from waitress.parser import HTTPRequestParser, ParsingError, get_header_lines
from waitress.task import ErrorTask, WSGITask
from waitress.utilities import BadRequest, Error, RequestEntityTooLarge, build_http_date

from giftsim.gateway.connection_limits import Activity, Phase
from giftsim.gateway.framing import ChunkedBody, framing_error
from giftsim.gateway.json_body import MAX_BYTES
from giftsim.gateway.repeated_headers import LINE_BREAK, SINGLE
from giftsim.paths import CONTROL
from giftsim.worlds import system_clock

WITHOUT_BODY = ("1", "204", "304")  # the statuses, or beginnings of them, whose responses have neither body nor length
OWN_HEADERS = ("content-length", "connection")
TRANSFER_ENCODING = b"transfer-encoding"
TOO_SLOW = (
    "HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Type: text/plain; charset=utf-8\r\n"
    "Content-Length: {length}\r\n\r\n{reason}"
)


class ReservedForControl(Error):  # type: ignore[misc]
    """The connection is one of those that only the test-control API may use."""

    code, reason = 503, "Service Unavailable"


class Chunks:
    """A chunked body as waitress reads it, into a buffer that it made."""

    def __init__(self, buffer: Any) -> None:
        self._buffer, self._body = buffer, ChunkedBody(buffer.append)

    def __len__(self) -> int:
        return len(self._buffer)

    @property
    def completed(self) -> bool:
        """Whether the whole body has arrived."""
        return self._body.completed

    @property
    def error(self) -> Any:
        """The refusal of what is no chunked body."""
        return BadRequest(self._body.error) if self._body.error else None

    def received(self, data: bytes) -> int:
        """Take in the next bytes; how many of them belong to the body."""
        return self._body.feed(data)

    def getfile(self) -> Any:
        """The body as a file."""
        return self._buffer.getfile()

    def getbuf(self) -> Any:
        """The buffer."""
        return self._buffer


class Parser(HTTPRequestParser):  # type: ignore[misc]
    """Parses a request. `too_large` is set for one whose body is over the server's limit."""

    error: Any
    body_rcv: Any
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
        try:
            super().parse_header(header_plus)
        except ValueError:  # a number with too many digits, or a URL with half an IPv6 address
            raise ParsingError("the request line or Content-Length is invalid") from None
        encoding = None
        if TRANSFER_ENCODING in header_plus.lower():  # waitress forgets the header where it knows the encoding
            values = _values(header_plus, TRANSFER_ENCODING)
            encoding = ", ".join(values) if values else None
        if error := framing_error(self.version, self.headers, encoding):
            raise ParsingError(error)
        if self.chunked:
            self.body_rcv = Chunks(self.body_rcv.getbuf())
        key = SINGLE.upper().replace("-", "_")
        if "," in self.headers.get(key, ""):
            self.headers[key] = LINE_BREAK.join(_values(header_plus, SINGLE.encode()))

    def get_body_stream(self) -> Any:
        """The body. In place of one that is too large to read: zeros, more of them than any body may have bytes."""
        return io.BytesIO(bytes(MAX_BYTES + 1)) if self.too_large else super().get_body_stream()


def _values(header_plus: bytes, name: bytes) -> list[str]:
    """The values of all headers with a name in lower case."""
    lines = [line.partition(b":") for line in get_header_lines(header_plus.partition(b"\r\n")[2])]
    return [value.strip(b" \t").decode("latin-1") for key, _, value in lines if key.lower() == name]


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

    def execute(self) -> None:
        """Send the refusal; what the client sends after it is dropped."""
        self.channel.has_unread_body = True
        super().execute()

    @property
    def has_body(self) -> bool:
        """Whether the response has a body. A request line that cannot be read has no method."""
        return getattr(self.request, "command", None) != "HEAD"


class Connection(HTTPChannel):  # type: ignore[misc]
    """One connection. After a body that is too large it is closed once the client has stopped sending.

    `is_reserved` says that it serves the test-control API only.
    """

    parser_class, task_class, error_task_class = Parser, ResponseTask, RefusalTask
    has_unread_body, drains, is_reserved = False, False, False
    began_s, sent_s, drained_s = 0.0, 0.0, 0.0

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self.idle_s = system_clock.monotonic()
        super().__init__(*args, **kwargs)

    @property
    def activity(self) -> Activity:
        """What the connection is doing."""
        request = self.request
        if self.drains:
            return Activity(Phase.DRAINING, self.drained_s)
        if self.total_outbufs_len and (not self.requests or self.is_blocked):
            return Activity(Phase.SENDING, max(self.sent_s, self.began_s, self.idle_s))
        if self.requests:
            return Activity(Phase.BUSY, self.began_s)
        if request is not None and request.headers_finished:
            return Activity(Phase.ARRIVING_BODY, self.began_s, request.body_bytes_received)
        return Activity(Phase.IDLE, self.idle_s) if request is None else Activity(Phase.ARRIVING, self.began_s)

    @property
    def is_answering(self) -> bool:
        """Whether a request is here whose response is not sent."""
        return bool(self.requests or self.total_outbufs_len)

    @property
    def is_blocked(self) -> bool:
        """Whether so much of the responses is unread that the thread which serves the connection waits."""
        return bool(self.total_outbufs_len > self.adj.outbuf_high_watermark)

    def received(self, data: bytes) -> bool:
        """Take in the next bytes, or drop them."""
        if self.drains:
            return True
        if self.request is None:
            self.began_s = system_clock.monotonic()
        return bool(super().received(data))

    def service(self) -> None:
        """Serve the next request."""
        self.idle_s = system_clock.monotonic()
        if self.is_reserved:
            self._refuse_all_but_control(self.requests[0])
        super().service()
        self.idle_s = system_clock.monotonic()

    def readable(self) -> bool:
        """Whether the server reads on."""
        return self.drains or bool(super().readable())

    def handle_close(self) -> None:
        """Close the connection. While the client may still be sending a body, close only the server's side of it."""
        if self.has_unread_body and not self.drains:
            self.drains, self.will_close = True, False
            self.drained_s = system_clock.monotonic()
            with suppress(OSError):
                self.socket.shutdown(socket.SHUT_WR)
            return
        super().handle_close()

    def end(self, reason: str) -> None:
        """Close the connection at once. A client whose request is arriving is told why, if it reads at all."""
        if self.socket is not None and self.activity.phase in (Phase.ARRIVING, Phase.ARRIVING_BODY):
            with suppress(OSError):
                self.socket.send(TOO_SLOW.format(length=len(reason), reason=reason).encode())
        super().handle_close()

    def _refuse_all_but_control(self, request: Any) -> None:
        request.connection_close = True
        if not request.error and not request.path.startswith(f"{CONTROL}/"):
            request.error = ReservedForControl("too many connections are busy; try again, or release held calls")

    def _flush_some(self, do_close: bool = True) -> bool:
        has_sent = bool(super()._flush_some(do_close))
        if has_sent:
            self.sent_s = system_clock.monotonic()
        return has_sent

    def _flush_outbufs_below_high_watermark(self) -> None:
        if self.is_blocked:
            with self.server.lend():
                super()._flush_outbufs_below_high_watermark()
