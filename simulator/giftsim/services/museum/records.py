"""Days, special events and tickets of the museum as JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

from giftsim.engine.control.pagination import Rows, list_records, respond_with_page
from giftsim.engine.control.world_access import current_state
from giftsim.engine.gateway.call import Call, Response
from giftsim.engine.kernel.instants import format_instant, parse_date, utc_date
from giftsim.engine.kernel.state import State
from giftsim.services.museum.opening_hours import PUBLISHED_DAYS, WEEKDAYS, opening_on
from giftsim.services.museum.service import EVENT_SEARCH, TICKET_SEARCH
from giftsim.services.museum.special_event import SPECIAL_EVENTS, SpecialEvent
from giftsim.services.museum.ticket import Ticket, find_ticket

EventsByDay = Mapping[str, Sequence[SpecialEvent]]


def events_by_day(state: State) -> EventsByDay:
    """The special events of each day that has some, in order of creation."""
    found: dict[str, list[SpecialEvent]] = {}
    for event in state[SPECIAL_EVENTS]:
        for day in dict.fromkeys(event.dates):
            found.setdefault(day, []).append(event)
    return found


def day_view(state: State, day: date, events: EventsByDay) -> dict[str, Any]:
    """A day with its hours, which are null if the museum is closed, and its special events."""
    hours, text = opening_on(state, day), day.isoformat()
    return {
        "date": text,
        "weekday": WEEKDAYS[day.weekday()],
        "time_open": hours.time_open if hours else None,
        "time_close": hours.time_close if hours else None,
        "events": [{"event_id": event.event_id, "name": event.name} for event in events.get(text, ())],
    }


def special_event_view(event: SpecialEvent) -> dict[str, Any]:
    """A special event."""
    return {
        "seq": event.n + 1,
        "event_id": event.event_id,
        "name": event.name,
        "location": event.location,
        "description": event.description,
        "dates": list(event.dates),
        "price": event.price,
    }


def ticket_view(state: State, ticket: Ticket) -> dict[str, Any]:
    """A ticket with the text in its QR code. `event` is the name of its event, null if that was canceled."""
    event = None if ticket.event_id is None else state[SPECIAL_EVENTS].find("id", ticket.event_id)
    return {
        "seq": ticket.n + 1,
        "ticket_id": ticket.ticket_id,
        "kind": ticket.kind,
        "day": ticket.day,
        "email": ticket.email,
        "event_id": ticket.event_id,
        "event": event.name if event else None,
        "confirmation_code": ticket.confirmation_code,
        "qr_text": ticket.scan_text,
        "bought_at": format_instant(ticket.bought_ms),
    }


def list_museum_days(call: Call) -> Response:
    """List days with their hours and special events, numbered from 1 at the first of them."""
    with current_state(call.world) as state:
        first = parse_date(call.query["from"] or utc_date(state.now_ms)).toordinal()
        events = events_by_day(state)
        last = min(PUBLISHED_DAYS, date.max.toordinal() - first + 1)
        rows = Rows(last, lambda number: date.fromordinal(first + number - 1))
        return respond_with_page(call, "days", rows.rows_of_page(call), lambda day: day_view(state, day, events))


def list_museum_events(call: Call) -> Response:
    """List special events."""
    return list_records(call, EVENT_SEARCH, lambda _, event: special_event_view(event))


def list_museum_tickets(call: Call) -> Response:
    """List tickets, or those of one event."""
    event_id = call.query["event_id"]
    return list_records(
        call, TICKET_SEARCH, ticket_view, keep=lambda row: event_id is None or event_id.lower() == row.event_id
    )


def get_museum_ticket(call: Call) -> Response:
    """One ticket."""
    with current_state(call.world) as state:
        return Response(200, ticket_view(state, find_ticket(state, call.params["id"])))
