"""`deliver_to` calls ASGI applications as a server does, in tests with and without an event loop."""

from __future__ import annotations

import asyncio
import functools
import hashlib
import hmac
import threading
import types
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import anyio
import pytest
from starlette.applications import Starlette
from starlette.background import BackgroundTask
from starlette.middleware import Middleware
from starlette.middleware.base import BaseHTTPMiddleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from giftsim.testing import ControlRefused, Giftsim, InProcess, Webhook
from giftsim.testing.world_for_test import create_world
from tests.support.application import create_order


class Shop:
    """A Starlette application (as FastAPI's are) with a lifespan, middleware and background tasks."""

    def __init__(self, secret: str = "", fails: str = "") -> None:
        self.secret, self.fails = secret.encode(), fails
        self.log: list[str] = []
        self.loops: set[int] = set()
        middleware = [
            Middleware(BaseHTTPMiddleware, self.pass_on),
            Middleware(TrustedHostMiddleware, ["hooks.partner.example"]),
        ]
        self.app = Starlette(
            routes=[Route("/gifts", self.receive, methods=["POST"])],
            lifespan=self.lifespan,
            middleware=middleware,
        )

    @asynccontextmanager
    async def lifespan(self, _app: Starlette) -> AsyncIterator[dict[str, Any]]:
        if self.fails == "startup":
            raise OSError("no database")
        self.log.append("started")
        self.loops.add(id(asyncio.get_running_loop()))
        yield {"lock": asyncio.Lock()}
        self.log.append("stopped")

    async def pass_on(self, request: Request, call_next: Any) -> Any:
        return await call_next(request)

    async def receive(self, request: Request) -> Response:
        body = await request.body()
        self.loops.add(id(asyncio.get_running_loop()))
        parts = dict(part.split("=", 1) for part in request.headers["x-service-signature"].split(","))
        expected = hmac.new(self.secret, f"{parts['t']}.".encode() + body, hashlib.sha256).hexdigest()
        if self.fails == "request":
            raise ZeroDivisionError("in the handler")
        async with request.state.lock:
            self.log.append(request.headers["x-service-event"])
        later = BackgroundTask(self.log.append, f"after {request.url}")
        return JSONResponse({"genuine": hmac.compare_digest(expected, parts["v1"])}, 202, background=later)


def ordered(sim: Giftsim) -> str:
    secret: str = sim.subscribe("team_order.claimed", "team_order.shipped")["secret"]
    sim.claim(create_order(sim))
    sim.advance("1h")
    return secret


EVENTS = ["started", "team_order.claimed", "after https://hooks.partner.example/gifts", "team_order.shipped",
          "after https://hooks.partner.example/gifts", "stopped"]  # fmt: skip


def test_a_starlette_application_gets_webhooks_in_one_lifespan(sim: Giftsim) -> None:
    shop = Shop(ordered(sim))
    [first] = sim.deliver_to(shop.app)
    assert (first.status, first.body, first.webhook.type) == (202, b'{"genuine":true}', "team_order.claimed")
    sim.advance("3d")
    assert [result.status for result in sim.deliver_to(shop.app)] == [202]
    assert shop.log == EVENTS[:-1]
    sim.end()
    assert shop.log == EVENTS
    assert len(shop.loops) == 1
    assert not [thread for thread in threading.enumerate() if thread.name == "giftsim app"]


def test_it_works_in_a_test_with_an_event_loop(sim: Giftsim) -> None:
    shop = Shop(ordered(sim))

    async def run() -> list[int | None]:
        return [result.status for result in sim.deliver_to(shop.app)]

    assert anyio.run(run) == [202]


def test_an_application_can_share_the_loop_of_the_test(sim: Giftsim) -> None:
    shop = Shop(ordered(sim))

    async def bare(scope: Any, receive: Any, send: Any) -> None:
        await shop.app({**scope, "state": {"lock": asyncio.Lock()}}, receive, send)

    async def run() -> None:
        [result] = await sim.deliver_to_async(bare)
        assert (result.status, result.body) == (202, b'{"genuine":true}')
        assert shop.loops == {id(asyncio.get_running_loop())}
        sim.advance("3d")

        async def handler(hook: Webhook) -> str:
            await asyncio.sleep(0)
            return hook.type

        assert [result.body for result in await sim.deliver_to_async(handler=handler)] == ["team_order.shipped"]
        for target in ("http://127.0.0.1:9000", wsgi):
            with pytest.raises(TypeError, match="deliver_to_async takes an ASGI application or an async handler"):
                await sim.deliver_to_async(target)

    asyncio.run(run())
    assert shop.log == EVENTS[1:3]


async def asgi(scope: Any, receive: Any, send: Any) -> None:
    """As Django: it refuses lifespans."""
    if scope["type"] != "http":
        raise ValueError("can only handle ASGI/HTTP connections")
    message = await receive()
    assert (scope["method"], scope["scheme"], scope["path"], scope["raw_path"]) == (
        "POST",
        "https",
        "/gifts",
        b"/gifts",
    )
    assert message["body"]
    assert "state" not in scope
    await send({"type": "http.response.start", "status": 204, "headers": []})
    await send({"type": "http.response.body"})
    assert await receive() == {"type": "http.disconnect"}


class Wrapped:
    """As middleware without `async def`."""

    def __init__(self, app: Any) -> None:
        self.app = app

    def __call__(self, scope: Any, receive: Any, send: Any) -> Any:
        return self.app(scope, receive, send)


def wsgi(environ: Any, start_response: Any) -> list[bytes]:
    assert environ["wsgi.url_scheme"] == "https"
    assert environ["HTTP_HOST"] == environ["SERVER_NAME"] == "hooks.partner.example"
    start_response("204 No Content", [])
    return [b""]


class WsgiApp:
    """As Flask."""

    def __call__(self, environ: Any, start_response: Any) -> list[bytes]:
        return wsgi(environ, start_response)


APPS = {"function": asgi, "instance": Wrapped(asgi), "partial": functools.partial(asgi),
        "method": Wrapped(asgi).__call__, "wsgi": wsgi, "wsgi instance": WsgiApp()}  # fmt: skip


@pytest.mark.parametrize("app", APPS.values(), ids=APPS)
def test_the_kind_of_an_application_is_seen(local_sim: Giftsim, app: Any) -> None:
    ordered(local_sim)
    assert [result.status for result in local_sim.deliver_to(app)] == [204]


HANDLER = (
    "takes (hook), which is neither (environ, start_response) nor (scope, receive, send);"
    " a callable that takes a webhook is passed as handler="
)
NEITHER = [
    (Starlette, "Starlette is a class; pass an instance of it"),
    (types.ModuleType("shop"), "shop is a module; pass the application in it"),
    (7, "7 is none of these"),
    (lambda hook: hook, HANDLER),
]  # fmt: skip


@pytest.mark.parametrize(("app", "text"), NEITHER)
def test_what_is_neither_is_refused_in_words(local_sim: Giftsim, app: Any, text: str) -> None:
    ordered(local_sim)
    with pytest.raises(TypeError) as error:
        local_sim.deliver_to(app)
    assert str(error.value).startswith(
        "deliver_to takes a WSGI application, an ASGI application, the URL of a server on"
    )
    assert str(error.value).endswith(text)


def test_an_async_handler_is_refused_without_a_loop(local_sim: Giftsim) -> None:
    ordered(local_sim)

    async def handler(hook: Webhook) -> None:
        """Do nothing."""

    with pytest.raises(TypeError, match=r"await giftsim.deliver_to_async\(handler"):
        local_sim.deliver_to(handler=handler)


def test_errors_of_the_application_reach_the_test(local_sim: Giftsim) -> None:
    secret = ordered(local_sim)
    with pytest.raises(RuntimeError, match=r"(?s)the application's startup failed: .*OSError: no database"):
        local_sim.deliver_to(Shop(secret, fails="startup").app)
    with pytest.raises(ZeroDivisionError, match="in the handler"):
        local_sim.deliver_to(Shop(secret, fails="request").app)

    async def silent(_scope: Any, _receive: Any, _send: Any) -> None:
        """Answer nothing."""

    with pytest.raises(
        RuntimeError, match=r"returned without a complete response to team_order.claimed at https://hooks"
    ):
        local_sim.deliver_to(silent)
    assert [result.status for result in local_sim.deliver_to(Shop(secret).app)] == [202]


def test_an_application_that_waits_for_the_blocked_loop_is_named(
    local_sim: Giftsim, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("giftsim.testing.asgi_driver.PATIENCE_S", 0.05)
    ordered(local_sim)

    async def run() -> None:
        answer: asyncio.Future[None] = asyncio.get_running_loop().create_future()

        async def waiting(scope: Any, _receive: Any, _send: Any) -> None:
            if scope["type"] == "http":
                while not answer.done():
                    await asyncio.sleep(0.01)

        with pytest.raises(TimeoutError, match=r"await giftsim.deliver_to_async\(app\)"):
            local_sim.deliver_to(waiting)

    asyncio.run(run())


def hanging(phase: str, until: threading.Event) -> Any:
    """An application that never gets past a phase of its life; `until` says that the phase was given up."""

    async def app(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "http":
            await hang("response")
            await asgi(scope, receive, send)
            return
        for each in ("startup", "shutdown"):
            await receive()
            await hang(each)
            await send({"type": f"lifespan.{each}.complete"})

    async def hang(current: str) -> None:
        if current == phase:
            try:
                await asyncio.Event().wait()
            finally:
                until.set()

    return app


PHASES = {"startup": "did not start", "response": "did not respond", "shutdown": "did not shut down"}


@pytest.mark.parametrize(("phase", "text"), PHASES.items(), ids=PHASES)
def test_an_application_that_hangs_is_given_up(
    local_sim: Giftsim, monkeypatch: pytest.MonkeyPatch, phase: str, text: str
) -> None:
    limit = "START_S" if phase == "startup" else "PATIENCE_S"
    ordered(local_sim)
    given_up = threading.Event()
    app = hanging(phase, given_up)
    if phase == "shutdown":
        local_sim.deliver_to(app)
    monkeypatch.setattr(f"giftsim.testing.asgi_driver.{limit}", 0.05)
    with pytest.raises(TimeoutError, match=f"the application {text} within 0.05 s"):
        local_sim.end() if phase == "shutdown" else local_sim.deliver_to(app)
    assert given_up.wait(60)


def test_an_application_that_hangs_in_the_loop_of_the_test_is_given_up(
    local_sim: Giftsim, monkeypatch: pytest.MonkeyPatch
) -> None:
    ordered(local_sim)
    monkeypatch.setattr("giftsim.testing.asgi_driver.PATIENCE_S", 0.05)
    with pytest.raises(TimeoutError, match="the application did not respond within"):
        asyncio.run(local_sim.deliver_to_async(hanging("response", threading.Event())))


def test_an_application_that_stops_its_loop_is_named_by_that(local_sim: Giftsim) -> None:
    async def stopping(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "http":
            raise ValueError("no lifespan")
        asyncio.get_running_loop().stop()
        await asyncio.Event().wait()

    ordered(local_sim)
    for _ in range(2):
        with pytest.raises(RuntimeError, match="Event loop stopped before Future completed"):
            local_sim.deliver_to(stopping)


@pytest.mark.filterwarnings("ignore:.*olicy:DeprecationWarning")
def test_the_error_of_a_loop_that_cannot_be_made_reaches_the_test(local_sim: Giftsim) -> None:
    class NoLoops(asyncio.DefaultEventLoopPolicy):
        """As in a process that may open no sockets."""

        def new_event_loop(self) -> asyncio.AbstractEventLoop:
            raise PermissionError("no sockets here")

    ordered(local_sim)
    asyncio.set_event_loop_policy(NoLoops())
    try:
        with pytest.raises(PermissionError, match="no sockets here"):
            local_sim.deliver_to(asgi)
    finally:
        asyncio.set_event_loop_policy(None)


def test_the_applications_clock_is_at_the_instant_of_each_attempt(local_sim: Giftsim) -> None:
    ages: list[float] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "http":
            headers = dict(scope["headers"])
            signed = int(headers[b"x-service-signature"].partition(b",")[0].removeprefix(b"t="))
            ages.append(datetime_now() - signed)
            await asgi(scope, receive, send)

    with local_sim.freeze_app():
        local_sim.subscribe("team_order.claimed", "team_order.shipped")
        local_sim.claim(create_order(local_sim))
        local_sim.advance("10d")
        local_sim.deliver_to(app)
    assert ages == [0, 0]


def datetime_now() -> float:
    import time

    return time.time()  # noqa: TID251


def test_ending_a_world_reports_a_failed_shutdown(local_sim: Giftsim) -> None:
    async def app(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "http":
            await asgi(scope, receive, send)
        else:
            await receive()
            await send({"type": "lifespan.startup.complete"})
            await receive()
            await send({"type": "lifespan.shutdown.failed", "message": "the cache is gone"})

    assert isinstance(local_sim.transport, InProcess)
    sim = create_world(local_sim.transport)
    ordered(sim)
    sim.deliver_to(app)
    shop = Shop()
    sim.advance("3d")
    sim.deliver_to(shop.app)
    fork = sim.fork()
    with pytest.raises(RuntimeError, match="the application's shutdown failed: the cache is gone"):
        sim.end()
    assert shop.log[-1] == "stopped"
    for world in (sim, fork):
        with pytest.raises(ControlRefused, match="world"):
            world.listed("orders")
    sim.end()
