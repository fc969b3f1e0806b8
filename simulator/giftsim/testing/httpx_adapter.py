"""`httpx` without a socket: transports for its two kinds of client."""

from __future__ import annotations

import functools

import anyio.to_thread
import httpx

from giftsim.testing.router import Door, Elsewhere


def answered(door: Door, request: httpx.Request, content: bytes) -> httpx.Response:
    """One call. A dropped answer is `httpx.RemoteProtocolError`, as over a socket, and a late one `ReadTimeout`."""
    wait_s = request.extensions.get("timeout", {}).get("read")
    try:
        answer = door.answer(request.method, str(request.url), request.headers.items(), content, wait_s)
    except Elsewhere as error:
        raise httpx.UnsupportedProtocol(str(error), request=request) from None
    except TimeoutError as error:
        raise httpx.ReadTimeout(str(error), request=request) from error
    except ConnectionError as error:
        raise httpx.RemoteProtocolError(str(error), request=request) from error
    return httpx.Response(answer.status, headers=answer.headers, stream=httpx.ByteStream(answer.body), request=request)


class Transport(httpx.BaseTransport):
    """For `httpx.Client`."""

    def __init__(self, door: Door) -> None:
        self._door = door

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """One call, inline."""
        return answered(self._door, request, request.read())


class AsyncTransport(httpx.AsyncBaseTransport):
    """For `httpx.AsyncClient`."""

    def __init__(self, door: Door) -> None:
        self._door = door

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """One call in a thread, so that a call that is held or delayed keeps nobody else waiting."""
        call = functools.partial(answered, self._door, request, await request.aread())
        return await anyio.to_thread.run_sync(call, abandon_on_cancel=True)
