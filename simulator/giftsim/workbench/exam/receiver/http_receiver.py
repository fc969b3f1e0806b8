"""A receiver at a URL. The courier carries the requests, only to where webhooks may be forwarded (B49, G25, G221)."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from urllib.parse import urlsplit

from giftsim.engine.courier.courier import Courier
from giftsim.engine.webhooks.forward_targets import check_target
from giftsim.engine.webhooks.url_rules import printable_url
from giftsim.engine.worlds import system_clock
from giftsim.workbench.exam.receiver.probe import Answer, Request

UNREACHABLE = ("connection_refused", "dns_error", "blocked_address")


class Unreachable(Exception):
    """No server listens; the message names the address."""


class HttpReceiver:
    """A server at `http://HOST[:PORT]/PATH`. ValueError if webhooks may not be forwarded to it.

    `now_s` is the time that it sees, by default that of the machine, in unix seconds.
    """

    has = frozenset({"http"})

    def __init__(
        self,
        url: str,
        *,
        timeout_s: float,
        forward_allow: tuple[str, ...] = (),
        now_s: Callable[[], float] = system_clock.seconds,
    ) -> None:
        parts = urlsplit(url)
        if parts.fragment or not parts.netloc:
            raise ValueError(
                f"{printable_url(url)} is not the address of a receiver, like http://127.0.0.1:9000/webhooks"
            )
        self._origin = f"{parts.scheme}://{parts.netloc}"
        self._target = check_target(self._origin, forward_allow)
        self._path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        self._timeout_s, self._reached, self._now_s = timeout_s, False, now_s
        self._courier = Courier(forward_allow=forward_allow)

    def send(self, request: Request) -> Answer:
        """Send a request; Unreachable if nothing listens at the first.

        One by another method than POST has a connection of its own: a server may leave its body unread, and would
        take that for the beginning of the next request.
        """
        content = self._bytes(request)
        if request.method == "POST":
            outcome = self._courier.exchange(self._origin, content, self._timeout_s)
        else:
            with closing(Courier(forward_allow=self._courier.forward_allow)) as courier:
                outcome = courier.exchange(self._origin, content, self._timeout_s)
        if outcome.outcome in UNREACHABLE and not self._reached:
            raise Unreachable(f"{self._origin} cannot be reached ({outcome.outcome}); start your receiver first")
        self._reached = True
        return Answer(outcome.status, outcome.took_s, "" if outcome.status is not None else outcome.outcome)

    def now_s(self) -> int:
        """The time that the receiver sees (G469)."""
        return int(self._now_s())

    def pass_time(self, span_s: int) -> None:
        """Nothing: a server's clock is its machine's."""
        raise NotImplementedError(span_s)

    def close(self) -> None:
        """Close the connections."""
        self._courier.close()

    def _bytes(self, request: Request) -> bytes:
        lines = [f"{request.method} {self._path} HTTP/1.1", f"Host: {self._target.authority}"]
        lines += [f"{name}: {value}" for name, value in request.headers.items()]
        lines += [f"Content-Length: {len(request.body)}", "", ""]
        return "\r\n".join(lines).encode("latin-1") + request.body
