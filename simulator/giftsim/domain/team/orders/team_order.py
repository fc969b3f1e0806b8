"""Team orders: a collection or store items for a number of heads, held until a human approves or a key pays (A1.1).

Its status follows from what was decided and then from its parcels; whether it is paid is another matter.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final

import msgspec

from giftsim.domain.fulfilment.fulfilment import FULFILMENTS, Fulfilment
from giftsim.domain.fulfilment.shipment import CANCELED, DELIVERED, IN_PRODUCTION, REJECTED, SHIPPED, Shipment
from giftsim.domain.team.billing.billable import TEAM_ORDER
from giftsim.domain.team.orders.order_fulfilment import TEAM
from giftsim.domain.team.record_owner import is_live
from giftsim.domain.team.tenant import Tenant, TenantRecord, find_record, tenant_table
from giftsim.kernel.state import State
from giftsim.kernel.table import TableSpec

# Far above the ids of partners' orders, so that the control plane can tell whose an order is by its id (A7.2).
FIRST_ID, FIRST_ITEM_ID = 20_000_001, 40_000_001

RESOURCE = TEAM_ORDER

AWAITING_APPROVAL, APPROVED = "awaiting_approval", "approved"
HELD = (AWAITING_APPROVAL, APPROVED)
PROGRESS = (*HELD, IN_PRODUCTION, SHIPPED, DELIVERED)
BY_TEAM, BY_STORE = "team", "store"

_EVENTS: Final[Mapping[str, str]] = MappingProxyType({SHIPPED: "team_order.shipped", DELIVERED: "team_order.delivered"})


class TeamOrder(TenantRecord, frozen=True, gc=False):
    """`fulfilment` is the slot of its rows; `key` that of who made it, `cost_center` that of the team's.

    `shipped_ms` and `delivered_ms` are when it first was so as a whole.
    """

    key: int | None
    source: str
    collection: str | None
    headcount: int
    fulfilment: int
    mode: str | None = None
    gift_message: str | None = None
    po_number: str | None = None
    payment_method: str | None = None
    cost_center: int | None = None
    status: str = AWAITING_APPROVAL
    cancel_reason: str | None = None
    shipped_ms: int | None = None
    delivered_ms: int | None = None


class OrderItem(TenantRecord, frozen=True, gc=False):
    """One line of an order (a slot), which the proof calls name; `product` is a slot, `quantity` for each head."""

    order: int
    product: int
    slug: str
    name: str
    quantity: int


TEAM_ORDERS: TableSpec[TeamOrder] = tenant_table("team.order", TeamOrder)
ORDER_ITEMS: TableSpec[OrderItem] = tenant_table("team.order_item", OrderItem, groups={"order": lambda row: row.order})


def find_order(state: State, tenant: Tenant, raw: object) -> TeamOrder:
    """The order of a public id; NotFound otherwise."""
    return find_record(state, TEAM_ORDERS, tenant, raw)


def fulfilment_of(state: State, order: TeamOrder) -> Fulfilment:
    """The rows that an order is fulfilled by."""
    return state[FULFILMENTS].get(order.fulfilment)


def order_status(status: str, tally: Sequence[int]) -> str:
    """The status of an order that goes, from its rows; once in production it never goes back behind that."""
    _, _, producing, labeled, shipped, delivered, _, rejected, expired, canceled = tally
    left = sum(tally) - rejected - expired - canceled
    if left and delivered == left:
        return DELIVERED
    if left and delivered + shipped == left:
        return SHIPPED
    return IN_PRODUCTION if producing + labeled + shipped + delivered or status not in HELD else APPROVED


def on_fulfilment_changed(state: State, fulfilment: Fulfilment, _was: Shipment, _: Shipment) -> None:
    """A parcel took a step (handles FULFILMENT_CHANGED): the order comes along, unless it is held or ended."""
    order = state[TEAM_ORDERS].get(fulfilment.subject or 0)
    if order.status in (AWAITING_APPROVAL, REJECTED, CANCELED):
        return
    status, told = order_status(order.status, fulfilment.tally), fulfilment.channel == TEAM
    if status == order.status:
        return
    if status == DELIVERED and order.shipped_ms is None:  # the last one that was not shipped has expired
        order = _advance(state, order, SHIPPED, told=told)
    _advance(state, order, status, told=told)


def emit_order_event(state: State, order: TeamOrder, kind: str) -> None:
    """Let the subscriptions hear of an order as it is now."""
    state.emit(kind, order.owner, order.n, livemode=is_live(order), status=order.status)


def _advance(state: State, order: TeamOrder, status: str, *, told: bool) -> TeamOrder:
    """The order in another status; being shipped or delivered as a whole is told once, and never of a sandbox's."""
    column = {SHIPPED: "shipped_ms", DELIVERED: "delivered_ms"}.get(status)
    first = column is not None and getattr(order, column) is None
    changes = {column: state.now_ms} if column is not None and first else {}
    order = state[TEAM_ORDERS].put(msgspec.structs.replace(order, status=status, **changes))
    if first and told:
        emit_order_event(state, order, _EVENTS[status])
    return order
