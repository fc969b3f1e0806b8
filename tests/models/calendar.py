"""The calendar by which lead times may run: open days, and a time of the day from which on it is the next one (G460).

All days of 2027 that are public holidays in a whole country are written down here, unless they are on a weekend.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

HOME = "US"
ZONES = {"US": "America/Los_Angeles", "CA": "America/Toronto", "GB": "Europe/London", "DE": "Europe/Berlin"}
HOLIDAYS = {
    "US": "01-01 01-18 02-15 05-31 06-18 07-05 09-06 10-11 11-11 11-25 12-24 12-31",
    "CA": "01-01 03-26 07-01 09-06 12-27",
    "GB": "01-01 03-26 05-03 05-31 08-30 12-27 12-28",
    "DE": "01-01 03-26 03-29 05-06 05-17",
}


@dataclass(frozen=True)
class Calendar:
    """The settings of a calendar; a cut-off is in minutes of the warehouse's day."""

    weekends: bool = False
    holidays: bool = False
    cut_off: int | None = None
    rush_cut_off: int | None = None
    promises_all_days: bool = False

    def after(self, since: int, span: int, country: str | None = HOME) -> int:
        """When so much time of open days has passed: an instant of an open day (G460, G462)."""
        day = day_of(since, country)
        while True:
            start, end = max(since, start_of(day, country)), start_of(day + timedelta(days=1), country)
            if self._is_open(day, country):
                if span < end - start:
                    return start + span
                span -= end - start
            day += timedelta(days=1)

    def before(self, until: int, span: int) -> int:
        """The latest instant of an open day from which so much time of open days passes until then."""
        day = day_of(until - 1, HOME)
        while not self._is_open(day, HOME) or until - span < start_of(day, HOME):
            if self._is_open(day, HOME):
                span -= until - start_of(day, HOME)
            until = start_of(day, HOME)
            day -= timedelta(days=1)
        return self.after(until - span, 0)

    def received(self, at: int, *, rush: bool) -> int:
        """When something counts as received: from the cut-off on, at the next open day (G461)."""
        cut_off = self.rush_cut_off if rush and self.rush_cut_off is not None else self.cut_off
        local = datetime.fromtimestamp(at, ZoneInfo(ZONES[HOME]))
        if cut_off is None or not self._is_open(local.date(), HOME) or local.hour * 60 + local.minute < cut_off:
            return at
        return self.after(start_of(local.date() + timedelta(days=1), HOME), 0)

    def _is_open(self, day: date, country: str | None) -> bool:
        closed = self.holidays and day.year == 2027 and f"{day:%m-%d}" in HOLIDAYS[country or HOME]
        return not closed and not (self.weekends and day.weekday() > 4)


def day_of(at: int, country: str | None) -> date:
    """The day of an instant in the country's largest city, or the warehouse's (G462)."""
    return datetime.fromtimestamp(at, ZoneInfo(ZONES[country or HOME])).date()


def start_of(day: date, country: str | None) -> int:
    """When a day begins there."""
    return int(
        datetime(day.year, day.month, day.day, tzinfo=ZoneInfo(ZONES[country or HOME])).astimezone(UTC).timestamp()
    )


def calendar_of(readings: Mapping[str, Any]) -> Calendar:
    """The calendar that settings choose."""

    def minutes(name: str) -> int | None:
        hour = readings.get(name)
        return None if hour is None else int(hour[:2]) * 60 + int(hour[3:])

    return Calendar(
        readings.get("calendar.working_days", False),
        readings.get("calendar.holidays", False),
        minutes("calendar.cut_off"),
        minutes("calendar.rush_cut_off"),
        readings.get("calendar.promised_window") == "all_days",
    )
