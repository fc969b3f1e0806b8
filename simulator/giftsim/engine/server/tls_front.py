"""The front that ends TLS: what a client sends arrives at the server as plain HTTP, byte for byte, and the reverse."""

from __future__ import annotations

import asyncio
import json
import socket
import ssl
from collections.abc import Callable
from contextlib import suppress

from giftsim.engine.server.server import origin_of
from giftsim.engine.system import System

HANDSHAKE_S = 10.0
LAST_BYTES_S = 1.0
CHUNK = 65_536
TLS_HANDSHAKE = b"\x16"
MESSAGE = "This port speaks HTTPS: call it by a URL with https://."


def plain_answer(request_id: str) -> bytes:
    """The answer to plain HTTP."""
    body = json.dumps({"error": {"code": "https_only", "message": MESSAGE, "request_id": request_id}}) + "\n"
    head = (
        "HTTP/1.1 400 Bad Request\r\nContent-Type: application/json\r\nConnection: close\r\n"
        f"X-Request-Id: {request_id}\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    return (head + body).encode()


class TlsFront:
    """Listens with TLS at an address, and passes each connection to the plain server at `target`."""

    def __init__(self, host: str, port: int, context: ssl.SSLContext, system: System) -> None:
        self._listening = system.listen(host, port)
        self.host, self.port = self._listening.getsockname()[:2]
        self._context, self._system = context, system
        self._target = ("", 0)
        self._new_request_id: Callable[[], str] = str
        self._loop = asyncio.SelectorEventLoop()
        self._ended = system.event()
        self._connections: set[asyncio.Task[None]] = set()
        self._stopping: asyncio.Event | None = None

    @property
    def origin(self) -> str:
        """The URL on its own machine."""
        return origin_of("https", self.host, self.port)

    def start(self, target: tuple[str, int], new_request_id: Callable[[], str]) -> None:
        """Pass connections on, in a separate thread. `new_request_id` makes the id of a call in plain HTTP."""
        self._target, self._new_request_id = target, new_request_id
        self._stopping = asyncio.Event()
        self._system.start_thread(self._run, "tls front")

    def stop(self) -> None:
        """Take no more connections, and close those there are when their last bytes are sent."""
        if self._stopping is None:
            self._listening.close()
            self._loop.close()
            return
        with suppress(RuntimeError):  # it has been stopped
            self._loop.call_soon_threadsafe(self._stopping.set)
        self._ended.wait()

    def _run(self) -> None:
        try:
            self._loop.run_until_complete(self._serve())
        finally:
            self._loop.close()
            self._ended.set()

    async def _serve(self) -> None:
        assert self._stopping
        accepting = self._loop.create_task(self._accept())
        await self._stopping.wait()
        accepting.cancel()
        self._listening.close()
        if self._connections:
            await asyncio.wait(self._connections, timeout=LAST_BYTES_S)
        for task in [accepting, *self._connections]:
            task.cancel()
        await asyncio.gather(accepting, *self._connections, return_exceptions=True)

    async def _accept(self) -> None:
        while True:
            try:
                connection, _ = await self._loop.sock_accept(self._listening)
            except OSError:  # no descriptor is left
                await asyncio.sleep(0.1)
                continue
            task = self._loop.create_task(self._pass_on(connection))
            self._connections.add(task)
            task.add_done_callback(self._connections.discard)

    async def _pass_on(self, connection: socket.socket) -> None:
        """Serve one connection to its end. A client that breaks off, or cannot speak TLS, is only closed."""
        with suppress(OSError, TimeoutError, asyncio.IncompleteReadError), connection:
            if not await self._begins_with_tls(connection):
                await self._loop.sock_sendall(connection, plain_answer(self._new_request_id()))
                connection.shutdown(socket.SHUT_WR)
                return
            client = await _tls_streams(self._loop, connection, self._context)
            server = await asyncio.open_connection(*self._target)
            await _join(client, server)

    async def _begins_with_tls(self, connection: socket.socket) -> bool:
        """Whether the first byte that arrives begins a handshake; it stays in the socket."""
        arrived = asyncio.Event()
        self._loop.add_reader(connection, arrived.set)
        try:
            await asyncio.wait_for(arrived.wait(), HANDSHAKE_S)
        finally:
            self._loop.remove_reader(connection)
        return connection.recv(1, socket.MSG_PEEK) in (TLS_HANDSHAKE, b"")


Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]


async def _tls_streams(loop: asyncio.AbstractEventLoop, connection: socket.socket, context: ssl.SSLContext) -> Streams:
    """The two streams of a connection after its handshake."""
    reader = asyncio.StreamReader()
    protocol = asyncio.StreamReaderProtocol(reader)
    transport, _ = await loop.connect_accepted_socket(
        lambda: protocol, connection, ssl=context, ssl_handshake_timeout=HANDSHAKE_S
    )
    return reader, asyncio.StreamWriter(transport, protocol, reader, loop)


async def _join(client: Streams, server: Streams) -> None:
    """Copy both ways until one side ends, then end the other one: closed as it was closed, or broken as it broke."""
    ways = [
        asyncio.create_task(_copy(client[0], server[1])),
        asyncio.create_task(_copy(server[0], client[1])),
    ]
    is_broken = True
    try:
        ended, _ = await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
        is_broken = any(task.exception() for task in ended)
    finally:
        for task in ways:
            task.cancel()
        await asyncio.gather(*ways, return_exceptions=True)
        for _, writer in (client, server):
            await _end(writer, broken=is_broken)


async def _copy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    while data := await reader.read(CHUNK):
        writer.write(data)
        await writer.drain()


async def _end(writer: asyncio.StreamWriter, *, broken: bool) -> None:
    if broken:
        writer.transport.abort()
        return
    writer.close()
    with suppress(OSError, TimeoutError):
        await asyncio.wait_for(writer.wait_closed(), LAST_BYTES_S)
