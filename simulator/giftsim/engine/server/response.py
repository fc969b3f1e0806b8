"""The bytes of a response, from what a WSGI application answers (PEP 3333)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from http import HTTPStatus
from time import gmtime
from typing import Any, Protocol

from giftsim.engine.server.request_parser import Refusal, Request

NAME = "giftsim"
IS_CLIENT_GONE = "giftsim.is_client_gone"  # in the environment of a request: a function that tells
WITHOUT_BODY = ("1", "204", "304")  # beginnings of the statuses whose responses have neither body nor length
OWN_HEADERS = frozenset({"content-length", "connection"})
OF_SERVER = ("date", "server")
DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


class Sink(Protocol):
    """Where a response is written. `is_last`: the connection serves no request after this one."""

    @property
    def is_last(self) -> bool:
        """Whether the connection ends with it."""

    def date(self) -> str:
        """The value of the header `Date`."""

    def send(self, data: bytes) -> None:
        """Send bytes, or keep them until the client reads on."""

    def wait_for_client(self) -> None:
        """Wait while the client has too much to read."""

    def look_for_client(self) -> None:
        """Raise an exception if the client has closed the connection."""

    def is_client_gone(self) -> bool:
        """Whether the client has closed the connection."""


def http_date(second: int) -> str:
    """A second since the Unix epoch as HTTP writes it. `email.utils` has such a function but loads slowly."""
    date = gmtime(second)
    day, month = DAYS[date.tm_wday], MONTHS[date.tm_mon - 1]
    return f"{day}, {date.tm_mday:02} {month} {date.tm_year} {date.tm_hour:02}:{date.tm_min:02}:{date.tm_sec:02} GMT"


class DateHeader:
    """The value of the header `Date`, formatted at most once per second."""

    def __init__(self, now_ms: Callable[[], int]) -> None:
        self._now_ms = now_ms
        self._second, self._text = -1, ""

    def __call__(self) -> str:
        """The current date."""
        second = self._now_ms() // 1000
        if second != self._second:
            self._second, self._text = second, http_date(second)
        return self._text


class Response:
    """The response to one request. `keeps_open`: the connection can serve another request after it."""

    def __init__(self, request: Request, sink: Sink) -> None:
        self._request, self._sink = request, sink
        self.keeps_open = request.keeps_open
        self.has_begun = False
        self._status, self._headers = "", [("", "")]
        self._length: int | None = None
        self._is_chunked = self._is_passed_on = False

    def run(self, app: Callable[..., Iterable[bytes]]) -> None:
        """Call the application and send its response."""
        self._request.environ[IS_CLIENT_GONE] = self._sink.is_client_gone
        chunks = app(self._request.environ, self._start)
        try:
            if self._length is None and isinstance(chunks, tuple | list) and len(chunks) == 1:
                self._length = len(chunks[0])
            for chunk in chunks:
                self._write(chunk)
            if not self.has_begun:
                self._write(b"")
            if self._is_chunked:
                self._sink.send(b"0\r\n\r\n")
        finally:
            if close := getattr(chunks, "close", None):
                close()

    def _start(self, status: str, headers: list[tuple[str, str]], _error: Any = None) -> None:
        self._status, self._headers = status, headers
        for name, value in headers:
            lowered = name.lower()
            if lowered == "content-length":
                self._length = int(value)
            elif lowered in OF_SERVER:  # of the server that a proxy has asked
                self._is_passed_on = True

    def _write(self, chunk: bytes) -> None:
        head = b""
        if not self.has_begun:
            self.has_begun = True
            head = self._head()
        elif chunk:
            self._sink.wait_for_client()
        else:
            self._sink.look_for_client()
        body = chunk if self._has_body else b""
        if self._is_chunked and body:
            body = b"%x\r\n%b\r\n" % (len(body), body)
        if data := head + body:
            self._sink.send(data)

    @property
    def _has_body(self) -> bool:
        return self._request.environ["REQUEST_METHOD"] != "HEAD" and not self._status.startswith(WITHOUT_BODY)

    def _head(self) -> bytes:
        """Status line and headers. A body of unknown length is chunked; in HTTP/1.0 it ends with the connection."""
        self.keeps_open = self.keeps_open and not self._sink.is_last
        lines = [f"HTTP/1.1 {self._status}"]
        lines += [f"{name}: {value}" for name, value in self._headers if name.lower() not in OWN_HEADERS]
        if not self._status.startswith(WITHOUT_BODY):
            if self._length is not None:
                lines.append(f"Content-Length: {self._length}")
            elif self._has_body and self._request.version == "1.1":
                self._is_chunked = True
                lines.append("Transfer-Encoding: chunked")
            elif self._has_body:
                self.keeps_open = False
        if not self.keeps_open:
            lines.append("Connection: close")
        elif self._request.version == "1.0":
            lines.append("Connection: Keep-Alive")
        if not self._is_passed_on:
            lines += [f"Server: {NAME}", f"Date: {self._sink.date()}"]
        return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1")


def refusal_bytes(refusal: Refusal, date: str, request_id: str, *, with_body: bool = True) -> bytes:
    """The response to a refused request, in plain text because no interface has seen it (G18)."""
    phrase = HTTPStatus(refusal.status).phrase
    text = f"{phrase}\r\n\r\n{refusal}\r\n".encode()
    head = (
        f"HTTP/1.1 {refusal.status} {phrase}\r\nConnection: close\r\nContent-Type: text/plain; charset=utf-8\r\n"
        f"Content-Length: {len(text)}\r\nX-Request-Id: {request_id}\r\nServer: {NAME}\r\nDate: {date}\r\n\r\n"
    )
    return head.encode() + (text if with_body else b"")
