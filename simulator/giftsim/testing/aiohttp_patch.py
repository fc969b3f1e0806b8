"""Routes calls of aiohttp to a world. Only the connection is replaced; all else stays aiohttp's."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

from aiohttp import BaseConnector
from aiohttp.client_proto import ResponseHandler
from aiohttp.connector import Connection

from giftsim.testing.own_frames import expected_errors
from giftsim.testing.routing import Origin, origin_of, router_for
from giftsim.testing.world_connection import WorldConnection

__tracebackhide__ = expected_errors
Result = bytes | BaseException


class WorldTransport(asyncio.Transport):
    """A transport for one request. The world is called in a thread, so that a held call does not block the loop."""

    def __init__(self, origin: Origin, protocol: ResponseHandler, loop: asyncio.AbstractEventLoop) -> None:
        super().__init__()
        self._connection = WorldConnection(origin)
        self._protocol = protocol
        self._loop = loop
        self._closing = False

    def write(self, data: bytes | bytearray | memoryview[Any]) -> None:
        """Take a part of the request, and call the world with the last one."""
        if self._connection.receive(bytes(data)):
            threading.Thread(target=self._call, name="giftsim call", daemon=True).start()
        elif interim := self._connection.continuation():
            self._loop.call_soon(self._protocol.data_received, interim)

    def _call(self) -> None:
        result: Result
        try:
            result = self._connection.respond(None)
        except BaseException as error:  # noqa: BLE001 - raised again where the response is awaited
            result = error
        with suppress(RuntimeError):  # the loop was closed; the caller no longer waits
            self._loop.call_soon_threadsafe(self._finish, result)

    def _finish(self, result: Result) -> None:
        if self._closing:
            return
        if isinstance(result, bytes):
            self._protocol.data_received(result)
        elif isinstance(result, ConnectionError):
            self.close()
        else:
            self._protocol.set_exception(result)

    def close(self) -> None:
        """End the connection."""
        if not self._closing:
            self._closing = True
            self._loop.call_soon(self._protocol.connection_lost, None)

    def abort(self) -> None:
        """End the connection."""
        self.close()

    def is_closing(self) -> bool:
        return self._closing

    def get_write_buffer_size(self) -> int:
        return 0

    def pause_reading(self) -> None:
        """The whole response is there."""

    def resume_reading(self) -> None:
        """The whole response is there."""


def patches() -> Iterator[tuple[type, str, Callable[..., Any]]]:
    """The method to replace: it gives each request its connection, from the pool or a new one."""
    original = BaseConnector.connect

    async def connect(self: BaseConnector, req: Any, *args: Any, **options: Any) -> Connection:
        url = str(req.url)
        origin = origin_of(url)
        if origin is None or router_for(url) is None:
            return await original(self, req, *args, **options)
        loop = asyncio.get_running_loop()
        protocol = ResponseHandler(loop)
        protocol.connection_made(WorldTransport(origin, protocol, loop))
        protocol.force_close()  # it is not put into the pool, where it would outlive the route
        return Connection(self, req.connection_key, protocol, loop)

    yield BaseConnector, "connect", connect
