"""Webhook events: what happened, and what became of it at each endpoint."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import Any, TypeVar

import msgspec

from giftsim.engine.control.pagination import NEWEST, rows_of_table
from giftsim.engine.control.retry_ladder import (
    PlannedAttempt,
    gives_up_ms,
    places_in_ladder,
    planned_attempts,
    planned_while_waiting,
)
from giftsim.engine.control.world_access import current_state
from giftsim.engine.gateway.call import Call, Response
from giftsim.engine.gateway.own_kinds import EVENT, event_ref
from giftsim.engine.gateway.simulated_service import service_of
from giftsim.engine.kernel.instants import format_instant, instant_or_null
from giftsim.engine.kernel.placeholders import fill_placeholders
from giftsim.engine.kernel.state import State
from giftsim.engine.provenance.causes import cause_of_event
from giftsim.engine.webhooks.attempt import NO_DELIVERY, Attempt, attempts_of
from giftsim.engine.webhooks.delivery import Delivery
from giftsim.engine.webhooks.endpoint import ENABLED, ENDPOINT, Endpoint
from giftsim.engine.webhooks.event import PING_SUBJECT, Event, encode_body, find_event
from giftsim.engine.webhooks.fan_out import WAITING, EventStatuses, deliveries_of, status_of
from giftsim.engine.worlds.world import World

LOOKED_AT = 50_000  # events at most for one page

Numbered = tuple[int, Event]
T = TypeVar("T")


def list_events(call: Call) -> Response:
    """List webhook events, or those of a type, a status or with a text. A page examines at most LOOKED_AT events."""
    query, world = call.query, call.world
    with current_state(world) as state:
        every = EventStatuses(state) if query["status"] or query["counts"] else None
        counts = every.counts() if every else {}
        found: list[Numbered] = []
        last = None
        if query["status"] is None or counts[query["status"]]:
            found, last = scan(_asked(call, state, every), _filter(call, every), query["limit"], LOOKED_AT)
        rows = [event_view(world, state, event) for _, event in found]
    return Response(200, {"events": rows, "next": last, **({"counts": counts} if query["counts"] else {})})


def get_event(call: Call) -> Response:
    """One event with its attempts and those still to come."""
    with current_state(call.world) as state:
        return Response(200, event_detail(call.world, state, find_event(state, call.params["id"])))


def scan(
    asked: Iterable[tuple[int, T]], keep: Callable[[T], bool], limit: int, most: int
) -> tuple[list[tuple[int, T]], int | None]:
    """The first `limit` rows that are kept among the first `most`, and the number after which the next page starts."""
    found: list[tuple[int, T]] = []
    looked_at, number = 0, None
    for number, row in islice(asked, most):
        looked_at += 1
        if keep(row):
            if len(found) == limit:
                return found, found[-1][0]
            found.append((number, row))
    return found, number if looked_at == most else None


def _asked(call: Call, state: State, every: EventStatuses | None) -> Iterator[Numbered]:
    """The events between `after` and `before`, in the asked order; only those with the status if they are few."""
    status = call.query["status"]
    slots = every.slots_with(status) if every and status else None
    if slots is None:
        return rows_of_table(state[EVENT.table]).rows_of_page(call)
    return _between(call, state, slots)


def _between(call: Call, state: State, slots: Sequence[int]) -> Iterator[Numbered]:
    after, before = call.query["after"] or 0, call.query["before"]
    for n in reversed(slots) if call.query["order"] == NEWEST else slots:
        if n >= after and (before is None or n + 1 < before):
            yield n + 1, state[EVENT.table].get(n)


def _filter(call: Call, every: EventStatuses | None) -> Callable[[Event], bool]:
    query = call.query
    kind, status, has_text = query["type"], query["status"], _text_filter(query["q"])

    def keep(event: Event) -> bool:
        return (
            event.subject != PING_SUBJECT
            and (kind is None or event.kind == kind)
            and (status is None or every is None or every.of(event) == status)
            and (has_text is None or has_text(event))
        )

    return keep


def _text_filter(text: str | None) -> Callable[[Event], bool] | None:
    """Whether an event has a text in its id, its type or its data, in any case."""
    if not text:
        return None
    wanted = text.casefold()
    as_bytes = wanted.encode()

    def has_text(event: Event) -> bool:
        if wanted in event.id or wanted in event.kind:
            return True
        if event.data is None:
            return False
        return as_bytes in event.data.lower() if wanted.isascii() else wanted in event.data.decode().casefold()

    return has_text


def event_view(world: World, state: State, event: Event) -> dict[str, Any]:
    """An event. `data` is the `data` of its webhooks, or null if no endpoint was subscribed."""
    ids = service_of(state).owner(event.owner).ids(state, event.owner)
    data = None if event.data is None else fill_placeholders(event.data, world.runtime.origin, world.id)
    return {
        "seq": event.n + 1,
        "id": event.id,
        "type": event.kind,
        "account_id": ids["account_id"],
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
    """An event with its attempts and those still to come, for each endpoint that gets it."""
    deliveries, attempts = deliveries_of(state, event), attempts_of(state, event)
    if status_of(event, deliveries) == WAITING:
        endpoints = [state[ENDPOINT].get(n) for n in event.audience]
        shown = [_waiting(state, endpoint) for endpoint in endpoints if endpoint.status == ENABLED]
    else:
        shown = [_delivery(state, row, [a for a in attempts if a.delivery == row.n]) for row in deliveries]
    pings = [_attempt(attempt, None) for attempt in attempts if attempt.delivery == NO_DELIVERY]
    body = fill_placeholders(encode_body(event), world.runtime.origin, world.id).decode()
    cause = cause_of_event(world, state, event)
    return {**event_view(world, state, event), "body": body, "cause": cause, "deliveries": shown, "pings": pings}


def _waiting(state: State, endpoint: Endpoint) -> dict[str, Any]:
    """What an endpoint will get. There is no delivery yet."""
    return {
        **_endpoint(endpoint),
        "status": WAITING,
        "created_at": None,
        "failures": 0,
        "attempts": [],
        **_plan(planned_while_waiting(state), None),
    }


def _delivery(state: State, delivery: Delivery, attempts: Sequence[Attempt]) -> dict[str, Any]:
    planned, places = planned_attempts(state, delivery, attempts), places_in_ladder(delivery, attempts)
    ends_ms = gives_up_ms(planned, delivery, attempts)
    return {
        **_endpoint(state[ENDPOINT].get(delivery.endpoint)),
        "status": delivery.status,
        "created_at": format_instant(delivery.created_ms),
        "failures": delivery.failures,
        "attempts": [_attempt(attempt, places.get(attempt.n)) for attempt in attempts],
        **_plan(planned, ends_ms),
    }


def _endpoint(endpoint: Endpoint) -> dict[str, Any]:
    return {"endpoint": endpoint.id, "url": endpoint.url, "host": endpoint.host, "endpoint_status": endpoint.status}


def _plan(planned: Sequence[PlannedAttempt], ends_ms: int | None) -> dict[str, Any]:
    ends_ms = planned[-1].at_ms if planned else ends_ms
    rows = [{"rung": each.place, "at": instant_or_null(each.at_ms), "because": each.because} for each in planned]
    return {"planned": rows, "dead_at": instant_or_null(ends_ms)}


def _attempt(attempt: Attempt, place: int | None) -> dict[str, Any]:
    return {
        "seq": attempt.seq,
        "at": format_instant(attempt.at_ms),
        "attempt": attempt.number,
        "rung": place,
        "mark": attempt.mark or None,
        "fault": attempt.fault or None,
        "outcome": attempt.outcome,
        "status": attempt.status,
    }
