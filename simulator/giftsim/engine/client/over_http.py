"""A client that calls a server over HTTP or HTTPS."""

from __future__ import annotations

import os
import socket
from collections import deque
from collections.abc import Mapping
from contextlib import suppress
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from ssl import SSLContext
from typing import Any, Final
from urllib.parse import urlsplit

from giftsim.engine.client.response import Response, encode_request_body, parse_response
from giftsim.engine.gateway.repeated_headers import header_lines

NOTHING: Final[Mapping[str, str]] = {}
WITH_BODY = frozenset({"POST", "PUT", "PATCH"})


class DirectConnection(HTTPConnection):
    """A connection to a simulator on a server. The routes of the package `testing` leave it alone."""

    def connect(self) -> None:
        """Connect. A name in ASCII is looked up as bytes: as text, it needs a codec whose import takes 4 ms."""
        name: Any = self.host.encode() if self.host.isascii() else self.host
        self.sock = socket.create_connection((name, self.port), self.timeout)
        self.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)


class HttpClient:
    """Calls a server. An idle connection is used again, by any thread, unless the server has closed it.

    The path of `url` is put before that of every call, and `headers` are sent with every call. A call may take
    `timeout_s` real seconds; None waits without limit. `context` says whose certificates are accepted.
    """

    def __init__(
        self,
        url: str,
        headers: Mapping[str, str] = NOTHING,
        *,
        timeout_s: float | None = None,
        context: SSLContext | None = None,
    ) -> None:
        self.url = url.rstrip("/")
        parts = urlsplit(self.url)
        self._is_encrypted, self._address, self._path = parts.scheme == "https", parts.netloc, parts.path
        self._headers, self._timeout_s, self._context = headers, timeout_s, context
        self._idle: deque[HTTPConnection] = deque()
        self._process = os.getpid()
        self._closed = False

    def call(
        self,
        method: str,
        path: str,
        *,
        body: Any = None,
        headers: Mapping[str, str] | None = None,
        timeout_s: float | None = None,
    ) -> Response:
        """Make one call. TimeoutError if the response is late, ConnectionError if there is none or no server.

        The error of http.client or the socket is its cause.
        """
        content, sent = with_content_type(body, {**self._headers, **(headers or NOTHING)})
        connection = self._connection(timeout_s or self._timeout_s)
        try:
            response = exchange(connection, method, self._path + path, content, sent)
        except TimeoutError as error:
            connection.close()
            raise TimeoutError(f"{self.url} did not respond to {method} {path} in time") from error
        except (HTTPException, OSError) as error:
            connection.close()
            raise ConnectionError(f"{self.url} did not respond to {method} {path}: {error}") from error
        self._idle.append(connection)
        if self._closed:  # the caller gave up waiting, and nobody would close this connection
            self.close()
        return response

    def close(self) -> None:
        """Close the connections, and from now on each one after its call."""
        self._closed = True
        while self._idle:
            with suppress(IndexError):  # another thread took it
                self._idle.pop().close()

    def _connection(self, timeout_s: float | None) -> HTTPConnection:
        if self._process != os.getpid():  # forked: the idle connections are those of the other process
            self._idle, self._process = deque(), os.getpid()
        try:
            connection = self._idle.pop()
        except IndexError:
            if self._is_encrypted:
                return HTTPSConnection(self._address, timeout=timeout_s, context=self._context)
            return DirectConnection(self._address, timeout=timeout_s)
        connection.timeout = timeout_s
        if connection.sock is not None:
            if _is_closed(connection.sock):
                connection.close()
            else:
                connection.sock.settimeout(timeout_s)
        return connection


def exchange(
    connection: HTTPConnection,
    method: str,
    target: str,
    content: bytes | None,
    headers: Mapping[str, str],
    *,
    max_bytes: int | None = None,
) -> Response:
    """Send a request and read its response, of whose body at most `max_bytes` are read.

    A header whose value has line breaks is sent once for every line.
    """
    names = {name.lower() for name in headers}
    connection.putrequest(method, target, skip_host="host" in names, skip_accept_encoding="accept-encoding" in names)
    for name, line in header_lines(headers):
        connection.putheader(name, line)
    if "content-length" not in names and (content is not None or method in WITH_BODY):
        connection.putheader("Content-Length", str(len(content or b"")))
    connection.endheaders(content)
    response = connection.getresponse()
    return parse_response(response.status, response.getheaders(), response.read(max_bytes))


def with_content_type(body: Any, headers: Mapping[str, str]) -> tuple[bytes | None, dict[str, str]]:
    """The bytes of a body, None without one, and the headers; the content type is JSON unless they name another."""
    content = None if body is None else encode_request_body(body)
    sent = dict(headers)
    if content and "content-type" not in {name.lower() for name in sent}:
        sent["Content-Type"] = "application/json"
    return content, sent


def _is_closed(sock: socket.socket) -> bool:
    """Whether the server has closed the connection or sent unexpected data."""
    sock.setblocking(False)
    try:
        socket.socket.recv(sock, 1, socket.MSG_PEEK)  # as it is on the wire: a TLS socket itself cannot peek
    except OSError as error:
        return not isinstance(error, BlockingIOError)
    return True
