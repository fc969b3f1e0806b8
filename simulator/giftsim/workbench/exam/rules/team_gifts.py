"""Rules about the team API: gifts that wait for a person, campaigns, and birthdays."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from typing import Any

from giftsim.workbench.exam.exam_rule import Rule
from giftsim.workbench.exam.gifts import (
    APPROVE,
    REJECT,
    claim,
    decide,
    drawn_gift,
    expect_gift,
    only_gift,
    send,
    settle,
)
from giftsim.workbench.exam.sitting import Sitting
from giftsim.workbench.exam.special_days import LOS_ANGELES, text_of

SEND = {"operation": "sendGift"}
CAMPAIGN, PROCESS = "createLargeCampaign", "processLargeCampaign"
LOST = {"drop": "after"}
SOME = (1, 3)  # calls in a row that go wrong
BIRTHDAYS = ("01-01", "01-31", "02-28", "04-30", "12-31")  # where a month or a year ends or begins
RUN_AT_H = 9  # the hour in Los Angeles at which the service makes the gifts of a day


def _gift_answer_lost(sitting: Sitting) -> None:
    """The gift is made, but the app does not hear of it, once or several times in a row."""
    sitting.begin()
    sitting.fault(match=SEND, when={"first": sitting.draw.between(*SOME)}, effect=LOST)
    gift = settle(sitting, send(sitting))
    only_gift(sitting, gift)
    expect_gift(sitting, send(sitting, gift))


def _gift_asked_for_again(sitting: Sitting) -> None:
    """The same gift is asked for again and again; another one for the same person is another one."""
    sitting.begin()
    gift = send(sitting)
    send(sitting, gift)
    only_gift(sitting, gift)
    sitting.advance(f"{sitting.draw.between(1, 20)}h")
    expect_gift(sitting, send(sitting, gift))
    send(sitting, drawn_gift(sitting, gift.person))
    made = sitting.books.gifts_with(gift.person.email)
    sitting.expect(len(made) == 2, f"the app was asked for two gifts for one person, and there are {len(made)}", made)


def _gift_refused_for_now(sitting: Sitting) -> None:
    """The service is busy or down for some calls."""
    sitting.begin()
    busy = {"status": 429, "retry_after": 1}
    down = {"status": 503, "retry_after": 0}
    effect = sitting.draw.one_of(busy, down, down)
    sitting.fault(match=SEND, when={"first": 1 if effect is busy else sitting.draw.between(*SOME)}, effect=effect)
    expect_gift(sitting, settle(sitting, send(sitting)))


def _gift_told_twice(sitting: Sitting) -> None:
    """Everything that the service tells of a gift is told twice."""
    sitting.begin()
    gift = settle(sitting, send(sitting))
    decide(sitting, gift, APPROVE)
    sitting.advance(f"{sitting.draw.between(1, 9)}h")
    claim(sitting, gift)
    sitting.advance("idle")
    sitting.send_again()
    expect_gift(sitting, gift)
    sitting.check(ended=True)


def _approved_late(sitting: Sitting) -> None:
    """A person decides after days; until then nothing is sent, and nothing is asked for again."""
    sitting.begin()
    gift = settle(sitting, send(sitting))
    for _ in range(sitting.draw.between(2, 3)):
        sitting.advance(f"{sitting.draw.between(20, 40)}h")
        made = expect_gift(sitting, gift)
        mails = [mail for mail in sitting.world.rows("/mail", "mail") if mail["to"] == gift.person.email]
        sitting.expect(not mails, f"the gift of {gift.person.email} was sent before anybody approved it", [made["id"]])
    decide(sitting, gift, APPROVE)
    expect_gift(sitting, gift)
    claim(sitting, gift)
    sitting.advance("idle")
    expect_gift(sitting, gift)
    sitting.check(ended=True)


def _rejected(sitting: Sitting) -> None:
    """A person rejects the gift: it is never sent, and never asked for anew."""
    sitting.begin()
    gift, other = settle(sitting, send(sitting)), settle(sitting, send(sitting))
    sitting.advance(f"{sitting.draw.between(1, 60)}h")
    decide(sitting, gift, REJECT)
    decide(sitting, other, APPROVE)
    for each in (gift, other):
        expect_gift(sitting, each)
    sitting.advance(f"{sitting.draw.between(1, 9)}d")
    for each in (gift, other):
        expect_gift(sitting, each)
    sitting.check(ended=True)


def _dearer_meanwhile(sitting: Sitting) -> None:
    """The price rises before a person says yes, so that the yes pays nothing, and the new price is asked for."""
    sitting.begin()
    gift = settle(sitting, send(sitting))
    [product] = [each for each in sitting.products if each.slug == gift.item]
    sitting.simulate("price", product=product.code, price_cents=product.price_cents + sitting.draw.between(1, 900))
    decide(sitting, gift, APPROVE)
    expect_gift(sitting, gift)
    sitting.advance(f"{sitting.draw.between(1, 60)}h")
    expect_gift(sitting, gift)
    decide(sitting, gift, APPROVE)
    claim(sitting, gift)
    sitting.advance("idle")
    expect_gift(sitting, gift)
    sitting.check(ended=True)


def _campaign_made_again(sitting: Sitting) -> None:
    """The answers to making a campaign are lost, and it is asked for twice."""
    _campaign(sitting, CAMPAIGN)


def _campaign_processed_again(sitting: Sitting) -> None:
    """The answers to preparing and paying it are lost, and it is asked for twice."""
    _campaign(sitting, PROCESS)


def _campaign(sitting: Sitting, operation: str) -> None:
    sitting.begin()
    sitting.fault(match={"operation": operation}, when={"first": sitting.draw.between(*SOME)}, effect=LOST)
    people = sitting.draw.people(sitting.draw.between(1, 4))
    reference = sitting.draw.plain_reference()
    members: dict[str, Any] = {
        "reference": reference, "name": sitting.draw.word(), "collection": sitting.collection,
        "recipients": [each.row for each in people],
    }  # fmt: skip
    for _ in range(2):
        sitting.app.do("campaign", **members)
        sitting.wait_for_webhooks()
    keys = {call["request"]["headers"].get("Idempotency-Key") for call in sitting.books.carried_out(CAMPAIGN)}
    sitting.expect(len(keys) > 0, f"the app was asked for the campaign {reference!r}, and made none")
    sitting.expect(len(keys) == 1, f"the campaign {reference!r} was made {len(keys)} times, each with a key of its own")
    for approval in sitting.world.rows("/approvals", "approvals"):
        if approval["resource_type"] == "large_campaign" and approval["status"] == "pending":
            sitting.simulate("approval", approval_id=approval["id"], decision=APPROVE)
    sitting.wait_for_webhooks()
    sitting.advance("1d")
    for person in people:
        made = sitting.books.campaigns_with(person.email)
        sitting.expect(len(made) <= 1, f"{person.email} is {len(made)} times in the campaign {reference!r}", made)
    sitting.check(ended=True)


def _birthday_at_an_edge(sitting: Sitting) -> None:
    """The birthday is the last or first day of a month."""
    _birthday(sitting, sitting.draw.one_of(*BIRTHDAYS), sitting.draw.between(2027, 2034))


def _birthday_on_leap_day(sitting: Sitting) -> None:
    """The birthday is 29 February, in a year that has one and in one that has none."""
    _birthday(sitting, "02-29", sitting.draw.one_of(2028, 2032, sitting.draw.one_of(2029, 2030, 2031)))


def _birthday(sitting: Sitting, birthday: str, year: int) -> None:
    day = _day_in(birthday, year)
    begun = _at(day - timedelta(days=sitting.draw.between(2, 20)), sitting.draw.between(0, 23))
    sitting.begin(now=begun)
    sitting.fault(match={"operation": "createRule"}, when={"first": sitting.draw.between(*SOME)}, effect=LOST)
    person, product = sitting.draw.person(), sitting.draw.one_of(*sitting.products)
    members: dict[str, Any] = {
        "reference": sitting.draw.plain_reference(), "name": sitting.draw.word(), "kind": "birthday",
        "person": {"email": person.email, "first_name": person.name.split()[0], "birthday": birthday},
        "budget_cents": 100_000, "merchant_product_id": product.id,
    }  # fmt: skip
    for _ in range(2):
        sitting.app.do("rule", **members)
    sitting.advance(_at(day, RUN_AT_H - 1))
    made = sitting.books.gifts_with(person.email)
    sitting.expect(not made, f"the birthday is {birthday}, and its gift was made before {day}", made)
    sitting.advance(_at(day + timedelta(days=1), RUN_AT_H - 1))
    made = sitting.books.gifts_with(person.email)
    gifts = f"{len(made)} gifts were made for the birthday {birthday} on {day}"
    sitting.expect(len(made) == 1, gifts, made)
    sitting.advance("3d")
    made = sitting.books.gifts_with(person.email)
    sitting.expect(len(made) == 1, f"{len(made)} gifts were made for one birthday, {birthday}", made)


def _day_in(birthday: str, year: int) -> date:
    """The day of a birthday in a year: 28 February for the 29th where there is none."""
    try:
        return date.fromisoformat(f"{year}-{birthday}")
    except ValueError:
        return date(year, 2, 28)


def _at(day: date, hour: int) -> str:
    """The instant of an hour of a day in Los Angeles."""
    return text_of(datetime(day.year, day.month, day.day, hour, tzinfo=LOS_ANGELES))


RULES = (
    Rule(
        id="sends_gifts_once",
        rule="A gift is sent once, whatever becomes of the calls that send it.",
        sources=("T-4.37", "T-4.208", "T-6.21"),
        probes=(_gift_answer_lost, _gift_told_twice, _gift_asked_for_again, _gift_refused_for_now),
        needs=("gift",),
    ),
    Rule(
        id="waits_for_approval",
        rule="A gift is held until a person approves it, and the app believes nothing else, whatever the person says.",
        sources=("T-1.5", "T-1.6", "T-6.10", "G57"),
        probes=(_approved_late, _dearer_meanwhile, _rejected),
        needs=("gift",),
    ),
    Rule(
        id="runs_campaigns_once",
        rule="A campaign is made once, and everybody in it gets one gift.",
        sources=("T-4.164", "T-4.172", "T-4.208"),
        probes=(_campaign_made_again, _campaign_processed_again),
        needs=("campaign",),
    ),
    Rule(
        id="keeps_birthdays",
        rule="A rule sends one gift for each birthday, also on 29 February and at the ends of months.",
        sources=("T-2.10", "T-4.138", "A7.10", "G37"),
        probes=(_birthday_on_leap_day, _birthday_at_an_edge),
        needs=("rule",),
        usual=("rules_never_alone", "rules_only_report"),  # then no gift is made by itself, or at all
    ),
)
