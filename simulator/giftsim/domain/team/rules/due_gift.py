"""What is due by a rule on a Los Angeles day: birthdays, anniversaries and first days, or deals (A7.12, A7.10, G37)."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

import msgspec

from giftsim.domain.team.orders.gift import CrmReference, RecipientSource
from giftsim.domain.team.orders.gift_preparation import GiftRecipient
from giftsim.domain.team.orders.order_fulfilment import NamedRecipient
from giftsim.domain.team.people.contact import check_provider
from giftsim.domain.team.people.person import PEOPLE, Person, roster_slots
from giftsim.domain.team.people.upcoming_dates import (
    BIRTHDAY,
    DAY_BEFORE,
    LEAP_DAY,
    WORK_ANNIVERSARY,
    ZONE,
    occurrence_in,
)
from giftsim.domain.team.rules.deal_event import deal_events
from giftsim.domain.team.rules.rule import HR, Rule
from giftsim.domain.team.tenant import Tenant
from giftsim.kernel.instants import local_date
from giftsim.kernel.state import State


class DueGift(msgspec.Struct, frozen=True, gc=False):
    """One gift that a rule owes somebody; `subject` names them among all people and contacts, `date` is the day."""

    subject: str
    addressee: GiftRecipient
    date: str

    @property
    def display_name(self) -> str:
        return self.addressee.guest.name


def due_gifts(state: State, tenant: Tenant, rule: Rule, today: date) -> Iterator[DueGift]:
    """Whom the rule owes something today, in order of creation; ProviderUnavailable where a CRM is out (A8.5)."""
    return (
        _from_roster(state, tenant, rule, today) if rule.kind == HR else _from_deal_events(state, tenant, rule, today)
    )


def _from_roster(state: State, tenant: Tenant, rule: Rule, today: date) -> Iterator[DueGift]:
    days = _dates_kept_on(today)
    for n in roster_slots(state, tenant):
        person = state[PEOPLE].get(n)
        if _is_due(person, rule.trigger_type, today, days):
            source = RecipientSource(person=person.id)
            addressee = GiftRecipient(NamedRecipient(person.display_name, person.work_email), source, person.country)
            yield DueGift(f"person {person.id}", addressee, today.isoformat())


def _dates_kept_on(today: date) -> tuple[str, ...]:
    """Every `MM-DD` that is kept on a day; in most years two on 28 February."""
    this = today.isoformat()[5:]
    return (this, LEAP_DAY) if this == DAY_BEFORE and occurrence_in(LEAP_DAY, today.year) == today else (this,)


def _is_due(person: Person, trigger_type: str, today: date, days: tuple[str, ...]) -> bool:
    if trigger_type == BIRTHDAY:
        return person.birthday in days
    if person.start_date is None:
        return False
    if trigger_type == WORK_ANNIVERSARY:
        return person.start_date[5:] in days and int(person.start_date[:4]) < today.year
    return person.start_date == today.isoformat()


def _from_deal_events(state: State, tenant: Tenant, rule: Rule, today: date) -> Iterator[DueGift]:
    """What happened since the rule was made, so that a day on which the CRM was out is made up for."""
    since = local_date(rule.created_ms, ZONE)
    for deal, contact in deal_events(state, tenant.team, rule.trigger_type):
        if since <= deal.date <= today.isoformat():
            check_provider(state, contact.provider)
            crm = CrmReference(contact.provider, contact.id, contact.object_type)
            addressee = GiftRecipient(NamedRecipient(contact.name, contact.email), RecipientSource(crm=crm))
            yield DueGift(f"contact {contact.n}", addressee, deal.date)
