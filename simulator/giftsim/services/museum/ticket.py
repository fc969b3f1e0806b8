"""Tickets for general entry or a special event; they have no states and never sell out (C7 to C10)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from giftsim.engine.kernel.email_address import trim_email
from giftsim.engine.kernel.instants import parse_date, utc_date
from giftsim.engine.kernel.seeded_uuid import draw_uuid
from giftsim.engine.kernel.state import State
from giftsim.engine.kernel.table import Record, TableSpec
from giftsim.engine.problem import Problem
from giftsim.services.museum import opening_hours, special_event
from giftsim.services.museum.museum_settings import STRICT_DATES
from giftsim.services.museum.special_event import SpecialEvent

GENERAL, SPECIAL_EVENT = "general", "event"
MESSAGES: Final[Mapping[str, str]] = {
    GENERAL: "Museum general entry ticket purchased",
    SPECIAL_EVENT: "Museum special event ticket purchased",
}


class Ticket(Record, frozen=True, gc=False):
    """One sold ticket. It keeps its `event_id` after the event was canceled."""

    ticket_id: str
    kind: str
    day: str
    email: str | None
    event_id: str | None
    confirmation_code: str
    bought_ms: int

    @property
    def message(self) -> str:
        """The message to the buyer."""
        return MESSAGES[self.kind]

    @property
    def scan_text(self) -> str:
        """The text in the QR code (C6, M-4.10)."""
        return f"museum-ticket:{self.ticket_id}:{self.confirmation_code}"


class TicketNotFound(Problem, status=404, code="ticket_not_found"):
    """There is no ticket with this id."""


class InvalidTicketDate(Problem, status=400, code="invalid_body"):
    """The ticket cannot be for this day, in a world with strict dates."""


TICKETS: TableSpec[Ticket] = TableSpec("museum.ticket", Ticket, unique={"id": "ticket_id"})


def buy_ticket(state: State, *, kind: str, day: str, email: str | None, event_id: str | None) -> Ticket:
    """Sell a ticket; SpecialEventNotFound for an unknown event, InvalidTicketDate if dates are strict (C7)."""
    event = None if event_id is None else special_event.find_special_event(state, event_id)
    if state.setting(STRICT_DATES):
        errors = list(_date_errors(state, kind, day, event))
        if errors:
            raise InvalidTicketDate("; ".join(f"ticketDate: {error}" for error in errors))
    ticket_id = draw_uuid(state, "museum ticket")
    return add_ticket(state, ticket_id, kind=kind, day=day, email=email, event_id=event.event_id if event else None)


def add_ticket(
    state: State, ticket_id: str, *, kind: str, day: str, email: str | None, event_id: str | None = None
) -> Ticket:
    """Add a sold ticket, which nothing refuses."""
    letters = state.token("museum confirmation code", 11)
    code = f"ticket-{kind}-{letters[:6]}-{letters[6:]}"
    table = state[TICKETS]
    return table.add(
        Ticket(table.next_n, ticket_id, kind, day, email and trim_email(email), event_id, code, state.now_ms)
    )


def find_ticket(state: State, ticket_id: str) -> Ticket:
    """The ticket with an id, which is case-insensitive; TicketNotFound if there is none."""
    ticket = state[TICKETS].find("id", ticket_id.lower())
    if ticket is None:
        raise TicketNotFound(f"there is no ticket {ticket_id[:60]}")
    return ticket


def _date_errors(state: State, kind: str, day: str, event: SpecialEvent | None) -> Iterator[str]:
    today = utc_date(state.now_ms)
    if day < today:
        yield f"{day} is past; today is {today}"
    if opening_hours.opening_on(state, parse_date(day)) is None:
        yield f"the museum is closed on {day}"
    if kind == SPECIAL_EVENT and event is not None and day not in event.dates:
        yield f"the event is not on {day} but on {', '.join(event.dates) or 'no day yet'}"
