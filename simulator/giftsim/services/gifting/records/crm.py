"""CRM providers, simulated by a tester: outages, contacts, deals, and people they manage (A8.5, G41, G450 to G455)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from giftsim.engine.control.control_errors import Ambiguous
from giftsim.engine.control.world_access import change_state
from giftsim.engine.gateway.call import Call, Response
from giftsim.engine.kernel.state import State
from giftsim.engine.kernel.texts import suggest_name
from giftsim.engine.problem import InvalidState
from giftsim.services.gifting.domain.api_key import TEAM
from giftsim.services.gifting.domain.team.people.crm_contact import (
    CONTACTS,
    CRM_CONNECTIONS,
    CRM_HALVES,
    CRM_OUTAGES,
    Contact,
    connect_provider,
    put_contact,
    set_half,
    set_outage,
    successor,
)
from giftsim.services.gifting.domain.team.people.person import (
    EMAIL,
    Person,
    change_email,
    find_by_email,
    remove_person,
    upsert_managed_person,
)
from giftsim.services.gifting.domain.team.people.upcoming_dates import current_day
from giftsim.services.gifting.domain.team.rules.contact_changes import convert_contact, delete_contact, merge_contacts
from giftsim.services.gifting.domain.team.rules.rule import add_deal_event, find_contact
from giftsim.services.gifting.domain.team.team import TEAMS
from giftsim.services.gifting.domain.team.tenant import Tenant, live_tenant, tenant_of_key
from giftsim.services.gifting.records.key_credentials import named_key
from giftsim.services.gifting.records.named import named_team
from giftsim.services.gifting.records.record_errors import ContactNotFound, PersonNotFound, ProviderNotFound

CONTACT, LEAD = "contact", "lead"
TROUBLE: Final = ("outage", "message", "half")
CONNECTING: Final = ("upsert", "people")  # members that connect the provider to the team
CONNECT: Final = "an upsert connects it"


def simulate_crm(call: Call) -> Response:
    """Start or end a provider's outage for all teams, and change a team's contacts, deals and people."""
    body, provider = call.body, call.body["provider"]
    with change_state(call) as state:
        tenant = _tenant(state, call.world.id, body)
        _check_provider(state, body)
        if "outage" in body or "message" in body:
            set_outage(state, provider, body.get("message", "") if body.get("outage", True) else None)
        if "half" in body:
            set_half(state, provider, half=body["half"])
        for contact in _several(body, "upsert"):
            put_contact(state, tenant.team, provider, {"object_type": CONTACT, **contact})
        _change_contacts(state, tenant, provider, body)
        for i, deal in enumerate(body.get("deals", ())):
            _add_deal(state, tenant, provider, deal, f"deals[{i}]")
        people = [
            _put_person(state, tenant, provider, row, f"people[{i}]") for i, row in enumerate(body.get("people", ()))
        ]
        for i, email in enumerate(body.get("remove", ())):
            remove_person(state, _managed_person(state, tenant, provider, email, f"remove[{i}]"))
        return Response(200, {**view(state, tenant, provider), "people": people})


def view(state: State, tenant: Tenant, provider: str) -> dict[str, Any]:
    """A provider: whether it has an outage or answers in part, and how many contacts a team has there."""
    outage = state[CRM_OUTAGES].find("provider", provider)
    contacts = [contact for contact in state[CONTACTS].rows_in("team", tenant.team) if contact.provider == provider]
    return {
        "provider": provider,
        "outage": outage is not None,
        "message": outage.message if outage else None,
        "half": state[CRM_HALVES].find("provider", provider) is not None,
        "team_id": state[TEAMS].get(tenant.team).id,
        "contacts": len(contacts),
    }


def _tenant(state: State, world_id: str, body: Mapping[str, Any]) -> Tenant:
    if "key" not in body:
        return live_tenant(named_team(state, body.get("team_id")).n)
    key = named_key(state, world_id, body["key"])
    if "team_id" in body or key.interface != TEAM or key.team is None:
        raise Ambiguous("name the team by team_id or by one of its keys as key, not by both")
    return tenant_of_key(state, key)


def _check_provider(state: State, body: Mapping[str, Any]) -> None:
    """ProviderNotFound for trouble of a provider that nobody has: no team has connected it, and this call does not."""
    provider = body["provider"]
    known = {row.provider: None for row in state[CRM_CONNECTIONS]}
    known |= {row.provider: None for row in state[CRM_OUTAGES]} | {row.provider: None for row in state[CRM_HALVES]}
    if provider not in known and {*TROUBLE} & {*body} and not any(body.get(member) for member in CONNECTING):
        hint = suggest_name(provider, list(known), f"{CONNECT}; connected are {', '.join(known) or 'none'}")
        raise ProviderNotFound(f"no team has connected the CRM provider {provider}: {hint}")


def _several(body: Mapping[str, Any], member: str) -> Sequence[Mapping[str, Any]]:
    """The objects of a member that takes one or an array of them."""
    given = body.get(member, ())
    return [given] if isinstance(given, dict) else given


def _change_contacts(state: State, tenant: Tenant, provider: str, body: Mapping[str, Any]) -> None:
    """Merge, convert and delete contacts, in this order."""

    def named(member: str, type_and_id: tuple[str, str]) -> Contact:
        return _named_contact(state, tenant.team, provider, type_and_id, member)

    for row in _several(body, "merge"):
        object_type = row.get("object_type", CONTACT)
        into = named("merge.into", (object_type, row["into"]))
        contact = named("merge.from", (row.get("from_type", object_type), row["from"]))
        if contact.n == into.n:
            raise Ambiguous("merge: from and into are the same contact; name two")
        merge_contacts(state, contact, into)
    for row in _several(body, "convert"):
        object_type, new_id = row.get("to", CONTACT), row.get("new_id", row["id"])
        contact = named("convert", (row.get("object_type", LEAD), row["id"]))
        if find_contact(state, tenant.team, provider, object_type, new_id) is not None:
            raise InvalidState(
                f"convert: {provider} has the {object_type} {new_id} already; merge the {contact.object_type} into it"
            )
        convert_contact(state, contact, object_type, new_id)
    for row in _several(body, "delete"):
        delete_contact(state, named("delete.id", (row.get("object_type", CONTACT), row["id"])))


def _named_contact(state: State, team: int, provider: str, type_and_id: tuple[str, str], member: str) -> Contact:
    """The contact with a type and an id. ContactNotFound names the `member`, and what became of the contact."""
    contact = find_contact(state, team, provider, *type_and_id)
    if contact is not None:
        return contact
    now = successor(state, team, provider, *type_and_id)
    hint = f"it is the {now.object_type} {now.id} now" if now is not None else "upsert adds one"
    object_type, contact_id = type_and_id
    raise ContactNotFound(f"{member}: the team has no {object_type} {contact_id[:64]} at {provider}: {hint}")


def _add_deal(state: State, tenant: Tenant, provider: str, deal: Mapping[str, Any], member: str) -> None:
    """Add an event of today to a deal: it is won, or its stage changes. ContactNotFound names the `member`."""
    type_and_id = deal.get("object_type", CONTACT), deal["id"]
    contact = _named_contact(state, tenant.team, provider, type_and_id, member)
    add_deal_event(state, contact, deal["trigger_type"], current_day(state).isoformat())


def _put_person(state: State, tenant: Tenant, provider: str, row: Mapping[str, Any], member: str) -> dict[str, Any]:
    connect_provider(state, tenant.team, provider)
    members = {name: value for name, value in row.items() if name not in ("managed_fields", "new_work_email")}
    managed_fields = row.get("managed_fields", [name for name in members if name != EMAIL])
    if "new_work_email" in row:
        moved = _move(state, tenant, provider, row, member)
        members[EMAIL] = moved.work_email
        if row.keys() == {EMAIL, "new_work_email"}:  # the provider manages what it did before
            managed_fields = moved.managed
    person = upsert_managed_person(state, tenant, provider, members, managed_fields)
    return {"id": person.id, "display_name": person.display_name, "managed_fields": person.managed}


def _move(state: State, tenant: Tenant, provider: str, row: Mapping[str, Any], member: str) -> Person:
    """Give a person the email of `new_work_email`."""
    person = _managed_person(state, tenant, provider, row[EMAIL], f"{member}.{EMAIL}")
    other = find_by_email(state, tenant, row["new_work_email"])
    if other is not None and other.n != person.n:
        raise InvalidState(f"{member}.new_work_email: person {other.id} has this email; remove one of the two")
    return change_email(state, person, row["new_work_email"])


def _managed_person(state: State, tenant: Tenant, provider: str, email: str, member: str) -> Person:
    """The person on the roster with an email, whom no other provider manages."""
    person = find_by_email(state, tenant, email)
    if person is None:
        raise PersonNotFound(f"{member}: nobody on the team's roster has this email; people adds somebody")
    if person.provider not in (None, provider):
        raise InvalidState(f"{member}: person {person.id} is managed by {person.provider}: name it as the provider")
    return person
