"""What `httpx` clients see of a connection to a world: its `network_stream`, and the events that `trace` gets.

A request with `trace` goes through the library's own connection pool to a connection that ends at the world, so its
events are the library's own. All others go to the world directly, in a third of the time.
"""

from __future__ import annotations

import ssl
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from types import ModuleType
from typing import Any, Final

import anyio.to_thread

from giftsim.testing.routing import Origin, Router, origin_of
from giftsim.testing.world_connection import WorldConnection

CORES: Final = {"httpx": "httpcore", "httpx2": "httpcore2"}  # what each library connects by


class WorldStream:
    """A connection of httpcore, sync and async, to the world. There is no socket and no TLS."""

    def __init__(self, origin: Origin) -> None:
        self._origin = origin

    def get_extra_info(self, info: str) -> Any:
        """The addresses of both ends; None for anything else, such as `socket` and `ssl_object`."""
        return {"server_addr": (self._origin.host, self._origin.port), "client_addr": ("127.0.0.1", 0)}.get(info)

    def close(self) -> None:
        """Nothing is open."""

    async def aclose(self) -> None:
        """Nothing is open."""


class _Exchange(WorldStream):
    """A connection for one request. `late` is the library's error for a response that comes too late."""

    def __init__(self, router: Router, origin: Origin, late: Callable[[str], Exception]) -> None:
        super().__init__(origin)
        self._connection, self._late = WorldConnection(origin, lambda _: router), late
        self._response: bytes | None = None

    def _write(self, buffer: bytes) -> None:
        if buffer:  # h11 takes no bytes for the end of the stream
            self._connection.receive(buffer)

    def _read(self, max_bytes: int, timeout_s: float | None) -> bytes:
        if self._response is None:
            try:
                self._response = self._connection.respond(timeout_s)
            except TimeoutError as error:
                raise self._late(str(error)) from error
            except ConnectionError:
                self._response = b""
        part, self._response = self._response[:max_bytes], self._response[max_bytes:]
        return part


class _SyncExchange(_Exchange):
    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        return self._read(max_bytes, timeout)

    def write(self, buffer: bytes, timeout: float | None = None) -> None:  # noqa: ARG002
        self._write(buffer)

    def connect_tcp(self, *_: Any, **__: Any) -> _SyncExchange:
        return self

    def start_tls(self, *_: Any, **__: Any) -> _SyncExchange:
        return self


class _AsyncExchange(_Exchange):
    async def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        return await anyio.to_thread.run_sync(self._read, max_bytes, timeout, abandon_on_cancel=True)

    async def write(self, buffer: bytes, timeout: float | None = None) -> None:  # noqa: ARG002
        self._write(buffer)

    async def connect_tcp(self, *_: Any, **__: Any) -> _AsyncExchange:
        return self

    async def start_tls(self, *_: Any, **__: Any) -> _AsyncExchange:
        return self


def traced(library: ModuleType, router: Router, request: Any) -> Any:
    """Send a request of a sync client, whose `trace` gets the events; the response."""
    core = import_module(CORES[library.__name__])
    exchange = _SyncExchange(router, _origin(request), core.ReadTimeout)
    with _mapped(library, core, request), _pool(core.ConnectionPool, exchange).stream(**_parts(core, request)) as sent:
        return _response(library, request, sent, sent.read())


async def traced_async(library: ModuleType, router: Router, request: Any) -> Any:
    """The same for an async client."""
    core = import_module(CORES[library.__name__])
    exchange = _AsyncExchange(router, _origin(request), core.ReadTimeout)
    pool = _pool(core.AsyncConnectionPool, exchange)
    with _mapped(library, core, request):
        async with pool.stream(**_parts(core, request)) as sent:
            return _response(library, request, sent, await sent.aread())


def _origin(request: Any) -> Origin:
    origin = origin_of(str(request.url))
    assert origin is not None
    return origin


def _pool(kind: Callable[..., Any], exchange: _Exchange) -> Any:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)  # not used; the one that httpcore makes reads all authorities
    return kind(ssl_context=context, network_backend=exchange)


def _parts(core: ModuleType, request: Any) -> dict[str, Any]:
    url = request.url
    target = core.URL(scheme=url.raw_scheme, host=url.raw_host, port=url.port, target=url.raw_path)
    parts = {"method": request.method, "url": target, "headers": request.headers.raw, "content": request.stream}
    return {**parts, "extensions": request.extensions}


@contextmanager
def _mapped(library: ModuleType, core: ModuleType, request: Any) -> Iterator[None]:
    """Raise the library's errors in place of those of its core, which have the same names."""
    try:
        yield
    except (core.TimeoutException, core.ProtocolError, core.NetworkError) as error:
        raise getattr(library, type(error).__name__)(str(error), request=request) from error


def _response(library: ModuleType, request: Any, sent: Any, body: bytes) -> Any:
    stream = library.ByteStream(body)
    return library.Response(
        sent.status, headers=sent.headers, stream=stream, request=request, extensions=sent.extensions
    )
