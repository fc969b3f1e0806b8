"""Instants at which apps get dates wrong: ends of months, changes of clocks, 29 February, the turn of the year.

Each function draws one or two instants (in whole seconds of UTC) from `random`, the first one first.
"""

from __future__ import annotations

from calendar import isleap
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from functools import cache
from random import Random  # noqa: TID251  # seeded, and outside of every world
from typing import Final, TypeAlias
from zoneinfo import ZoneInfo

LOS_ANGELES: Final = ZoneInfo("America/Los_Angeles")  # in which the service counts days and months of money
EUROPE: Final = ZoneInfo("Europe/Berlin")
YEARS: Final = range(2027, 2036)
MONDAY: Final = 1
FORWARD, BACK = 0, 1
SECOND, HOUR = timedelta(seconds=1), timedelta(hours=1)

Special: TypeAlias = Callable[[Random], Sequence[datetime]]


def clocks_back(zone: ZoneInfo) -> Special:
    """Two instants of a zone with the same time on the clock, an hour apart, when the clocks go back."""

    def draw(random: Random) -> Sequence[datetime]:
        before = _change(random, zone, BACK) - SECOND * random.randrange(1, 3000)
        return before, before + HOUR

    return draw


def clocks_forward(zone: ZoneInfo) -> Special:
    """The last second before an hour that the clocks of a zone leave out, and the first after it."""

    def draw(random: Random) -> Sequence[datetime]:
        change = _change(random, zone, FORWARD)
        return change - SECOND, change

    return draw


def month_end(random: Random) -> Sequence[datetime]:
    """The last second of a month and the first of the next one: in UTC, in Los Angeles, or in Europe."""
    zone = random.choice((UTC, LOS_ANGELES, EUROPE))
    first = datetime(random.choice(YEARS), random.randrange(1, 13), 1, tzinfo=zone).astimezone(UTC)
    return first - SECOND, first


def new_year(random: Random) -> Sequence[datetime]:
    """The last second of a year in UTC and the first of the next one, which are in the same week."""
    years = [year for year in YEARS if datetime(year, 1, 1, tzinfo=UTC).isoweekday() != MONDAY]
    first = datetime(random.choice(years), 1, 1, tzinfo=UTC)
    return first - SECOND, first


def leap_day(random: Random) -> Sequence[datetime]:
    """Some second of 29 February, and the last one."""
    day = datetime(random.choice([year for year in YEARS if isleap(year)]), 2, 29, tzinfo=UTC)
    return day + SECOND * random.randrange(23 * 3600), day + timedelta(days=1) - SECOND


def month_end_in_los_angeles(random: Random) -> datetime:
    """An instant in the last hours of a month in Los Angeles, when the next month has begun in UTC."""
    first = datetime(random.choice(YEARS), random.randrange(2, 13), 1, tzinfo=LOS_ANGELES).astimezone(UTC)
    return first - SECOND * random.randrange(60, 6 * 3600)


def long_day_in_los_angeles(random: Random) -> Sequence[datetime]:
    """An instant of the last hours of October in Los Angeles, and the end of the day of 25 hours that follows."""
    change = _change(random, LOS_ANGELES, BACK).astimezone(LOS_ANGELES)
    november, after = (datetime(change.year, change.month, day, tzinfo=LOS_ANGELES) for day in (1, change.day + 1))
    return november.astimezone(UTC) - SECOND * random.randrange(60, 6 * 3600), after.astimezone(UTC)


def text_of(instant: datetime) -> str:
    """The second of an instant as the service writes it, in UTC."""
    return f"{instant.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}"


@cache
def clock_changes(zone: ZoneInfo, year: int) -> Sequence[datetime]:
    """The instants of a year at which the clocks of a zone change."""
    hours = [datetime(year, 1, 1, tzinfo=UTC) + HOUR * hour for hour in range(365 * 24)]
    offsets = [hour.astimezone(zone).utcoffset() for hour in hours]
    return [hour for before, after, hour in zip(offsets, offsets[1:], hours[1:], strict=False) if before != after]


def _change(random: Random, zone: ZoneInfo, way: int) -> datetime:
    """An instant at which the clocks of a zone go this way: the first change of a year is forward, the second back."""
    return clock_changes(zone, random.choice(YEARS))[way]
