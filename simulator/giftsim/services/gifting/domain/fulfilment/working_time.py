"""Working time: lead times that leave out closed days, by the settings `calendar.*`, which are off by default (G460).

Working time runs from the beginning to the end of each open day, so 24h of it are one working day.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date
from functools import lru_cache
from typing import Any, Final

import msgspec

from giftsim.engine.kernel.errors import InvalidSetting
from giftsim.engine.kernel.instants import MINUTE, end_of_local_date, local_date, local_hour, parse_date
from giftsim.engine.kernel.setting import Setting, choice, flag
from giftsim.engine.kernel.state import State

HOME: Final = "US"  # where parcels are made
ABROAD: Final[Mapping[str, str]] = {
    "CA": "America/Toronto",
    "GB": "Europe/London",
    "AU": "Australia/Sydney",
    "DE": "Europe/Berlin",
    "FR": "Europe/Paris",
    "NL": "Europe/Amsterdam",
    "IT": "Europe/Rome",
    "ES": "Europe/Madrid",
}
WEEKEND, CUT_OFF_MISSED = "the weekend", "the cut-off"
NAMED: Final = 2  # closed days that a sentence names
MOST_DAYS: Final = 3_660  # after which a lead time runs on every day


def _is_on(raw: Any) -> bool:
    if type(raw) is not bool:
        raise ValueError("it is true or false")
    try:
        if raw:
            holidays_in(HOME, 2027)
    except ImportError:
        raise InvalidSetting(
            "setting calendar.holidays needs the package holidays, which is not installed: pip install holidays, or"
            " install giftsim with the extra `calendar`"
        ) from None
    return raw


def _minutes_or_null(raw: Any) -> int | None:
    if raw is None:
        return None
    if not isinstance(raw, str) or not re.fullmatch(r"([01]\d|2[0-3]):[0-5]\d", raw, re.ASCII):
        raise ValueError("it goes from 00:00 to 23:59")
    hours, minutes = raw.split(":")
    return int(hours) * 60 + int(minutes)


def _time_of_day(name: str, meaning: str) -> Setting[int | None]:
    return Setting(name, None, _minutes_or_null, "a time such as 14:00, or null", meaning)


WORKING_DAYS = flag(
    "calendar.working_days", False, "whether lead times run from Monday to Friday only, and nothing happens at weekends"
)
HOLIDAYS: Setting[bool] = Setting(
    "calendar.holidays",
    False,
    _is_on,
    "true or false",
    "whether lead times leave out public holidays; needs the extra `calendar`",
)
CUT_OFF = _time_of_day("calendar.cut_off", "from when on a parcel that is paid for counts as of the next open day")
RUSH_CUT_OFF = _time_of_day("calendar.rush_cut_off", "the cut-off of rush orders; null uses calendar.cut_off")
ZONE = choice(
    "calendar.zone",
    ("America/Los_Angeles", "America/Chicago", "America/New_York", "UTC"),
    "the time zone of the warehouse's days and cut-offs, and of deliveries in its country",
)
PROMISE = choice(
    "calendar.promised_window",
    ("open_days", "all_days"),
    "whether partner.promised_window counts open days only, as lead times do, or all days",
)

SETTINGS: tuple[Setting[Any], ...] = (WORKING_DAYS, HOLIDAYS, CUT_OFF, RUSH_CUT_OFF, ZONE, PROMISE)
_SWITCHES: Final = frozenset({WORKING_DAYS.name, HOLIDAYS.name, CUT_OFF.name, RUSH_CUT_OFF.name})


class WorkingTime(msgspec.Struct, frozen=True):
    """The open days of a country: all, but for weekends and public holidays as far as they are closed."""

    country: str
    zone: str
    weekends_closed: bool
    holidays_closed: bool

    def after(self, since_ms: int, span_ms: int) -> int:
        """The first instant of an open day by which so much working time has passed."""
        at_ms, left_ms = since_ms, span_ms
        for _ in range(MOST_DAYS):
            day = self._day(at_ms)
            if day == date.max:
                return at_ms + left_ms
            end_ms = end_of_local_date(at_ms, self.zone)
            if self.closing(day) is None:
                if at_ms + left_ms < end_ms:
                    return at_ms + left_ms
                left_ms -= end_ms - at_ms
            at_ms = end_ms
        return self.after(at_ms + left_ms, 0)

    def before(self, until_ms: int, span_ms: int) -> int:
        """The latest instant of an open day from which so much working time passes until then."""
        at_ms, left_ms = until_ms, span_ms
        for _ in range(MOST_DAYS):
            day = self._day(at_ms - 1)
            if day == date.min:
                break
            start_ms = local_hour(day, 0, self.zone)
            if self.closing(day) is None:
                if at_ms - left_ms >= start_ms:
                    break
                left_ms -= at_ms - start_ms
            at_ms = start_ms
        return self.after(at_ms - left_ms, 0)

    def received(self, at_ms: int, cut_off: int | None) -> int:
        """When something counts as received that comes then: from the cut-off on, at the next open day."""
        if not self.is_late(at_ms, cut_off):
            return at_ms
        return self.after(end_of_local_date(at_ms, self.zone), 0)

    def is_late(self, at_ms: int, cut_off: int | None) -> bool:
        """Whether an instant is after the cut-off of its day, in minutes; a day that is closed has none."""
        day = self._day(at_ms)
        if cut_off is None or self.closing(day) is not None:
            return False
        return at_ms >= local_hour(day, cut_off // 60, self.zone) + cut_off % 60 * MINUTE

    def closing(self, day: date) -> str | None:
        """Why a day is closed: the weekend, or the name of a holiday. None if it is open."""
        if self.weekends_closed and day.weekday() >= 5:
            return WEEKEND
        return holidays_in(self.country, day.year).get(day) if self.holidays_closed else None

    def closings(self, since_ms: int, until_ms: int) -> list[str]:
        """What was closed between two instants: holidays if there were any, the last of them, else the weekend."""
        found: dict[str, None] = {}
        at_ms = since_ms
        for _ in range(MOST_DAYS):
            if at_ms >= until_ms or self._day(at_ms) == date.max:
                break
            reason = self.closing(self._day(at_ms))
            if reason is not None:
                found[reason] = None
            at_ms = end_of_local_date(at_ms, self.zone)
        return [name for name in found if name != WEEKEND][-NAMED:] or list(found)

    def _day(self, at_ms: int) -> date:
        return parse_date(local_date(at_ms, self.zone))


def working_time(state: State, country: str | None) -> WorkingTime | None:
    """The working time of a country, or of the warehouse's; None while the calendar is off, so that all time counts."""
    if _SWITCHES.isdisjoint(state.setting_values):
        if WORKING_DAYS.name not in state.parsed_settings:
            state.setting(WORKING_DAYS)  # for those who ask which decisions came up
        return None
    abroad = ABROAD.get(country or HOME)
    place, zone = (country or HOME, abroad) if abroad else (HOME, state.setting(ZONE))
    return WorkingTime(place, zone, state.setting(WORKING_DAYS), state.setting(HOLIDAYS))


def cut_off(state: State, *, rush: bool) -> int | None:
    """The cut-off in minutes of the warehouse's day; None for none."""
    own = state.setting(RUSH_CUT_OFF) if rush else None
    return state.setting(CUT_OFF) if own is None else own


@lru_cache(maxsize=128)
def holidays_in(country: str, year: int) -> Mapping[date, str]:
    """The public holidays of a whole country in a year, with their English names; none after the year 2100 (G462)."""
    from holidays import country_holidays  # a third of a second, which only this setting pays

    found = country_holidays(country, years=year, expand=False, language="en_US")
    return {day: _short(str(name)) for day, name in sorted(found.items()) if day.year == year}


def _short(name: str) -> str:
    """The name of a holiday, without the note that another day stands for it."""
    return name.partition(";")[0].partition(" (")[0]
