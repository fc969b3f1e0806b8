"""Routes calls of `httpx` and of its fork `httpx2` to a world, sync and async: what replaces their transports."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any

import anyio.to_thread

from giftsim.engine.gateway.wsgi_app import STATUS_LINES
from giftsim.testing.httpcore_patch import WorldStream
from giftsim.testing.own_frames import expected_errors
from giftsim.testing.routing import Router, UrlOutsideWorld, router_for

__tracebackhide__ = expected_errors


def send(library: ModuleType, router: Router, request: Any, content: bytes) -> Any:
    """Send one request. As over a socket, a dropped response raises `RemoteProtocolError`, a late one `ReadTimeout`."""
    wait_s = request.extensions.get("timeout", {}).get("read")
    try:
        response = router.send(request.method, str(request.url), request.headers.multi_items(), content, wait_s)
    except UrlOutsideWorld as error:
        raise library.UnsupportedProtocol(str(error), request=request) from None
    except TimeoutError as error:
        raise library.ReadTimeout(str(error), request=request) from error
    except ConnectionError as error:
        raise library.RemoteProtocolError(str(error), request=request) from error
    extensions = {
        "http_version": b"HTTP/1.1",
        "reason_phrase": STATUS_LINES.get(response.status, f"{response.status} Status")[4:].encode(),
        "network_stream": WorldStream(router.origin),
    }
    stream = library.ByteStream(response.body)
    return library.Response(
        response.status, headers=response.fields(), stream=stream, request=request, extensions=extensions
    )


async def send_async(library: ModuleType, router: Router, request: Any) -> Any:
    """Send one request in a thread, so that a held or delayed call does not block the event loop."""
    call = functools.partial(send, library, router, request, await request.aread())
    return await anyio.to_thread.run_sync(call, abandon_on_cancel=True)


def patches(library: ModuleType) -> Iterator[tuple[type, str, Callable[..., Any]]]:
    """The methods of a library's own transports to replace."""
    original, original_async = library.HTTPTransport.handle_request, library.AsyncHTTPTransport.handle_async_request

    def handle_request(self: Any, request: Any) -> Any:
        router = router_for(str(request.url))
        if router is None or "trace" in request.extensions:  # httpcore, which is patched too, tells the trace
            return original(self, request)
        return send(library, router, request, request.read())

    async def handle_async_request(self: Any, request: Any) -> Any:
        router = router_for(str(request.url))
        if router is None or "trace" in request.extensions:
            return await original_async(self, request)
        return await send_async(library, router, request)

    yield library.HTTPTransport, "handle_request", handle_request
    yield library.AsyncHTTPTransport, "handle_async_request", handle_async_request
