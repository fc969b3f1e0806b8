"""The receiver check of an application in this process: WSGI, ASGI or a callable, on a clock that is held."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any
from urllib.parse import urlsplit

from giftsim.engine.client.in_process import InProcessClient
from giftsim.engine.webhooks.outgoing import CONNECTION_RESET, TIMEOUT
from giftsim.engine.webhooks.signature import EVENT_HEADER, EVENT_ID_HEADER
from giftsim.engine.worlds import system_clock
from giftsim.testing.app_endpoint import TIMEOUT_S, app_kind
from giftsim.testing.own_frames import expected_errors
from giftsim.testing.webhook import AppRequest, Webhook
from giftsim.workbench.exam.receiver.check_report import ReceiverReport
from giftsim.workbench.exam.receiver.probe import Answer, Request, Secrets
from giftsim.workbench.exam.receiver.probe_runner import Broken, Expected, Runner
from giftsim.workbench.exam.receiver.probes import choose_probes
from giftsim.workbench.exam.receiver.stock import Interface, stock_of_world

__tracebackhide__ = expected_errors
URL = "https://hooks.partner.example/gifts"
START_MS = 1_800_000_000_000  # 2027-01-15T08:00:00Z
ACCEPTED, REFUSED, BROKE = 204, 400, 500

Send = Callable[[Request], int]


def check_receiver(
    app: Any = None,
    *,
    secret: str,
    handler: Callable[[Webhook], Any] | None = None,
    url: str = URL,
    interface: Interface = "partner",
    next_secret: str | None = None,
    old_secret: str | None = None,
    check: Callable[[Expected], Any] | None = None,
    broken: Broken | None = None,
    probes: tuple[str, ...] = (),
    seed: int = 1,
    freeze: bool = True,
) -> ReceiverReport:
    """Probe a webhook endpoint; the report, which is `passed` unless a probe failed.

    `app` is a WSGI or ASGI application; its endpoint is the path of `url`. `handler` is a callable to use instead. It
    takes a `Webhook`, and accepts it by returning a status or anything else. An exception refuses it.

    `check` gets what the app should believe after each probe, its `events` and none of the `forged`. It returns what is
    wrong, as text, or raises AssertionError. `broken()` is a context in which the app cannot do its work. The clock of
    this process is held, and moved by a day for one probe; without `freeze` it stays the machine's.
    """
    clock = _Clock() if freeze else None
    with _receiving(app, handler, url) as send, _held(clock):
        stock = stock_of_world(interface, seed=seed, ends_ms=START_MS if clock else system_clock.now_ms())
        receiver = _AppReceiver(send, clock, is_http=handler is None)
        secrets = Secrets(secret, next_secret, old_secret)
        runner = Runner(receiver, stock, secrets, check=check and _as_check(check), broken=broken)
        return ReceiverReport(runner.run(choose_probes(probes)))


class _Clock:
    """The time that the application sees."""

    now_ms = START_MS

    def __call__(self) -> int:
        return self.now_ms


class _AppReceiver:
    def __init__(self, send: Send, clock: _Clock | None, *, is_http: bool) -> None:
        self._send, self._clock = send, clock
        names = {"http": is_http, "clock": clock is not None}
        self.has = frozenset(name for name, is_there in names.items() if is_there)

    def send(self, request: Request) -> Answer:
        """Call the application. An exception counts as the 500 that a server would answer."""
        began = system_clock.monotonic()
        try:
            status, failure = self._send(request), ""
        except ConnectionError:
            return Answer(None, system_clock.monotonic() - began, CONNECTION_RESET)
        except Exception as error:  # noqa: BLE001 - an error of the application is an answer
            status, failure = BROKE, f"{type(error).__name__}: {error}"
        took_s = system_clock.monotonic() - began
        return Answer(status, took_s, failure) if took_s <= TIMEOUT_S else Answer(None, took_s, TIMEOUT)

    def now_s(self) -> int:
        """The application's time."""
        return (self._clock() if self._clock else system_clock.now_ms()) // 1000

    def pass_time(self, span_s: int) -> None:
        """Move the application's clock."""
        assert self._clock is not None
        self._clock.now_ms += span_s * 1000


@contextmanager
def _receiving(app: Any, handler: Callable[[Webhook], Any] | None, url: str) -> Iterator[Send]:
    """How to call the application; an ASGI one runs inside the block."""
    if (app is None) == (handler is None):
        raise TypeError("check_receiver takes a WSGI application, an ASGI application or handler=: exactly one of them")
    if handler is not None:
        yield lambda request: _answered(handler, _webhook(request, url))
    elif app_kind(app) == "wsgi":
        yield _wsgi(app, url)
    else:
        from giftsim.testing.asgi_driver import AsgiServer  # and with it asyncio

        server = AsgiServer(app)
        try:
            yield lambda request: server.call(
                AppRequest("a webhook", request.method, url, request.headers, request.body)
            )[0]
        finally:
            server.close()


def _wsgi(app: Any, url: str) -> Send:
    parts = urlsplit(url)
    environ = {"SERVER_NAME": parts.hostname, "SERVER_PORT": str(parts.port or 443), "wsgi.url_scheme": parts.scheme}
    client = InProcessClient(app, {"Host": parts.netloc}, environ)
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")

    def send(request: Request) -> int:
        headers = {name: value.encode().decode("latin-1") for name, value in request.headers.items()}
        return client.call(request.method, path, body=request.body, headers=headers).status

    return send


def _webhook(request: Request, url: str) -> Webhook:
    return Webhook(
        seq=0,
        at="",
        type=request.headers[EVENT_HEADER],
        url=url,
        event_id=request.headers[EVENT_ID_HEADER],
        attempt=1,
        outcome=None,
        status=None,
        headers=dict(request.headers),
        body=request.body.decode("utf-8", "surrogateescape"),
    )


def _answered(handler: Callable[[Webhook], Any], hook: Webhook) -> int:
    try:
        returned = handler(hook)
    except Exception:  # noqa: BLE001 - so it refuses
        return REFUSED
    return returned if type(returned) is int else ACCEPTED


def _held(clock: _Clock | None) -> AbstractContextManager[Any]:
    if clock is None:
        return nullcontext()
    from giftsim.testing.frozen_clock import frozen

    return frozen(clock)


def _as_check(check: Callable[[Expected], Any]) -> Callable[[Expected], str | None]:
    """The check as the runner asks it: what is wrong, or None."""

    def ask(expected: Expected) -> str | None:
        try:
            wrong = check(expected)
        except AssertionError as error:
            return str(error).partition("\n")[0] or "an assertion failed"
        return str(wrong) if wrong else None

    return ask
