"""The handlers of the museum interface."""

from __future__ import annotations

import io
from collections.abc import Mapping
from typing import Any, Final

from giftsim.engine.gateway.call import Call, Response
from giftsim.engine.kernel.instants import utc_date
from giftsim.services.museum import opening_hours, special_event, ticket
from giftsim.services.museum.opening_hours import OpenDay
from giftsim.services.museum.special_event import SpecialEvent
from giftsim.services.museum.ticket import Ticket


def open_day_view(day: OpenDay) -> dict[str, Any]:
    """A day with its opening hours."""
    return {"date": day.date, "timeOpen": day.time_open, "timeClose": day.time_close}


def special_event_view(event: SpecialEvent) -> dict[str, Any]:
    """A special event."""
    return {
        "eventId": event.event_id,
        "name": event.name,
        "location": event.location,
        "eventDescription": event.description,
        "dates": event.dates,
        "price": event.price,
    }


def ticket_view(sold: Ticket) -> dict[str, Any]:
    """A sold ticket: exactly five members, and never the email (C10, M-2.4)."""
    return {
        "message": sold.message,
        "ticketId": sold.ticket_id,
        "ticketType": sold.kind,
        "ticketDate": sold.day,
        "confirmationCode": sold.confirmation_code,
    }


PIXELS_PER_MODULE = 6
QUIET_MODULES = 4


def qr_code_png(text: str) -> bytes:
    """The QR code of a text, as PNG. A ticket's is 270 pixels wide, with its quiet zone (C6).

    Stored without compression: compressed bytes would depend on the machine's zlib.
    """
    image = io.BytesIO()
    import segno  # only who looks at a ticket pays for it

    code = segno.make_qr(text, error="m")
    code.save(image, kind="png", scale=PIXELS_PER_MODULE, border=QUIET_MODULES, compresslevel=0)
    return image.getvalue()


# The columns of an event by the members of a body.
COLUMNS: Final[Mapping[str, str]] = {
    "name": "name",
    "location": "location",
    "eventDescription": "description",
    "dates": "dates",
    "price": "price",
}


def get_museum_hours(call: Call) -> Response:
    """List the upcoming opening hours."""
    start = call.query["startDate"] or utc_date(call.state.now_ms)
    days = opening_hours.list_open_days(call.state, start, call.query["page"], call.query["limit"])
    return Response(200, [open_day_view(day) for day in days])


def create_special_event(call: Call) -> Response:
    """Create an event."""
    return Response(201, special_event_view(special_event.create_special_event(call.state, **_columns(call))))


def list_special_events(call: Call) -> Response:
    """List upcoming events."""
    first, last = special_event.resolve_window(call.state, call.query["startDate"], call.query["endDate"])
    page, limit = call.query["page"], call.query["limit"]
    events = special_event.list_upcoming(call.state, first, last)[(page - 1) * limit : page * limit]
    return Response(200, [special_event_view(event) for event in events])


def get_special_event(call: Call) -> Response:
    """Read one event."""
    return Response(200, special_event_view(_event(call)))


def update_special_event(call: Call) -> Response:
    """Change the members of a special event that were sent."""
    return Response(
        200, special_event_view(special_event.update_special_event(call.state, _event(call), **_columns(call)))
    )


def delete_special_event(call: Call) -> Response:
    """Cancel an event."""
    special_event.cancel_special_event(call.state, _event(call))
    return Response(204)


def buy_museum_tickets(call: Call) -> Response:
    """Sell a ticket."""
    body = call.body
    sold = ticket.buy_ticket(
        call.state,
        kind=body["ticketType"],
        day=body["ticketDate"],
        email=body.get("email"),
        event_id=body.get("eventId"),
    )
    return Response(201, ticket_view(sold))


def get_ticket_code(call: Call) -> Response:
    """The QR code of a ticket."""
    sold = ticket.find_ticket(call.state, call.params["ticketId"])
    return Response(200, qr_code_png(sold.scan_text), content_type="image/png", opaque=True)


def find_subject(call: Call) -> None:
    """Check that the record named in the path exists, before the body is validated (G13)."""
    if "eventId" in call.params:
        _event(call)
    if "ticketId" in call.params:
        ticket.find_ticket(call.state, call.params["ticketId"])


def _event(call: Call) -> special_event.SpecialEvent:
    return special_event.find_special_event(call.state, call.params["eventId"])


def _columns(call: Call) -> dict[str, Any]:
    return {column: call.body[member] for member, column in COLUMNS.items() if member in call.body}
