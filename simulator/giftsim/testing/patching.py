"""Leads an application's own calls to worlds, by replacing the connections of its client libraries."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from importlib.util import find_spec
from typing import Any
from unittest.mock import patch

from giftsim.testing import connect_guard, http_client_patch
from giftsim.testing.own_frames import expected_errors
from giftsim.testing.router import Router
from giftsim.testing.routes import ACTIVE, router_for

__tracebackhide__ = expected_errors
Patch = tuple[type, str, Callable[..., Any]]

_lock = threading.Lock()
_installed = ExitStack()


@contextmanager
def routed(router: Router) -> Iterator[None]:
    """Inside the block, lead URLs below the router's base to its world, in all threads and for existing clients too.

    Other hosts are unaffected. Blocks may overlap; of two for one URL, the later one counts.
    """
    with _lock:
        if not ACTIVE:
            connect_guard.install()
            for owner, name, method in _patches():
                _installed.enter_context(patch.object(owner, name, method))
        ACTIVE.insert(0, router)
    try:
        yield
    finally:
        with _lock:
            ACTIVE.remove(router)
            http_client_patch.disconnect()
            if not ACTIVE:
                _installed.close()


def _patches() -> Iterator[Patch]:
    """What to replace in the libraries that are installed. All others find the guard."""
    yield from http_client_patch.patches()
    if find_spec("httpx"):
        yield from _httpx()
    if find_spec("aiohttp"):
        from giftsim.testing import aiohttp_patch

        yield from aiohttp_patch.patches()


def _httpx() -> Iterator[Patch]:
    import httpx

    from giftsim.testing.httpx_adapter import AsyncWorldTransport, WorldTransport

    original, original_async = httpx.HTTPTransport.handle_request, httpx.AsyncHTTPTransport.handle_async_request

    def handle(self: httpx.HTTPTransport, request: httpx.Request) -> httpx.Response:
        router = router_for(str(request.url))
        return original(self, request) if router is None else WorldTransport(router).handle_request(request)

    async def handle_async(self: httpx.AsyncHTTPTransport, request: httpx.Request) -> httpx.Response:
        router = router_for(str(request.url))
        if router is None:
            return await original_async(self, request)
        return await AsyncWorldTransport(router).handle_async_request(request)

    yield httpx.HTTPTransport, "handle_request", handle
    yield httpx.AsyncHTTPTransport, "handle_async_request", handle_async
