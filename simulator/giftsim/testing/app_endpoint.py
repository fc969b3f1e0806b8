"""An application's own webhook endpoint, as captured deliveries are fed to it: WSGI, a local server, or a callable."""

from __future__ import annotations

import ipaddress
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import msgspec

from giftsim.gateway.in_process_client import InProcessClient
from giftsim.testing.transport import OverHttp

if TYPE_CHECKING:
    from giftsim.testing.inbox import Webhook

PATIENCE_S = 10.0  # real seconds: as long as the service itself waits for an endpoint


class Fed(msgspec.Struct, frozen=True, kw_only=True):
    """A webhook that an application was fed: its answer's status and body; for a callable, what it returned."""

    webhook: Any
    status: int | None
    body: Any

    def __str__(self) -> str:
        return f"{self.webhook.type} (seq {self.webhook.seq}): {self.status} {self.body!r}"


@contextmanager
def taker(target: Any, handler: Callable[[Webhook], Any] | None) -> Iterator[Callable[[Webhook], Fed]]:
    """What hands one webhook over; TypeError unless it is said to whom, ValueError for a server elsewhere."""
    if (target is None) == (handler is None):
        raise TypeError("deliver_to takes a WSGI application or a URL of this machine, or handler=, any callable")
    if handler is not None:
        yield lambda hook: Fed(webhook=hook, status=None, body=handler(hook))
    elif isinstance(target, str):
        _check_loopback(target)
        with closing(OverHttp(target)) as line:
            yield lambda hook: _fed(hook, line)
    else:
        client = InProcessClient(target)
        yield lambda hook: _fed(hook, client)


def _fed(hook: Webhook, line: OverHttp | InProcessClient) -> Fed:
    parts = urlsplit(hook.url)
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    if isinstance(line, OverHttp):
        answer = line.call("POST", path, body=hook.body, headers=hook.headers, timeout_s=PATIENCE_S)
    else:
        answer = line.call("POST", path, body=hook.body, headers=hook.headers)
    return Fed(webhook=hook, status=answer.status, body=answer.body)


def _check_loopback(origin: str) -> None:
    host = urlsplit(origin).hostname or ""
    try:
        near = host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        near = False
    if not near:
        raise ValueError(f"webhooks are fed to this machine alone, by a URL like http://127.0.0.1:9000, not {origin!r}")
