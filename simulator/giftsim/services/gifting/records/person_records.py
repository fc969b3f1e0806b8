"""People, contacts and recipients as JSON, with their mail addresses."""

from __future__ import annotations

from typing import Any

from giftsim.engine.control.pagination import list_records
from giftsim.engine.gateway.call import Call, Response
from giftsim.engine.kernel.instants import format_instant, instant_or_null
from giftsim.engine.kernel.state import State
from giftsim.services.gifting.domain.fulfilment.fulfilment import FULFILMENTS
from giftsim.services.gifting.domain.fulfilment.recipient import Recipient
from giftsim.services.gifting.domain.fulfilment.shipment import SHIPMENTS
from giftsim.services.gifting.domain.team.orders.team_fulfilment import recipient_id
from giftsim.services.gifting.domain.team.people.crm_contact import CRM_OUTAGES, Contact
from giftsim.services.gifting.domain.team.people.person import EMAIL, FIELDS, Person
from giftsim.services.gifting.domain.team.team import TEAMS
from giftsim.services.gifting.records.gifting_kinds import team_and_mode
from giftsim.services.gifting.records.parent_refs import ref_of_fulfilment
from giftsim.services.gifting.records.searches import CONTACT_SEARCH, PERSON_SEARCH, RECIPIENT_SEARCH


def person_view(state: State, person: Person) -> dict[str, Any]:
    """A person on a team's roster."""
    return {
        "seq": person.n + 1,
        "id": person.id,
        **team_and_mode(state, person),
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
    return {
        "seq": row.n + 1,
        "recipient_id": recipient_id(state, order, row.n),
        "about": ref_of_fulfilment(state, order),
        "name": row.name,
        "email": row.email,
        "company": row.company,
        "status": state[SHIPMENTS].get(row.shipment).status,
        "claimed_at": instant_or_null(row.claimed_at_ms),
    }


def list_people(call: Call) -> Response:
    """List the people on the rosters of all teams and sandboxes."""
    return list_records(call, PERSON_SEARCH, person_view)


def list_contacts(call: Call) -> Response:
    """List the contacts that teams have in their CRMs, also while a provider is down."""
    provider = call.query["provider"]
    return list_records(call, CONTACT_SEARCH, contact_view, keep=lambda contact: provider in (None, contact.provider))


def list_recipients(call: Call) -> Response:
    """List the recipients of all orders, gifts and campaigns."""
    return list_records(call, RECIPIENT_SEARCH, recipient_view)
