"""Webhook events: what happened, and what became of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from giftsim.control.pagination import page, rows_of_table, text_filter
from giftsim.control.views.webhooks import event_detail, event_view
from giftsim.control.world_access import current_state
from giftsim.gateway.call import Call, Handler, Response
from giftsim.webhooks.event import EVENT, PING_SUBJECT, Event, find_event
from giftsim.webhooks.event_status import EventStatuses


def list_events(call: Call) -> Response:
    """List webhook events, or those of one type, one status or with a text."""
    query = call.query
    with current_state(call.world) as state:
        every = EventStatuses(state) if query["status"] or query["counts"] else None
        keep = _filter(query, every)
        rows = ((number, event) for number, event in rows_of_table(state[EVENT]).asked(call) if keep(event))
        more = {"counts": every.counts()} if query["counts"] and every else {}
        return page(call, "events", rows, lambda event: event_view(call.world, state, event), **more)


def get_event(call: Call) -> Response:
    """One event with its attempts and the rungs to come."""
    with current_state(call.world) as state:
        return Response(200, event_detail(call.world, state, find_event(state, call.params["id"])))


def _filter(query: Mapping[str, Any], every: EventStatuses | None) -> Callable[[Event], bool]:
    kind, status, has_text = query["type"], query["status"], text_filter(query["q"])

    def keep(event: Event) -> bool:
        return (
            event.subject != PING_SUBJECT
            and kind in (None, event.kind)
            and (status is None or every is None or every.of(event) == status)
            and (has_text is None or has_text(f"{event.id} {event.kind} {(event.data or b'').decode()}"))
        )

    return keep


HANDLERS: Mapping[str, Handler] = MappingProxyType({"listEvents": list_events, "getEvent": get_event})
