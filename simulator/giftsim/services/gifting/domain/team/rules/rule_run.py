"""Running rules: each due gift becomes a gift send, within budgets and once a year (A7.17, G37, T-4.140)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import date

import msgspec

from giftsim.engine.kernel.email_address import email_key
from giftsim.engine.kernel.instants import local_date, parse_date
from giftsim.engine.kernel.setting import flag
from giftsim.engine.kernel.state import State
from giftsim.engine.kernel.table import Record, TableSpec
from giftsim.services.gifting.domain.fulfilment.fulfilment import FULFILMENTS
from giftsim.services.gifting.domain.fulfilment.offer import SHIPPING
from giftsim.services.gifting.domain.fulfilment.order_placement import DESTINATIONS
from giftsim.services.gifting.domain.fulfilment.shipment import REJECTED
from giftsim.services.gifting.domain.team.billing.billing_profile import month_of
from giftsim.services.gifting.domain.team.orders import team_fulfilment
from giftsim.services.gifting.domain.team.orders.gift import (
    GIFTS,
    ITEMS,
    CrmReference,
    Gift,
    RecipientSource,
    fulfilment_of,
)
from giftsim.services.gifting.domain.team.orders.gift_creation import ResolvedRecipient, add_gift
from giftsim.services.gifting.domain.team.orders.order_items import Contents
from giftsim.services.gifting.domain.team.people.crm_contact import (
    Contact,
    ProviderUnavailable,
    check_provider,
    shown_id,
    slots_of_person,
    withheld_slots,
)
from giftsim.services.gifting.domain.team.people.person import Person, born_on, has_occasions, started_on
from giftsim.services.gifting.domain.team.people.upcoming_dates import (
    BIRTHDAY,
    DAY_BEFORE,
    LEAP_DAY,
    WORK_ANNIVERSARY,
    ZONE,
    current_day,
    occurrence_in,
)
from giftsim.services.gifting.domain.team.rules.rule import (
    AUTO,
    HR,
    RULES,
    DealEvent,
    Rule,
    any_active,
    deal_events,
    rule_contents,
    rule_slots,
    update_timer,
)
from giftsim.services.gifting.domain.team.team_errors import ValidationFailed
from giftsim.services.gifting.domain.team.tenant import Tenant, tenant_of_owner


class DueGift(msgspec.Struct, frozen=True, gc=False):
    """One gift that is due on the day `date`; `subject` is the person, contact or deal, such as `person 60012`.

    `email` is what the address of a person has in common with its other spellings, None for a contact. `known_as` are
    other subjects under which the same gift may have been made.
    """

    subject: str
    recipient: ResolvedRecipient
    date: str
    email: str | None = None
    known_as: tuple[str, ...] = ()

    @property
    def display_name(self) -> str:
        return self.recipient.name


def due_gifts(state: State, tenant: Tenant, rule: Rule, today: date) -> Iterator[DueGift]:
    """The gifts of a rule that are due by today, earlier days first. ProviderUnavailable while a CRM is down (A8.5)."""
    find = _from_roster if rule.kind == HR else _from_deal_events
    return find(state, tenant, rule, today)


def _from_roster(state: State, tenant: Tenant, rule: Rule, today: date) -> Iterator[DueGift]:
    """Gifts for dates of today, and of yesterday in case one was entered late; none from before the rule existed."""
    since = parse_date(local_date(rule.created_ms, ZONE)).toordinal()
    for day in map(date.fromordinal, range(max(since, today.toordinal() - 1), today.toordinal() + 1)):
        for person in _due_people(state, tenant, rule.trigger_type, day):
            source = RecipientSource(person=person.id)
            recipient = ResolvedRecipient(person.display_name, person.work_email, source, person.country)
            yield DueGift(f"person {person.id}", recipient, day.isoformat(), email_key(person.work_email))


def _month_days(day: date) -> tuple[str, ...]:
    """Every `MM-DD` that occurs on a day: on February 28 also `02-29`, unless it is a leap year (A7.10)."""
    month_day = day.isoformat()[5:]
    if month_day == DAY_BEFORE and occurrence_in(LEAP_DAY, day.year) == day:
        return (month_day, LEAP_DAY)
    return (month_day,)


def _due_people(state: State, tenant: Tenant, trigger_type: str, day: date) -> list[Person]:
    """The people for whom a day counts. They are found by their dates: a roster may be long, and few are due."""
    return [each for each in _people_of_day(state, tenant, trigger_type, day) if has_occasions(state, each)]


def _people_of_day(state: State, tenant: Tenant, trigger_type: str, day: date) -> list[Person]:
    if trigger_type == BIRTHDAY:
        return born_on(state, tenant, _month_days(day))
    if trigger_type == WORK_ANNIVERSARY:
        started = started_on(state, tenant, _month_days(day))
        return [person for person in started if int((person.start_date or "")[:4]) < day.year]
    return [
        person for person in started_on(state, tenant, (day.isoformat()[5:],)) if person.start_date == day.isoformat()
    ]


def _from_deal_events(state: State, tenant: Tenant, rule: Rule, today: date) -> Iterator[DueGift]:
    """All events since the rule was created, so that a run makes up for days on which the CRM was down.

    Those of contacts that cannot be reached wait: without an email (G453), or left out of its answers (G454).
    """
    since = local_date(rule.created_ms, ZONE)
    withheld = withheld_slots(state, tenant.team)
    deals: dict[tuple[int, str], Deals] = {}
    for event, contact in deal_events(state, tenant.team, rule.trigger_type):
        if since <= event.date <= today.isoformat():
            check_provider(state, contact.provider)
            in_year = deals.get((contact.n, event.date[:4]), Deals())
            in_year = deals[contact.n, event.date[:4]] = _with_deal(state, rule, in_year, event)
            if contact.email is None or contact.n in withheld:
                continue
            crm = CrmReference(contact.provider, shown_id(contact.id), contact.object_type)
            recipient = ResolvedRecipient(contact.name, contact.email, RecipientSource(crm=crm))
            subject, *known_as = _deal_subjects(state, contact, in_year)
            yield DueGift(subject, recipient, event.date, known_as=tuple(known_as))


class Deals(msgspec.Struct, frozen=True, gc=False):
    """The deals of a contact in a year, up to one: how many, the `last` (a slot), and one that had a gift, if any."""

    count: int = 0
    last: int = 0
    sent: int | None = None


def _with_deal(state: State, rule: Rule, deals: Deals, event: DealEvent) -> Deals:
    sent = deals.sent
    if sent is None and _find_gift(state, rule, f"deal {event.n}", event.date[:4]) is not None:
        sent = event.n
    return Deals(deals.count + 1, event.n, sent)


def _deal_subjects(state: State, contact: Contact, deals: Deals) -> list[str]:
    """What the gift of the last of a contact's `deals` in a year is made for, and may have been made for.

    A deal of its own is the subject if each deal counts (G456). The gift for the contact is that of the first deal.
    """
    people = [f"contact {slot}" for slot in slots_of_person(state, contact)]
    if state.setting(ONCE_PER_CONTACT):
        return [*people, *([] if deals.sent is None else [f"deal {deals.sent}"])]
    return [f"deal {deals.last}", *(people if deals.count == 1 else [])]


ALREADY_SENT, OVER_SEND, OVER_MONTH = "already_sent", "budget_per_send", "budget_monthly"

ONCE_PER_EMAIL = flag(
    "rules.once_per_email", True, "whether a person who was removed and added again under the same email is the same"
)
ONCE_PER_CONTACT = flag(
    "rules.once_per_contact", True, "whether a contact gets one gift of a rule in a year, however many deals it has"
)
DRY_RUN = flag("rules.dry_run", False, "whether a run of rules only reports what is due, and makes no gift (A7.17)")


class RuleGift(Record, frozen=True, gc=False):
    """A gift (a slot) that a rule (a slot) made; unless rejected, it counts against the budget of the LA `month`.

    `subject` and `email` are those of the DueGift.
    """

    rule: int
    subject: str
    trigger_type: str
    year: str
    month: str
    cents: int
    gift: int
    email: str | None = None


class PlannedGift(msgspec.Struct, frozen=True, gc=False):
    """A gift that is due and will be made, with what it costs."""

    due_gift: DueGift
    cents: int


class SkippedGift(msgspec.Struct, frozen=True, gc=False):
    """A gift that is due but is not made, and why."""

    rule: Rule
    due_gift: DueGift
    reason: str


class RulePlan(msgspec.Struct, frozen=True):
    """The gifts that a rule would make now, and those that it would skip."""

    planned: tuple[PlannedGift, ...]
    skipped: tuple[SkippedGift, ...]


class RunResult(msgspec.Struct, frozen=True):
    """The result of a run: the number of active rules, the gifts they made, and those they skipped."""

    evaluated: int
    gifts: tuple[Gift, ...]
    skipped: tuple[SkippedGift, ...]


def _subject_and_year(row: RuleGift) -> str:
    return f"{row.rule} {row.subject} {row.trigger_type} {row.year}"


def _email_and_year(row: RuleGift) -> str | None:
    return row.email and f"{row.rule} {row.email} {row.trigger_type} {row.year}"


RULE_GIFTS: TableSpec[RuleGift] = TableSpec(
    "team.award",
    RuleGift,
    unique={"subject_and_year": _subject_and_year},
    groups={"month": lambda row: f"{row.rule} {row.month}", "email_and_year": _email_and_year},
)


def plan_gifts(state: State, tenant: Tenant, rule: Rule) -> RulePlan:
    """The gifts that a rule would make now, even if it is not active.

    ProviderUnavailable if a CRM it needs is down. ValidationFailed while an item of it is off sale (G447).
    """
    contents = rule_contents(state, rule)
    left_cents = _left_cents(state, rule)
    planned, skipped = [], []
    sent: set[str] = set()
    for due_gift in due_gifts(state, tenant, rule, current_day(state)):
        cents = _gift_cents(state, contents, due_gift)
        key = _gift_key(rule, due_gift)
        reason = ALREADY_SENT if key in sent else _skip_reason(state, rule, due_gift, cents, left_cents)
        if reason is not None:
            skipped.append(SkippedGift(rule, due_gift, reason))
            continue
        sent.add(key)
        planned.append(PlannedGift(due_gift, cents))
        left_cents = None if left_cents is None else left_cents - cents
    return RulePlan(tuple(planned), tuple(skipped))


def run_rules(state: State, tenant: Tenant, kind: str) -> RunResult:
    """Run the active rules of a kind now. Their gifts are unpaid and wait for approval; a dry run makes none."""
    active_rules = [
        rule for n in rule_slots(state, tenant) if (rule := state[RULES].get(n)).active and rule.kind == kind
    ]
    results = [_run_rule(state, tenant, rule) for rule in active_rules]
    gifts = tuple([gift for rule_gifts, _ in results for gift in rule_gifts])
    return RunResult(len(active_rules), gifts, tuple([each for _, skipped in results for each in skipped]))


def run_daily(state: State, _: int) -> None:
    """Run all active rules of the world and schedule the next run.

    A rule whose CRM is down, or with an item that is off sale (G447), is left to the next run.
    """
    for rule in [rule for rule in state[RULES] if rule.active and state.setting(AUTO)]:
        with suppress(ProviderUnavailable, ValidationFailed), state.transaction():
            _run_rule(state, tenant_of_owner(state, rule.owner), rule)
    update_timer(state, wanted=any_active(state))


def _run_rule(state: State, tenant: Tenant, rule: Rule) -> tuple[list[Gift], Sequence[SkippedGift]]:
    plan = plan_gifts(state, tenant, rule)
    if state.setting(DRY_RUN):
        return [], plan.skipped
    contents = rule_contents(state, rule)
    return [_make_gift(state, tenant, rule, contents, planned) for planned in plan.planned], plan.skipped


def _make_gift(state: State, tenant: Tenant, rule: Rule, contents: Contents, planned: PlannedGift) -> Gift:
    due_gift = planned.due_gift
    gift = add_gift(state, tenant, None, (due_gift.recipient,), contents, chosen=ITEMS, slug=None, rule=rule.id)
    if rule.gift_sender is not None:
        fulfilment = fulfilment_of(state, gift)
        state[FULFILMENTS].put(msgspec.structs.replace(fulfilment, gift_sender=rule.gift_sender))
    state[RULE_GIFTS].add(
        RuleGift(
            state[RULE_GIFTS].next_n,
            rule.n,
            due_gift.subject,
            rule.trigger_type,
            due_gift.date[:4],
            month_of(state.now_ms),
            planned.cents,
            gift.n,
            due_gift.email,
        )
    )
    return gift


def _gift_key(rule: Rule, due_gift: DueGift) -> str:
    """What a rule sends only once: its key in the table of rule gifts."""
    return f"{rule.n} {due_gift.subject} {rule.trigger_type} {due_gift.date[:4]}"


def _find_gift(state: State, rule: Rule, subject: str, year: str) -> RuleGift | None:
    """The gift that the rule made for a subject in a year."""
    return state[RULE_GIFTS].find("subject_and_year", f"{rule.n} {subject} {rule.trigger_type} {year}")


def _is_sent(state: State, rule: Rule, due_gift: DueGift) -> bool:
    """Whether the rule made this gift before, for the same record or for the same email (G373)."""
    subjects = (due_gift.subject, *due_gift.known_as)
    if any(_find_gift(state, rule, subject, due_gift.date[:4]) is not None for subject in subjects):
        return True
    if due_gift.email is None or not state.setting(ONCE_PER_EMAIL):
        return False
    key = f"{rule.n} {due_gift.email} {rule.trigger_type} {due_gift.date[:4]}"
    return bool(state[RULE_GIFTS].slots_in("email_and_year", key))


def _skip_reason(state: State, rule: Rule, due_gift: DueGift, cents: int, left_cents: int | None) -> str | None:
    """Why a due gift is not made, or None if it is."""
    if _is_sent(state, rule, due_gift):
        return ALREADY_SENT
    if rule.budget_per_send_cents is not None and cents > rule.budget_per_send_cents:
        return OVER_SEND
    return OVER_MONTH if left_cents is not None and cents > left_cents else None


def _left_cents(state: State, rule: Rule) -> int | None:
    """What is left of the rule's budget for this month, or None if it is unlimited. Rejected gifts take none (G37)."""
    if rule.budget_monthly_cents is None:
        return None
    made_this_month = state[RULE_GIFTS].rows_in("month", f"{rule.n} {month_of(state.now_ms)}")
    return rule.budget_monthly_cents - sum([row.cents for row in made_this_month if not _is_rejected(state, row)])


def _is_rejected(state: State, row: RuleGift) -> bool:
    gift = state[GIFTS].get(row.gift)
    return gift.status == REJECTED and gift.sent_ms is None


def _gift_cents(state: State, contents: Contents, due_gift: DueGift) -> int:
    """What a due gift costs, with shipping to the most expensive country that its recipient may be in."""
    country = due_gift.recipient.country
    countries = (*state.setting(DESTINATIONS), *([country] if country in SHIPPING and country else []))
    price = team_fulfilment.recipient_price(state, contents, countries)
    return price.subtotal_cents + price.shipping_cents
