"""The JSON of people and contacts. It never contains an email (T-2.8)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from giftsim.domain.team.people.contact import Contact
from giftsim.domain.team.people.person import FIELDS, Person, UpsertResult
from giftsim.domain.team.people.upcoming_dates import UpcomingDate
from giftsim.domain.team.tenant import Tenant
from giftsim.kernel.instants import format_instant


def person(tenant: Tenant, person: Person) -> dict[str, Any]:
    """A person of the roster."""
    return {
        "id": person.id,
        "display_name": person.display_name,
        **{name: getattr(person, name) for name in FIELDS},
        "provider": person.provider,
        "managed_fields": person.managed,
        "livemode": tenant.livemode,
        "created_at": format_instant(person.created_ms),
        "updated_at": format_instant(person.updated_ms),
    }


def written(tenant: Tenant, written: UpsertResult) -> dict[str, Any]:
    """A person after a write, with the fields that were ignored because a provider manages them (A7.7)."""
    return {**person(tenant, written.person), "ignored_fields": written.ignored}


def received(tenant: Tenant, person: Person, sent: Mapping[str, Any]) -> dict[str, Any]:
    """A person after a write by who may not read the roster: the id, and the members as they were sent (G60)."""
    return {"id": person.id, **{name: sent[name] for name in FIELDS if name in sent}, "livemode": tenant.livemode}


def upserted(results: Sequence[UpsertResult], data: list[dict[str, Any]]) -> dict[str, Any]:
    """The result of an upsert, row by row (A8.2)."""
    created = sum(row.created for row in results)
    return {"data": data, "created": created, "updated": len(results) - created}


def upcoming(tenant: Tenant, coming: Person, occasions: Iterable[UpcomingDate]) -> dict[str, Any]:
    """A person with their upcoming dates."""
    dates = [{"occasion": each.kind, "date": each.date, "years": each.years} for each in occasions]
    return {**person(tenant, coming), "upcoming": dates}


def contact(contact: Contact) -> dict[str, Any]:
    """A contact. Its first three members identify it in a gift send."""
    return {
        "provider": contact.provider,
        "id": contact.id,
        "object_type": contact.object_type,
        "display_name": contact.name,
        "company": contact.company,
        "title": contact.title,
    }
