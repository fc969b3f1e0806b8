"""Routes calls of httpcore to a world: those of its users, and what clients of httpx make of their own transports.

Only the connection is replaced, so what `trace` gets are the events of httpcore. Most calls of httpx do not come here,
because its transports are replaced too, which takes a third of the time; those with `trace` do, and those of VCR.py.
"""

from __future__ import annotations

import ssl
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any

import anyio.to_thread

from giftsim.testing.own_frames import expected_errors
from giftsim.testing.routing import Origin, origin_of, router_for
from giftsim.testing.world_connection import WorldConnection

__tracebackhide__ = expected_errors


class WorldStream:
    """The `network_stream` of a response of a world. There is no socket and no TLS."""

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
    """A connection for one request. `late` is the error for a response that comes too late."""

    def __init__(self, origin: Origin, late: Callable[[str], Exception]) -> None:
        super().__init__(origin)
        self._connection, self._late = WorldConnection(origin), late
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


def patches(core: ModuleType) -> Iterator[tuple[type, str, Callable[..., Any]]]:
    """The methods of the pools to replace: a routed request goes through a pool whose connection ends at the world."""
    sync, asynchronous = core.ConnectionPool, core.AsyncConnectionPool
    yield sync, "handle_request", _through_world(core, sync, sync.handle_request, _SyncExchange)
    method = asynchronous.handle_async_request
    yield asynchronous, "handle_async_request", _through_world(core, asynchronous, method, _AsyncExchange)


def _through_world(
    core: ModuleType, kind: type, original: Callable[[Any, Any], Any], exchange: type[_Exchange]
) -> Callable[[Any, Any], Any]:
    def handle(self: Any, request: Any) -> Any:
        origin = None if isinstance(self._network_backend, _Exchange) else _routed_origin(request.url)
        if origin is not None:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)  # not used; that of httpcore would read all authorities
            self = kind(ssl_context=context, network_backend=exchange(origin, core.ReadTimeout))
        return original(self, request)

    return handle


def _routed_origin(target: Any) -> Origin | None:
    """The origin of a URL of httpcore if it is routed. CallNotRouted if no route of its host takes it."""
    scheme, host = target.scheme.decode("ascii"), target.host.decode("ascii").strip("[]")
    port = "" if target.port is None else f":{target.port}"
    url = f"{scheme}://{f'[{host}]' if ':' in host else host}{port}{target.target.decode('latin-1')}"
    return None if router_for(url) is None else origin_of(url)
