"""People of the roster, their upcoming dates, and contacts of connected CRMs."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from giftsim.domain.team.people import contact, person, upcoming_dates
from giftsim.domain.team.people.person import PEOPLE, Person, UpsertResult
from giftsim.gateway.call import Call, Handler, Response
from giftsim.interfaces.team.authentication import may_read_roster
from giftsim.interfaces.team.finder import Finder
from giftsim.interfaces.team.pagination import page, single_page
from giftsim.interfaces.team.views import people as views


def list_upcoming_people(call: Call) -> Response:
    """List people with an upcoming date, the soonest first."""
    tenant, q = call.caller.tenant, call.query["q"] or ""
    upcoming = upcoming_dates.upcoming_people(call.state, tenant)
    return single_page(views.upcoming(tenant, each, dates) for each, dates in upcoming if person.matches(each, q))


def list_people(call: Call) -> Response:
    """List the roster."""
    people, tenant, q = call.state[PEOPLE], call.caller.tenant, call.query["q"] or ""
    return page(
        call, "people", person.roster_slots(call.state, tenant), lambda n: views.person(tenant, people.get(n)),
        keep=lambda n: person.matches(people.get(n), q), filters=(q,),
    )  # fmt: skip


def upsert_people(call: Call) -> Response:
    """Create or update people by work email."""
    tenant, rows = call.caller.tenant, call.body["people"]
    results = person.upsert_people(call.state, tenant, rows)
    body = views.upserted(results, [_written(call, *each) for each in zip(results, rows, strict=True)])
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
    """Search contacts by name."""
    query = call.query
    contacts = contact.find_contacts(call.state, call.caller.tenant.team, query["q"], query["provider"], query["limit"])
    return single_page(map(views.contact, contacts))


def _written(call: Call, result: UpsertResult, sent: Mapping[str, Any]) -> dict[str, Any]:
    """A person after a write; to who may not read the roster, only what was sent (G60)."""
    tenant = call.caller.tenant
    return views.written(tenant, result) if may_read_roster(call) else views.received(tenant, result.person, sent)


def _person(call: Call, raw: str | None = None) -> Person:
    """The person named in the path. Looked up in the handler: the roster may change while a call is held (G16)."""
    return person.find_person(call.state, call.caller.tenant, call.params["id"] if raw is None else raw)


HANDLERS: Mapping[str, Handler] = MappingProxyType(
    {
        "listUpcomingPeople": list_upcoming_people,
        "listPeople": list_people,
        "upsertPeople": upsert_people,
        "updatePerson": update_person,
        "deletePerson": delete_person,
        "searchContacts": search_contacts,
    }
)
FINDERS: Mapping[str, Finder] = MappingProxyType({"person": _person})
