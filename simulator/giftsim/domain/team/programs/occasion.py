"""What is due by a rule on a Los Angeles day: birthdays, anniversaries and first days, or deals (A7.12, A7.10, G37)."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

import msgspec

from giftsim.domain.team.orders.gift import Reference, Source
from giftsim.domain.team.orders.gift_preparation import Addressee
from giftsim.domain.team.orders.order_fulfilment import Guest
from giftsim.domain.team.people.contact import check_provider
from giftsim.domain.team.people.person import PEOPLE, Person, roster
from giftsim.domain.team.people.upcoming_dates import BIRTHDAY, DAY_BEFORE, LEAP_DAY, WORK_ANNIVERSARY, ZONE, kept
from giftsim.domain.team.programs.deal import deals
from giftsim.domain.team.programs.rule import HR, Rule
from giftsim.domain.team.tenant import Tenant
from giftsim.kernel.instants import local_date
from giftsim.kernel.state import State


class Occasion(msgspec.Struct, frozen=True, gc=False):
    """One gift that a rule owes somebody; `subject` names them among all people and contacts, `date` is the day."""

    subject: str
    addressee: Addressee
    date: str

    @property
    def display_name(self) -> str:
        return self.addressee.guest.name


def due(state: State, tenant: Tenant, rule: Rule, today: date) -> Iterator[Occasion]:
    """Whom the rule owes something today, in order of creation; ProviderUnavailable where a CRM is out (A8.5)."""
    return _on_roster(state, tenant, rule, today) if rule.kind == HR else _of_deals(state, tenant, rule, today)


def _on_roster(state: State, tenant: Tenant, rule: Rule, today: date) -> Iterator[Occasion]:
    days = _kept_on(today)
    for n in roster(state, tenant):
        person = state[PEOPLE].get(n)
        if _falls_due(person, rule.trigger_type, today, days):
            source = Source(person=person.id)
            addressee = Addressee(Guest(person.display_name, person.work_email), source, person.country)
            yield Occasion(f"person {person.id}", addressee, today.isoformat())


def _kept_on(today: date) -> tuple[str, ...]:
    """Every `MM-DD` that is kept on a day; in most years two on 28 February."""
    this = today.isoformat()[5:]
    return (this, LEAP_DAY) if this == DAY_BEFORE and kept(LEAP_DAY, today.year) == today else (this,)


def _falls_due(person: Person, trigger_type: str, today: date, days: tuple[str, ...]) -> bool:
    if trigger_type == BIRTHDAY:
        return person.birthday in days
    if person.start_date is None:
        return False
    if trigger_type == WORK_ANNIVERSARY:
        return person.start_date[5:] in days and int(person.start_date[:4]) < today.year
    return person.start_date == today.isoformat()


def _of_deals(state: State, tenant: Tenant, rule: Rule, today: date) -> Iterator[Occasion]:
    """What happened since the rule was made, so that a day on which the CRM was out is made up for."""
    since = local_date(rule.created_ms, ZONE)
    for deal, contact in deals(state, tenant.team, rule.trigger_type):
        if since <= deal.date <= today.isoformat():
            check_provider(state, contact.provider)
            crm = Reference(contact.provider, contact.id, contact.object_type)
            addressee = Addressee(Guest(contact.name, contact.email), Source(crm=crm))
            yield Occasion(f"contact {contact.n}", addressee, deal.date)
