"""Contacts: the people of a CRM that a team has connected; live and test keys share them (A7.11, A8.5, G36)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from giftsim.domain.team.people.name_search import contains
from giftsim.domain.team.people.scrubbing import scrub
from giftsim.domain.team.problem import invalid
from giftsim.domain.team.tenant import Tenant
from giftsim.kernel.state import State
from giftsim.kernel.table import Record, TableSpec
from giftsim.problem import Problem

MAX_RESULTS = 50


class CrmConnection(Record, frozen=True, gc=False):
    """A provider that a team (a slot) has connected."""

    team: int
    provider: str


class Contact(Record, frozen=True, gc=False):
    """A contact of a team's (a slot's) provider; `id` is the CRM's own, and `object_type` what it is there."""

    team: int
    provider: str
    id: str
    object_type: str
    name: str
    email: str
    company: str | None = None
    title: str | None = None


class CrmOutage(Record, frozen=True, gc=False):
    """A provider that is out, for every team; `message` is what it says of it, as it says it."""

    provider: str
    message: str


class ProviderUnavailable(Problem):
    """The CRM provider is out; others go on (A8.5)."""

    status = 503
    code = "provider_unavailable"


CRM_CONNECTIONS: TableSpec[CrmConnection] = TableSpec(
    "team.connection", CrmConnection,
    unique={"pair": lambda row: f"{row.team} {row.provider}"}, groups={"team": lambda row: row.team},
)  # fmt: skip
CONTACTS: TableSpec[Contact] = TableSpec(
    "team.contact", Contact,
    unique={"key": lambda row: _key(row.team, row.provider, row.object_type, row.id)},
    groups={"team": lambda row: row.team},
)  # fmt: skip
CRM_OUTAGES: TableSpec[CrmOutage] = TableSpec(
    "team.crm_outage", CrmOutage, unique={"provider": lambda row: row.provider}
)


def connect_provider(state: State, team: int, provider: str) -> None:
    """Connect a provider to a team (a slot); connecting it again changes nothing."""
    if not is_connected(state, team, provider):
        state[CRM_CONNECTIONS].add(CrmConnection(state[CRM_CONNECTIONS].next_n, team, provider))


def is_connected(state: State, team: int, provider: str) -> bool:
    """Whether a team (a slot) has connected a provider."""
    return state[CRM_CONNECTIONS].find("pair", f"{team} {provider}") is not None


def put_contact(state: State, team: int, provider: str, members: Mapping[str, Any]) -> Contact:
    """A contact as its CRM has it now: made, or with the members that are given replaced (`object_type` and `id` name
    it)."""
    connect_provider(state, team, provider)
    table = state[CONTACTS]
    found = table.find("key", _key(team, provider, members["object_type"], members["id"]))
    if found is not None:
        return table.put(msgspec.structs.replace(found, **members))
    return table.add(Contact(table.next_n, team, provider, **members))


def set_outage(state: State, provider: str, message: str | None) -> None:
    """Let a provider be out and say so, or with None be back."""
    table = state[CRM_OUTAGES]
    found = table.find("provider", provider)
    if found is not None:
        table.drop(found.n)
    if message is not None:
        table.add(CrmOutage(table.next_n, provider, message))


def check_provider(state: State, provider: str) -> None:
    """ProviderUnavailable while the provider is out, in its own words as far as they may be read."""
    found = state[CRM_OUTAGES].find("provider", provider)
    if found is not None:
        said = f": {scrub(found.message)}" if found.message.strip() else ""
        raise ProviderUnavailable(f"the CRM provider {provider} is unavailable{said}")


def find_contacts(
    state: State, team: int, q: str | None = None, provider: str | None = None, limit: int | None = None
) -> list[Contact]:
    """Contacts of a team (a slot) by name, `limit` or 50 at most: all, or those whose name or company holds `q`.

    Of one provider or of all; ProviderUnavailable if that one is out, while a search of all leaves out those that are.
    One that is not connected has none.
    """
    if provider is not None and is_connected(state, team, provider):
        check_provider(state, provider)
    out = [outage.provider for outage in state[CRM_OUTAGES]]
    found = [
        contact
        for contact in state[CONTACTS].rows_in("team", team)
        if provider in (None, contact.provider)
        and contact.provider not in out
        and contains(q or "", contact.name, contact.company)
    ]
    return sorted(found, key=lambda row: (row.name.casefold(), row.n))[: MAX_RESULTS if limit is None else limit]


def resolve_contact(
    state: State, tenant: Tenant, provider: str, contact_id: str, object_type: str, field: str = "crm"
) -> tuple[str, str]:
    """Name and email of the contact that a send names (T-2.15, T-2.20).

    ValidationFailed where the team has no such contact, ProviderUnavailable while its provider is out.
    """
    if not is_connected(state, tenant.team, provider):
        raise invalid(f"{field}.provider", "is no CRM provider that the team has connected")
    check_provider(state, provider)
    found = state[CONTACTS].find("key", _key(tenant.team, provider, object_type, contact_id))
    if found is None:
        raise invalid(field, "names no contact of this provider")
    return found.name, found.email


def connected_providers(state: State, team: int) -> Sequence[str]:
    """The providers that a team (a slot) has connected, in the order of connecting."""
    return [row.provider for row in state[CRM_CONNECTIONS].rows_in("team", team)]


def _key(team: int, provider: str, object_type: str, contact_id: str) -> str:
    return f"{team} {provider} {object_type} {contact_id}"
