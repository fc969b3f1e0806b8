"""Records as JSON of the museum interface."""

from __future__ import annotations

from typing import Any

from giftsim.domain.museum.opening_hours import OpenDay
from giftsim.domain.museum.special_event import SpecialEvent
from giftsim.domain.museum.ticket import Ticket


def open_day(day: OpenDay) -> dict[str, Any]:
    """A day with its opening hours."""
    return {"date": day.date, "timeOpen": day.time_open, "timeClose": day.time_close}


def special_event(event: SpecialEvent) -> dict[str, Any]:
    """A special event."""
    return {
        "eventId": event.event_id,
        "name": event.name,
        "location": event.location,
        "eventDescription": event.description,
        "dates": event.dates,
        "price": event.price,
    }


def ticket(sold: Ticket) -> dict[str, Any]:
    """A sold ticket: exactly five members, and never the email (C10, M-2.4)."""
    return {
        "message": sold.message,
        "ticketId": sold.ticket_id,
        "ticketType": sold.kind,
        "ticketDate": sold.day,
        "confirmationCode": sold.confirmation_code,
    }
