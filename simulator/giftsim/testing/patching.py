"""Routes an application's own calls to worlds, by replacing the connections of its client libraries.

A library is patched once the application has imported it. One that it has not costs nothing. An audit hook refuses what
other clients do: it sees every name that Python resolves and every address that it connects to. It cannot be removed,
so it does nothing while no route is active. It cannot see clients that are written in C and do both themselves.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from importlib import import_module
from typing import Any, Final
from unittest.mock import patch

from giftsim.testing import http_client_patch
from giftsim.testing.own_frames import expected_errors
from giftsim.testing.routing import ACTIVE, Router, check_address, router_for

__tracebackhide__ = expected_errors
Patch = tuple[type, str, Callable[..., Any]]

_lock = threading.RLock()
_installed = ExitStack()
_patched: set[str] = set()
_watching: list[bool] = []


@contextmanager
def routed(router: Router) -> Iterator[None]:
    """Inside the block, send URLs below the router's base to its world, in all threads and for existing clients too.

    Other hosts are unaffected. Blocks may overlap; of two for one URL, the later one counts.
    """
    with _lock:
        if not ACTIVE:
            _watch_process()
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


def _on_import(library: str) -> None:
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


# The audit hook refuses the calls of all other clients.
LIBRARIES: Final[Mapping[str, Callable[[], Iterator[Patch]]]] = {
    "urllib3": http_client_patch.urllib3_patches,
    "httpx": _httpx,
    "aiohttp": _aiohttp,
}


def _watch_process() -> None:
    """Watch this process, from the first route on."""
    if not _watching:
        _watching.append(True)
        sys.addaudithook(_watch)


def _watch(event: str, args: tuple[Any, ...]) -> None:
    if not ACTIVE:
        return
    if event == "import":
        _on_import(args[0])
        return
    check = CHECKS.get(event)
    if check is not None:
        check(args)


def _check_connect(args: tuple[Any, ...]) -> None:
    address = args[1]
    if isinstance(address, tuple) and len(address) >= 2:
        check_address(address[0], address[1])


CHECKS: Final[Mapping[str, Callable[[tuple[Any, ...]], None]]] = {
    "socket.getaddrinfo": lambda args: check_address(args[0], args[1]),
    "socket.gethostbyname": lambda args: check_address(args[0], None),
    "socket.connect": _check_connect,
}
