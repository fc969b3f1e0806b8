"""The inbox: reads the attempts of a world with their requests, for the control API (G11, G24)."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator
from itertools import islice

import msgspec

from giftsim.kernel.instants import SECOND, format_instant, instant_or_null
from giftsim.kernel.state import State
from giftsim.problem import Problem
from giftsim.webhooks.attempt import ATTEMPT, BUCKET_BITS, DROPPED, NO_DELIVERY, WIRE_TIMING, Attempt
from giftsim.webhooks.delivery import DELIVERY
from giftsim.webhooks.endpoint import ENDPOINT
from giftsim.webhooks.event import EVENT, encode_body
from giftsim.webhooks.settings import SIGNATURE_TIME
from giftsim.webhooks.signature import HEADER
from giftsim.webhooks.signed_request import headers, signature

Fill = Callable[[bytes], bytes]


class Page(msgspec.Struct, frozen=True, gc=False):
    """Attempts in order, and the value of `after` for the next page, or None at the end."""

    attempts: tuple[Attempt, ...]
    next: int | None


class DeliveriesDropped(Problem):
    """The log was full and dropped the attempts asked for."""

    status = 409
    code = "deliveries_dropped"


def list_attempts(
    state: State, *, after: int | None = None, limit: int = 100, kind: str | None = None, host: str | None = None
) -> Page:
    """Attempts with a `seq` above `after`, by default from the oldest kept; DeliveriesDropped below that (G11)."""
    dropped = state.counter(DROPPED)
    first = dropped if after is None else after
    if first < dropped:
        raise DeliveriesDropped(
            f"Deliveries up to {dropped} were dropped. The first kept is {dropped + 1}: ask for after={dropped}."
        )
    attempts = tuple(islice(_matching(state, first, kind, host), limit + 1))
    has_more = len(attempts) > limit
    return Page(attempts[:limit], attempts[limit - 1].seq if has_more else None)


def attempt_view(state: State, attempt: Attempt, fill: Fill, wall_s: int) -> dict[str, object]:
    """The attempt as JSON; `fill` replaces placeholders in stored bytes, `wall_s` is the wall clock now."""
    return {
        "seq": attempt.seq,
        "at": format_instant(attempt.at_ms),
        "url": state[ENDPOINT].get(attempt.endpoint).url,
        "event_id": state[EVENT].get(attempt.event).id,
        "type": attempt.kind,
        "attempt": attempt.number,
        "mark": attempt.mark or None,
        "fault": attempt.fault or None,
        "request": request_view(state, attempt, fill, signed_s(state, attempt, wall_s)),
        "outcome": attempt.outcome,
        "status": attempt.status,
        "next_attempt_at": instant_or_null(attempt.next_ms),
        "delivery": None if attempt.delivery == NO_DELIVERY else state[DELIVERY].get(attempt.delivery).status,
    }


def request_view(state: State, attempt: Attempt, fill: Fill, sent_s: int) -> dict[str, object]:
    """`{headers, body}` signed as of `sent_s`; signed as of now, it passes any verifier (G24)."""
    endpoint, event = state[ENDPOINT].get(attempt.endpoint), state[EVENT].get(attempt.event)
    payload = fill(encode_body(event))
    value = signature(endpoint.secret, sent_s, payload, attempt.effect)
    return {"headers": {**dict(headers(event, endpoint.host, endpoint.port)), HEADER: value}, "body": payload.decode()}


def signed_s(state: State, attempt: Attempt, wall_s: int) -> int:
    """The unix second at which an attempt was signed: by the courier, the wall clock or the world's clock (B46)."""
    if wire := state[WIRE_TIMING].find("attempt", attempt.n):
        return wire.signed_s
    return wall_s if state.setting(SIGNATURE_TIME) == "wall" else attempt.at_ms // SECOND


def _matching(state: State, first: int, kind: str | None, host: str | None) -> Iterator[Attempt]:
    table = state[ATTEMPT]
    for n in _slots(state, first, kind, host):
        attempt = table.get(n)
        if kind in (None, attempt.kind) and host in (None, attempt.host):
            yield attempt


def _slots(state: State, first: int, kind: str | None, host: str | None) -> Iterator[int]:
    table = state[ATTEMPT]
    if kind is None and host is None:
        yield from range(first, table.next_n)
        return
    group, key = ("kind", kind) if host is None else ("host", host)
    for bucket in range(first >> BUCKET_BITS, (table.next_n >> BUCKET_BITS) + 1):
        slots = table.slots_in(group, f"{key} {bucket}")
        yield from slots[bisect_left(slots, first) :]
