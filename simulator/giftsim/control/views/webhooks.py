"""Events with their deliveries, and deliveries with their answers and signatures, as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from giftsim.control.labels import event_label
from giftsim.control.redaction import REDACTED, redact_text
from giftsim.control.subjects import event_about
from giftsim.domain.money.account import ACCOUNTS
from giftsim.kernel.instants import format_instant, instant_or_null
from giftsim.kernel.placeholders import fill
from giftsim.kernel.state import State
from giftsim.webhooks import inbox
from giftsim.webhooks.attempt import NO_DELIVERY, WIRE_TIMING, Attempt
from giftsim.webhooks.delivery import DELIVERY, Delivery
from giftsim.webhooks.endpoint import ENABLED, ENDPOINT, Endpoint
from giftsim.webhooks.event import EVENT, Event, encode_body
from giftsim.webhooks.event_status import WAITING, deliveries_of, status_of
from giftsim.webhooks.ladder import Rung, gives_up_ms, planned_rungs, rungs_of_waiting, rungs_tried
from giftsim.webhooks.receiver_answer import find_answer
from giftsim.webhooks.signature import HEADER
from giftsim.webhooks.signature_check import SignatureSteps, check_signature
from giftsim.worlds import system_clock
from giftsim.worlds.world import World

MASKED_SECRET = f"whsec_{REDACTED}"


def event_view(world: World, state: State, event: Event) -> dict[str, Any]:
    """An event. `data` is the `data` of its webhooks, or null if no endpoint was subscribed."""
    owner, _, slot = event.owner.partition(" ")
    data = None if event.data is None else fill(event.data, world.runtime.origin, world.id)
    return {
        "seq": event.n + 1,
        "id": event.id,
        "type": event.kind,
        "account_id": state[ACCOUNTS].get(int(slot)).id if owner == "account" else None,
        "at": format_instant(event.occurred_ms),
        "created_at": instant_or_null(event.created_ms),
        "subject": event_label(state, event),
        "about": event_about(state, event),
        "facts": dict(event.facts),
        "audience": len(event.audience),
        "status": status_of(event, deliveries_of(state, event)),
        "data": None if data is None else msgspec.json.decode(data),
    }


def event_detail(world: World, state: State, event: Event) -> dict[str, Any]:
    """An event with its attempts and the rungs to come, for each endpoint that gets it."""
    deliveries, attempts = deliveries_of(state, event), inbox.attempts_of(state, event)
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
    view = inbox.attempt_view(state, attempt, lambda stored: fill(stored, world.runtime.origin, world.id), wall_s)
    wire = state[WIRE_TIMING].find("attempt", attempt.n)
    endpoint = state[ENDPOINT].get(attempt.endpoint)
    return {
        **view,
        "endpoint": endpoint.id,
        "rung": _rung(state, attempt),
        "took_ms": wire and wire.took_ms,
        "answer": _answer(state, attempt),
        "signature": signature(view, endpoint.secret, inbox.signed_s(state, attempt, wall_s)),
    }


def signature(view: Any, secret: str, sent_s: int) -> dict[str, Any]:
    """The steps of verifying the request of an attempt with a secret, which is not shown."""
    request = view["request"]
    steps: SignatureSteps = check_signature(request["headers"][HEADER], secret, request["body"].encode(), sent_s)
    return {**msgspec.to_builtins(steps), "signed_at": format_instant(steps.timestamp * 1000), "secret": MASKED_SECRET}


def _rung(state: State, attempt: Attempt) -> int | None:
    if attempt.delivery == NO_DELIVERY:
        return None
    every = inbox.attempts_of(state, state[EVENT].get(attempt.event))
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
        **_endpoint(endpoint), "status": WAITING, "created_at": None, "failures": 0, "attempts": [],
        **_plan(rungs_of_waiting(state), None),
    }  # fmt: skip


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
        "seq": attempt.seq, "at": format_instant(attempt.at_ms), "attempt": attempt.number, "rung": rung,
        "mark": attempt.mark or None, "fault": attempt.fault or None, "outcome": attempt.outcome,
        "status": attempt.status,
    }  # fmt: skip
