"""The rule about instants: what the app says of when something happened, on the days on which that is hard."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from giftsim.workbench.exam.drawing import Order
from giftsim.workbench.exam.exam_rule import READINESS, RECEIVER, Rule
from giftsim.workbench.exam.parcels import hours_off
from giftsim.workbench.exam.service_books import stages_of
from giftsim.workbench.exam.sitting import Sitting
from giftsim.workbench.exam.special_days import (
    EUROPE,
    LOS_ANGELES,
    Special,
    clocks_back,
    clocks_forward,
    leap_day,
    month_end,
    new_year,
    text_of,
)

SOON = "3h"  # in which the service tells what happened
BEFORE_D = (1, 9)  # days for which the links are open before the first is claimed


def _clocks(sitting: Sitting) -> None:
    for zone in (LOS_ANGELES, EUROPE):
        _at(sitting, clocks_back(zone))
        _at(sitting, clocks_forward(zone))


def _dates(sitting: Sitting) -> None:
    for special in (month_end, leap_day, new_year):
        _at(sitting, special)


def _told_late(sitting: Sitting) -> None:
    """The app's receiver is down when it happens, and hears of it hours later."""
    special = sitting.draw.one_of(clocks_back(LOS_ANGELES), clocks_back(EUROPE), month_end, leap_day, new_year)
    order, instants = _wait_for(sitting, special)
    sitting.receive(outage={"from": "+0s", "to": f"+{sitting.draw.between(30, 60)}d", "status": 503})
    _claim_at(sitting, order, instants)
    sitting.advance(f"{sitting.draw.between(2, 7)}h")
    sitting.receive()
    sitting.advance("2d")
    _expect_since(sitting, order)


def _told_in_another_order(sitting: Sitting) -> None:
    """What happened first is told last, and then once more."""
    order, instants = _wait_for(sitting, sitting.draw.one_of(month_end, leap_day, new_year))
    held = sitting.withhold("team_order.claimed")
    _claim_at(sitting, order, instants)
    sitting.advance("4d")
    _expect_since(sitting, order)
    sitting.end_fault(held)
    sitting.send_again("team_order.claimed")
    _expect_since(sitting, order)


def _at(sitting: Sitting, special: Special) -> None:
    """Two recipients claim their gifts at special instants, and get them some days later."""
    order, instants = _wait_for(sitting, special)
    _claim_at(sitting, order, instants)
    sitting.advance(SOON)
    _expect_since(sitting, order)
    sitting.advance("idle")
    _expect_since(sitting, order)


def _wait_for(sitting: Sitting, special: Special) -> tuple[Order, Sequence[datetime]]:
    """An order in a world that begins some days before special instants."""
    instants = special(sitting.random)
    sitting.begin(now=text_of(instants[0] - timedelta(days=sitting.draw.between(*BEFORE_D))))
    return sitting.order(2, address=False), instants


def _claim_at(sitting: Sitting, order: Order, instants: Sequence[datetime]) -> None:
    for person, instant in zip(order.people, instants, strict=True):
        sitting.advance(text_of(instant))
        sitting.claim(order, person)


def _expect_since(sitting: Sitting, order: Order) -> None:
    """What the app says of when the stage of each recipient began must be what it was told."""
    known = sitting.known(order)
    for email, said in known.recipients.items():
        told = [each for each in sitting.books.told(email, sitting.host) if each.accepted]
        happened = [each for each in told if said.stage in stages_of(each)]
        if not happened:
            continue
        latest = max(happened, key=lambda each: each.occurred_at)
        about = [latest.id]
        when = f"the gift of {email} was {said.stage} at {latest.occurred_at}, and the app says {said.since!r}"
        is_right = _instant(said.since) == _instant(latest.occurred_at)
        sitting.expect(is_right, f"{when}{hours_off(latest.occurred_at, said.since)}", about)
    stages = {email: said.stage for email, said in known.recipients.items()}
    reason = f"the gifts of {order.reference!r} were claimed, and the app says that all are only ordered"
    sitting.expect(set(stages.values()) != {"ordered"}, reason, [sitting.only_order(order)["order"]["id"]])


def _instant(text: str | None) -> datetime | None:
    """The second of an instant; None if the text names none, as without an offset from UTC."""
    try:
        instant = datetime.fromisoformat(text or "")
    except ValueError:
        return None
    return None if instant.tzinfo is None else instant.astimezone(UTC).replace(microsecond=0)


RULES = (
    Rule(
        id="tells_when_it_happened",
        rule="What happened is booked at the second at which it happened, and not when it was told.",
        sources=("P-2.45", "G12"),
        probes=(_clocks, _told_late, _dates, _told_in_another_order),
        groups=(READINESS, RECEIVER),
    ),
)
