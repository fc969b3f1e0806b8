"""Special events: create, read, update, cancel, and list the upcoming ones (C2, C4, M-4.2 to M-4.6)."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta
from typing import Any

import msgspec

from giftsim.engine.kernel.instants import parse_date, utc_date
from giftsim.engine.kernel.seeded_uuid import draw_uuid
from giftsim.engine.kernel.state import State
from giftsim.engine.kernel.table import Record, TableSpec
from giftsim.engine.problem import Problem
from giftsim.services.museum.museum_settings import DEFAULT_WINDOW_DAYS


class SpecialEvent(Record, frozen=True, gc=False):
    """One special event; `dates` (`YYYY-MM-DD`) and `price` (in the museum's currency) are kept as they were sent."""

    event_id: str
    name: str
    location: str
    description: str
    dates: tuple[str, ...]
    price: float


class SpecialEventNotFound(Problem, status=404, code="special_event_not_found"):
    """There is no special event with this id, or it was canceled."""


class InvalidWindow(Problem, status=400, code="invalid_parameter"):
    """The requested end date is before the start date."""


SPECIAL_EVENTS: TableSpec[SpecialEvent] = TableSpec("museum.special_event", SpecialEvent, unique={"id": "event_id"})


def create_special_event(
    state: State,
    *,
    name: str,
    location: str,
    description: str,
    dates: Sequence[str],
    price: float,
    event_id: str | None = None,
) -> SpecialEvent:
    """Create a special event, with a new id if none is given."""
    event_id = event_id or draw_uuid(state, "museum special event")
    table = state[SPECIAL_EVENTS]
    return table.add(SpecialEvent(table.next_n, event_id, name, location, description, tuple(dates), price))


def find_special_event(state: State, event_id: str) -> SpecialEvent:
    """The special event with an id, which is case-insensitive; SpecialEventNotFound if there is none."""
    event = state[SPECIAL_EVENTS].find("id", event_id.lower())
    if event is None:
        raise SpecialEventNotFound(f"there is no special event {event_id}")
    return event


def update_special_event(state: State, event: SpecialEvent, **columns: Any) -> SpecialEvent:
    """Replace some columns of a special event."""
    if "dates" in columns:
        columns["dates"] = tuple(columns["dates"])
    return state[SPECIAL_EVENTS].put(msgspec.structs.replace(event, **columns))


def cancel_special_event(state: State, event: SpecialEvent) -> None:
    """Delete a special event; tickets that were sold for it stay (C8)."""
    state[SPECIAL_EVENTS].drop(event.n)


def resolve_window(state: State, start: str | None, end: str | None) -> tuple[str, str]:
    """The first and last day of a list, both inclusive. By default it starts today and ends 7 days later (C4)."""
    first = start or utc_date(state.now_ms)
    if end is not None and end < first:
        raise InvalidWindow(f"endDate: {end} is before startDate {first}{'' if start else ', which is today'}")
    span_days = state.setting(DEFAULT_WINDOW_DAYS)
    if end is None and span_days is not None:
        max_days = (date.max - parse_date(first)).days
        end = (parse_date(first) + timedelta(days=min(span_days, max_days))).isoformat()
    return first, end or date.max.isoformat()


def list_upcoming(state: State, first: str, last: str) -> list[SpecialEvent]:
    """Special events with a date from `first` to `last`, sorted by the earliest of these, then by creation."""
    matches = []
    for event in state[SPECIAL_EVENTS]:
        soonest = min((day for day in event.dates if first <= day <= last), default=None)
        if soonest is not None:
            matches.append((soonest, event.n, event))
    return [event for _, _, event in sorted(matches, key=lambda match: match[:2])]
