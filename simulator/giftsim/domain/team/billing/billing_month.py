"""Months in Los Angeles, which spending limits and statements count by (A5.4, A5.8, T-5.21)."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo

from giftsim.domain.team.billing.problem import InvalidMonth
from giftsim.kernel.instants import EARLIEST_MS, HOUR, LATEST_MS, local_date

ZONE = "America/Los_Angeles"
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MONTH = re.compile(r"([0-9]{4})-(0[1-9]|1[0-2])", re.ASCII)


@lru_cache(maxsize=64)
def _month(hour: int) -> str:
    return local_date(hour * HOUR, ZONE)[:7]


def month_of(at_ms: int) -> str:
    """The month of an instant, `YYYY-MM`. Months begin at full hours, so the result is cached by hour."""
    return _month(at_ms // HOUR)


def day_of(at_ms: int) -> str:
    """The day in Los Angeles of an instant, `YYYY-MM-DD`."""
    return local_date(at_ms, ZONE)


def month_bounds(month: str) -> tuple[int, int]:
    """The first millisecond of a month and of the next one. InvalidMonth unless it is written `YYYY-MM`."""
    match = _MONTH.fullmatch(month)
    if match is None or match[1] == "0000":
        raise InvalidMonth("month: must be written YYYY-MM, such as 2027-01")
    year, number = int(match[1]), int(match[2])
    return _start(year, number), _start(year + number // 12, number % 12 + 1)


def _start(year: int, number: int) -> int:
    if year > 9999:
        return LATEST_MS + 1
    if (year, number) == (1, 1):
        return EARLIEST_MS  # earlier than midnight in Los Angeles, which is the first instant's day too
    midnight = datetime(year, number, 1, tzinfo=ZoneInfo(ZONE))
    return (midnight - _EPOCH) // timedelta(milliseconds=1)
