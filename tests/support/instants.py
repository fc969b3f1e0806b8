"""Arithmetic on instants as the API writes them."""

from __future__ import annotations

from datetime import datetime, timedelta

from giftsim.engine.kernel.instants import HOUR, SECOND, format_instant, parse_duration, parse_instant
from tests.support.worlds import World


def later(instant: str, duration: str) -> str:
    """The instant that much later, such as `5m` or `3d`; `-2d` is earlier."""
    sign, span = (-1, duration[1:]) if duration.startswith("-") else (1, duration)
    return format_instant(parse_instant(instant) + sign * parse_duration(span))


def instant_from_now(world: World, **span: float) -> str:
    """The instant that much after the world's now; `span` takes the arguments of `timedelta`."""
    return (datetime.fromisoformat(world.now) + timedelta(**span)).strftime("%Y-%m-%dT%H:%M:%SZ")


def date_from_now(world: World, days: int = 0) -> str:
    """The UTC date that many days after the world's now."""
    return instant_from_now(world, days=days)[:10]


def next_full_hour(instant: str) -> str:
    """The next full hour after an instant: when the hourly webhook run takes place."""
    return format_instant((parse_instant(instant) // HOUR + 1) * HOUR)


def unix_s(instant: str) -> int:
    """The instant in Unix seconds."""
    return parse_instant(instant) // SECOND
