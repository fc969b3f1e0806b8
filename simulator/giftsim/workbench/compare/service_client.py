"""HTTP calls to the service: TLS is verified, redirects are not followed, and a failure ends the comparison."""

from __future__ import annotations

import ssl
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from typing import Any, NamedTuple, Protocol
from urllib.parse import quote

from giftsim import __version__
from giftsim.engine.client.over_http import exchange, with_content_type
from giftsim.engine.client.response import Response
from giftsim.workbench.compare.called_operation import CalledOperation, Contracts, parse_call
from giftsim.workbench.compare.credentials import Credentials
from giftsim.workbench.compare.target import Base, CannotCompare


class WallClock(Protocol):
    """A clock that never goes back, and a way to let time pass, as `system_clock` has them; both in seconds."""

    def monotonic(self) -> float:
        """The seconds on the clock."""

    def pause(self, span_s: float) -> None:
        """Wait this many seconds."""


class Pace:
    """Leaves at least `1 / per_second` between the starts of two calls."""

    def __init__(self, per_second: float, clock: WallClock) -> None:
        self._gap_s, self._clock = 1 / per_second, clock
        self._next_s: float | None = None

    def wait(self) -> None:
        """Wait until the next call may start."""
        now_s = self._clock.monotonic()
        if self._next_s is not None and now_s < self._next_s:
            self._clock.pause(self._next_s - now_s)
            now_s = self._next_s
        self._next_s = now_s + self._gap_s


MAX_BYTES = 16 * 1024 * 1024
LONGEST_WAIT_S = 60.0
TOO_MANY = 429
OF_SIMULATOR = "x-sim-"  # headers that only giftsim reads
SAFE = "/?:@!$&'()*+,;=%~"


class KeptExchange(NamedTuple):
    """A call to a service with its answer; `started_s` is on the machine's monotonic clock."""

    started_s: float
    took_s: float
    method: str
    url: str
    headers: Mapping[str, str]
    body: bytes
    response: Response


@dataclass
class ServiceClient:
    """Calls a service; a client for the machinery of scenarios.

    `calls` counts the calls that were made, `took_s` is how long the last one took.
    """

    bases: Mapping[str, Base]
    contracts: Contracts
    credentials: Credentials
    pace: Pace
    clock: WallClock
    timeout_s: float
    allow_simulator: bool = False
    calls: int = 0
    took_s: float = 0.0
    kept: list[KeptExchange] | None = None  # all calls so far, if they are wanted
    tls: ssl.SSLContext = field(default_factory=ssl.create_default_context)

    def call(self, method: str, path: str, *, body: Any = None, headers: Mapping[str, str] | None = None) -> Response:
        """Make one call; after a 429 wait as it says, and make it once more. CannotCompare if nothing answers."""
        called = parse_call(self.contracts, method, path)
        if called is None or called.interface not in self.bases:
            raise CannotCompare(f"{method} {path} is not a call to an interface that has a --target")
        base = self.bases[called.interface]
        response = self._exchange(base, called, body, headers or {})
        if response.status == TOO_MANY:
            self.clock.pause(self._retry_after(base, response))
            response = self._exchange(base, called, body, headers or {})
            if response.status == TOO_MANY:
                raise CannotCompare(f"{base.origin} limits calls (429): slow down with --calls-per-second")
        if response.headers.get("server") == "giftsim" and not self.allow_simulator:
            raise CannotCompare(
                f"{base.origin} is giftsim itself, which shows nothing about the service; to compare two simulators "
                "all the same, add --allow-simulator"
            )
        return response

    def _retry_after(self, base: Base, response: Response) -> float:
        text = response.headers.get("retry-after", "1")
        wait_s = float(text) if text.isdecimal() else 1.0
        if wait_s > LONGEST_WAIT_S:
            raise CannotCompare(f"{base.origin} limits calls (429), and asks to wait {wait_s:,.0f} s: try again later")
        return wait_s

    def _exchange(self, base: Base, called: CalledOperation, body: Any, headers: Mapping[str, str]) -> Response:
        content, sent = with_content_type(body, _sent(headers))
        self.pace.wait()
        self.calls += 1
        started_s = self.clock.monotonic()
        target = quote(base.path + called.below, safe=SAFE)
        try:
            with closing(self._connection(base)) as connection:
                response = exchange(connection, called.method, target, content, sent, max_bytes=MAX_BYTES)
        except TimeoutError:
            raise self._failure(base, called, f"did not answer within {self.timeout_s:g} s; see --timeout") from None
        except ssl.SSLError as error:
            reason = getattr(error, "verify_message", None) or error.reason or str(error)
            raise self._failure(base, called, f"could not be verified: {reason}") from None
        except (OSError, HTTPException, ValueError) as error:
            reason = getattr(error, "strerror", None) or str(error) or type(error).__name__
            raise self._failure(base, called, f"gave no answer: {reason}") from None
        self.took_s = self.clock.monotonic() - started_s
        if self.kept is not None:
            url = f"{base.origin}{target}"
            self.kept.append(
                KeptExchange(started_s, self.took_s, called.method, url, dict(sent), content or b"", response)
            )
        return response

    def _failure(self, base: Base, called: CalledOperation, what: str) -> CannotCompare:
        return CannotCompare(self.credentials.hide(f"call {self.calls}, {called.route}: {base.origin} {what}"))

    def _connection(self, base: Base) -> HTTPConnection:
        if base.scheme == "https":
            return HTTPSConnection(base.host, base.port, timeout=self.timeout_s, context=self.tls)
        return HTTPConnection(base.host, base.port, timeout=self.timeout_s)


def _sent(headers: Mapping[str, str]) -> dict[str, str]:
    """The headers without those that only giftsim reads."""
    kept = {name: value for name, value in headers.items() if not name.lower().startswith(OF_SIMULATOR)}
    return {"User-Agent": f"giftsim/{__version__} compare", **kept}
