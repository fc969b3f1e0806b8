"""The museum: its calendar, its special events, and the tickets it sold with the texts of their QR codes."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from types import MappingProxyType

from giftsim.control.pagination import Rows, filtered_page, page, rows_of_table, search
from giftsim.control.views import museum as views
from giftsim.control.world_access import current_state
from giftsim.domain.museum.opening_hours import PUBLISHED_DAYS
from giftsim.domain.museum.special_event import EVENTS
from giftsim.domain.museum.ticket import TICKETS, Ticket, find
from giftsim.gateway.call import Call, Handler, Response
from giftsim.kernel.instants import parse_date, utc_date


def list_days(call: Call) -> Response:
    """List days with their hours and special events, numbered from 1 at the first of them."""
    with current_state(call.world) as state:
        first = parse_date(call.query["from"] or utc_date(state.now_ms)).toordinal()
        events = views.events_by_day(state)
        last = min(PUBLISHED_DAYS, date.max.toordinal() - first + 1)
        rows = Rows(last, lambda number: date.fromordinal(first + number - 1))
        return page(call, "days", rows.asked(call), lambda day: views.day(state, day, events))


def list_museum_events(call: Call) -> Response:
    """List special events."""
    keep = search(call.query["q"], lambda row: (row.event_id, row.name, row.location, row.description))
    with current_state(call.world) as state:
        return filtered_page(call, "events", rows_of_table(state[EVENTS]), views.special_event, keep=keep)


def list_tickets(call: Call) -> Response:
    """List tickets, or those of one event."""
    event_id = call.query["event_id"]
    has_text = search(call.query["q"], lambda row: (row.ticket_id, row.email, row.confirmation_code, row.day))

    def keep(ticket: Ticket) -> bool:
        return (event_id is None or event_id.lower() == ticket.event_id) and has_text(ticket)

    with current_state(call.world) as state:
        rows = rows_of_table(state[TICKETS])
        return filtered_page(call, "tickets", rows, lambda ticket: views.ticket(state, ticket), keep=keep)


def get_ticket(call: Call) -> Response:
    """One ticket."""
    with current_state(call.world) as state:
        return Response(200, views.ticket(state, find(state, call.params["id"])))


HANDLERS: Mapping[str, Handler] = MappingProxyType(
    {
        "listMuseumDays": list_days,
        "listMuseumEvents": list_museum_events,
        "listMuseumTickets": list_tickets,
        "getMuseumTicket": get_ticket,
    }
)
