"""Webhook events: what happened, and what became of it at each endpoint."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import msgspec

from giftsim.engine.control.own_searches import EVENT_SEARCH
from giftsim.engine.control.pagination import Rows, Selection, rows_of_table, searched_page
from giftsim.engine.control.retry_ladder import (
    PlannedAttempt,
    gives_up_ms,
    places_in_ladder,
    planned_attempts,
    planned_while_waiting,
)
from giftsim.engine.control.search_fields import searchable
from giftsim.engine.control.services import services_of
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


def list_events(call: Call) -> Response:
    """List the webhook events that a search finds. A page examines at most LOOKED_AT events."""
    kind, world = call.query["type"], call.world
    with current_state(world) as state:
        return searched_page(
            call,
            "events",
            rows_of_table(state[EVENT.table]),
            partial(event_view, world, state),
            searchable(world, state, services_of(call).simulated, EVENT_SEARCH),
            keep=lambda event: event.subject != PING_SUBJECT and kind in (None, event.kind),
            count=partial(_count, state),
            most=LOOKED_AT,
        )


def _count(state: State, rows: Rows[Event], chosen: Selection[Event]) -> dict[str, Any]:
    """How many events are wanted, if they are not too many to look at, and how many of all have each status."""
    wanted = chosen.both
    found = None if wanted is None or rows.last > LOOKED_AT else sum(map(wanted, rows.every()))
    return {"found": found, "counts": EventStatuses(state).counts()}


def get_event(call: Call) -> Response:
    """One event with its attempts and those still to come."""
    with current_state(call.world) as state:
        return Response(200, event_detail(call.world, state, find_event(state, call.params["id"])))


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
