"""Calls an ASGI application as a server does: its lifespan once, then request after request (G104)."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, MutableMapping
from concurrent.futures import Future
from contextlib import asynccontextmanager
from contextvars import copy_context
from typing import Any
from urllib.parse import unquote, urlsplit

from giftsim.testing.own_frames import expected_errors
from giftsim.testing.webhook import AppRequest

__tracebackhide__ = expected_errors
Message = MutableMapping[str, Any]
AsgiCallable = Callable[[Message, Callable[[], Awaitable[Message]], Callable[[Message], Awaitable[None]]], Any]

ASGI = {"version": "3.0", "spec_version": "2.3"}
BLOCKED_S = 10.0  # real seconds that a test's own event loop is blocked at most, as long as the service itself waits
BLOCKED = (
    f"the application did not respond within {BLOCKED_S:g} s. deliver_to blocks the event loop of this test; if the"
    " application waits for something of that loop, use `await giftsim.deliver_to_async(app)`"
)


class AsgiServer:
    """An application with an event loop and thread of its own, from the first webhook until `close`.

    So it works in tests with and without an event loop, and what the application binds to its loop stays usable.
    """

    def __init__(self, app: AsgiCallable) -> None:
        self.app = app
        self._ready: Future[tuple[asyncio.AbstractEventLoop, Mapping[str, Any]]] = Future()
        self._stop = asyncio.Event()
        self._failure: BaseException | None = None
        context = copy_context()
        self._thread = threading.Thread(
            target=lambda: context.run(asyncio.run, self._serve()), name="giftsim app", daemon=True
        )
        self._thread.start()
        self._loop, self._state = self._ready.result()

    def call(self, request: AppRequest) -> tuple[int, bytes]:
        """Send a request; status and body of the response. What the application raises is raised here."""
        result = asyncio.run_coroutine_threadsafe(call(self.app, request, self._state), self._loop)
        if not _has_running_loop():
            return result.result()
        try:
            return result.result(BLOCKED_S)
        except TimeoutError:
            if result.done():
                raise
            result.cancel()
            raise TimeoutError(BLOCKED) from None

    def close(self) -> None:
        """End the application's lifespan and the thread."""
        self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join()
        if self._failure is not None:
            raise self._failure

    async def _serve(self) -> None:
        try:
            async with lifespan(self.app) as state:
                self._ready.set_result((asyncio.get_running_loop(), state))
                await self._stop.wait()
        except BaseException as error:  # noqa: BLE001 - raised again in the thread of the test
            if self._ready.done():
                self._failure = error
            else:
                self._ready.set_exception(error)


@asynccontextmanager
async def lifespan(app: AsgiCallable) -> AsyncIterator[Mapping[str, Any]]:
    """Inside the block the application is started; its state. An application without a lifespan has none.

    RuntimeError if it reports that its start or end failed.
    """
    state: dict[str, Any] = {}
    to_app, from_app = asyncio.Queue[Message](), asyncio.Queue[Message]()
    scope: Message = {"type": "lifespan", "asgi": ASGI, "state": state}
    task = asyncio.ensure_future(_run(app(scope, to_app.get, from_app.put)))
    has_lifespan = await _announce("startup", to_app, from_app, task)
    yield state
    if has_lifespan:
        await _announce("shutdown", to_app, from_app, task)
        await asyncio.wait([task], timeout=BLOCKED_S)


async def _announce(
    phase: str, to_app: asyncio.Queue[Message], from_app: asyncio.Queue[Message], task: asyncio.Task[Any]
) -> bool:
    """Tell the application, and wait for its answer; False if it ends instead, as one that knows no lifespan does."""
    await to_app.put({"type": f"lifespan.{phase}"})
    answer = asyncio.ensure_future(from_app.get())
    await asyncio.wait([answer, task], return_when=asyncio.FIRST_COMPLETED)
    if not answer.done():
        answer.cancel()
        task.exception()
        return False
    message = answer.result()
    if message["type"] == f"lifespan.{phase}.failed":
        await asyncio.wait([task])
        raise RuntimeError(f"the application's {phase} failed: {message.get('message', '')}") from task.exception()
    return True


async def call(app: AsgiCallable, request: AppRequest, state: Mapping[str, Any]) -> tuple[int, bytes]:
    """Send a request in the running event loop; status and body of the response, after its background tasks."""
    messages: list[Message] = [{"type": "http.request", "body": request.body, "more_body": False}]
    status, chunks, complete = list[int](), list[bytes](), asyncio.Event()

    async def receive() -> Message:
        if messages:
            return messages.pop()
        await complete.wait()
        return {"type": "http.disconnect"}

    async def send(message: Message) -> None:
        if message["type"] == "http.response.start":
            status.append(message["status"])
        elif message["type"] == "http.response.body":
            chunks.append(message.get("body", b""))
            if not message.get("more_body", False):
                complete.set()

    await app({**_scope(request), **({"state": dict(state)} if state else {})}, receive, send)
    if not status or not complete.is_set():
        raise RuntimeError(f"the application returned without a complete response to {request.about} at {request.url}")
    return status[0], b"".join(chunks)


def _scope(request: AppRequest) -> Message:
    parts = urlsplit(request.url)
    path = parts.path or "/"
    headers = {"host": parts.netloc, "content-length": str(len(request.body))}
    headers |= {name.lower(): value for name, value in request.headers.items()}
    return {
        "type": "http",
        "asgi": ASGI,
        "http_version": "1.1",
        "method": request.method,
        "scheme": parts.scheme,
        "path": unquote(path),
        "raw_path": path.encode(),
        "query_string": parts.query.encode(),
        "root_path": "",
        "headers": [(name.encode(), value.encode("latin-1")) for name, value in headers.items()],
        "client": ("127.0.0.1", 0),
        "server": (parts.hostname, parts.port or 443),
        "extensions": {},
    }


async def _run(awaitable: Awaitable[Any]) -> Any:
    return await awaitable


def _has_running_loop() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True
