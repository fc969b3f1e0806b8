"""Rules that make gifts of a CRM's deals, as the documents describe them (G37, G444, G447, G450 to G454, G456)."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from typing import NamedTuple

from tests.models.compare import Learned
from tests.models.people import Contact, Deal, Gift, Name, People
from tests.models.team_money import Refused, wrong_state
from tests.models.team_statement import LOS_ANGELES

PRICES = {"mug-01": 1800, "pen-01": 600, "tee-01": 2500}
SHIPPING = 800
KIT = ("mug-01", "pen-01")  # what can go off sale of the collection that contacts are sent
SIZES, COLOURS = {"S": 10211, "M": 10212, "L": 10213, "XL": 10214}, {"Black": 10221, "Navy": 10222, "White": 10223}
HOUR, DAY = 3600, 86_400
LINK_DAYS = 30  # B19
STEPS = {"shipped": 72 * HOUR, "delivered": 120 * HOUR}  # after a claim (B25)


class Skipped(NamedTuple):
    """A gift that is due and not made, and why."""

    rule: Rule
    name: str
    reason: str


@dataclass(eq=False)
class Award:
    """A gift that a rule makes for a contact and a deal of it."""

    rule: Rule
    contact: Contact
    name: str
    deal: Deal
    month: str
    gift: Gift | None = None


@dataclass(eq=False)
class Rule:
    """A rule and what it has made; a budget of None is unlimited."""

    trigger: str
    item: str
    budget: int | None
    since: date
    is_active: bool = True
    awards: list[Award] = field(default_factory=list)
    id: Learned = field(default_factory=lambda: Learned(int))

    @property
    def cents(self) -> int:
        """What one gift costs."""
        return PRICES[self.item] + SHIPPING

    def left(self, month: str) -> int:
        """What is left of a month's budget; a rejected gift gives its amount back (G37)."""
        made = [each for each in self.awards if each.month == month and each.gift and each.gift.status != "rejected"]
        return (self.budget or 10**9) - self.cents * len(made)


class Rules(People):
    """A team, its people, and its rules."""

    def __init__(self, now: int, *, follows_former: bool, once: bool) -> None:
        super().__init__(follows_former=follows_former)
        self.now, self.once_per_contact = now, once
        self.rules: list[Rule] = []
        self.off: set[str] = set()  # products, options and SKUs
        self.events: list[str] = []
        self.mails: list[str] = []
        self.counted = 0

    @property
    def local(self) -> datetime:
        """The time in Los Angeles."""
        return datetime.fromtimestamp(self.now, LOS_ANGELES)

    @property
    def month(self) -> str:
        """The month of budgets."""
        return f"{self.local:%Y-%m}"

    def win(self, name: Name, trigger: str) -> None:
        """A deal of a contact happens today."""
        self.deals.append(Deal(self.find(name), trigger, self.local.date()))

    # What is off sale

    def check_stock(self, *items: str) -> None:
        """A product is off sale, also if all options of a variation are; a SKU alone is not the product (G444)."""
        every = {"tee-01": (SIZES, COLOURS)}
        for item in items:
            if item in self.off or any(self.off.issuperset(options) for options in every.get(item, ())):
                raise Refused(422, "validation_failed")

    def give_to_contact(self, name: Name) -> None:
        """A gift of the collection, which must be on sale."""
        self._check_provider()
        self.check_stock(*KIT)
        super().give_to_contact(name)

    # Rules

    def add_rule(self, trigger: str, item: str, budget: int | None) -> Rule:
        """A rule counts from its day on; it cannot name what is off sale (G447)."""
        self.check_stock(item)
        self.rules.append(Rule(trigger, item, budget, self.local.date()))
        return self.rules[-1]

    def plan(self, rule: Rule) -> tuple[list[Award], list[Skipped]]:
        """The gifts that a rule would make now, and those that it would skip."""
        self.check_stock(rule.item)
        due = [deal for deal in self.deals if deal.trigger == rule.trigger and deal.day >= rule.since]
        if due:
            self._check_provider()
        left, planned, skipped = rule.left(self.month), list[Award](), list[Skipped]()
        for deal in due:
            contact = deal.contact
            if contact.email is None or contact not in self.answered:
                continue  # it waits (G453, G454)
            if any(self._covers(each, deal) for each in (*rule.awards, *planned)):
                skipped.append(Skipped(rule, contact.name, "already_sent"))
            elif rule.cents > left:
                skipped.append(Skipped(rule, contact.name, "budget_monthly"))
            else:
                left -= rule.cents
                planned.append(Award(rule, contact, contact.name, deal, self.month))
        return planned, skipped

    def _covers(self, award: Award, deal: Deal) -> bool:
        """Whether no further gift is made for a deal: one a year for a person, or one for each deal (G456)."""
        if not self.once_per_contact:
            return award.deal is deal
        return award.deal.day.year == deal.day.year and award.contact in deal.contact.everyone

    def _make(self, award: Award) -> None:
        assert award.contact.email is not None
        award.gift = Gift(award.name, award.contact.email)
        award.rule.awards.append(award)
        self.gifts.append(award.gift)

    def evaluate(self) -> tuple[list[Award], list[Skipped]]:
        """All active rules run at once, or none (G37)."""
        plans = [self.plan(rule) for rule in self.rules if rule.is_active]
        planned = [award for awards, _ in plans for award in awards]
        for award in planned:
            self._make(award)
        return planned, [each for _, skipped in plans for each in skipped]

    def _run_daily(self) -> None:
        """A rule that cannot run is left to the next day; the others run (A8.5, G447)."""
        for rule in self.rules:
            with suppress(Refused):
                for award in self.plan(rule)[0] if rule.is_active else ():
                    self._make(award)

    # Gifts

    def item_of(self, gift: Gift) -> str | None:
        """The item of a rule's gift."""
        made = (each for rule in self.rules for each in rule.awards)
        return next((each.rule.item for each in made if each.gift is gift), None)

    def decide(self, gift: Gift, decision: str) -> None:
        """A human decides, whatever became of the contact or the stock since (G445, G451)."""
        if gift.status != "awaiting_approval":
            raise wrong_state()
        self.events.append("approval.decided")
        if decision == "approve":
            gift.status, gift.sent_at = "sent", self.now
            self.events.append("gift.sent")
            self.mails.append(gift.email)
        else:
            gift.status = "rejected"

    def claim(self, gift: Gift, size: str, colour: str) -> None:
        """A recipient picks a size and a colour: each on sale, and together no SKU that is off sale (G446)."""
        codes = {f"TEE-01-{size}-{colour}".upper(), *(["TEE-01"] if (size, colour) == ("S", "Black") else [])}
        if self.off & {size, colour, *codes}:
            raise Refused(422, "invalid_claim")
        gift.status, gift.claimed_at = "claimed", self.now
        self.events.append("gift.claimed")

    def count_requests(self) -> None:
        """For each new gift a human is asked (T-1.5)."""
        self.events += ["approval.requested"] * (len(self.gifts) - self.counted)
        self.counted = len(self.gifts)

    def advance(self, seconds: int) -> None:
        """Time passes: rules run daily at 09:00 in Los Angeles (G37)."""
        end = self.now + seconds
        day = self.local.date()
        while True:
            morning = int(datetime.combine(day, time(9), LOS_ANGELES).timestamp())
            if morning > end:
                break
            if morning > self.now:
                self.now = morning
                self._run_daily()
            day += timedelta(days=1)
        self.now = end
        for gift in self.gifts:
            self._move(gift)

    def _move(self, gift: Gift) -> None:
        """A link expires, or a parcel goes on."""
        if gift.status == "sent" and self.now >= gift.sent_at + LINK_DAYS * DAY:
            gift.status = "expired"
        for status, after in STEPS.items() if gift.claimed_at is not None else ():
            is_before = gift.status == "claimed" or (gift.status, status) == ("shipped", "delivered")
            if is_before and self.now >= (gift.claimed_at or 0) + after:
                gift.status = status
                self.events.append(f"gift.{status}")
