"""Leads an application's own calls to worlds, by replacing the connections of its client libraries.

A library is patched once the application has imported it. One that it has not costs nothing.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from importlib import import_module
from typing import Any, Final
from unittest.mock import patch

from giftsim.testing import connect_guard, http_client_patch
from giftsim.testing.own_frames import expected_errors
from giftsim.testing.router import Router
from giftsim.testing.routes import ACTIVE, router_for

__tracebackhide__ = expected_errors
Patch = tuple[type, str, Callable[..., Any]]

_lock = threading.RLock()
_installed = ExitStack()
_patched: set[str] = set()


@contextmanager
def routed(router: Router) -> Iterator[None]:
    """Inside the block, lead URLs below the router's base to its world, in all threads and for existing clients too.

    Other hosts are unaffected. Blocks may overlap; of two for one URL, the later one counts.
    """
    with _lock:
        if not ACTIVE:
            connect_guard.install(on_import)
            _install(http_client_patch.patches())
            for library in LIBRARIES.keys() & sys.modules.keys():
                _patch(library)
        ACTIVE.insert(0, router)
    try:
        yield
    finally:
        with _lock:
            ACTIVE.remove(router)
            http_client_patch.disconnect()
            if not ACTIVE:
                _installed.close()
                _patched.clear()


def on_import(library: str) -> None:
    """Patch a library that is about to be imported inside a block, once it is there."""
    if library in LIBRARIES and library not in _patched:
        with _lock, suppress(ImportError):  # the application's own import says that it is missing
            _patch(library)


def _patch(library: str) -> None:
    _patched.add(library)
    import_module(library)
    _install(LIBRARIES[library]())


def _install(patches: Iterator[Patch]) -> None:
    for owner, name, method in patches:
        _installed.enter_context(patch.object(owner, name, method))


def _aiohttp() -> Iterator[Patch]:
    from giftsim.testing import aiohttp_patch

    return aiohttp_patch.patches()


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


# All other clients find the guard.
LIBRARIES: Final[Mapping[str, Callable[[], Iterator[Patch]]]] = {
    "urllib3": http_client_patch.urllib3_patches,
    "httpx": _httpx,
    "aiohttp": _aiohttp,
}
