"""Leading an application's own calls, to a base URL that stands in its code, into a world; its clients stay its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from importlib.util import find_spec
from typing import Any
from unittest.mock import patch

from giftsim.testing.router import Door, Missing


@contextmanager
def detour(door: Door) -> Iterator[None]:
    """Meanwhile `requests` and `httpx`, whichever are installed, reach the world by URLs below the door's base.

    All other URLs go where they went before. It acts on the libraries' own transports, in all threads, on clients made
    before too; not on transports of other kinds.
    """
    ways = [way for library, way in WAYS.items() if find_spec(library)]
    if not ways:
        raise Missing("requests")
    with ExitStack() as stack:
        for way in ways:
            for owner, name, method in way(door):
                stack.enter_context(patch.object(owner, name, method))
        yield


Way = Callable[[Door], Iterator[tuple[type, str, Callable[..., Any]]]]


def _requests(door: Door) -> Iterator[tuple[type, str, Callable[..., Any]]]:
    from requests.adapters import HTTPAdapter

    from giftsim.testing.requests_adapter import Adapter

    straight, adapter = HTTPAdapter.send, Adapter(door)

    def send(self: HTTPAdapter, request: Any, *args: Any, **options: Any) -> Any:
        if door.leads(request.url):
            return Adapter.send(adapter, request, *args, **options)
        return straight(self, request, *args, **options)

    yield HTTPAdapter, "send", send


def _httpx(door: Door) -> Iterator[tuple[type, str, Callable[..., Any]]]:
    import httpx

    from giftsim.testing.httpx_adapter import AsyncTransport, Transport

    straight, straight_async = httpx.HTTPTransport.handle_request, httpx.AsyncHTTPTransport.handle_async_request

    def handle(self: httpx.HTTPTransport, request: httpx.Request) -> httpx.Response:
        if door.leads(str(request.url)):
            return Transport(door).handle_request(request)
        return straight(self, request)

    async def handle_async(self: httpx.AsyncHTTPTransport, request: httpx.Request) -> httpx.Response:
        if door.leads(str(request.url)):
            return await AsyncTransport(door).handle_async_request(request)
        return await straight_async(self, request)

    yield httpx.HTTPTransport, "handle_request", handle
    yield httpx.AsyncHTTPTransport, "handle_async_request", handle_async


WAYS: dict[str, Way] = {"requests": _requests, "httpx": _httpx}
