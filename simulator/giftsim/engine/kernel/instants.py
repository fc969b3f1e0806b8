"""Instants and durations: whole milliseconds since 1970-01-01T00:00:00Z, read and written as RFC 3339 UTC (G12)."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from zoneinfo import ZoneInfo

SECOND = 1_000
MINUTE = 60 * SECOND
HOUR = 60 * MINUTE
DAY = 24 * HOUR
WEEK = 7 * DAY

LATEST_MS = 253_402_300_799_999  # 9999-12-31T23:59:59.999Z, the last instant RFC 3339 can write
EARLIEST_MS = -62_135_596_800_000  # 0001-01-01T00:00:00Z

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_INSTANT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)", re.ASCII)
_SHORT = re.compile(r"(\d{1,12})(ms|s|m|h|d|w)", re.ASCII)
_ISO = re.compile(
    r"P(?:(\d{1,9})W)?(?:(\d{1,9})D)?(?:T(?:(\d{1,9})H)?(?:(\d{1,9})M)?(?:(\d{1,9})(?:\.(\d{1,3})\d*)?S)?)?", re.ASCII
)
_UNITS = {"ms": 1, "s": SECOND, "m": MINUTE, "h": HOUR, "d": DAY, "w": WEEK}


def parse_instant(text: str) -> int:
    """Milliseconds of an RFC 3339 instant; ValueError names what is wrong."""
    if not _INSTANT.fullmatch(text):
        raise ValueError(f"{text!r} is not an instant like 2027-01-04T09:00:00Z")
    try:
        at_ms = (datetime.fromisoformat(text) - _EPOCH) // timedelta(milliseconds=1)
    except (ValueError, OverflowError) as error:
        raise ValueError(f"{text!r} is not an instant: {error}") from None
    if not EARLIEST_MS <= at_ms <= LATEST_MS:
        raise ValueError(f"{text!r} is outside the years 0001 to 9999 in UTC")
    return at_ms


@lru_cache(maxsize=4096)
def format_instant(at_ms: int) -> str:
    """`YYYY-MM-DDTHH:MM:SSZ`, cut to whole seconds (G12); outside the years 1 to 9999 the first or last of them."""
    day, rest = divmod(max(EARLIEST_MS, min(at_ms, LATEST_MS)) // SECOND, DAY // SECOND)
    return f"{_written_day(day)}{_written_time(rest)}"


def format_exact(at_ms: int) -> str:
    """An instant as text, with milliseconds if it is not a whole second."""
    text, rest = format_instant(at_ms), at_ms % SECOND
    return f"{text[:-1]}.{rest:03}Z" if rest else text


@lru_cache(maxsize=512)
def _written_day(day: int) -> str:
    return date.fromordinal(_EPOCH.toordinal() + day).isoformat()


@lru_cache(maxsize=512)
def _written_time(second: int) -> str:
    minutes, seconds = divmod(second, 60)
    return f"T{minutes // 60:02}:{minutes % 60:02}:{seconds:02}Z"


@lru_cache(maxsize=4096)
def instant_or_null(at_ms: int | None) -> str | None:
    """The instant as text, or None where there is none yet."""
    return None if at_ms is None else format_instant(at_ms)


def parse_duration(text: str) -> int:
    """Milliseconds of `90s`, `15m`, `3h`, `2d`, `1w`, `250ms` or ISO 8601 (`PT36H`); ValueError otherwise."""
    if short := _SHORT.fullmatch(text):
        return int(short[1]) * _UNITS[short[2]]
    iso = _ISO.fullmatch(text)
    if iso is None or not any(iso.groups()) or text.endswith("T"):
        raise ValueError(f"{text!r} is not a duration like 90s, 15m, 3h, 2d, 1w or PT36H")
    weeks, days, hours, minutes, seconds = (int(part or 0) for part in iso.groups()[:5])
    fraction = int((iso[6] or "0").ljust(3, "0"))
    return weeks * WEEK + days * DAY + hours * HOUR + minutes * MINUTE + seconds * SECOND + fraction


def format_duration(span_ms: int) -> str:
    """The shortest exact spelling of a span: `2d`, `36h`, `90s`, `250ms`."""
    for unit in ("w", "d", "h", "m", "s"):
        if span_ms and span_ms % _UNITS[unit] == 0:
            return f"{span_ms // _UNITS[unit]}{unit}"
    return f"{span_ms}ms" if span_ms else "0s"


def format_wait(span_ms: int) -> str:
    """A span to wait for: exact in whole seconds, else rounded up to minutes.

    Above a day it is rounded up to hours, below a minute to seconds.
    """
    if span_ms % SECOND == 0:
        return format_duration(span_ms)
    unit = HOUR if span_ms > DAY else MINUTE if span_ms > MINUTE else SECOND
    return format_duration(-(-span_ms // unit) * unit)


def parse_date(text: str) -> date:
    """A calendar date written `YYYY-MM-DD`; ValueError otherwise."""
    if not re.fullmatch(r"\d{4}-\d\d-\d\d", text, re.ASCII):
        raise ValueError(f"{text!r} is not a date like 2027-01-04")
    return date.fromisoformat(text)


def is_date(text: str) -> bool:
    """Whether a text is a calendar date written `YYYY-MM-DD`, in the years 0001 to 9999."""
    try:
        parse_date(text)
    except ValueError:
        return False
    return True


def utc_date(at_ms: int) -> str:
    """The UTC day of an instant, `YYYY-MM-DD`."""
    return format_instant(at_ms)[:10]


def start_of_date(text: str, zone: str = "UTC") -> int:
    """The first millisecond of a day, in UTC or in a named zone."""
    return local_hour(parse_date(text), 0, zone)


@lru_cache(maxsize=16)
def _zone(name: str) -> ZoneInfo:
    from zoneinfo import ZoneInfo  # it is a fiftieth of the start of a small command, which needs no zone

    return ZoneInfo(name)


def end_of_local_date(at_ms: int, zone: str) -> int:
    """The first millisecond of the next calendar day in a named zone; of the last day, the last that can be written."""
    day = parse_date(local_date(at_ms, zone))
    if day == date.max:
        return LATEST_MS
    return local_hour(day + timedelta(days=1), 0, zone)


def local_hour(day: date, hour: int, zone: str) -> int:
    """The instant of a full hour of a day in a named zone."""
    return (datetime(day.year, day.month, day.day, hour, tzinfo=_zone(zone)) - _EPOCH) // timedelta(milliseconds=1)


def local_date(at_ms: int, zone: str) -> str:
    """The calendar day of an instant in a named zone (Los Angeles counts spending, B13).

    Outside the years 1 to 9999 it is the first or the last day of them.
    """
    instant = _EPOCH + timedelta(milliseconds=max(EARLIEST_MS, min(at_ms, LATEST_MS)))
    try:
        return instant.astimezone(_zone(zone)).date().isoformat()
    except OverflowError:
        return (date.min if at_ms < 0 else date.max).isoformat()
