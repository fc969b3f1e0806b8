"""Los Angeles dates and times of a world, and moves of its clock to them."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

from tests.support.worlds import World

LOS_ANGELES = ZoneInfo("America/Los_Angeles")


def local_time(world: World) -> datetime:
    """The world's time in Los Angeles."""
    return datetime.fromisoformat(world.now).astimezone(LOS_ANGELES)


def local_today(world: World) -> date:
    """The world's date in Los Angeles."""
    return local_time(world).date()


def local_month(world: World) -> str:
    """The world's month in Los Angeles, as `2027-01`."""
    return local_time(world).strftime("%Y-%m")


def month_day_in(world: World, days: int) -> str:
    """The date so many days from today, as `MM-DD`."""
    return (local_today(world) + timedelta(days=days)).isoformat()[5:]


def next_month_start(world: World, month: int | None = None) -> datetime:
    """The next midnight in Los Angeles at which a month begins, or this month of the year (1 to 12)."""
    day = local_time(world)
    while True:
        day = (day.replace(day=1) + timedelta(days=32)).replace(day=1, hour=0, minute=0, second=0, microsecond=0)
        if month in (None, day.month):
            return day


def utc_instant(day: date, hour: int, minute: int = 0) -> str:
    """A Los Angeles date and time as an RFC 3339 instant in UTC."""
    return _format(datetime(day.year, day.month, day.day, hour, minute, tzinfo=LOS_ANGELES))


def advance_to(world: World, at: datetime) -> None:
    """Advance the world's clock to a time."""
    world.advance(to=_format(at))


def advance_to_local(world: World, day: date, hour: int, minute: int = 0) -> None:
    """Advance the world's clock to a Los Angeles date and time."""
    world.advance(to=utc_instant(day, hour, minute))


def advance_to_midnight(world: World) -> date:
    """Advance the world's clock to the next midnight in Los Angeles; return the date that begins then."""
    day = local_today(world) + timedelta(days=1)
    advance_to_local(world, day, 0)
    return day


def _format(at: datetime) -> str:
    return at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
