"""The rule about tickets. The museum knows no idempotency, so only the app can know what it bought."""

from __future__ import annotations

from datetime import date, timedelta

import msgspec

from giftsim.workbench.exam.exam_rule import Rule
from giftsim.workbench.exam.sitting import Sitting

BUY = "buyMuseumTickets"
DATES = ("02-28", "02-29", "12-31", "01-01", "10-31", "03-31")  # with which calendars go wrong


def _asked_for_again(sitting: Sitting) -> None:
    """The same ticket is asked for again, at once and some hours later."""
    sitting.begin()
    day = date.fromisoformat(sitting.now[:10]) + timedelta(days=sitting.draw.between(1, 20))
    ticket = _buy(sitting, day)
    for hours in (0, sitting.draw.between(1, 30)):
        sitting.advance(f"{hours}h")
        sitting.app.do("ticket", **ticket)
    _expect_tickets(sitting, (day, 1))
    _buy(sitting, day)
    _expect_tickets(sitting, (day, 2))
    sitting.check()


def _on_a_special_day(sitting: Sitting) -> None:
    """The ticket is for the day that was asked for, not for the day before it or after it."""
    year, name = sitting.draw.between(2027, 2034), sitting.draw.one_of(*DATES)
    day = date.fromisoformat(f"{2028 if name == '02-29' else year}-{name}")
    hour = sitting.draw.one_of("00:30:00", "07:30:00", "12:00:00", "23:30:00")
    sitting.begin(now=f"{day - timedelta(days=sitting.draw.between(1, 9))}T{hour}Z")
    _buy(sitting, day)
    _expect_tickets(sitting, (day, 1))
    sitting.check()


def _buy(sitting: Sitting, day: date) -> dict[str, str]:
    """Ask the app for a ticket; the members of the action."""
    reference, email = sitting.draw.plain_reference(), sitting.draw.person().email
    members = {"reference": reference, "email": email, "date": day.isoformat()}
    sitting.app.do("ticket", **members)
    return members


def _expect_tickets(sitting: Sitting, *wanted: tuple[date, int]) -> None:
    """So many tickets were sold for these days, and none for others."""
    answers = [call["response"]["body"] for call in sitting.books.carried_out(BUY)]
    sold = [msgspec.json.decode(answer)["ticketDate"] for answer in answers]
    for day, many in wanted:
        times = sold.count(day.isoformat())
        asked = f"the app was asked for {many} tickets for {day}, and bought {times}"
        sitting.expect(times == many, asked)
    others = sorted(set(sold) - {day.isoformat() for day, _ in wanted})
    sitting.expect(not others, f"nobody asked for a ticket for {', '.join(others)}")


RULES = (
    Rule(
        id="buys_tickets_once",
        rule="The ticket that a customer wants is bought once, for the day that the customer wants.",
        sources=("M-2.2", "M-4.7", "C11"),
        probes=(_asked_for_again, _on_a_special_day),
        needs=("ticket",),
    ),
)
