"""Routes calls of http.client to a world, hence those of urllib, urllib3, requests and what is built on these.

Only the connection is replaced. What the libraries make of it stays theirs: retries, redirects, time-outs, errors.
"""

from __future__ import annotations

import io
import os
import socket
from collections.abc import Callable, Iterator
from http.client import HTTPConnection
from typing import Any
from weakref import WeakSet

from giftsim.engine.client.over_http import DirectConnection
from giftsim.testing.host_names import normalize_host
from giftsim.testing.own_frames import expected_errors
from giftsim.testing.routing import PORTS, Origin, is_routed, origin_of
from giftsim.testing.world_connection import WorldConnection

__tracebackhide__ = expected_errors
Patch = tuple[type, str, Any]
CONNECTED: WeakSet[HTTPConnection] = WeakSet()


class WorldSocket:
    """The part of a socket that http.client uses, connected to the world."""

    def __init__(self, origin: Origin, timeout_s: float | None) -> None:
        self.origin = origin
        self._connection = WorldConnection(origin)
        self._timeout_s = timeout_s
        self._pipe: tuple[int, int] | None = None

    def sendall(self, data: Any, _flags: int = 0) -> None:
        self._connection.receive(bytes(data))

    def makefile(self, *_: Any, **__: Any) -> io.BufferedReader:
        """The response, which is asked for when it is first read."""
        return io.BufferedReader(ResponseStream(self), io.DEFAULT_BUFFER_SIZE * 8)

    def response(self) -> bytes:
        """The response; empty where the connection breaks. TimeoutError if it comes too late."""
        try:
            return self._connection.respond(self._timeout_s)
        except ConnectionError:
            return b""

    def settimeout(self, timeout_s: float | None) -> None:
        self._timeout_s = timeout_s

    def gettimeout(self) -> float | None:
        return self._timeout_s

    def fileno(self) -> int:
        """A descriptor on which nothing arrives: urllib3 asks it whether an idle connection was closed."""
        if self._pipe is None:
            self._pipe = os.pipe()  # not a pair of sockets, which pytest-socket refuses
        return self._pipe[0]

    def setsockopt(self, *_: Any) -> None:
        """Options of TCP mean nothing here."""

    def shutdown(self, _how: int) -> None:
        """Nothing is under way in the other direction."""

    def close(self) -> None:
        """Close the descriptor."""
        for each in self._pipe or ():
            os.close(each)
        self._pipe = None


class ResponseStream(io.RawIOBase):
    """The stream that a WorldSocket reads. Like a socket's, it raises when it is read, not when it is opened."""

    def __init__(self, sock: WorldSocket) -> None:
        self._socket = sock
        self._response: io.BytesIO | None = None

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        """The next bytes of the response. TimeoutError if it comes too late."""
        if self._response is None:
            self._response = io.BytesIO(self._socket.response())
        return self._response.readinto(buffer)


def patches(install: Callable[[Iterator[Patch]], None]) -> Iterator[Patch]:
    """The methods to replace: those of http.client, and of every class built on it, such as those of urllib3.

    Subclasses that are defined while a route is active are passed to `install`.
    """

    def of_new_class(cls: Any, /, **options: Any) -> None:
        super(HTTPConnection, cls).__init_subclass__(**options)
        install(_of_class(cls))

    yield HTTPConnection, "putrequest", _putrequest(HTTPConnection.putrequest)
    yield HTTPConnection, "__init_subclass__", classmethod(of_new_class)
    for each in _family(HTTPConnection):
        yield from _of_class(each)


def _of_class(kind: type[HTTPConnection]) -> Iterator[Patch]:
    if "connect" in vars(kind) and kind is not DirectConnection:
        yield kind, "connect", _connect(vars(kind)["connect"])


def _family(kind: type[HTTPConnection]) -> Iterator[type[HTTPConnection]]:
    """A class with all that are built on it."""
    yield kind
    for each in type.__subclasses__(kind):
        yield from _family(each)


def disconnect() -> None:
    """Detach the connections whose route has ended, also idle ones in pools. Their next request connects again."""
    for connection in list(CONNECTED):
        sock: Any = connection.sock
        if not isinstance(sock, WorldSocket):
            CONNECTED.discard(connection)
        elif not is_routed(sock.origin):
            CONNECTED.discard(connection)
            sock.close()
            connection.sock = None


def _connect(original: Callable[[Any], None]) -> Callable[[Any], None]:
    def connect(self: HTTPConnection) -> None:
        origin = _target(self)
        if is_routed(origin) and not isinstance(self, DirectConnection):
            _attach(self, origin)
        else:
            original(self)

    return connect


def _putrequest(original: Callable[..., None]) -> Callable[..., None]:
    def putrequest(self: HTTPConnection, method: str, url: str, *args: Any, **options: Any) -> None:
        """Attach the connection also if it was made to the host before the route, or to a proxy."""
        origin = origin_of(url) or _target(self)
        is_attached = isinstance(self.sock, WorldSocket)
        if is_routed(origin) and not is_attached and not isinstance(self, DirectConnection):
            if self.sock is not None:
                self.sock.close()
            _attach(self, origin)
        original(self, method, url, *args, **options)

    return putrequest


def _target(connection: HTTPConnection) -> Origin:
    """The origin that a connection is for, through a proxy or not."""
    scheme = "https" if connection.default_port == PORTS["https"] else "http"
    tunnel: Any = connection
    host, port = (tunnel._tunnel_host, tunnel._tunnel_port) if tunnel._tunnel_host else (tunnel.host, tunnel.port)
    return Origin(scheme, normalize_host(host), port or connection.default_port)


def _attach(connection: Any, origin: Origin) -> None:
    timeout: Any = connection.timeout
    seconds = timeout if isinstance(timeout, int | float) else socket.getdefaulttimeout()
    connection.sock = WorldSocket(origin, seconds)
    connection.is_verified = True  # urllib3 warns of connections without a verified certificate
    connection._has_connected_to_proxy = bool(getattr(connection, "proxy", None))
    CONNECTED.add(connection)
