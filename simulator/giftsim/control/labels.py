"""What a timer or an event is for, in words: hooks `name {owner}`, by which traces and lists name their subjects."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from giftsim.domain.actors.actor import ACTORS, APPROVER
from giftsim.domain.actors.schedule import ACTS, OWNER
from giftsim.domain.fulfilment.fulfilment import FULFILMENTS, Fulfilment
from giftsim.domain.fulfilment.recipient import RECIPIENTS
from giftsim.domain.fulfilment.shipment import SHIPMENT, SHIPMENTS
from giftsim.domain.money.charge import CHARGE, CHARGES
from giftsim.domain.team.billing.invoice import INVOICES
from giftsim.domain.team.orders.approval import APPROVAL, APPROVALS
from giftsim.domain.team.orders.gift import GIFTS
from giftsim.domain.team.orders.order_fulfilment import recipient_id
from giftsim.domain.team.orders.team_order import TEAM_ORDERS
from giftsim.domain.team.team import TEAMS
from giftsim.domain.team.tenant import Id
from giftsim.kernel.state import State
from giftsim.kernel.table import TableSpec
from giftsim.webhooks.delivery import DELIVERY, MACHINE
from giftsim.webhooks.endpoint import ENDPOINT
from giftsim.webhooks.event import EVENT, Event


def shipment_name(state: State, n: int) -> str:
    """Whose parcel it is: `team_order 1001 recipient 200001`, or `order 500001`."""
    shipment = state[SHIPMENTS].get(n)
    if shipment.recipient is None:
        return f"order {shipment.order_id}"
    order = state[FULFILMENTS].get(shipment.owner)
    member, named = order_name(state, order)
    return f"{member.removesuffix('_id')} {named} recipient {recipient_id(state, order, shipment.recipient)}"


def order_name(state: State, order: Fulfilment) -> tuple[str, Id]:
    """By which member and id answers name what an order's rows belong to."""
    if order.resource is None:
        return "team_order_id", order.id
    told: tuple[str, Id] = state.definitions.hooks[f"named.{order.resource}"](state, order.subject)
    return told


def event_name(state: State, event: Event) -> str:
    """What an event happened to: a parcel of a partner's, a record of a team's, or the balance of a team."""
    noun = event.kind.partition(".")[0]
    if event.owner.startswith("account "):
        return shipment_name(state, event.subject)
    if noun == "balance":
        return f"team {state[TEAMS].get(event.subject).id}"
    return f"{noun} {state[_TOLD[noun]].get(event.subject).id}"


def approval_name(state: State, n: int) -> str:
    """An approval by its id."""
    return f"approval {state[APPROVALS].get(n).id}"


def charge_name(state: State, n: int) -> str:
    """A charge by its transaction id."""
    return state[CHARGES].get(n).transaction_id


def act_name(state: State, n: int) -> str:
    """Which actor, and what it is about."""
    act = state[ACTS].get(n)
    if act.role == APPROVER:
        about = approval_name(state, act.subject)
    else:
        about = shipment_name(state, state[RECIPIENTS].get(act.subject).shipment)
    return f"{state[ACTORS].get(act.actor).id}: {about}"


def delivery_name(state: State, n: int) -> str:
    """Which event goes to which endpoint."""
    delivery = state[DELIVERY].get(n)
    return f"{state[EVENT].get(delivery.event).id} to {state[ENDPOINT].get(delivery.endpoint).url}"


_TOLD: Mapping[str, TableSpec[Any]] = MappingProxyType(
    {"gift": GIFTS, "team_order": TEAM_ORDERS, "approval": APPROVALS, "invoice": INVOICES}
)

HOOKS: Mapping[str, Callable[[State, int], str]] = MappingProxyType(
    {
        f"name {SHIPMENT.name}": shipment_name,
        f"name {CHARGE.name}": charge_name,
        f"name {APPROVAL.name}": approval_name,
        f"name {MACHINE.name}": delivery_name,
        f"name {OWNER}": act_name,
        "name magic.invoice": lambda state, n: f"invoice {state[INVOICES].get(n).id}",
        "name magic.parcel": shipment_name,
        "name magic.approver": approval_name,
    }
)
