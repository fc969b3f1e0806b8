"""The JSON of people and contacts. It never contains an email (T-2.8)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from giftsim.engine.gateway.call import Call, Response
from giftsim.engine.kernel.instants import format_instant
from giftsim.services.gifting.domain.team.people import crm_contact, person, upcoming_dates
from giftsim.services.gifting.domain.team.people.crm_contact import Contact, shown_id
from giftsim.services.gifting.domain.team.people.person import FIELDS, PEOPLE, Person, UpsertResult
from giftsim.services.gifting.domain.team.people.upcoming_dates import UpcomingDate
from giftsim.services.gifting.domain.team.tenant import Tenant
from giftsim.services.gifting.interfaces.team.authentication import may_read_roster
from giftsim.services.gifting.interfaces.team.pagination import respond_with_page, single_page
from giftsim.services.gifting.interfaces.team.request_checks import Finder


def person_view(tenant: Tenant, person: Person) -> dict[str, Any]:
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


def written_person_view(tenant: Tenant, written: UpsertResult) -> dict[str, Any]:
    """A person after a write, with the fields that were ignored because a provider manages them (A7.7)."""
    return {**person_view(tenant, written.person), "ignored_fields": written.ignored}


def received_person_view(tenant: Tenant, person: Person, sent: Mapping[str, Any]) -> dict[str, Any]:
    """The response to a write by a caller without `people:read`: the id, and the members as they were sent (G60)."""
    return {"id": person.id, **{name: sent[name] for name in FIELDS if name in sent}, "livemode": tenant.livemode}


def upserted_people_view(results: Sequence[UpsertResult], data: list[dict[str, Any]]) -> dict[str, Any]:
    """The result of an upsert, row by row (A8.2)."""
    created = sum(row.created for row in results)
    return {"data": data, "created": created, "updated": len(results) - created}


def upcoming_people_view(tenant: Tenant, coming: Person, occasions: Iterable[UpcomingDate]) -> dict[str, Any]:
    """A person with their upcoming dates."""
    dates = [{"occasion": each.kind, "date": each.date, "years": each.years} for each in occasions]
    return {**person_view(tenant, coming), "upcoming": dates}


def contact_view(contact: Contact) -> dict[str, Any]:
    """A contact. Its first three members identify it in a gift send."""
    return {
        "provider": contact.provider,
        "id": shown_id(contact.id),
        "object_type": contact.object_type,
        "display_name": contact.name,
        "company": contact.company,
        "title": contact.title,
    }


def list_upcoming_people(call: Call) -> Response:
    """List people with an upcoming date, the soonest first."""
    tenant, q = call.caller.tenant, call.query["q"] or ""
    upcoming = upcoming_dates.upcoming_people(call.state, tenant)
    return single_page(upcoming_people_view(tenant, each, dates) for each, dates in upcoming if person.matches(each, q))


def list_people(call: Call) -> Response:
    """List the roster."""
    people, tenant, q = call.state[PEOPLE], call.caller.tenant, call.query["q"] or ""
    return respond_with_page(
        call,
        "people",
        person.roster_slots(call.state, tenant),
        lambda n: person_view(tenant, people.get(n)),
        keep=lambda n: person.matches(people.get(n), q),
        filters=(q,),
    )


def upsert_people(call: Call) -> Response:
    """Create or update people by work email."""
    tenant, rows = call.caller.tenant, person.rows_to_upsert(call.state, call.body["people"])
    results = person.upsert_people(call.state, tenant, rows)
    body = upserted_people_view(results, [_written(call, *each) for each in zip(results, rows, strict=True)])
    return Response(201 if body["created"] else 200, body)


def update_person(call: Call) -> Response:
    """Change some fields of a person."""
    result = person.update_person(call.state, call.caller.tenant, _person(call), call.body)
    return Response(200, _written(call, result, call.body))


def delete_person(call: Call) -> Response:
    """Remove a person from the roster."""
    removed = _person(call)
    person.remove_person(call.state, removed)
    return Response(200, {"id": removed.id, "deleted": True, "livemode": call.caller.tenant.livemode})


def search_contacts(call: Call) -> Response:
    """Search contacts by name, and say which providers are left out because they are down."""
    query, team = call.query, call.caller.tenant.team
    contacts = crm_contact.find_contacts(call.state, team, query["q"], query["provider"], query["limit"])
    left_out = crm_contact.unavailable_providers(call.state, team) if query["provider"] is None else []
    listed = {"data": list(map(contact_view, contacts)), "next_cursor": None, "unavailable_providers": left_out}
    return Response(200, listed)


def _written(call: Call, result: UpsertResult, sent: Mapping[str, Any]) -> dict[str, Any]:
    """The person that was written. Callers without `people:read` see only the members they sent (G60)."""
    tenant = call.caller.tenant
    return (
        written_person_view(tenant, result)
        if may_read_roster(call)
        else received_person_view(tenant, result.person, sent)
    )


def _person(call: Call, raw: str | None = None) -> Person:
    """The person named in the path, looked up in the handler: the roster may change while a call is held (G16)."""
    return person.find_person(call.state, call.caller.tenant, call.params["id"] if raw is None else raw)


FINDERS: Final[Mapping[str, Finder]] = {"person": _person}
