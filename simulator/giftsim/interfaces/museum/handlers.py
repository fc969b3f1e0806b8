"""The handlers of the museum interface."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from giftsim.domain.museum import opening_hours, special_event, ticket
from giftsim.gateway.call import Call, Handler, Response
from giftsim.interfaces.museum import views
from giftsim.interfaces.museum.qr_code import png
from giftsim.kernel.instants import utc_date

# The columns of an event by the members of a body.
COLUMNS: Mapping[str, str] = MappingProxyType(
    {"name": "name", "location": "location", "eventDescription": "description", "dates": "dates", "price": "price"}
)


def get_museum_hours(call: Call) -> Response:
    """List coming opening hours."""
    start = call.query["startDate"] or utc_date(call.state.now_ms)
    days = opening_hours.list_open_days(call.state, start, call.query["page"], call.query["limit"])
    return Response(200, [views.open_day(day) for day in days])


def create_special_event(call: Call) -> Response:
    """Create an event."""
    return Response(201, views.special_event(special_event.create(call.state, **_columns(call))))


def list_special_events(call: Call) -> Response:
    """List upcoming events."""
    first, last = special_event.resolve_window(call.state, call.query["startDate"], call.query["endDate"])
    page, limit = call.query["page"], call.query["limit"]
    events = special_event.list_upcoming(call.state, first, last)[(page - 1) * limit : page * limit]
    return Response(200, [views.special_event(event) for event in events])


def get_special_event(call: Call) -> Response:
    """Read one event."""
    return Response(200, views.special_event(_event(call)))


def update_special_event(call: Call) -> Response:
    """Change the members sent."""
    return Response(200, views.special_event(special_event.update(call.state, _event(call), **_columns(call))))


def delete_special_event(call: Call) -> Response:
    """Cancel an event."""
    special_event.cancel(call.state, _event(call))
    return Response(204)


def buy_museum_tickets(call: Call) -> Response:
    """Sell a ticket."""
    body = call.body
    sold = ticket.buy(
        call.state, kind=body["ticketType"], day=body["ticketDate"], email=body.get("email"),
        event_id=body.get("eventId"),
    )  # fmt: skip
    return Response(201, views.ticket(sold))


def get_ticket_code(call: Call) -> Response:
    """The QR code of a ticket."""
    sold = ticket.find(call.state, call.params["ticketId"])
    return Response(200, png(sold.scan_text), content_type="image/png", opaque=True)


def locate(call: Call) -> None:
    """Check that what the path names exists, before the body is validated (G13)."""
    if "eventId" in call.params:
        _event(call)
    if "ticketId" in call.params:
        ticket.find(call.state, call.params["ticketId"])


def _event(call: Call) -> special_event.SpecialEvent:
    return special_event.find(call.state, call.params["eventId"])


def _columns(call: Call) -> dict[str, Any]:
    return {column: call.body[member] for member, column in COLUMNS.items() if member in call.body}


HANDLERS: Mapping[str, Handler] = MappingProxyType(
    {
        "getMuseumHours": get_museum_hours,
        "createSpecialEvent": create_special_event,
        "listSpecialEvents": list_special_events,
        "getSpecialEvent": get_special_event,
        "updateSpecialEvent": update_special_event,
        "deleteSpecialEvent": delete_special_event,
        "buyMuseumTickets": buy_museum_tickets,
        "getTicketCode": get_ticket_code,
    }
)
