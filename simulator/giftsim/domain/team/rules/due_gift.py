"""Due gifts of a rule: for birthdays, work anniversaries and first days, or for deal events (A7.12, G37)."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

import msgspec

from giftsim.domain.team.orders.gift import CrmReference, RecipientSource
from giftsim.domain.team.orders.gift_creation import ResolvedRecipient
from giftsim.domain.team.people.contact import check_provider
from giftsim.domain.team.people.person import Person, born_on, started_on
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
    """One gift that is due on the day `date`; `subject` is the person or contact, such as `person 60012`."""

    subject: str
    recipient: ResolvedRecipient
    date: str

    @property
    def display_name(self) -> str:
        return self.recipient.name


def due_gifts(state: State, tenant: Tenant, rule: Rule, today: date) -> Iterator[DueGift]:
    """The gifts of a rule that are due today, in order of creation. ProviderUnavailable while a CRM is down (A8.5)."""
    find = _from_roster if rule.kind == HR else _from_deal_events
    return find(state, tenant, rule, today)


def _from_roster(state: State, tenant: Tenant, rule: Rule, today: date) -> Iterator[DueGift]:
    for person in _due_people(state, tenant, rule.trigger_type, today):
        source = RecipientSource(person=person.id)
        recipient = ResolvedRecipient(person.display_name, person.work_email, source, person.country)
        yield DueGift(f"person {person.id}", recipient, today.isoformat())


def _month_days(day: date) -> tuple[str, ...]:
    """Every `MM-DD` that occurs on a day: on February 28 also `02-29`, unless it is a leap year (A7.10)."""
    month_day = day.isoformat()[5:]
    if month_day == DAY_BEFORE and occurrence_in(LEAP_DAY, day.year) == day:
        return (month_day, LEAP_DAY)
    return (month_day,)


def _due_people(state: State, tenant: Tenant, trigger_type: str, today: date) -> list[Person]:
    """The people for whom a day counts. They are found by their dates: a roster may be long, and few are due."""
    if trigger_type == BIRTHDAY:
        return born_on(state, tenant, _month_days(today))
    if trigger_type == WORK_ANNIVERSARY:
        started = started_on(state, tenant, _month_days(today))
        return [person for person in started if int((person.start_date or "")[:4]) < today.year]
    return [
        person
        for person in started_on(state, tenant, (today.isoformat()[5:],))
        if person.start_date == today.isoformat()
    ]


def _from_deal_events(state: State, tenant: Tenant, rule: Rule, today: date) -> Iterator[DueGift]:
    """All events since the rule was created, so that a run makes up for days on which the CRM was down."""
    since = local_date(rule.created_ms, ZONE)
    for event, contact in deal_events(state, tenant.team, rule.trigger_type):
        if since <= event.date <= today.isoformat():
            check_provider(state, contact.provider)
            crm = CrmReference(contact.provider, contact.id, contact.object_type)
            recipient = ResolvedRecipient(contact.name, contact.email, RecipientSource(crm=crm))
            yield DueGift(f"contact {contact.n}", recipient, event.date)
