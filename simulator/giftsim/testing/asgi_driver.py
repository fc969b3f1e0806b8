"""Calls an ASGI application as a server does: its lifespan once, then request after request (G104)."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, MutableMapping
from concurrent.futures import FIRST_COMPLETED, Future, wait
from contextlib import asynccontextmanager, suppress
from contextvars import Context, copy_context
from typing import Any, TypeVar
from urllib.parse import unquote, urlsplit

from giftsim.testing.own_frames import expected_errors
from giftsim.testing.webhook import AppRequest

__tracebackhide__ = expected_errors
Message = MutableMapping[str, Any]
AsgiCallable = Callable[[Message, Callable[[], Awaitable[Message]], Callable[[Message], Awaitable[None]]], Any]

ASGI = {"version": "3.0", "spec_version": "2.3"}
PATIENCE_S = 10.0  # real seconds for a response or a shutdown, as long as the service itself waits for an endpoint
START_S = 60.0  # real seconds for a start, which may prepare a database
LATE = "the application did not {did} within {seconds:g} s"
SHARED_LOOP = (
    ". deliver_to blocks the event loop of this test; if the application waits for something of that loop, use"
    " `await giftsim.deliver_to_async(app)`"
)
T = TypeVar("T")


class AsgiServer:
    """An application in its own thread and event loop, from the first webhook until `close`.

    So it works in tests with and without an event loop, and what the application binds to its loop stays usable. No
    wait for it is endless: an error of the loop is raised, and TimeoutError after PATIENCE_S, or START_S for its start.
    """

    def __init__(self, app: AsgiCallable) -> None:
        self.app = app
        self._ready: Future[tuple[asyncio.AbstractEventLoop, Mapping[str, Any]]] = Future()
        self._ended: Future[None] = Future()
        self._stop = asyncio.Event()
        self._is_reported = False
        self._abandon: Callable[[], object] = bool
        context = copy_context()
        self._thread = threading.Thread(target=self._run, args=(context,), name="giftsim app", daemon=True)
        self._thread.start()
        try:
            self._loop, self._state = self._await_result(self._ready, START_S, "start")
        except TimeoutError:
            self._abandon()
            raise

    def call(self, request: AppRequest) -> tuple[int, bytes]:
        """Send a request; status and body of the response. What the application raises is raised here."""
        handling = _call(self.app, request, self._state)
        try:
            result = asyncio.run_coroutine_threadsafe(handling, self._loop)
        except RuntimeError:  # the loop is closed
            handling.close()
            raise self._end("respond") from None
        try:
            return self._await_result(result, PATIENCE_S, "respond", SHARED_LOOP if _has_running_loop() else "")
        finally:
            result.cancel()

    def close(self) -> None:
        """End the application's lifespan and the thread. An error that `call` raised is not raised again."""
        if self._is_reported:
            return
        with suppress(RuntimeError):  # the loop is closed
            self._loop.call_soon_threadsafe(self._stop.set)
        try:
            self._await_result(self._ended, PATIENCE_S, "shut down")
            self._thread.join(PATIENCE_S)
        except TimeoutError:
            self._abandon()
            raise

    def _await_result(self, result: Future[T], patience_s: float, what: str, hint: str = "") -> T:
        """Wait for the application to do something. If its loop ends instead, raise the error that ended it."""
        futures: list[Future[Any]] = [result, self._ended]
        wait(futures, patience_s, FIRST_COMPLETED)
        if result.done() and not result.cancelled():
            return result.result()
        if result.cancelled() or self._ended.done():
            raise self._end(what)
        raise TimeoutError(LATE.format(did=what, seconds=patience_s) + hint)

    def _end(self, what: str) -> BaseException:
        """The error that ended the loop."""
        self._is_reported = True
        wait([self._ended], PATIENCE_S)
        failure = self._ended.exception() if self._ended.done() else None
        return failure or RuntimeError(f"the application cannot {what}: its event loop has ended")

    def _run(self, context: Context) -> None:
        """Run the loop until `close`. Under pytest-socket no loop can be made."""
        try:
            with asyncio.Runner() as runner:
                runner.get_loop()
                runner.run(self._serve(), context=context)
        except BaseException as error:  # noqa: BLE001 - raised again in the thread of the test
            self._ended.set_exception(error)
        else:
            self._ended.set_result(None)

    async def _serve(self) -> None:
        loop, task = asyncio.get_running_loop(), asyncio.current_task()
        assert task is not None
        self._abandon = lambda: loop.call_soon_threadsafe(task.cancel)
        async with lifespan(self.app) as state:
            self._ready.set_result((loop, state))
            await self._stop.wait()


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
        await asyncio.wait([task], timeout=PATIENCE_S)


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


async def call(app: AsgiCallable, request: AppRequest) -> tuple[int, bytes]:
    """Send a request in the running event loop; status and body of the response. TimeoutError after PATIENCE_S."""
    limit = asyncio.timeout(PATIENCE_S)
    try:
        async with limit:
            return await _call(app, request, {})
    except TimeoutError:
        if limit.expired():
            raise TimeoutError(LATE.format(did="respond", seconds=PATIENCE_S)) from None
        raise


async def _call(app: AsgiCallable, request: AppRequest, state: Mapping[str, Any]) -> tuple[int, bytes]:
    """Send a request; status and body of the response, after its background tasks."""
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
