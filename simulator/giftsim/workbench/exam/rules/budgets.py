"""The rule about budgets: what gifts cost belongs to their months in Los Angeles, whenever and however it is told."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from giftsim.workbench.exam.exam_rule import Rule
from giftsim.workbench.exam.gifts import APPROVE, decide, expect_gift, send, settle
from giftsim.workbench.exam.sitting import Sitting
from giftsim.workbench.exam.special_days import (
    FORWARD,
    LOS_ANGELES,
    YEARS,
    clock_changes,
    leap_day,
    long_day_in_los_angeles,
    month_end_in_los_angeles,
    text_of,
)

DECIDED, SENT = "approval.decided", "gift.sent"  # both are told after a yes, each perhaps before the other
HOURS: Final = (3, 9)  # for which time passes at a stretch


def _month_ends(sitting: Sitting) -> None:
    """Gifts are asked for and approved in the last hours of a month in Los Angeles, and in the first of the next."""
    _spend_around(sitting, month_end_in_los_angeles(sitting.random), timedelta(hours=sitting.draw.between(7, 30)))
    _long_day(sitting)


def _leap_day_ends(sitting: Sitting) -> None:
    """The same at the end of a February with 29 days."""
    last = leap_day(sitting.random)[1]
    _spend_around(sitting, last - timedelta(hours=sitting.draw.between(1, 12)), timedelta(hours=20))
    _long_day(sitting)


def _short_day(sitting: Sitting) -> None:
    """A day of 23 hours passes."""
    change = clock_changes(LOS_ANGELES, sitting.draw.one_of(*YEARS))[FORWARD]
    _spend_around(sitting, change - timedelta(hours=sitting.draw.between(30, 60)), timedelta(hours=90))
    _long_day(sitting)


def _long_day(sitting: Sitting) -> None:
    """October ends in Los Angeles, and the day of 25 hours passes that follows."""
    begin, end = long_day_in_los_angeles(sitting.random)
    _spend_around(sitting, begin, end - begin + timedelta(hours=1))


def _spend_around(sitting: Sitting, begin: datetime, span: timedelta) -> None:
    """A gift is asked for and approved, time passes, and so is another one."""
    sitting.begin(now=text_of(begin))
    late, other = sitting.random.sample((DECIDED, SENT), 2)
    _spend(sitting, late)
    _pass(sitting, begin + span)
    _spend(sitting, other)
    sitting.check(ended=True)


def _spend(sitting: Sitting, late: str) -> None:
    """A gift is approved, of which one of two webhooks comes after the other, and then once more."""
    gift = settle(sitting, send(sitting))
    sitting.advance(f"{sitting.draw.between(1, 20)}m")
    withheld = sitting.withhold(late)
    decide(sitting, gift, APPROVE)
    sitting.advance(f"{sitting.draw.between(1, 20)}m")
    sitting.end_fault(withheld)
    sitting.send_again(late)
    expect_gift(sitting, gift)


def _pass(sitting: Sitting, end: datetime) -> None:
    """Let some hours pass at a time, until it is this instant or later."""
    while datetime.fromisoformat(sitting.now) < end:
        sitting.advance(f"{sitting.draw.between(*HOURS)}h")
        sitting.check()


RULES = (
    Rule(
        id="keeps_monthly_budgets",
        rule="What a gift costs is booked once, in its month in Los Angeles, at ends of months and when clocks change.",
        sources=("T-5.21", "T-6.10", "T-6.21"),
        probes=(_month_ends, _short_day, _leap_day_ends),
        needs=("gift",),
    ),
)
