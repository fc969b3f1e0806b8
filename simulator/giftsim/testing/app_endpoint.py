"""Delivery of captured webhooks to an application's own endpoint: a WSGI or ASGI app, a local server, or a callable."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Awaitable, Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from typing import TYPE_CHECKING, Any, Literal
from urllib.parse import urlsplit

import msgspec

from giftsim.engine.client.in_process import InProcessClient
from giftsim.engine.webhooks.url_rules import is_this_machine
from giftsim.testing.own_frames import expected_errors
from giftsim.testing.webhook import Webhook

if TYPE_CHECKING:
    from giftsim.testing.asgi_driver import AsgiServer


TAKES = "a WSGI application, an ASGI application, the URL of a server on this machine, or handler=, a callable"


def app_kind(app: Any) -> Literal["wsgi", "asgi"]:
    """The kind of an application, by what it takes. TypeError says what else it is."""
    if isinstance(app, type):
        raise _refusal(f"{app.__qualname__} is a class; pass an instance of it")
    if inspect.ismodule(app):
        raise _refusal(f"{app.__name__} is a module; pass the application in it")
    if not callable(app):
        raise _refusal(f"{_named(app)} is none of these")
    is_async = inspect.iscoroutinefunction(app) or inspect.iscoroutinefunction(type(app).__call__)
    try:
        signature = inspect.signature(app)
    except ValueError:  # some callables in C do not show theirs
        return "asgi" if is_async else "wsgi"
    if is_async or not _takes(signature, 2):
        if _takes(signature, 3):  # scope, receive, send
            return "asgi"
        hint = "; a callable that takes a webhook is passed as handler=" if _takes(signature, 1) else ""
        raise _refusal(
            f"{_named(app)} takes {signature}, which is neither (environ, start_response) nor"
            f" (scope, receive, send){hint}"
        )
    return "wsgi"


def _takes(signature: inspect.Signature, count: int) -> bool:
    try:
        signature.bind(*range(count))
    except TypeError:
        return False
    return True


def _named(app: Any) -> str:
    return str(getattr(app, "__qualname__", repr(app)))


def _refusal(text: str) -> TypeError:
    return TypeError(f"deliver_to takes {TAKES}: {text}")


__tracebackhide__ = expected_errors
TIMEOUT_S = 10.0  # real seconds: as long as the service itself waits for an endpoint


class DeliveryResult(msgspec.Struct, frozen=True, kw_only=True):
    """A webhook delivered to an application, and the response. For a callable, `body` is its return value."""

    webhook: Webhook
    status: int | None
    body: Any

    def __str__(self) -> str:
        return f"{self.webhook.type} (seq {self.webhook.seq}): {self.status} {self.body!r}"


Deliver = Callable[[Webhook], DeliveryResult]
AsyncDeliver = Callable[[Webhook], Awaitable[DeliveryResult]]


class AppEndpoints:
    """The applications that a test delivers to. ASGI applications run from their first webhook until `close`."""

    def __init__(self) -> None:
        self._servers: dict[int, AsgiServer] = {}

    def deliver_to(self, target: Any, handler: Callable[[Webhook], Any] | None) -> Deliver:
        """A function that delivers one webhook. TypeError unless one target is given, ValueError for a remote host."""
        _check_one_of(target, handler)
        if handler is not None:
            return lambda hook: DeliveryResult(webhook=hook, status=None, body=_called(handler, hook))
        if isinstance(target, str):
            _check_loopback(target)
            return lambda hook: _over_http(target, hook)
        if app_kind(target) == "wsgi":
            return lambda hook: _to_wsgi(target, hook)
        server = self._servers.get(id(target))
        if server is None:
            from giftsim.testing.asgi_driver import AsgiServer  # and with it asyncio, which most tests need not

            server = self._servers[id(target)] = AsgiServer(target)
        return lambda hook: _delivery_result(hook, *server.call(hook.request))

    def deliver_to_async(self, target: Any, handler: Callable[[Webhook], Any] | None) -> AsyncDeliver:
        """The same in the running event loop, for an ASGI application or an async callable."""
        _check_one_of(target, handler)
        if handler is not None:
            return lambda hook: _handled(handler, hook)
        if isinstance(target, str) or app_kind(target) != "asgi":
            raise TypeError(
                "deliver_to_async takes an ASGI application or an async handler=; deliver_to takes all others"
            )
        return lambda hook: _to_asgi(target, hook)

    def close(self) -> None:
        """End the applications that run."""
        with ExitStack() as stack:  # all of them, also if one does not end
            while self._servers:
                stack.callback(self._servers.popitem()[1].close)


def _check_one_of(target: Any, handler: Any) -> None:
    if (target is None) == (handler is None):
        raise TypeError(f"deliver_to takes {TAKES}: exactly one of them")


def _called(handler: Callable[[Webhook], Any], hook: Webhook) -> Any:
    result = handler(hook)
    if inspect.iscoroutine(result):
        result.close()
        raise TypeError("this handler is async; use `await giftsim.deliver_to_async(handler=...)`")
    return result


async def _handled(handler: Callable[[Webhook], Any], hook: Webhook) -> DeliveryResult:
    result = handler(hook)
    return DeliveryResult(webhook=hook, status=None, body=await result if inspect.isawaitable(result) else result)


async def _to_asgi(app: Any, hook: Webhook) -> DeliveryResult:
    from giftsim.testing.asgi_driver import call

    return _delivery_result(hook, *await call(app, hook.request))


def _to_wsgi(app: Any, hook: Webhook) -> DeliveryResult:
    parts = urlsplit(hook.url)
    environ = {"SERVER_NAME": parts.hostname, "SERVER_PORT": str(parts.port or 443), "wsgi.url_scheme": parts.scheme}
    headers = {"Host": parts.netloc, **hook.headers}
    with _open_connections():
        response = InProcessClient(app, headers, environ).call("POST", _path(hook), body=hook.body)
    return _delivery_result(hook, response.status, response.body)


@contextmanager
def _open_connections() -> Iterator[None]:
    """Inside the block Django keeps its database connections, and so the transaction of a test that has called it.

    Otherwise it closes them at the begin and end of each request. Its own test client does the same.
    """
    signals, database = sys.modules.get("django.core.signals"), sys.modules.get("django.db")
    close = getattr(database, "close_old_connections", None)
    both = (getattr(signals, name, None) for name in ("request_started", "request_finished"))
    # A signal that was connected already, and not one that a test has disconnected itself.
    closing_signals = [signal for signal in both if signal is not None and close and signal.disconnect(close)]
    try:
        yield
    finally:
        for signal in closing_signals:
            signal.connect(close)


def _over_http(origin: str, hook: Webhook) -> DeliveryResult:
    from giftsim.testing.over_http import OverHttp

    with closing(OverHttp(origin)) as transport:
        response = transport.call("POST", _path(hook), body=hook.body, headers=hook.headers, timeout_s=TIMEOUT_S)
    return _delivery_result(hook, response.status, response.body)


def _path(hook: Webhook) -> str:
    parts = urlsplit(hook.url)
    return (parts.path or "/") + (f"?{parts.query}" if parts.query else "")


def _delivery_result(hook: Webhook, status: int, body: bytes) -> DeliveryResult:
    return DeliveryResult(webhook=hook, status=status, body=body)


def _check_loopback(origin: str) -> None:
    if not is_this_machine(urlsplit(origin).hostname or ""):
        raise ValueError(f"deliver_to sends to this machine only, to a URL like http://127.0.0.1:9000, not {origin!r}")
