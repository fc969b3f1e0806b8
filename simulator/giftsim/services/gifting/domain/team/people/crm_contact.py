"""Contacts of the CRMs that a team has connected; live and test keys share them (A7.11, A8.5, G36)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

import msgspec

from giftsim.engine.kernel import random_streams
from giftsim.engine.kernel.email_address import trim_email
from giftsim.engine.kernel.index import Derived
from giftsim.engine.kernel.setting import choice
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
    """A contact of a team (a slot); `id` and `object_type` are those of the CRM. Some have no email (G453)."""

    team: int
    provider: str
    id: str
    object_type: str
    name: str
    email: str | None
    company: str | None = None
    title: str | None = None


class CrmOutage(Record, frozen=True, gc=False):
    """A provider that is down for every team; `message` is the provider's own error text."""

    provider: str
    message: str


class CrmHalf(Record, frozen=True, gc=False):
    """A provider that answers every team with half of its contacts (G454)."""

    provider: str


class FormerContact(Record, frozen=True, gc=False):
    """A name that a `contact` (a slot) no longer has in the CRM: it was merged, converted or deleted (G450 to G452).

    `into` is the slot of the contact that has its deals now, None for a deleted one.
    """

    team: int
    provider: str
    id: str
    object_type: str
    contact: int
    into: int | None


class ProviderUnavailable(Problem, status=503, code="provider_unavailable"):
    """The CRM provider is down; others still work (A8.5)."""


def _key_of(row: Contact | FormerContact) -> str:
    return _key(row.team, row.provider, row.object_type, row.id)


def _key(team: int, provider: str, object_type: str, contact_id: str) -> str:
    """The key of a contact, by its own id or by the one that is shown."""
    return f"{team} {provider} {object_type} {shown_id(contact_id)}"


CRM_CONNECTIONS: TableSpec[CrmConnection] = TableSpec(
    "team.connection",
    CrmConnection,
    unique={"team_and_provider": lambda row: f"{row.team} {row.provider}"},
)
CONTACTS: TableSpec[Contact] = TableSpec(
    "team.contact",
    Contact,
    rekeyed={"key": Derived(("team", "provider", "object_type", "id"), _key_of)},
    groups={"team": "team"},
)
CRM_OUTAGES: TableSpec[CrmOutage] = TableSpec("team.crm_outage", CrmOutage, unique={"provider": "provider"})
CRM_HALVES: TableSpec[CrmHalf] = TableSpec("team.crm_half", CrmHalf, unique={"provider": "provider"}, sparse=True)
FORMER_CONTACTS: TableSpec[FormerContact] = TableSpec(
    "team.former_contact",
    FormerContact,
    groups={"key": _key_of},
    moving={"into": "into"},
    sparse=True,
)
TABLES: Final = (CRM_CONNECTIONS, CONTACTS, CRM_OUTAGES, CRM_HALVES, FORMER_CONTACTS)

FORMER_IDS = choice(
    "crm.former_ids",
    ("refuse", "follow"),
    "whether the id of a contact that was merged or converted is refused, or leads to the contact that it became",
)


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
    if members.get("email") is not None:
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


def set_half(state: State, provider: str, *, half: bool) -> None:
    """Let a provider answer with half of its contacts from now on, or with all of them again."""
    table = state[CRM_HALVES]
    known = table.find("provider", provider)
    if half and known is None:
        table.add(CrmHalf(table.next_n, provider))
    elif not half and known is not None:
        table.drop(known.n)


def withheld_slots(state: State, team: int) -> frozenset[int]:
    """The contacts of a team (a slot) that providers leave out of their answers: the newer half of each (G454)."""
    withheld: list[int] = []
    for half in state[CRM_HALVES]:
        slots = [contact.n for contact in state[CONTACTS].rows_in("team", team) if contact.provider == half.provider]
        withheld += slots[(len(slots) + 1) // 2 :]
    return frozenset(withheld)


def successor(state: State, team: int, provider: str, object_type: str, contact_id: str) -> Contact | None:
    """The contact that a contact with this id became, by a merge or a conversion; None if there is none."""
    former = state[FORMER_CONTACTS].rows_in("key", _key(team, provider, object_type, contact_id))
    if not former or former[-1].into is None:
        return None
    return state[CONTACTS].at(former[-1].into)


def slots_of_person(state: State, contact: Contact) -> tuple[int, ...]:
    """The slots under which a contact was known: its own, of those merged into it, of a deleted one with its id.

    The same holds for an id that it had before, and for those who were merged into it.
    """
    table = state[FORMER_CONTACTS]
    if not table.next_n:
        return (contact.n,)
    slots = [contact.n, *_deleted_slots(state, _key_of(contact), table.next_n)]
    i = 0
    while i < len(slots):
        for row in table.rows_in("into", slots[i]):
            known = (row.contact, *_deleted_slots(state, _key_of(row), row.n))
            slots += [slot for slot in known if slot not in slots]
        i += 1
    return tuple(slots)


def _deleted_slots(state: State, key: str, before: int) -> list[int]:
    """The contacts with a name that were deleted before the name was given up, by a row of the former contacts."""
    rows = state[FORMER_CONTACTS].rows_in("key", key)
    return [row.contact for row in rows if row.into is None and row.n < before]


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
    those that are down. A provider that is not connected has no contacts, one that answers with half has those.
    """
    if provider is not None and is_connected(state, team, provider):
        check_provider(state, provider)
    unavailable, withheld = unavailable_providers(state, team), withheld_slots(state, team)
    contacts = [
        contact
        for contact in state[CONTACTS].rows_in("team", team)
        if provider in (None, contact.provider)
        and contact.provider not in unavailable
        and contact.n not in withheld
        and contains(q or "", contact.name, contact.company)
    ]
    return sorted(contacts, key=lambda row: (row.name.casefold(), row.n))[: MAX_RESULTS if limit is None else limit]


def resolve_contact(
    state: State, tenant: Tenant, provider: str, contact_id: str, object_type: str, field: str = "crm"
) -> tuple[str, str]:
    """Name and email of the contact that a request names (T-2.15, T-2.20).

    ValidationFailed if the team has no such contact, or only one without an email; ProviderUnavailable while its
    provider is down.
    """
    if not is_connected(state, tenant.team, provider):
        raise validation_error(f"{field}.provider", "must be a CRM provider that the team has connected")
    check_provider(state, provider)
    contact = state[CONTACTS].find("key", _key(tenant.team, provider, object_type, contact_id))
    if contact is None and state.setting(FORMER_IDS) == "follow":
        contact = successor(state, tenant.team, provider, object_type, contact_id)
    if contact is None or contact.n in withheld_slots(state, tenant.team):
        raise validation_error(field, "must be a contact of this provider")
    if contact.email is None:
        raise validation_error(field, "must be a contact that has an email address")
    return contact.name, contact.email


def shown_id(contact_id: str) -> str:
    """A contact's id as responses show it: that of the CRM, or a stand-in for one that is an address (G199)."""
    if remove_private(contact_id) == contact_id:
        return contact_id
    return f"contact-{random_streams.draw_token(0, contact_id, 0, 16)}"
