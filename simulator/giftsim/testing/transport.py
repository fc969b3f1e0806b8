"""Transports by which calls reach a simulator: in process, or over HTTP to a server."""

from __future__ import annotations

import socket
import threading
from collections import deque
from collections.abc import Callable, Mapping
from contextlib import suppress
from http.client import HTTPConnection, HTTPException
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Any, Protocol
from urllib.parse import urlsplit

import msgspec

from giftsim.gateway.in_process_client import Response
from giftsim.gateway.repeated_headers import LINE_BREAK
from giftsim.webhooks.url_rules import printable

if TYPE_CHECKING:
    from giftsim.build import Simulator
    from giftsim.worlds.world import World

__all__ = ["InProcess", "OverHttp", "Response", "Transport"]


class Transport(Protocol):
    """Sends calls to the simulator at `origin`.

    A broken connection raises the builtin ConnectionError, a late response the builtin TimeoutError. `timeout_s` is in
    real seconds; None waits without limit.
    """

    @property
    def origin(self) -> str:
        """The origin of links in responses: scheme, host and port."""

    def call(
        self,
        method: str,
        path: str,
        *,
        body: Any = None,
        headers: Mapping[str, str] | None = None,
        timeout_s: float | None = None,
    ) -> Response:
        """Send one request. Bytes and text are sent unchanged, any other body as JSON; `path` may have a query."""

    def world(self, world_id: str) -> World | None:
        """The world object if it is in this process, else None."""


class InProcess:
    """Calls a simulator in this process, without a socket."""

    def __init__(self, simulator: Simulator) -> None:
        self.simulator = simulator
        self._client = simulator.client

    @property
    def origin(self) -> str:
        """The simulator's origin in links; no such host exists."""
        return self.simulator.registry.runtime.origin

    def call(
        self,
        method: str,
        path: str,
        *,
        body: Any = None,
        headers: Mapping[str, str] | None = None,
        timeout_s: float | None = None,
    ) -> Response:
        """Send one request. With a time-out it runs in another thread, so that the caller can stop waiting."""
        if timeout_s is None:
            return self._client.call(method, path, body=body, headers=headers)
        return _within(timeout_s, lambda: self._client.call(method, path, body=body, headers=headers))

    def world(self, world_id: str) -> World | None:
        """The world object."""
        return self.simulator.registry.worlds.get(world_id)


def _within(timeout_s: float, work: Callable[[], Response]) -> Response:
    results: SimpleQueue[Response | BaseException] = SimpleQueue()

    def run() -> None:
        try:
            results.put(work())
        except BaseException as error:  # noqa: BLE001 - raised again in the waiting thread
            results.put(error)

    threading.Thread(target=run, name="giftsim call", daemon=True).start()
    try:
        result = results.get(timeout=timeout_s)
    except Empty:
        raise TimeoutError(f"no response within {timeout_s:g} s") from None
    if isinstance(result, BaseException):
        raise result
    return result


def check_origin(origin: str) -> str:
    """The origin of a server without a slash at its end; ValueError unless it is http and only a host and a port."""
    parts = urlsplit(origin)
    try:
        is_address = bool(parts.hostname) and parts.port != 0
    except ValueError:
        is_address = False
    if parts.scheme != "http" or not is_address or "@" in parts.netloc or parts.path.strip("/") or parts.query:
        raise ValueError(f"{printable(origin)} is not the address of a server, like http://127.0.0.1:8080")
    return origin.rstrip("/")


class DirectConnection(HTTPConnection):
    """A connection to a simulator on a server, which no route leads away."""


class OverHttp:
    """Calls a server; idle connections are used again, by any thread, unless the other side has closed them."""

    def __init__(self, origin: str) -> None:
        self._origin = check_origin(origin)
        self._address = urlsplit(self._origin).netloc
        self._idle: deque[DirectConnection] = deque()
        self._closed = False

    @property
    def origin(self) -> str:
        """The server's origin."""
        return self._origin

    def call(
        self,
        method: str,
        path: str,
        *,
        body: Any = None,
        headers: Mapping[str, str] | None = None,
        timeout_s: float | None = None,
    ) -> Response:
        """Send one request; ConnectionError if no response arrives, also when connecting fails."""
        content, sent = _encode(body, headers or {})
        connection = self._connection(timeout_s)
        try:
            _send(connection, method, path, content, sent)
            response = connection.getresponse()
            fields = {name.lower(): value for name, value in response.getheaders()}
            result = Response(response.status, fields, response.read())
        except TimeoutError:
            connection.close()
            raise
        except (HTTPException, OSError) as error:
            connection.close()
            raise ConnectionError(f"{self._origin} did not respond to {method} {path}: {error}") from error
        self._idle.append(connection)
        if self._closed:  # the caller gave up waiting, and nobody would close this connection
            self.close()
        return result

    def world(self, world_id: str) -> World | None:  # noqa: ARG002 - only the server has it
        """None: the world is in another process."""
        return None

    def close(self) -> None:
        """Close the connections, and from now on each one after its call."""
        self._closed = True
        while self._idle:
            with suppress(IndexError):  # another thread took it
                self._idle.pop().close()

    def _connection(self, timeout_s: float | None) -> DirectConnection:
        try:
            connection = self._idle.pop()
        except IndexError:
            return DirectConnection(self._address, timeout=timeout_s)
        connection.timeout = timeout_s
        if connection.sock is not None:
            if _is_closed(connection.sock):
                connection.close()
            else:
                connection.sock.settimeout(timeout_s)
        return connection


def _is_closed(sock: socket.socket) -> bool:
    """Whether the server has closed the connection or sent unexpected data."""
    sock.setblocking(False)
    try:
        sock.recv(1, socket.MSG_PEEK)
    except OSError as error:
        return not isinstance(error, BlockingIOError)
    return True


def _send(
    connection: HTTPConnection, method: str, path: str, content: bytes | None, headers: Mapping[str, str]
) -> None:
    """Send a request. A header whose value has line breaks is sent once for every line."""
    names = {name.lower() for name in headers}
    connection.putrequest(method, path, skip_host="host" in names, skip_accept_encoding="accept-encoding" in names)
    for name, value in headers.items():
        for line in value.split(LINE_BREAK):
            connection.putheader(name, line)
    if "content-length" not in names and (content is not None or method in ("POST", "PUT", "PATCH")):
        connection.putheader("Content-Length", str(len(content or b"")))
    connection.endheaders(content)


def _encode(body: Any, headers: Mapping[str, str]) -> tuple[bytes | None, dict[str, str]]:
    sent = dict(headers)
    if body is None or isinstance(body, bytes):
        content: bytes | None = body
    else:
        content = body.encode() if isinstance(body, str) else msgspec.json.encode(body)
    if content and "content-type" not in {name.lower() for name in sent}:
        sent["Content-Type"] = "application/json"
    return content, sent
