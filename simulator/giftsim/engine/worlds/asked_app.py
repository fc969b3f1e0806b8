"""An app that is asked: it gets each instant by a call, and answers when it wants to act next (G468)."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from giftsim.engine.courier.courier import Courier, CourierClosed
from giftsim.engine.kernel.instants import SECOND, format_exact, format_instant, parse_instant
from giftsim.engine.kernel.texts import one_line
from giftsim.engine.webhooks.forward_targets import parse_target
from giftsim.engine.webhooks.outgoing import TIMEOUT
from giftsim.engine.worlds.app_clock import AppDidNotAct

DO = "/giftsim/do"
ANSWERS_S = 10.0  # real seconds in which an app answers
NOT_OFFERED = (404, 405, 501)
SHOWN = 60  # characters of an answer that a message shows


class AskedApp:
    """The app that takes `POST /giftsim/do {"action": "clock", "now": INSTANT}`, answered by `{"next": INSTANT}`.

    `where()` is its origin and the path, or None while it is not asked. An app that answers 404, 405 or 501 does not
    offer it, and is not asked again. It has `answers_s` real seconds for an answer.
    """

    def __init__(
        self, courier: Courier, where: Callable[[], tuple[str, str] | None], *, answers_s: float = ANSWERS_S
    ) -> None:
        self._courier, self._where, self._answers_s = courier, where, answers_s
        self._refused: tuple[str, str] | None = None  # where an app does not offer it

    def show(self, now_ms: int) -> int | None:
        """Ask the app, and wait for its answer; the instant at which it wants to act next. AppDidNotAct."""
        where = self._where()
        if where is None or where == self._refused:
            return None
        origin, path = where
        try:
            outcome = self._courier.exchange(origin, _request(origin, path, now_ms), self._answers_s)
        except CourierClosed:  # the simulator ends
            return None
        if outcome.status in NOT_OFFERED:
            self._refused = where
            return None
        asked = f"POST {origin}{path} (action clock)"
        if outcome.outcome == TIMEOUT:
            raise AppDidNotAct(
                f"{asked} was not answered within {self._answers_s:g} s: an app that advances the clock in its own"
                " handler cannot answer meanwhile unless another thread or process of it does"
            )
        if outcome.status is None:
            raise AppDidNotAct(f"{asked} got no answer ({outcome.outcome}): start the app before you advance")
        if not 200 <= outcome.status <= 299:
            raise AppDidNotAct(f"{asked} was answered with {outcome.status}; an app that does not offer it answers 501")
        return _next_in(outcome.body, now_ms, asked)


def _request(origin: str, path: str, now_ms: int) -> bytes:
    body = msgspec.json.encode({"action": "clock", "now": format_exact(now_ms)})
    head = (
        f"POST {path} HTTP/1.1\r\nHost: {parse_target(origin).authority}\r\nConnection: close\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    return head.encode() + body


def _next_in(body: bytes, now_ms: int, asked: str) -> int | None:
    """The instant in an answer, which is not before now; None if it has none. AppDidNotAct."""
    try:
        answer = msgspec.json.decode(body) if body.strip() else {}
        if not isinstance(answer, dict):
            raise ValueError(f"{one_line(body[:SHOWN].decode(errors='replace'))} is not an object")
        wanted = answer.get("next")
        if wanted is None:
            return None
        if not isinstance(wanted, str):
            raise ValueError(f"next: {str(wanted)[:SHOWN]} is not an instant like 2027-01-04T09:00:00Z")
        next_ms = parse_instant(wanted[:SHOWN])
    except ValueError as error:  # of msgspec too
        raise AppDidNotAct(f"{asked} was answered with something else than {{next: INSTANT}}: {error}") from None
    if next_ms < now_ms // SECOND * SECOND:
        raise AppDidNotAct(f"{asked} was answered with next: {wanted}, which is before {format_instant(now_ms)}")
    return max(next_ms, now_ms)
