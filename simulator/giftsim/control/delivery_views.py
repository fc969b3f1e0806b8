"""Receivers, deliveries and attempts as JSON, with the retry ladder and the signature taken apart."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from hmac import compare_digest
from typing import Any

import msgspec

from giftsim.control.kinds import EVENT, event_ref
from giftsim.control.redaction import REDACTED, redact_text
from giftsim.domain.money.account import ACCOUNTS, owning_account
from giftsim.kernel.instants import DAY, HOUR, MINUTE, format_instant, instant_or_null
from giftsim.kernel.placeholders import fill
from giftsim.kernel.state import State
from giftsim.webhooks import attempt_log
from giftsim.webhooks.attempt import LADDER, NO_DELIVERY, WIRE_TIMING, Attempt
from giftsim.webhooks.delivery import DEAD, DELIVERED, DELIVERY, LADDER_MS, PENDING, Delivery
from giftsim.webhooks.endpoint import ENABLED, ENDPOINT, Endpoint
from giftsim.webhooks.event import Event, encode_body
from giftsim.webhooks.event_status import WAITING, deliveries_of, status_of
from giftsim.webhooks.fan_out import HOURLY_RUN_OWNER, HOURLY_RUN_TIMER
from giftsim.webhooks.receiver_script import find_answer
from giftsim.webhooks.signature import HEADER, TOLERANCE_S, digest
from giftsim.webhooks.signed_request import is_key_missing
from giftsim.worlds import system_clock
from giftsim.worlds.world import World

RUNGS = len(LADDER_MS) + 1


class Rung(msgspec.Struct, frozen=True, gc=False):
    """A rung still to come: its number from 1, its instant if that is known, and why it is made then."""

    rung: int
    at_ms: int | None
    because: str


def rungs_tried(delivery: Delivery, attempts: Sequence[Attempt]) -> Mapping[int, int]:
    """The rung of each attempt of the ladder, by the attempts' slots. `attempts` are the delivery's, in order."""
    own = [attempt for attempt in attempts if attempt.mark == LADDER]
    if not own:
        return {}
    is_failed = own[-1].outcome not in (None, DELIVERED)
    last = delivery.failures if is_failed else delivery.failures + 1
    return {attempt.n: last - i for i, attempt in enumerate(reversed(own))}


def planned_rungs(state: State, delivery: Delivery, attempts: Sequence[Attempt]) -> list[Rung]:
    """The rungs still to come if every attempt fails. A delivery that is over has none."""
    if delivery.status != PENDING:
        return []
    current = next((a for a in reversed(attempts) if a.mark == LADDER and a.outcome is None), None)
    number = delivery.failures + 1
    if current is not None:
        return list(_later(number, current.at_ms))
    first = Rung(number, delivery.next_attempt_ms, _reason(state, delivery))
    return [first, *_later(number, first.at_ms)]


def rungs_of_waiting(state: State) -> list[Rung]:
    """The rungs of an event that waits for the hourly run."""
    due = next((timer for timer in state.timers.owned(HOURLY_RUN_OWNER, 0) if timer.kind == HOURLY_RUN_TIMER), None)
    first = Rung(1, None if due is None else due.due_ms, "the hourly run sends new events")
    return [first, *_later(1, first.at_ms)]


def gives_up_ms(planned: Sequence[Rung], delivery: Delivery, attempts: Sequence[Attempt]) -> int | None:
    """When the delivery is dead if every attempt fails, or was; None if it cannot be, or the instant is open."""
    if planned:
        return planned[-1].at_ms
    own = [attempt for attempt in attempts if attempt.mark == LADDER]
    if own and (delivery.status == DEAD or own[-1].outcome is None):
        return own[-1].at_ms
    return None


def _later(number: int, at_ms: int | None) -> Iterator[Rung]:
    """The rungs after number `number`, made at `at_ms`."""
    for failures in range(number, RUNGS):
        delay_ms = LADDER_MS[failures - 1]
        at_ms = None if at_ms is None else at_ms + delay_ms
        yield Rung(failures + 1, at_ms, f"{_span(delay_ms)} after rung {failures}, if that fails")


def _reason(state: State, delivery: Delivery) -> str:
    if delivery.held_by:
        return f"the fault {delivery.held_by} postpones it until another delivery overtakes it, for at most an hour"
    if is_key_missing(state):
        return "there is no signing key; it is made as soon as there is one"
    if not delivery.failures:
        return "the first attempt"
    return f"{_span(LADDER_MS[delivery.failures - 1])} after rung {delivery.failures}, which failed"


def _span(delay_ms: int) -> str:
    for unit_ms, name in ((DAY, "day"), (HOUR, "hour"), (MINUTE, "minute")):
        if delay_ms >= unit_ms:
            count = delay_ms // unit_ms
            return f"{count} {name}{'' if count == 1 else 's'}"
    raise ValueError(f"a delay of {delay_ms} ms is shorter than a minute")


class SignatureSteps(msgspec.Struct, frozen=True, gc=False):
    """What a receiver computes: `t` and `v1` of the header, the text that is signed, and its digest with the secret.

    `age_s` is how old the signature was when it was sent. `accepted` says whether a receiver has to take the webhook.
    """

    header: str
    timestamp: int
    given: str
    signed_text: str
    expected: str
    matches: bool
    age_s: int
    tolerance_s: int
    accepted: bool


def check_signature(header: str, secret: str, body: bytes, sent_s: int) -> SignatureSteps:
    """The steps for a header of our own, `t=<seconds>,v1=<digest>`, sent at `sent_s`."""
    members = dict(part.split("=", 1) for part in header.split(","))
    timestamp, given = int(members["t"]), members["v1"]
    expected, age_s = digest(secret, timestamp, body), sent_s - timestamp
    matches = compare_digest(given, expected)
    accepted = matches and abs(age_s) <= TOLERANCE_S
    text = f"{timestamp}.{body.decode()}"
    return SignatureSteps(header, timestamp, given, text, expected, matches, age_s, TOLERANCE_S, accepted)


MASKED_SECRET = f"whsec_{REDACTED}"


def event_view(world: World, state: State, event: Event) -> dict[str, Any]:
    """An event. `data` is the `data` of its webhooks, or null if no endpoint was subscribed."""
    account = owning_account(event.owner)
    data = None if event.data is None else fill(event.data, world.runtime.origin, world.id)
    return {
        "seq": event.n + 1,
        "id": event.id,
        "type": event.kind,
        "account_id": None if account is None else state[ACCOUNTS].get(account).id,
        "at": format_instant(event.occurred_ms),
        "created_at": instant_or_null(event.created_ms),
        "subject": EVENT.label_of(state, event.n),
        "about": event_ref(state, event),
        "facts": dict(event.facts),
        "audience": len(event.audience),
        "status": status_of(event, deliveries_of(state, event)),
        "data": None if data is None else msgspec.json.decode(data),
    }


def event_detail(world: World, state: State, event: Event) -> dict[str, Any]:
    """An event with its attempts and the rungs to come, for each endpoint that gets it."""
    deliveries, attempts = deliveries_of(state, event), attempt_log.attempts_of(state, event)
    if status_of(event, deliveries) == WAITING:
        endpoints = [state[ENDPOINT].get(n) for n in event.audience]
        shown = [_waiting(state, endpoint) for endpoint in endpoints if endpoint.status == ENABLED]
    else:
        shown = [_delivery(state, row, [a for a in attempts if a.delivery == row.n]) for row in deliveries]
    pings = [_attempt(attempt, None) for attempt in attempts if attempt.delivery == NO_DELIVERY]
    body = fill(encode_body(event), world.runtime.origin, world.id).decode()
    return {**event_view(world, state, event), "body": body, "deliveries": shown, "pings": pings}


def delivery_detail(world: World, state: State, attempt: Attempt) -> dict[str, Any]:
    """An attempt with what answered it, how long that took, and its signature step by step."""
    wall_s = int(system_clock.seconds())
    view = attempt_log.attempt_view(state, attempt, lambda stored: fill(stored, world.runtime.origin, world.id), wall_s)
    wire = state[WIRE_TIMING].find("attempt", attempt.n)
    endpoint = state[ENDPOINT].get(attempt.endpoint)
    return {
        **view,
        "endpoint": endpoint.id,
        "rung": _rung(state, attempt),
        "took_ms": wire and wire.took_ms,
        "answer": _answer(state, attempt),
        "signature": signature(view, endpoint.secret, attempt_log.signed_s(state, attempt, wall_s)),
    }


def signature(view: Any, secret: str, sent_s: int) -> dict[str, Any]:
    """The steps of verifying the request of an attempt with a secret, which is not shown."""
    request = view["request"]
    steps: SignatureSteps = check_signature(request["headers"][HEADER], secret, request["body"].encode(), sent_s)
    return {**msgspec.to_builtins(steps), "signed_at": format_instant(steps.timestamp * 1000), "secret": MASKED_SECRET}


def _rung(state: State, attempt: Attempt) -> int | None:
    if attempt.delivery == NO_DELIVERY:
        return None
    every = attempt_log.attempts_of(state, state[EVENT.table].get(attempt.event))
    own = [other for other in every if other.delivery == attempt.delivery]
    return rungs_tried(state[DELIVERY].get(attempt.delivery), own).get(attempt.n)


def _answer(state: State, attempt: Attempt) -> dict[str, Any] | None:
    answer = find_answer(state, attempt.n)
    if answer is None:
        return None
    return {"body": redact_text(answer.body.decode("utf-8", "replace")), "cut": answer.cut}


def _waiting(state: State, endpoint: Endpoint) -> dict[str, Any]:
    """What an endpoint will get, before there is a delivery."""
    return {
        **_endpoint(endpoint),
        "status": WAITING,
        "created_at": None,
        "failures": 0,
        "attempts": [],
        **_plan(rungs_of_waiting(state), None),
    }


def _delivery(state: State, delivery: Delivery, attempts: Sequence[Attempt]) -> dict[str, Any]:
    planned, rungs = planned_rungs(state, delivery, attempts), rungs_tried(delivery, attempts)
    ends_ms = gives_up_ms(planned, delivery, attempts)
    return {
        **_endpoint(state[ENDPOINT].get(delivery.endpoint)),
        "status": delivery.status,
        "created_at": format_instant(delivery.created_ms),
        "failures": delivery.failures,
        "attempts": [_attempt(attempt, rungs.get(attempt.n)) for attempt in attempts],
        **_plan(planned, ends_ms),
    }


def _endpoint(endpoint: Endpoint) -> dict[str, Any]:
    return {"endpoint": endpoint.id, "url": endpoint.url, "host": endpoint.host, "endpoint_status": endpoint.status}


def _plan(planned: Sequence[Rung], ends_ms: int | None) -> dict[str, Any]:
    ends_ms = planned[-1].at_ms if planned else ends_ms
    rungs = [{"rung": rung.rung, "at": instant_or_null(rung.at_ms), "because": rung.because} for rung in planned]
    return {"planned": rungs, "dead_at": instant_or_null(ends_ms)}


def _attempt(attempt: Attempt, rung: int | None) -> dict[str, Any]:
    return {
        "seq": attempt.seq,
        "at": format_instant(attempt.at_ms),
        "attempt": attempt.number,
        "rung": rung,
        "mark": attempt.mark or None,
        "fault": attempt.fault or None,
        "outcome": attempt.outcome,
        "status": attempt.status,
    }
