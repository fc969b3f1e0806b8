"""Transports by which `httpx` clients, sync and async, call a world without a socket."""

from __future__ import annotations

import functools

import anyio.to_thread
import httpx

from giftsim.testing.routing import Router, UrlOutsideWorld


def send(router: Router, request: httpx.Request, content: bytes) -> httpx.Response:
    """Send one request. As over a socket, a dropped response raises `RemoteProtocolError`, a late one `ReadTimeout`."""
    wait_s = request.extensions.get("timeout", {}).get("read")
    try:
        response = router.send(request.method, str(request.url), request.headers.multi_items(), content, wait_s)
    except UrlOutsideWorld as error:
        raise httpx.UnsupportedProtocol(str(error), request=request) from None
    except TimeoutError as error:
        raise httpx.ReadTimeout(str(error), request=request) from error
    except ConnectionError as error:
        raise httpx.RemoteProtocolError(str(error), request=request) from error
    return httpx.Response(
        response.status, headers=response.fields(), stream=httpx.ByteStream(response.body), request=request
    )


class WorldTransport(httpx.BaseTransport):
    """The transport of an `httpx.Client`."""

    def __init__(self, router: Router) -> None:
        self._router = router

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """Send one request."""
        return send(self._router, request, request.read())


class AsyncWorldTransport(httpx.AsyncBaseTransport):
    """The transport of an `httpx.AsyncClient`."""

    def __init__(self, router: Router) -> None:
        self._router = router

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Send one request in a thread, so that a held or delayed call does not block the event loop."""
        call = functools.partial(send, self._router, request, await request.aread())
        return await anyio.to_thread.run_sync(call, abandon_on_cancel=True)
