"""Labels for the subjects of timers and events, shown in lists and in results of advances."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from giftsim.domain.actor import ACTORS, APPROVER
from giftsim.domain.actor_schedule import ACTS
from giftsim.domain.fulfilment.fulfilment import FULFILMENTS, Fulfilment, TeamFulfilment
from giftsim.domain.fulfilment.recipient import RECIPIENTS
from giftsim.domain.fulfilment.shipment import SHIPMENTS
from giftsim.domain.money.charge import CHARGES
from giftsim.domain.team.billing.invoice import INVOICES
from giftsim.domain.team.campaigns.campaign import CAMPAIGNS
from giftsim.domain.team.orders.approval import APPROVALS
from giftsim.domain.team.orders.gift import GIFTS
from giftsim.domain.team.orders.order_fulfilment import FULFILLED_ID, recipient_id
from giftsim.domain.team.orders.team_order import TEAM_ORDERS
from giftsim.domain.team.team import TEAMS
from giftsim.domain.team.tenant import Id
from giftsim.kernel.state import State
from giftsim.kernel.table import TableSpec
from giftsim.webhooks.delivery import DELIVERY
from giftsim.webhooks.endpoint import ENDPOINT
from giftsim.webhooks.event import EVENT, PING_SUBJECT, Event

CAMPAIGN_ID = "campaign_id"


def shipment_label(state: State, n: int) -> str:
    """A parcel by its recipient, such as `team_order 1001 recipient 200001`, or else by its id: `order 500001`."""
    shipment = state[SHIPMENTS].get(n)
    if shipment.recipient is None:
        return f"order {shipment.order_id}"
    order = state[FULFILMENTS].get(shipment.owner)
    member, order_id = order_reference(state, order)
    return f"{member.removesuffix('_id')} {order_id} recipient {recipient_id(state, order, shipment.recipient)}"


def order_reference(state: State, order: Fulfilment) -> tuple[str, Id]:
    """The id that identifies an order in responses, and its member: `team_order_id`, `gift_id` or `campaign_id`."""
    if not isinstance(order, TeamFulfilment):
        return "team_order_id", order.id
    return state.handler_of(FULFILLED_ID, order.resource)(state, order.subject)


def event_label(state: State, event: Event) -> str:
    """The subject of an event: a parcel for a partner, a record or the balance for a team."""
    if event.subject == PING_SUBJECT:
        return "a test of an endpoint"
    noun = event.kind.partition(".")[0]
    if event.owner.startswith("account "):
        return shipment_label(state, event.subject)
    if noun == "balance":
        return f"team {state[TEAMS].get(event.subject).id}"
    if CAMPAIGN_ID in dict(event.facts):
        noun = "campaign"
    return f"{noun} {state[_SUBJECT_TABLES[noun]].get(event.subject).id}"


def invoice_label(state: State, n: int) -> str:
    """`invoice` and its id."""
    return f"invoice {state[INVOICES].get(n).id}"


def approval_label(state: State, n: int) -> str:
    """`approval` and its id."""
    return f"approval {state[APPROVALS].get(n).id}"


def charge_label(state: State, n: int) -> str:
    """The transaction id of a charge."""
    return state[CHARGES].get(n).transaction_id


def act_label(state: State, n: int) -> str:
    """The actor of a scheduled act, and its subject."""
    act = state[ACTS].get(n)
    if act.role == APPROVER:
        subject = approval_label(state, act.subject)
    else:
        subject = shipment_label(state, state[RECIPIENTS].get(act.subject).shipment)
    return f"{state[ACTORS].get(act.actor).id}: {subject}"


def delivery_label(state: State, n: int) -> str:
    """The event of a delivery and the URL of its endpoint."""
    delivery = state[DELIVERY].get(n)
    return f"{state[EVENT].get(delivery.event).id} to {state[ENDPOINT].get(delivery.endpoint).url}"


_SUBJECT_TABLES: Final[Mapping[str, TableSpec[Any]]] = {
    "gift": GIFTS,
    "team_order": TEAM_ORDERS,
    "approval": APPROVALS,
    "invoice": INVOICES,
    "campaign": CAMPAIGNS,
}
