"""Upcoming birthdays and work anniversaries on a roster, as days in Los Angeles (A7.10, G12)."""

from __future__ import annotations

from datetime import MAXYEAR, date

import msgspec

from giftsim.engine.kernel.instants import local_date, parse_date
from giftsim.engine.kernel.setting import number
from giftsim.engine.kernel.state import State
from giftsim.services.gifting.domain.team.people.person import PEOPLE, Person, has_occasions, roster_slots
from giftsim.services.gifting.domain.team.tenant import Tenant

ZONE = "America/Los_Angeles"
BIRTHDAY, WORK_ANNIVERSARY = "birthday", "work_anniversary"
LEAP_DAY, DAY_BEFORE = "02-29", "02-28"

WINDOW_DAYS = number("people.upcoming_days", 30, "how many days ahead /people/upcoming looks", most=366)


class UpcomingDate(msgspec.Struct, frozen=True, gc=False):
    """One upcoming date, `YYYY-MM-DD`; `years` of work, None for a birthday."""

    kind: str
    date: str
    years: int | None = None


def current_day(state: State) -> date:
    """The current day in Los Angeles."""
    return parse_date(local_date(state.now_ms, ZONE))


def upcoming_people(state: State, tenant: Tenant) -> list[tuple[Person, tuple[UpcomingDate, ...]]]:
    """The people of a tenant with their upcoming dates, soonest first, then in order of creation."""
    first, days = current_day(state), state.setting(WINDOW_DAYS)
    people = [each for each in map(state[PEOPLE].get, roster_slots(state, tenant)) if has_occasions(state, each)]
    entries = [(person, upcoming_dates(person, first, days)) for person in people]
    return sorted([entry for entry in entries if entry[1]], key=lambda entry: entry[1][0].date)


def upcoming_dates(person: Person, first: date, days: int) -> tuple[UpcomingDate, ...]:
    """A person's next birthday and work anniversary, if they are within `days` of the day `first`; soonest first."""
    entries = []
    if person.birthday and (day := next_occurrence(person.birthday, first)):
        entries.append((day, UpcomingDate(BIRTHDAY, day.isoformat())))
    if person.start_date and (day := next_occurrence(person.start_date[5:], first)):
        years = day.year - int(person.start_date[:4])
        if years >= 1:
            entries.append((day, UpcomingDate(WORK_ANNIVERSARY, day.isoformat(), years)))
    near = [(day, occasion) for day, occasion in entries if (day - first).days <= days]
    return tuple(occasion for _, occasion in sorted(near, key=lambda entry: entry[0]))


def next_occurrence(month_day: str, first: date) -> date | None:
    """The next day on which an `MM-DD` occurs, from `first` on; None after the end of the calendar."""
    years = (first.year, first.year + 1)
    days = (occurrence_in(month_day, year) for year in years if year <= MAXYEAR)
    return next((day for day in days if day >= first), None)


def occurrence_in(month_day: str, year: int) -> date:
    """The day of a year on which an `MM-DD` occurs; 02-29 occurs on 02-28 unless it is a leap year."""
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    return parse_date(f"{year:04}-{DAY_BEFORE if month_day == LEAP_DAY and not leap else month_day}")
