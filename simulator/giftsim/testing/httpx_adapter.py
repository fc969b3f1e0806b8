"""Transports by which `httpx` clients, sync and async, call a world without a socket."""

from __future__ import annotations

import httpx

from giftsim.testing.httpx_patch import send, send_async
from giftsim.testing.routing import Router


class WorldTransport(httpx.BaseTransport):
    """The transport of an `httpx.Client`."""

    def __init__(self, router: Router) -> None:
        self._router = router

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """Send one request."""
        response: httpx.Response = send(httpx, self._router, request, request.read())
        return response


class AsyncWorldTransport(httpx.AsyncBaseTransport):
    """The transport of an `httpx.AsyncClient`."""

    def __init__(self, router: Router) -> None:
        self._router = router

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Send one request."""
        response: httpx.Response = await send_async(httpx, self._router, request)
        return response
