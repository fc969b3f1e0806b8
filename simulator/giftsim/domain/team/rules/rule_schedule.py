"""The daily run of rules: at 09:00 in Los Angeles, while any rule of the world is active (G37)."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

from giftsim.domain.team.people.upcoming_dates import ZONE
from giftsim.kernel.instants import local_date, parse_date
from giftsim.kernel.setting import flag
from giftsim.kernel.state import State

OWNER, RUN = "rules", "rules.run"
HOUR_OF_DAY = 9
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)

AUTO = flag("rules.auto", True, "whether active rules run by themselves, daily at 09:00 in Los Angeles (G37)")


def update_timer(state: State, *, wanted: bool) -> None:
    """Schedule the next run if one is wanted, and cancel it if not."""
    armed = bool(state.timers.owned(OWNER, 0))
    if armed and not wanted:
        state.timers.clear(OWNER, 0)
    elif wanted and not armed:
        due_ms = next_run(state.now_ms)
        if due_ms is not None:
            state.timers.set(due_ms, OWNER, 0, RUN, "rules run daily at 09:00 in Los Angeles")


def next_run(after_ms: int) -> int | None:
    """The first 09:00 in Los Angeles after an instant; None at the end of the calendar."""
    day = parse_date(local_date(after_ms, ZONE))
    for candidate in (day, day + timedelta(days=1) if day < date.max else None):
        at_ms = None if candidate is None else _run_instant(candidate)
        if at_ms is not None and at_ms > after_ms:
            return at_ms
    return None


def timer_subject(_: State, _slot: int) -> str:
    """The run as the list of timers shows it."""
    return "all active rules"


def _run_instant(day: date) -> int:
    morning = datetime(day.year, day.month, day.day, HOUR_OF_DAY, tzinfo=ZoneInfo(ZONE))
    return (morning - _EPOCH) // timedelta(milliseconds=1)
