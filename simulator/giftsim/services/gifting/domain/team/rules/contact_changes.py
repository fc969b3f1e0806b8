"""Contacts that a CRM merges, converts or deletes, with their deals (G450 to G452).

A gift that names such a contact keeps the name and the email that it got when it was made (G374).
"""

from __future__ import annotations

import msgspec

from giftsim.engine.kernel.state import State
from giftsim.services.gifting.domain.team.people.crm_contact import CONTACTS, FORMER_CONTACTS, Contact, FormerContact
from giftsim.services.gifting.domain.team.rules.rule import DEAL_EVENTS, DealEvent


def merge_contacts(state: State, contact: Contact, into: Contact) -> Contact:
    """Merge a contact into another one, which gets its deals, and what it has not got itself. Returns that one."""
    learned = {name: getattr(contact, name) for name in ("email", "company", "title") if getattr(into, name) is None}
    for event in _deals_of(state, contact):
        state[DEAL_EVENTS].put(msgspec.structs.replace(event, contact=into.n))
    _end(state, contact, into.n)
    return state[CONTACTS].put(msgspec.structs.replace(into, **learned))


def convert_contact(state: State, contact: Contact, object_type: str, new_id: str) -> Contact:
    """Give a contact another type, and with it perhaps another id, such as a lead that becomes a contact."""
    _keep_name(state, contact, contact.n)
    return state[CONTACTS].put(msgspec.structs.replace(contact, object_type=object_type, id=new_id))


def delete_contact(state: State, contact: Contact) -> None:
    """Delete a contact and its deals; what was sent to it stays."""
    for event in _deals_of(state, contact):
        state[DEAL_EVENTS].drop(event.n)
    _end(state, contact, None)


def _deals_of(state: State, contact: Contact) -> list[DealEvent]:
    return [event for event in state[DEAL_EVENTS].rows_in("team", contact.team) if event.contact == contact.n]


def _end(state: State, contact: Contact, into: int | None) -> None:
    """Drop a contact; whatever became this contact is now `into`, unless that is None."""
    table = state[FORMER_CONTACTS]
    if into is not None:
        for former in table.rows_in("into", contact.n):
            table.put(msgspec.structs.replace(former, into=into))
    _keep_name(state, contact, into)
    state[CONTACTS].drop(contact.n)


def _keep_name(state: State, contact: Contact, into: int | None) -> None:
    table = state[FORMER_CONTACTS]
    table.add(
        FormerContact(table.next_n, contact.team, contact.provider, contact.id, contact.object_type, contact.n, into)
    )
