"""Days, special events and tickets of the museum as JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

from giftsim.domain.museum.opening_hours import WEEKDAYS, opening_on
from giftsim.domain.museum.special_event import EVENTS, SpecialEvent
from giftsim.domain.museum.ticket import Ticket
from giftsim.kernel.instants import format_instant
from giftsim.kernel.state import State

EventsByDay = Mapping[str, Sequence[SpecialEvent]]


def events_by_day(state: State) -> EventsByDay:
    """The special events of each day that has some, in order of creation."""
    found: dict[str, list[SpecialEvent]] = {}
    for event in state[EVENTS]:
        for day in dict.fromkeys(event.dates):
            found.setdefault(day, []).append(event)
    return found


def day(state: State, day: date, events: EventsByDay) -> dict[str, Any]:
    """A day with its hours, which are null if the museum is closed, and its special events."""
    hours, text = opening_on(state, day), day.isoformat()
    return {
        "date": text,
        "weekday": WEEKDAYS[day.weekday()],
        "time_open": hours.time_open if hours else None,
        "time_close": hours.time_close if hours else None,
        "events": [{"event_id": event.event_id, "name": event.name} for event in events.get(text, ())],
    }


def special_event(event: SpecialEvent) -> dict[str, Any]:
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


def ticket(state: State, ticket: Ticket) -> dict[str, Any]:
    """A ticket with the text in its QR code. `event` is the name of its event, null if that was canceled."""
    event = None if ticket.event_id is None else state[EVENTS].find("id", ticket.event_id)
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
