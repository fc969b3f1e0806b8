"""Attempts: a bounded log of every request to an endpoint and its outcome; the oldest are dropped first (G11, G24)."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import islice

import msgspec

from giftsim.engine.kernel.index import Derived, Partitioned
from giftsim.engine.kernel.instants import SECOND, format_instant, instant_or_null
from giftsim.engine.kernel.state import State
from giftsim.engine.kernel.table import Record, TableSpec
from giftsim.engine.problem import Problem
from giftsim.engine.webhooks.delivery import DELIVERY
from giftsim.engine.webhooks.endpoint import ENDPOINT
from giftsim.engine.webhooks.event import EVENT, Event, encode_body
from giftsim.engine.webhooks.outgoing import DELIVERED, OUTCOMES, signature_header, unsigned_headers
from giftsim.engine.webhooks.receiver_script import forget_answer
from giftsim.engine.webhooks.signature import HEADER
from giftsim.engine.webhooks.trace_context import trace_headers
from giftsim.engine.webhooks.webhook_settings import ATTEMPTS_KEPT, SIGNATURE_TIME

DROPPED = "webhooks.attempts_dropped"

NO_DELIVERY = -1

# Why an attempt was made: "" by the retry ladder; the others do not change when the ladder continues.
LADDER, RESEND, DUPLICATE, PING = "", "resend", "duplicate", "ping"


class Attempt(Record, frozen=True, gc=False):
    """One request, number `number` of its delivery; a ping has none (`NO_DELIVERY`).

    `delivery`, `event` and `endpoint` are slots. `outcome` is None while the attempt is in flight. `next_ms` is when
    the ladder's next attempt follows. `effect` is the effect of a fault on this attempt, `fault` the fault's name.
    """

    delivery: int
    event: int
    endpoint: int
    at_ms: int
    number: int
    kind: str
    host: str
    outcome: str | None = None
    status: int | None = None
    next_ms: int | None = None
    mark: str = LADDER
    effect: str = ""
    fault: str = ""

    @property
    def seq(self) -> int:
        return self.n + 1


class AttemptNotFound(Problem, status=404, code="delivery_not_found"):
    """No attempt has that number."""


class WireTiming(Record, frozen=True, gc=False):
    """When a forwarded attempt was signed and how long it took; not part of the world's fingerprint (G6)."""

    attempt: int
    signed_s: int
    took_ms: int


class AppAnswer(msgspec.Struct, frozen=True, gc=False):
    """An app's answer to an attempt (a slot) that a test passed on to it.

    It belongs to those who look, and not to the state: nothing in the world follows from it (G349). `at_ms` is the
    world's time at the answer, `took_ms` real time.
    """

    attempt: int
    status: int
    body: str = ""
    at_ms: int = 0
    took_ms: int | None = None


def _in_flight(attempt: Attempt) -> str | None:
    return "all" if attempt.outcome is None else None


ATTEMPT: TableSpec[Attempt] = TableSpec(
    "webhooks.attempt",
    Attempt,
    groups={"kind": Partitioned("kind"), "host": Partitioned("host")},  # the oldest are dropped
    moving={"in_flight": Partitioned(Derived(("outcome",), _in_flight))},
)
WIRE_TIMING: TableSpec[WireTiming] = TableSpec("webhooks.wire", WireTiming, unique={"attempt": "attempt"}, hashed=False)


def log_attempt(state: State, attempt: Attempt) -> Attempt:
    """Add an attempt to the log. The oldest are dropped beyond the limit, up to the first that is in flight."""
    table = state[ATTEMPT]
    table.add(attempt)
    dropped = state.counter(DROPPED)
    if table.next_n - dropped > state.setting(ATTEMPTS_KEPT):
        while table.next_n - dropped > state.setting(ATTEMPTS_KEPT) and table.get(dropped).outcome is not None:
            _drop(state, dropped)
            dropped += 1
        state.set_counter(DROPPED, dropped)
    return attempt


def find_attempt(state: State, seq: int) -> Attempt:
    """The attempt of that public number; AttemptNotFound."""
    attempt = state[ATTEMPT].at(seq - 1)
    if attempt is None:
        raise AttemptNotFound(f"There is no delivery {seq}, or the log dropped it because it was full.")
    return attempt


def in_flight(state: State) -> list[Attempt]:
    """The attempts without an outcome yet, in order."""
    return state[ATTEMPT].rows_in("in_flight", "all")


def _drop(state: State, n: int) -> None:
    state[ATTEMPT].drop(n)
    if wire := state[WIRE_TIMING].find("attempt", n):
        state[WIRE_TIMING].drop(wire.n)
    forget_answer(state, n)


Fill = Callable[[bytes], bytes]


FAILED, IN_FLIGHT = "failed", "in_flight"


class AttemptFilter(msgspec.Struct, frozen=True, gc=False):
    """Which attempts to list: by number, type, host, event and endpoint (slots), and outcome; None means any.

    The outcome may also be `failed` (any but delivered) or `in_flight`. With `newest`, the newest are first.
    """

    after: int | None = None
    before: int | None = None
    newest: bool = False
    kind: str | None = None
    host: str | None = None
    event: int | None = None
    endpoint: int | None = None
    outcome: str | None = None


class Page(msgspec.Struct, frozen=True, gc=False):
    """Attempts in order, and the value of `after` (or `before`) for the next page; None on the last."""

    attempts: tuple[Attempt, ...]
    next: int | None


class DeliveriesDropped(Problem, status=409, code="deliveries_dropped"):
    """The log was full and dropped the attempts asked for."""


def list_attempts(
    state: State, wanted: AttemptFilter, limit: int = 100, keep: Callable[[Attempt], bool] | None = None
) -> Page:
    """Attempts above `after` that are kept, by default from the oldest there is; DeliveriesDropped below that (G11)."""
    dropped = state.counter(DROPPED)
    first = dropped if wanted.after is None else wanted.after
    if first < dropped:
        raise DeliveriesDropped(
            f"Deliveries up to {dropped} were dropped. The first kept is {dropped + 1}: ask for after={dropped}."
        )
    attempts = tuple(islice(filter(keep, _matching(state, wanted, first)), limit + 1))
    has_more = len(attempts) > limit
    return Page(attempts[:limit], attempts[limit - 1].seq if has_more else None)


def count_outcomes(state: State) -> dict[str, int]:
    """The number of kept attempts with each outcome, and of those in flight."""
    counted = Counter(attempt.outcome or IN_FLIGHT for attempt in state[ATTEMPT])
    return {outcome: counted[outcome] for outcome in (*OUTCOMES, IN_FLIGHT)}


def attempts_of(state: State, event: Event) -> list[Attempt]:
    """The attempts of an event that are kept, in order."""
    first = _first_since(state, state.counter(DROPPED), event.occurred_ms)
    rows = state[ATTEMPT].rows[first:]
    return [attempt for attempt in rows if attempt is not None and attempt.event == event.n]


def attempt_view(state: State, attempt: Attempt, fill: Fill, wall_s: int) -> dict[str, object]:
    """The attempt as JSON. `fill` replaces placeholders in stored bytes; `wall_s` is the time on the wall clock."""
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
    value = signature_header(endpoint.secret, sent_s, payload, attempt.effect)
    return {
        "headers": {
            **dict(unsigned_headers(event, endpoint.host, endpoint.port)),
            **dict(trace_headers(state, attempt.event, attempt.n)),
            HEADER: value,
        },
        "body": payload.decode(),
    }


def signed_s(state: State, attempt: Attempt, wall_s: int) -> int:
    """The unix second when an attempt was signed: by the courier, the wall clock or the world's clock (B46)."""
    if wire := state[WIRE_TIMING].find("attempt", attempt.n):
        return wire.signed_s
    return wall_s if state.setting(SIGNATURE_TIME) == "wall" else attempt.at_ms // SECOND


def _matching(state: State, wanted: AttemptFilter, first: int) -> Iterator[Attempt]:
    table = state[ATTEMPT]
    end = table.next_n if wanted.before is None else min(table.next_n, wanted.before - 1)
    if wanted.event is not None:
        first = max(first, _first_since(state, first, state[EVENT].get(wanted.event).occurred_ms))
    kind, host, event, endpoint, outcome = wanted.kind, wanted.host, wanted.event, wanted.endpoint, wanted.outcome
    for n in _slots(state, first, end, wanted):
        attempt = table.get(n)
        if event is not None and attempt.event != event:
            continue
        if outcome is not None and not _has_outcome(attempt, outcome):
            continue
        if kind in (None, attempt.kind) and host in (None, attempt.host) and endpoint in (None, attempt.endpoint):
            yield attempt


def _first_since(state: State, first: int, at_ms: int) -> int:
    """The slot of the first attempt made at an instant or later. Attempts are in order of time."""
    table = state[ATTEMPT]
    return bisect_left(range(table.next_n), at_ms, first, key=lambda n: table.get(n).at_ms)


def _has_outcome(attempt: Attempt, outcome: str) -> bool:
    if outcome == FAILED:
        return attempt.outcome not in (None, DELIVERED)
    return (attempt.outcome or IN_FLIGHT) == outcome


def _slots(state: State, first: int, end: int, wanted: AttemptFilter) -> Iterator[int]:
    """Slots from `first` to before `end`, with the type or host and in the order of the filter."""
    slots: Sequence[int] = range(min(first, end), end)
    if wanted.host is not None or wanted.kind is not None:
        group, key = ("kind", wanted.kind) if wanted.host is None else ("host", wanted.host)
        slots = state[ATTEMPT].slots_between(group, str(key), first, end)
    return reversed(slots) if wanted.newest else iter(slots)
