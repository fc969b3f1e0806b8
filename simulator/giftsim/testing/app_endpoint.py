"""Delivery of captured webhooks to an application's own endpoint: a WSGI app, a local server, or a callable."""

from __future__ import annotations

import ipaddress
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from typing import Any
from urllib.parse import urlsplit

import msgspec

from giftsim.gateway.in_process_client import InProcessClient
from giftsim.testing.transport import OverHttp
from giftsim.testing.webhook import Webhook
from giftsim.webhooks.url_rules import printable

TIMEOUT_S = 10.0  # real seconds: as long as the service itself waits for an endpoint


class DeliveryResult(msgspec.Struct, frozen=True, kw_only=True):
    """A webhook delivered to an application, and the response. For a callable, `body` is its return value."""

    webhook: Any
    status: int | None
    body: Any

    def __str__(self) -> str:
        return f"{self.webhook.type} (seq {self.webhook.seq}): {self.status} {self.body!r}"


@contextmanager
def open_endpoint(
    target: Any, handler: Callable[[Webhook], Any] | None
) -> Iterator[Callable[[Webhook], DeliveryResult]]:
    """A function that delivers one webhook. TypeError unless one target is given, ValueError for a remote host."""
    if (target is None) == (handler is None):
        raise TypeError("deliver_to takes a WSGI application, a URL on this machine, or handler=, a callable")
    if handler is not None:
        yield lambda hook: DeliveryResult(webhook=hook, status=None, body=handler(hook))
    elif isinstance(target, str):
        _check_loopback(target)
        with closing(OverHttp(target)) as transport:
            yield lambda hook: _deliver(hook, transport)
    else:
        client = InProcessClient(target)
        yield lambda hook: _deliver(hook, client)


def _deliver(hook: Webhook, client: OverHttp | InProcessClient) -> DeliveryResult:
    parts = urlsplit(hook.url)
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    if isinstance(client, OverHttp):
        response = client.call("POST", path, body=hook.body, headers=hook.headers, timeout_s=TIMEOUT_S)
    else:
        response = client.call("POST", path, body=hook.body, headers=hook.headers)
    return DeliveryResult(webhook=hook, status=response.status, body=response.body)


def _check_loopback(origin: str) -> None:
    host = urlsplit(origin).hostname or ""
    try:
        is_loopback = host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        is_loopback = False
    if not is_loopback:
        raise ValueError(
            f"deliver_to sends to this machine only, to a URL like http://127.0.0.1:9000, not {printable(origin)}"
        )
