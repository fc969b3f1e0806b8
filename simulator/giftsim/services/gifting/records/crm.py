"""CRM providers, simulated by a tester: outages, contacts, deals, and people they manage (A8.5, G41)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from giftsim.engine.control.control_errors import Ambiguous
from giftsim.engine.control.world_access import change_state
from giftsim.engine.gateway.call import Call, Response
from giftsim.engine.kernel.state import State
from giftsim.services.gifting.domain.api_key import TEAM
from giftsim.services.gifting.domain.team.people.crm_contact import (
    CONTACTS,
    CRM_OUTAGES,
    connect_provider,
    put_contact,
    set_outage,
)
from giftsim.services.gifting.domain.team.people.person import EMAIL, upsert_managed_person
from giftsim.services.gifting.domain.team.people.upcoming_dates import current_day
from giftsim.services.gifting.domain.team.rules.rule import add_deal_event, find_contact
from giftsim.services.gifting.domain.team.team import TEAMS
from giftsim.services.gifting.domain.team.tenant import Tenant, live_tenant, tenant_of_key
from giftsim.services.gifting.records.key_credentials import named_key
from giftsim.services.gifting.records.named import named_team
from giftsim.services.gifting.records.record_errors import ContactNotFound


def simulate_crm(call: Call) -> Response:
    """Start or end a provider's outage for all teams, and write a team's contacts, deals and people."""
    body, provider = call.body, call.body["provider"]
    with change_state(call) as state:
        tenant = _tenant(state, call.world.id, body)
        if "outage" in body or "message" in body:
            set_outage(state, provider, body.get("message", "") if body.get("outage", True) else None)
        contacts = body.get("upsert", ())
        for contact in [contacts] if isinstance(contacts, dict) else contacts:
            put_contact(state, tenant.team, provider, {"object_type": "contact", **contact})
        for i, deal in enumerate(body.get("deals", ())):
            _add_deal(state, tenant, provider, deal, f"deals[{i}]")
        people = [_put_person(state, tenant, provider, row) for row in body.get("people", ())]
        return Response(200, {**view(state, tenant, provider), "people": people})


def view(state: State, tenant: Tenant, provider: str) -> dict[str, Any]:
    """A provider: whether it has an outage, and how many contacts a team has there."""
    outage = state[CRM_OUTAGES].find("provider", provider)
    contacts = [contact for contact in state[CONTACTS].rows_in("team", tenant.team) if contact.provider == provider]
    return {
        "provider": provider,
        "outage": outage is not None,
        "message": outage.message if outage else None,
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


def _add_deal(state: State, tenant: Tenant, provider: str, deal: Mapping[str, Any], member: str) -> None:
    """Add an event of today to a deal: it is won, or its stage changes. ContactNotFound names the `member`."""
    contact = find_contact(state, tenant.team, provider, deal.get("object_type", "contact"), deal["id"])
    if contact is None:
        raise ContactNotFound(f"{member}: the team has no contact with this object_type and id at {provider}")
    add_deal_event(state, contact, deal["trigger_type"], current_day(state).isoformat())


def _put_person(state: State, tenant: Tenant, provider: str, row: Mapping[str, Any]) -> dict[str, Any]:
    connect_provider(state, tenant.team, provider)
    members = {name: value for name, value in row.items() if name != "managed_fields"}
    managed_fields = row.get("managed_fields", [name for name in members if name != EMAIL])
    person = upsert_managed_person(state, tenant, provider, members, managed_fields)
    return {"id": person.id, "display_name": person.display_name, "managed_fields": person.managed}
