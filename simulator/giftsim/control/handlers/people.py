"""People: the rosters of teams, contacts of their CRMs, and recipients of orders, gifts and campaigns."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from giftsim.control.pagination import filtered_page, rows_of_table, search
from giftsim.control.views import people as views
from giftsim.control.world_access import current_state
from giftsim.domain.fulfilment.recipient import RECIPIENTS
from giftsim.domain.team.people.contact import CONTACTS, Contact
from giftsim.domain.team.people.person import PEOPLE
from giftsim.gateway.call import Call, Handler, Response


def list_people(call: Call) -> Response:
    """List the people on the rosters of all teams and sandboxes."""
    keep = search(call.query["q"], lambda row: (row.id, row.display_name, row.work_email, row.department))
    with current_state(call.world) as state:
        return filtered_page(
            call, "people", rows_of_table(state[PEOPLE]), lambda person: views.person(state, person), keep=keep
        )


def list_contacts(call: Call) -> Response:
    """List the contacts that teams have in their CRMs, also while a provider is down."""
    provider = call.query["provider"]
    has_text = search(call.query["q"], lambda row: (row.id, row.name, row.email, row.company, row.title))

    def keep(contact: Contact) -> bool:
        return provider in (None, contact.provider) and has_text(contact)

    with current_state(call.world) as state:
        return filtered_page(
            call, "contacts", rows_of_table(state[CONTACTS]), lambda contact: views.contact(state, contact), keep=keep
        )


def list_recipients(call: Call) -> Response:
    """List the recipients of all orders, gifts and campaigns."""
    keep = search(call.query["q"], lambda row: (row.name, row.email, row.company))
    with current_state(call.world) as state:
        return filtered_page(
            call, "recipients", rows_of_table(state[RECIPIENTS]), lambda row: views.recipient(state, row), keep=keep
        )


HANDLERS: Mapping[str, Handler] = MappingProxyType(
    {
        "listPeople": list_people,
        "listContacts": list_contacts,
        "listRecipients": list_recipients,
    }
)
