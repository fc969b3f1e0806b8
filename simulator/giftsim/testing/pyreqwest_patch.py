"""Routes calls of pyreqwest to a world, by a middleware. It connects in Rust, so the audit hook would not see it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any

from giftsim.testing.own_frames import expected_errors
from giftsim.testing.routing import Router, router_for

__tracebackhide__ = expected_errors


def patches(library: ModuleType) -> Iterator[tuple[type, str, Callable[..., Any]]]:
    """The methods of `pyreqwest.request` to replace: each adds the world as the last step before the network."""
    for kind in (library.RequestBuilder, library.SyncRequestBuilder):
        for name in ("build", "build_streamed"):
            yield kind, name, _through_world(getattr(kind, name))
    for kind in (library.OneOffRequestBuilder, library.SyncOneOffRequestBuilder):
        yield kind, "send", _through_world(kind.send)


def _through_world(original: Callable[[Any], Any]) -> Callable[[Any], Any]:
    def method(self: Any) -> Any:
        is_sync = type(self).__name__.startswith("Sync")
        return original(self.with_middleware(_sync_call if is_sync else _async_call))

    return method


def _sync_call(request: Any, network: Any) -> Any:
    router = router_for(str(request.url))
    if router is None:
        return network.run(request)
    content, stream = _content(request)
    return _send(router, request, content if stream is None else b"".join(map(bytes, stream))).build_sync()


async def _async_call(request: Any, network: Any) -> Any:
    router = router_for(str(request.url))
    if router is None:
        return await network.run(request)
    content, stream = _content(request)
    if stream is not None:
        content = b"".join([bytes(chunk) async for chunk in stream])
    builder = await asyncio.to_thread(_send, router, request, content)
    return await builder.build()


def _content(request: Any) -> tuple[bytes, Any]:
    """The body, or the stream that has it."""
    content = None if request.body is None else request.body.copy_bytes()
    stream = None if request.body is None or content is not None else request.body.get_stream()
    return (b"" if content is None else content.to_bytes()), stream


def _send(router: Router, request: Any, content: bytes) -> Any:
    """Send one request; what builds the response. A dropped response is pyreqwest's `ReadError`."""
    from pyreqwest.exceptions import ReadError  # type: ignore[import-not-found]
    from pyreqwest.response import ResponseBuilder  # type: ignore[import-not-found]

    try:
        response = router.send(request.method, str(request.url), list(request.headers.items()), content, None)
    except ConnectionError as error:
        raise ReadError(str(error), {"causes": None}) from error
    return ResponseBuilder().status(response.status).headers(response.fields()).body_bytes(response.body)
