"""Patches `requests` and `httpx` so that an application's own clients call a world."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from importlib.util import find_spec
from typing import Any
from unittest.mock import patch

from giftsim.testing.router import LibraryNotInstalled, Router


@contextmanager
def patch_libraries(router: Router) -> Iterator[None]:
    """Inside the block, `requests` and `httpx` (those installed) send URLs below the router's base to the world.

    Other URLs are unaffected. The patch acts on the libraries' standard transports, in all threads and for existing
    clients too; custom transports are not patched.
    """
    patches = [library_patch for library, library_patch in PATCHES.items() if find_spec(library)]
    if not patches:
        raise LibraryNotInstalled("requests")
    with ExitStack() as stack:
        for library_patch in patches:
            for owner, name, method in library_patch(router):
                stack.enter_context(patch.object(owner, name, method))
        yield


Patch = Callable[[Router], Iterator[tuple[type, str, Callable[..., Any]]]]


def _requests(router: Router) -> Iterator[tuple[type, str, Callable[..., Any]]]:
    from requests.adapters import HTTPAdapter

    from giftsim.testing.requests_adapter import WorldAdapter

    original, adapter = HTTPAdapter.send, WorldAdapter(router)

    def send(self: HTTPAdapter, request: Any, *args: Any, **options: Any) -> Any:
        if router.matches(request.url):
            return WorldAdapter.send(adapter, request, *args, **options)
        return original(self, request, *args, **options)

    yield HTTPAdapter, "send", send


def _httpx(router: Router) -> Iterator[tuple[type, str, Callable[..., Any]]]:
    import httpx

    from giftsim.testing.httpx_adapter import AsyncWorldTransport, WorldTransport

    original, original_async = httpx.HTTPTransport.handle_request, httpx.AsyncHTTPTransport.handle_async_request

    def handle(self: httpx.HTTPTransport, request: httpx.Request) -> httpx.Response:
        if router.matches(str(request.url)):
            return WorldTransport(router).handle_request(request)
        return original(self, request)

    async def handle_async(self: httpx.AsyncHTTPTransport, request: httpx.Request) -> httpx.Response:
        if router.matches(str(request.url)):
            return await AsyncWorldTransport(router).handle_async_request(request)
        return await original_async(self, request)

    yield httpx.HTTPTransport, "handle_request", handle
    yield httpx.AsyncHTTPTransport, "handle_async_request", handle_async


PATCHES: dict[str, Patch] = {"requests": _requests, "httpx": _httpx}
