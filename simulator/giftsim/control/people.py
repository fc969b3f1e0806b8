"""People, contacts and recipients as JSON, with their mail addresses."""

from __future__ import annotations

from typing import Any

from giftsim.control.labels import order_reference
from giftsim.control.pagination import filtered_page, rows_of_table, search
from giftsim.control.world_access import current_state
from giftsim.domain.fulfilment.fulfilment import FULFILMENTS
from giftsim.domain.fulfilment.recipient import RECIPIENTS, Recipient
from giftsim.domain.fulfilment.shipment import SHIPMENTS
from giftsim.domain.team.orders.order_fulfilment import recipient_id
from giftsim.domain.team.people.contact import CONTACTS, CRM_OUTAGES, Contact
from giftsim.domain.team.people.person import EMAIL, FIELDS, PEOPLE, Person
from giftsim.domain.team.team import TEAMS
from giftsim.domain.team.tenant import is_live, tenant_of_owner
from giftsim.gateway.call import Call, Response
from giftsim.kernel.instants import format_instant, instant_or_null
from giftsim.kernel.state import State


def person_view(state: State, person: Person) -> dict[str, Any]:
    """A person on a team's roster."""
    return {
        "seq": person.n + 1,
        "id": person.id,
        "team_id": state[TEAMS].get(tenant_of_owner(state, person.owner).team).id,
        "livemode": is_live(person),
        "display_name": person.display_name,
        **{name: getattr(person, name) for name in (EMAIL, *FIELDS)},
        "provider": person.provider,
        "managed_fields": list(person.managed),
        "created_at": format_instant(person.created_ms),
        "updated_at": format_instant(person.updated_ms),
    }


def contact_view(state: State, contact: Contact) -> dict[str, Any]:
    """A contact in a CRM. `available` is false while its provider is down."""
    return {
        "seq": contact.n + 1,
        "team_id": state[TEAMS].get(contact.team).id,
        "provider": contact.provider,
        "id": contact.id,
        "object_type": contact.object_type,
        "name": contact.name,
        "email": contact.email,
        "company": contact.company,
        "title": contact.title,
        "available": state[CRM_OUTAGES].find("provider", contact.provider) is None,
    }


def recipient_view(state: State, row: Recipient) -> dict[str, Any]:
    """A recipient with the status of the parcel. An open seat that nobody has claimed has no name."""
    order = state[FULFILMENTS].get(row.order)
    member, order_id = order_reference(state, order)
    return {
        "seq": row.n + 1,
        "recipient_id": recipient_id(state, order, row.n),
        "about": {"kind": member.removesuffix("_id"), "id": order_id},
        "name": row.name,
        "email": row.email,
        "company": row.company,
        "status": state[SHIPMENTS].get(row.shipment).status,
        "claimed_at": instant_or_null(row.claimed_at_ms),
    }


def list_people(call: Call) -> Response:
    """List the people on the rosters of all teams and sandboxes."""
    keep = search(call.query["q"], lambda row: (row.id, row.display_name, row.work_email, row.department))
    with current_state(call.world) as state:
        return filtered_page(
            call, "people", rows_of_table(state[PEOPLE]), lambda person: person_view(state, person), keep=keep
        )


def list_contacts(call: Call) -> Response:
    """List the contacts that teams have in their CRMs, also while a provider is down."""
    provider = call.query["provider"]
    has_text = search(call.query["q"], lambda row: (row.id, row.name, row.email, row.company, row.title))

    def keep(contact: Contact) -> bool:
        return provider in (None, contact.provider) and has_text(contact)

    with current_state(call.world) as state:
        return filtered_page(
            call, "contacts", rows_of_table(state[CONTACTS]), lambda contact: contact_view(state, contact), keep=keep
        )


def list_recipients(call: Call) -> Response:
    """List the recipients of all orders, gifts and campaigns."""
    keep = search(call.query["q"], lambda row: (row.name, row.email, row.company))
    with current_state(call.world) as state:
        return filtered_page(
            call, "recipients", rows_of_table(state[RECIPIENTS]), lambda row: recipient_view(state, row), keep=keep
        )
