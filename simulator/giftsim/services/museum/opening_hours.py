"""Opening hours by weekday, except on days when the museum is closed (C3, M-4.1)."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from itertools import islice

import msgspec

from giftsim.engine.kernel.instants import parse_date
from giftsim.engine.kernel.state import State
from giftsim.engine.kernel.table import Record, TableSpec

# Hours are published for about a year; pages after that are empty.
PUBLISHED_DAYS = 366
WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")


class Opening(Record, frozen=True, gc=False):
    """The hours (`HH:MM`) of one weekday, 0 for Monday; a weekday without a row is closed."""

    weekday: int
    time_open: str
    time_close: str


class Closure(Record, frozen=True, gc=False):
    """A day on which the museum is closed: a date, or `MM-DD` for every year."""

    day: str


class OpenDay(msgspec.Struct, frozen=True, gc=False):
    """One open day and its hours."""

    date: str
    time_open: str
    time_close: str


OPENINGS: TableSpec[Opening] = TableSpec("museum.opening", Opening, unique={"weekday": "weekday"})
CLOSURES: TableSpec[Closure] = TableSpec("museum.closure", Closure, unique={"day": "day"})


def set_hours(state: State, weekday: int, time_open: str, time_close: str) -> Opening:
    """Set the hours of a weekday that has none yet."""
    return state[OPENINGS].add(Opening(state[OPENINGS].next_n, weekday, time_open, time_close))


def close_on(state: State, day: str) -> None:
    """Close the museum on a day, `YYYY-MM-DD` or `MM-DD`; closing it again changes nothing."""
    if state[CLOSURES].find("day", day) is None:
        state[CLOSURES].add(Closure(state[CLOSURES].next_n, day))


def opening_on(state: State, day: date) -> OpenDay | None:
    """The hours of a day, or None if the museum is closed."""
    text = day.isoformat()
    closures = state[CLOSURES]
    row = state[OPENINGS].find("weekday", day.weekday())
    if row is None or closures.find("day", text) or closures.find("day", text[5:]):
        return None
    return OpenDay(text, row.time_open, row.time_close)


def open_days(state: State, start: str) -> Iterator[OpenDay]:
    """The published open days from `start` on, earliest first."""
    first = parse_date(start).toordinal()
    for ordinal in range(first, min(first + PUBLISHED_DAYS, date.max.toordinal() + 1)):
        day = opening_on(state, date.fromordinal(ordinal))
        if day:
            yield day


def list_open_days(state: State, start: str, page: int, limit: int) -> list[OpenDay]:
    """One page of `limit` open days, counted from 1; a page after the end is empty."""
    skipped = (page - 1) * limit
    if skipped >= PUBLISHED_DAYS:
        return []
    return list(islice(open_days(state, start), skipped, skipped + limit))
