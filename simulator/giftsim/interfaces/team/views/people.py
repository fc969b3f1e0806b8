"""People and contacts as the team interface shows them: never an email (T-2.8)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from giftsim.domain.team.people.contact import Contact
from giftsim.domain.team.people.person import FIELDS, Person, Written
from giftsim.domain.team.people.upcoming_dates import Occasion
from giftsim.domain.team.tenant import Tenant
from giftsim.kernel.instants import format_instant


def person(tenant: Tenant, person: Person) -> dict[str, Any]:
    """A roster entry."""
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


def written(tenant: Tenant, written: Written) -> dict[str, Any]:
    """A roster entry after a write, with what of the write was left to a provider (A7.7)."""
    return {**person(tenant, written.person), "ignored_fields": written.ignored}


def upserted(tenant: Tenant, rows: Iterable[Written]) -> dict[str, Any]:
    """What an upsert did, row by row (A8.2)."""
    shown = list(rows)
    created = sum(row.created for row in shown)
    return {"data": [written(tenant, row) for row in shown], "created": created, "updated": len(shown) - created}


def upcoming(tenant: Tenant, coming: Person, occasions: Iterable[Occasion]) -> dict[str, Any]:
    """A roster entry with what is coming."""
    dates = [{"occasion": each.kind, "date": each.date, "years": each.years} for each in occasions]
    return {**person(tenant, coming), "upcoming": dates}


def contact(contact: Contact) -> dict[str, Any]:
    """A contact; its first three members name it in a send."""
    return {
        "provider": contact.provider,
        "id": contact.id,
        "object_type": contact.object_type,
        "display_name": contact.name,
        "company": contact.company,
        "title": contact.title,
    }
