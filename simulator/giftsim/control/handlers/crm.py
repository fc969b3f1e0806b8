"""CRM providers, played by a tester: out and back, with contacts and deals, or writing to a roster (A8.5, G41)."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from giftsim.control.credentials import named_key
from giftsim.control.problem import Ambiguous, ContactNotFound
from giftsim.control.subject_lookup import team_of
from giftsim.control.world_access import changing
from giftsim.domain.access.api_key import TEAM
from giftsim.domain.team.people.contact import CONTACTS, OUTAGES, connect, put_contact, set_outage
from giftsim.domain.team.people.person import EMAIL, manage
from giftsim.domain.team.people.upcoming_dates import today
from giftsim.domain.team.programs.deal import add_deal, find_contact
from giftsim.domain.team.team import TEAMS
from giftsim.domain.team.tenant import Space, live_space, space_of
from giftsim.gateway.call import Call, Handler, Response
from giftsim.kernel.state import State


def simulate_crm(call: Call) -> Response:
    """A provider goes out or comes back for everybody; a team's contacts and roster are as it says now."""
    body, provider = call.body, call.body["provider"]
    with changing(call) as state:
        space = _space(state, call.world.id, body)
        if "outage" in body or "message" in body:
            set_outage(state, provider, body.get("message", "") if body.get("outage", True) else None)
        asked = body.get("upsert", ())
        for contact in [asked] if isinstance(asked, dict) else asked:
            put_contact(state, space.team, provider, {"object_type": "contact", **contact})
        for deal in body.get("deals", ()):
            _happen(state, space, provider, deal)
        people = [_manage(state, space, provider, row) for row in body.get("people", ())]
        return Response(200, {**view(state, space, provider), "people": people})


def view(state: State, space: Space, provider: str) -> dict[str, Any]:
    """A provider as a team has it."""
    outage = state[OUTAGES].find("provider", provider)
    held = [contact for contact in state[CONTACTS].rows_in("team", space.team) if contact.provider == provider]
    return {
        "provider": provider,
        "outage": outage is not None,
        "message": outage.message if outage else None,
        "team_id": state[TEAMS].get(space.team).id,
        "contacts": len(held),
    }


def _space(state: State, world_id: str, body: Mapping[str, Any]) -> Space:
    if "key" not in body:
        return live_space(team_of(state, body.get("team_id")).n)
    key = named_key(state, world_id, body["key"])
    if "team_id" in body or key.interface != TEAM or key.team is None:
        raise Ambiguous("name the team by team_id, or by one of its keys as key, not by both")
    return space_of(state, key)


def _happen(state: State, space: Space, provider: str, deal: Mapping[str, Any]) -> None:
    """A deal with a contact is won today, or changes its stage; ContactNotFound."""
    contact = find_contact(state, space.team, provider, deal.get("object_type", "contact"), deal["id"])
    if contact is None:
        raise ContactNotFound(f"the team's {provider} has no such contact")
    add_deal(state, contact, deal["trigger_type"], today(state).isoformat())


def _manage(state: State, space: Space, provider: str, row: Mapping[str, Any]) -> dict[str, Any]:
    connect(state, space.team, provider)
    members = {name: value for name, value in row.items() if name != "managed_fields"}
    managed = row.get("managed_fields", [name for name in members if name != EMAIL])
    person = manage(state, space, provider, members, managed)
    return {"id": person.id, "display_name": person.display_name, "managed_fields": person.managed}


HANDLERS: Mapping[str, Handler] = MappingProxyType(
    {
        "simulateCrm": simulate_crm,
    }
)
