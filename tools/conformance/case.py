"""What a case sends, what the RFC demands, and which outcomes do what it demands."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from tools.conformance.exchange import NEXT, Observed, exchange

MUST, SHOULD, MAY = "MUST", "SHOULD", "MAY"
LOCALHOST = b"Host: localhost"
UNKNOWN = "?"  # what a server without an application says of the body
Holds = Callable[[Observed], bool]


class Case(NamedTuple):
    """One case. `rule` is a section of an RFC, and `demands` what it says with `level`.

    `sends` is a request, or pieces of one. After it the client sends another request, for `/next`, unless it is
    `alone` or `half_closes`. `accepts` has the outcomes that do what is demanded. `differs` says why ours does not.
    """

    name: str
    rule: str
    level: str
    demands: str
    sends: bytes | tuple[bytes, ...]
    accepts: tuple[Holds, ...]
    differs: str = ""
    alone: bool = False
    half_closes: bool = False
    waits: bool = False

    def run(self, port: int, quiet_s: float) -> Observed:
        """Send the case to a server."""
        pieces = (self.sends,) if isinstance(self.sends, bytes) else self.sends
        if not (self.alone or self.half_closes):
            pieces = (*pieces[:-1], pieces[-1] + NEXT)
        return exchange(port, pieces, quiet_s, half_closes=self.half_closes, waits=self.waits)

    def is_met(self, observed: Observed) -> bool:
        """Whether an outcome does what is demanded."""
        return not observed.garbage and any(holds(observed) for holds in self.accepts)


def request(*fields: bytes, start: bytes = b"GET /case HTTP/1.1", host: bytes | None = LOCALHOST) -> bytes:
    """A request without a body, or the header of one with a body."""
    return b"".join(line + b"\r\n" for line in (start, *((host,) if host is not None else ()), *fields)) + b"\r\n"


def post(*fields: bytes, body: bytes = b"", version: bytes = b"1.1") -> bytes:
    """A POST request."""
    return request(*fields, start=b"POST /case HTTP/" + version) + body


def chunked(body: bytes, *fields: bytes) -> bytes:
    """A POST request whose body is written in chunks."""
    return post(b"Transfer-Encoding: chunked", *fields, body=body)


# Outcomes.


def refused(*statuses: int) -> Holds:
    """One error, of these statuses if any are given, after which the connection is closed."""

    def holds(observed: Observed) -> bool:
        return observed.is_closed and not observed.is_next_served and rejected(*statuses)(observed)

    return holds


def rejected(*statuses: int) -> Holds:
    """One error, of these statuses if any are given. The connection may go on."""

    def holds(observed: Observed) -> bool:
        [status] = observed.statuses if len(observed.statuses) == 1 else [0]
        return status in statuses if statuses else status >= 400

    return holds


def served(**seen: str) -> Holds:
    """Answered, with the request after it. `seen` is what the application must have seen, if it says what it saw."""

    def holds(observed: Observed) -> bool:
        return observed.is_next_served and observed.statuses == [200] and _has_seen(observed, seen)

    return holds


def served_and_closed(**seen: str) -> Holds:
    """Answered, and closed before the request after it."""

    def holds(observed: Observed) -> bool:
        is_last = observed.is_closed and not observed.is_next_served
        return is_last and observed.statuses == [200] and _has_seen(observed, seen)

    return holds


def _has_seen(observed: Observed, expected: dict[str, str]) -> bool:
    seen = observed.own[-1].seen
    known = {name: value for name, value in expected.items() if seen.get(name) != UNKNOWN}
    return all(name in seen and seen[name] == value for name, value in known.items())


def either(**seen: str) -> tuple[Holds, ...]:
    """Answered, and the connection goes on or not."""
    return (served(**seen), served_and_closed(**seen))


def answers(*statuses: int) -> Holds:
    """Exactly these statuses, and the request after them is served."""
    return lambda observed: observed.is_next_served and observed.statuses == list(statuses)


def ends_with(*statuses: int) -> Holds:
    """Exactly these statuses, then the end."""
    return lambda observed: observed.is_closed and observed.statuses == list(statuses) and not observed.is_next_served


def closed(observed: Observed) -> bool:
    """Closed without an answer."""
    return observed.is_closed and not observed.responses


def unserved(observed: Observed) -> bool:
    """Nothing is served: an error, the end, or a wait for the rest."""
    return not observed.is_next_served and all(status >= 400 for status in observed.statuses)
