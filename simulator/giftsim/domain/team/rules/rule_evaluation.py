"""Running rules: what is due makes held gift sends, within budgets and once a year each (A7.17, G37, T-4.140)."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

import msgspec

from giftsim.domain.fulfilment.fulfilment import FULFILMENTS
from giftsim.domain.fulfilment.placement import DESTINATIONS
from giftsim.domain.fulfilment.pricing import SHIPPING
from giftsim.domain.team.billing.billing_month import month_of
from giftsim.domain.team.orders import order_fulfilment
from giftsim.domain.team.orders.gift import ITEMS, Gift, fulfilment_of
from giftsim.domain.team.orders.gift_preparation import add_gift
from giftsim.domain.team.orders.order_items import Contents
from giftsim.domain.team.people.contact import ProviderUnavailable
from giftsim.domain.team.people.upcoming_dates import today
from giftsim.domain.team.record_owner import tenant_of_owner
from giftsim.domain.team.rules import rule_schedule
from giftsim.domain.team.rules.due_gift import DueGift, due_gifts
from giftsim.domain.team.rules.rule import RULES, Rule, any_active, rule_contents, rule_slots
from giftsim.domain.team.tenant import Tenant
from giftsim.kernel.setting import flag
from giftsim.kernel.state import State
from giftsim.kernel.table import Record, TableSpec

ALREADY_SENT, OVER_SEND, OVER_MONTH = "already_sent", "budget_per_send", "budget_monthly"

DRY_RUN = flag("rules.dry_run", False, "whether rules only tell what is due, and make nothing (A7.17)")


class RuleGift(Record, frozen=True, gc=False):
    """A gift (a slot) that a rule (a slot) made for somebody; `month` is the Los Angeles one that paid for it."""

    rule: int
    subject: str
    trigger_type: str
    year: str
    month: str
    cents: int
    gift: int


class PlannedGift(msgspec.Struct, frozen=True, gc=False):
    """A gift that is due, with what it costs."""

    occasion: DueGift
    cents: int


class SkippedGift(msgspec.Struct, frozen=True, gc=False):
    """A gift that is due and not made, and why."""

    rule: Rule
    occasion: DueGift
    reason: str


class RulePlan(msgspec.Struct, frozen=True):
    """What a rule owes now, and what it does not give."""

    owed: tuple[PlannedGift, ...]
    skipped: tuple[SkippedGift, ...]


class RunResult(msgspec.Struct, frozen=True):
    """What came of running rules: so many active ones, the gifts they made, and what they did not give."""

    evaluated: int
    gifts: tuple[Gift, ...]
    skipped: tuple[SkippedGift, ...]


def _person_and_year(award: RuleGift) -> str:
    return f"{award.rule} {award.subject} {award.trigger_type} {award.year}"


RULE_GIFTS: TableSpec[RuleGift] = TableSpec(
    "team.award", RuleGift, unique={"once": _person_and_year}, groups={"month": lambda row: f"{row.rule} {row.month}"}
)


def plan_gifts(state: State, tenant: Tenant, rule: Rule) -> RulePlan:
    """What the rule would give now, active or not; ProviderUnavailable where it needs a CRM that is out."""
    held = rule_contents(state, rule)
    left_cents = _left_cents(state, rule)
    owed, skipped = [], []
    for occasion in due_gifts(state, tenant, rule, today(state)):
        cents = _gift_cents(state, held, occasion)
        reason = _skip_reason(state, rule, occasion, cents, left_cents)
        if reason is not None:
            skipped.append(SkippedGift(rule, occasion, reason))
            continue
        owed.append(PlannedGift(occasion, cents))
        left_cents = None if left_cents is None else left_cents - cents
    return RulePlan(tuple(owed), tuple(skipped))


def run_rules(state: State, tenant: Tenant, kind: str) -> RunResult:
    """Run the active rules of a kind now: their gifts, held for approval and never paid; none where runs are dry."""
    found = [rule for n in rule_slots(state, tenant) if (rule := state[RULES].get(n)).active and rule.kind == kind]
    results = [_run_rule(state, tenant, rule) for rule in found]
    gifts = tuple([gift for made, _ in results for gift in made])
    return RunResult(len(found), gifts, tuple([each for _, skipped in results for each in skipped]))


def run_daily(state: State, _: int) -> None:
    """All active rules of the world, and the next run; a rule whose CRM is out waits for the next one."""
    for rule in [rule for rule in state[RULES] if rule.active and state.setting(rule_schedule.AUTO)]:
        with suppress(ProviderUnavailable), state.transaction():
            _run_rule(state, tenant_of_owner(state, rule.owner), rule)
    rule_schedule.update_timer(state, wanted=any_active(state))


def _run_rule(state: State, tenant: Tenant, rule: Rule) -> tuple[list[Gift], Sequence[SkippedGift]]:
    verdict = plan_gifts(state, tenant, rule)
    if state.setting(DRY_RUN):
        return [], verdict.skipped
    held = rule_contents(state, rule)
    return [_make_gift(state, tenant, rule, held, owed) for owed in verdict.owed], verdict.skipped


def _make_gift(state: State, tenant: Tenant, rule: Rule, held: Contents, owed: PlannedGift) -> Gift:
    occasion = owed.occasion
    gift = add_gift(state, tenant, None, (occasion.addressee,), held, chosen=ITEMS, slug=None, rule=rule.id)
    if rule.gift_sender is not None:
        placed = fulfilment_of(state, gift)
        state[FULFILMENTS].put(msgspec.structs.replace(placed, gift_sender=rule.gift_sender))
    state[RULE_GIFTS].add(
        RuleGift(
            state[RULE_GIFTS].next_n, rule.n, occasion.subject, rule.trigger_type, occasion.date[:4],
            month_of(state.now_ms), owed.cents, gift.n,
        )
    )  # fmt: skip
    return gift


def _skip_reason(state: State, rule: Rule, occasion: DueGift, cents: int, left_cents: int | None) -> str | None:
    """Why an occasion gets nothing, or None."""
    place = f"{rule.n} {occasion.subject} {rule.trigger_type} {occasion.date[:4]}"
    if state[RULE_GIFTS].find("once", place) is not None:
        return ALREADY_SENT
    if rule.budget_per_send_cents is not None and cents > rule.budget_per_send_cents:
        return OVER_SEND
    return OVER_MONTH if left_cents is not None and cents > left_cents else None


def _left_cents(state: State, rule: Rule) -> int | None:
    """What the rule may still give in this month, or None without a bound."""
    if rule.budget_monthly_cents is None:
        return None
    awards = state[RULE_GIFTS].rows_in("month", f"{rule.n} {month_of(state.now_ms)}")
    return rule.budget_monthly_cents - sum([award.cents for award in awards])


def _gift_cents(state: State, held: Contents, occasion: DueGift) -> int:
    """What a gift for this occasion costs, with a parcel to where they may be."""
    country = occasion.addressee.country
    countries = (*state.setting(DESTINATIONS), *([country] if country in SHIPPING and country else []))
    each = order_fulfilment.recipient_price(state, held, countries)
    return each.subtotal_cents + each.shipping_cents
