"""What the museum adds to every world; it has no timers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Annotated, Any, Literal

import msgspec

from giftsim.engine.kernel.definitions import PackageDefinitions
from giftsim.engine.kernel.instants import parse_date, utc_date
from giftsim.engine.kernel.state import State
from giftsim.engine.problem import InvalidFixture
from giftsim.services.museum import museum_settings, opening_hours, special_event, ticket
from giftsim.services.museum.opening_hours import CLOSURES, OPENINGS
from giftsim.services.museum.special_event import SPECIAL_EVENTS
from giftsim.services.museum.ticket import TICKETS

Time = Annotated[str, msgspec.Meta(pattern=r"^([01]\d|2[0-3]):[0-5]\d$")]
Day = Annotated[str, msgspec.Meta(pattern=r"^(\d{4}-)?\d\d-\d\d$")]
Uuid = Annotated[str, msgspec.Meta(pattern=r"^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$")]
Weekday = Literal["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
Ahead = Annotated[int, msgspec.Meta(ge=0, lt=opening_hours.PUBLISHED_DAYS)]


class HoursEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The hours of a weekday, each `HH:MM` in quotes (YAML reads a bare 18:00 as a number)."""

    open: Time
    close: Time


class EventEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A special event on `dates` and on `open_days`, which are counted from the world's current day (0).

    Without `id` it gets an id as one that a call creates.
    """

    name: str
    location: str
    description: str
    price: int | float
    dates: tuple[Day, ...] = ()
    open_days: tuple[Ahead, ...] = ()
    id: Uuid | None = None


class TicketEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A ticket for general entry, sold when the world starts."""

    id: Uuid
    date: Annotated[str, msgspec.Meta(pattern=r"^\d{4}-\d\d-\d\d$")]
    email: str


class MuseumSection(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The whole section. A weekday that is missing or null is closed; `closed` has dates, or `MM-DD` for every year."""

    hours: dict[Weekday, HoursEntry | None] = {}
    closed: tuple[Day, ...] = ()
    events: tuple[EventEntry, ...] = ()
    tickets: tuple[TicketEntry, ...] = ()


def seed_museum(state: State, data: Mapping[str, Any]) -> None:
    """Add a fixture's museum to a new state; InvalidFixture says where the section is wrong."""
    try:
        museum = msgspec.convert(data, MuseumSection)
        _check(museum)
    except ValueError as error:
        raise InvalidFixture(f"the fixture's museum: {error}") from None
    for weekday, times in museum.hours.items():
        if times is not None:
            opening_hours.set_hours(state, opening_hours.WEEKDAYS.index(weekday), times.open, times.close)
    for day in museum.closed:
        opening_hours.close_on(state, day)
    for event in museum.events:
        special_event.create_special_event(
            state,
            name=event.name,
            location=event.location,
            description=event.description,
            dates=[*event.dates, *_open_days(state, event.open_days)],
            price=event.price,
            event_id=event.id,
        )
    for sold in museum.tickets:
        ticket.add_ticket(state, sold.id, kind=ticket.GENERAL, day=sold.date, email=sold.email)


def _check(museum: MuseumSection) -> None:
    for day in museum.closed:
        parse_date(day if len(day) > 5 else f"2000-{day}")
    for event in museum.events:
        for day in event.dates:
            parse_date(day)
    for sold in museum.tickets:
        parse_date(sold.date)
    ids = [event.id for event in museum.events if event.id] + [sold.id for sold in museum.tickets]
    if len(set(ids)) < len(ids):
        raise ValueError("two events or tickets have the same id")


def _open_days(state: State, ahead: Sequence[int]) -> list[str]:
    if not ahead:
        return []
    days = list(islice(opening_hours.open_days(state, utc_date(state.now_ms)), max(ahead) + 1))
    if len(days) <= max(ahead):
        raise InvalidFixture(
            f"the fixture's museum: an event is on open day {max(ahead)}, but only {len(days)} open days are published"
        )
    return [days[i].date for i in ahead]


DEFINITIONS = PackageDefinitions(
    tables=(OPENINGS, CLOSURES, SPECIAL_EVENTS, TICKETS),
    settings=museum_settings.ALL,
)
