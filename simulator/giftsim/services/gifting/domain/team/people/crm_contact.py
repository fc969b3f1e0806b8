"""Contacts of the CRMs that a team has connected; live and test keys share them (A7.11, A8.5, G36)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import msgspec

from giftsim.engine.kernel import random_streams
from giftsim.engine.kernel.email_address import trim_email
from giftsim.engine.kernel.state import State
from giftsim.engine.kernel.table import Record, TableSpec
from giftsim.engine.problem import Problem
from giftsim.services.gifting.domain.team.free_text_redaction import REMOVED, remove_private
from giftsim.services.gifting.domain.team.people.person import contains
from giftsim.services.gifting.domain.team.team_errors import validation_error
from giftsim.services.gifting.domain.team.tenant import Tenant

MAX_LENGTH = 300

# A word in lower case, capitalized or in upper case, or a number as short as an HTTP status or a count of seconds.
_PLAIN = re.compile(r"[(\"']*([A-Z]?[a-z]{1,15}([-'][a-z]{1,15})?|[A-Z]{1,6}|[0-9]{1,4})[)\"'.,;:!?]*", re.ASCII)


def scrub(text: str) -> str:
    """The text in one line and truncated; everything but plain words and small numbers is replaced."""
    words: list[str] = []
    for word in text.split():
        safe = word if _PLAIN.fullmatch(word) else REMOVED
        if safe != REMOVED or words[-1:] != [REMOVED]:
            words.append(safe)
    line = " ".join(words)
    return line if len(line) <= MAX_LENGTH else line[: MAX_LENGTH - 3] + "..."


MAX_RESULTS = 50


class CrmConnection(Record, frozen=True, gc=False):
    """A CRM provider that a team (a slot) has connected."""

    team: int
    provider: str


class Contact(Record, frozen=True, gc=False):
    """A contact of a team (a slot); `id` and `object_type` are those of the CRM."""

    team: int
    provider: str
    id: str
    object_type: str
    name: str
    email: str
    company: str | None = None
    title: str | None = None


class CrmOutage(Record, frozen=True, gc=False):
    """A provider that is down for every team; `message` is the provider's own error text."""

    provider: str
    message: str


class ProviderUnavailable(Problem, status=503, code="provider_unavailable"):
    """The CRM provider is down; others still work (A8.5)."""


CRM_CONNECTIONS: TableSpec[CrmConnection] = TableSpec(
    "team.connection",
    CrmConnection,
    unique={"team_and_provider": lambda row: f"{row.team} {row.provider}"},
)
CONTACTS: TableSpec[Contact] = TableSpec(
    "team.contact",
    Contact,
    unique={"key": lambda row: _key(row.team, row.provider, row.object_type, row.id)},
    groups={"team": "team"},
)
CRM_OUTAGES: TableSpec[CrmOutage] = TableSpec("team.crm_outage", CrmOutage, unique={"provider": "provider"})


def connect_provider(state: State, team: int, provider: str) -> None:
    """Connect a provider to a team (a slot); does nothing if it is connected."""
    if not is_connected(state, team, provider):
        state[CRM_CONNECTIONS].add(CrmConnection(state[CRM_CONNECTIONS].next_n, team, provider))


def is_connected(state: State, team: int, provider: str) -> bool:
    """Whether a team (a slot) has connected a provider."""
    return state[CRM_CONNECTIONS].find("team_and_provider", f"{team} {provider}") is not None


def put_contact(state: State, team: int, provider: str, members: Mapping[str, Any]) -> Contact:
    """Create a contact, or change the given members of the one with the same `object_type` and `id`."""
    connect_provider(state, team, provider)
    if "email" in members:
        members = {**members, "email": trim_email(members["email"])}
    table = state[CONTACTS]
    contact = table.find("key", _key(team, provider, members["object_type"], members["id"]))
    if contact is not None:
        return table.put(msgspec.structs.replace(contact, **members))
    return table.add(Contact(table.next_n, team, provider, **members))


def set_outage(state: State, provider: str, message: str | None) -> None:
    """Start an outage of a provider with its error text; None ends the outage."""
    table = state[CRM_OUTAGES]
    outage = table.find("provider", provider)
    if outage is not None:
        table.drop(outage.n)
    if message is not None:
        table.add(CrmOutage(table.next_n, provider, message))


def check_provider(state: State, provider: str) -> None:
    """ProviderUnavailable, with the scrubbed text of the provider, while it is down."""
    outage = state[CRM_OUTAGES].find("provider", provider)
    if outage is not None:
        reason = f": {scrub(outage.message)}" if outage.message.strip() else ""
        raise ProviderUnavailable(f"the CRM provider {provider} is unavailable{reason}")


def unavailable_providers(state: State, team: int) -> list[str]:
    """The providers of a team (a slot) that are down, by name."""
    return sorted([row.provider for row in state[CRM_OUTAGES] if is_connected(state, team, row.provider)])


def find_contacts(
    state: State, team: int, q: str | None = None, provider: str | None = None, limit: int | None = None
) -> list[Contact]:
    """Contacts of a team (a slot) by name, at most `limit` or 50: all, or those whose name or company contains `q`.

    With `provider`, only its contacts, or ProviderUnavailable while it is down. A search of all providers leaves out
    those that are down. A provider that is not connected has no contacts.
    """
    if provider is not None and is_connected(state, team, provider):
        check_provider(state, provider)
    unavailable = unavailable_providers(state, team)
    contacts = [
        contact
        for contact in state[CONTACTS].rows_in("team", team)
        if provider in (None, contact.provider)
        and contact.provider not in unavailable
        and contains(q or "", contact.name, contact.company)
    ]
    return sorted(contacts, key=lambda row: (row.name.casefold(), row.n))[: MAX_RESULTS if limit is None else limit]


def resolve_contact(
    state: State, tenant: Tenant, provider: str, contact_id: str, object_type: str, field: str = "crm"
) -> tuple[str, str]:
    """Name and email of the contact that a request names (T-2.15, T-2.20).

    ValidationFailed if the team has no such contact, ProviderUnavailable while its provider is down.
    """
    if not is_connected(state, tenant.team, provider):
        raise validation_error(f"{field}.provider", "must be a CRM provider that the team has connected")
    check_provider(state, provider)
    contact = state[CONTACTS].find("key", _key(tenant.team, provider, object_type, contact_id))
    if contact is None:
        raise validation_error(field, "must be a contact of this provider")
    return contact.name, contact.email


def shown_id(contact_id: str) -> str:
    """A contact's id as responses show it: that of the CRM, or a stand-in for one that is an address (G199)."""
    if remove_private(contact_id) == contact_id:
        return contact_id
    return f"contact-{random_streams.draw_token(0, contact_id, 0, 16)}"


def _key(team: int, provider: str, object_type: str, contact_id: str) -> str:
    """The key of a contact, by its own id or by the one that is shown."""
    return f"{team} {provider} {object_type} {shown_id(contact_id)}"
