"""The next occurrence of a yearly date, compared with a day-by-day search of the calendar."""

from __future__ import annotations

from datetime import MAXYEAR, date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from giftsim.domain.team.people.person import Person
from giftsim.domain.team.people.upcoming_dates import UpcomingDate, next_occurrence, upcoming_dates

DAYS = st.dates(min_value=date(1, 1, 1), max_value=date(9990, 12, 31))


def occurs_on(month_day: str, day: date) -> bool:
    """Whether the yearly date falls on this day; February 29 falls on the 28th in other years."""
    if day.isoformat()[5:] == month_day:
        return True
    return month_day == "02-29" and day.isoformat()[5:] == "02-28" and (day + timedelta(days=1)).month == 3


def search(month_day: str, first: date) -> date:
    """The next such day, found by trying each day."""
    return next(day for day in (first + timedelta(days=i) for i in range(400)) if occurs_on(month_day, day))


@given(day=DAYS, first=DAYS)
def test_the_next_date_matches_a_day_by_day_search(day: date, first: date) -> None:
    month_day = day.isoformat()[5:]
    assert next_occurrence(month_day, first) == search(month_day, first)


@pytest.mark.parametrize("year", [1900, 2000, 2027, 2028, 2100])
def test_a_leap_day_occurs_once_a_year(year: int) -> None:
    first = date(year, 1, 1)
    matches = [
        first + timedelta(days=i)
        for i in range(365)
        if next_occurrence("02-29", first + timedelta(days=i)) == first + timedelta(days=i)
    ]
    assert len(matches) == 1
    assert matches[0].month == 2


@given(start=DAYS, first=DAYS, days=st.integers(0, 366))
def test_anniversaries_count_full_years_and_come_within_the_window(start: date, first: date, days: int) -> None:
    person = Person(0, "team 0", 1, 0, 0, "bo@example.com", start_date=start.isoformat())
    day = search(start.isoformat()[5:], first)
    years = day.year - start.year
    expected = (UpcomingDate("work_anniversary", day.isoformat(), years),)
    assert upcoming_dates(person, first, days) == (expected if years >= 1 and (day - first).days <= days else ())


def test_there_is_no_next_date_after_the_calendar_ends() -> None:
    assert next_occurrence("01-01", date(MAXYEAR, 1, 2)) is None
    assert next_occurrence("12-31", date(MAXYEAR, 12, 31)) == date.max
