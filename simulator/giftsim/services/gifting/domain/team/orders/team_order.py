"""Team orders: a collection or store items for a number of recipients, held until approved or paid (A1.1).

The status of an order follows from its approval and then from its shipments. Whether it is paid is separate.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import msgspec

from giftsim.engine.kernel.state import State
from giftsim.engine.kernel.table import TableSpec
from giftsim.engine.problem import InvalidState
from giftsim.services.gifting.domain.fulfilment.fulfilment import (
    FULFILMENTS,
    Fulfilment,
    Item,
    TeamFulfilment,
    stays_delivered,
)
from giftsim.services.gifting.domain.fulfilment.shipment import (
    CANCELED,
    DELIVERED,
    IN_PRODUCTION,
    REJECTED,
    SHIPPED,
    Shipment,
)
from giftsim.services.gifting.domain.team.billing.billable import TEAM_ORDER
from giftsim.services.gifting.domain.team.billing.payment import SETTLED, UNCERTAIN, payment_of
from giftsim.services.gifting.domain.team.billing.wallet_payment import refund_payment, release_payments
from giftsim.services.gifting.domain.team.orders import approval as approvals
from giftsim.services.gifting.domain.team.orders import team_fulfilment
from giftsim.services.gifting.domain.team.orders.setup import TemplateUse
from giftsim.services.gifting.domain.team.orders.team_fulfilment import TEAM
from giftsim.services.gifting.domain.team.tenant import (
    Tenant,
    TenantRecord,
    find_record,
    is_live,
    public_id,
    tenant_table,
)

# Far above the ids of partners' orders, so that an id shows whether a partner or a team placed the order (A7.2).
FIRST_ID, FIRST_ITEM_ID = 20_000_001, 40_000_001

RESOURCE = TEAM_ORDER

AWAITING_APPROVAL, APPROVED = "awaiting_approval", "approved"
HELD = (AWAITING_APPROVAL, APPROVED)
PROGRESS = (*HELD, IN_PRODUCTION, SHIPPED, DELIVERED)
BY_TEAM, BY_STORE = "team", "store"

EVENTS: Final[Mapping[str, str]] = {SHIPPED: "team_order.shipped", DELIVERED: "team_order.delivered"}


class TeamOrder(TenantRecord, frozen=True, gc=False):
    """An order; `fulfilment`, `key` (that created it) and `cost_center` are slots."""

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
    template: TemplateUse | None = None


class OrderItem(TenantRecord, frozen=True, gc=False):
    """One line of an `order`, a slot of `resource_type`, which proofs refer to: `team_order` or `large_campaign`.

    Each recipient gets `quantity` of `product` (a slot).
    """

    order: int
    product: int
    slug: str
    name: str
    quantity: int
    resource_type: str = TEAM_ORDER


TEAM_ORDERS: TableSpec[TeamOrder] = tenant_table("team.order", TeamOrder, moving={"status": "status"})
ORDER_ITEMS: TableSpec[OrderItem] = tenant_table(
    "team.order_item",
    OrderItem,
    groups={
        "order": lambda row: f"{row.resource_type} {row.order}",
        "product": lambda row: f"{row.owner} {row.product}",
    },
)


def find_order(state: State, tenant: Tenant, raw: object) -> TeamOrder:
    """The order with a public id. NotFound if there is none."""
    return find_record(state, TEAM_ORDERS, tenant, raw)


def add_order_items(state: State, tenant: Tenant, resource_type: str, slot: int, items: Sequence[Item]) -> None:
    """Add the lines of a new order or campaign."""
    for item in items:
        n = state[ORDER_ITEMS].next_n
        item_id = public_id(state, tenant, "order_item", n, FIRST_ITEM_ID)
        state[ORDER_ITEMS].add(
            OrderItem(
                n,
                tenant.owner,
                item_id,
                state.now_ms,
                slot,
                item.product,
                item.code,
                item.name,
                item.quantity,
                resource_type,
            )
        )


def order_items_of(state: State, resource_type: str, slot: int) -> Sequence[OrderItem]:
    """The lines of an order or campaign."""
    return state[ORDER_ITEMS].rows_in("order", f"{resource_type} {slot}")


def fulfilment_of(state: State, order: TeamOrder) -> Fulfilment:
    """The record with the items, recipients and amounts of an order."""
    return state[FULFILMENTS].get(order.fulfilment)


def order_status(status: str, tally: Sequence[int]) -> str:
    """The status of an approved order by the tally of its shipments (G178).

    It is in production and shipped with its first shipment, and delivered with its last. From `status` it does not go
    back.
    """
    _, _, producing, labeled, shipped, delivered, _, rejected, expired, canceled = tally
    if delivered and delivered == sum(tally) - rejected - expired - canceled:
        reached = DELIVERED
    elif shipped + delivered:
        reached = SHIPPED
    else:
        reached = IN_PRODUCTION if producing + labeled else status
    return max(status, reached, key=PROGRESS.index)


def on_fulfilment_changed(state: State, fulfilment: TeamFulfilment, _before: Shipment, _after: Shipment) -> None:
    """Update the order's status, unless it is held or has ended; a live order emits its events.

    Handles FULFILMENT_CHANGED. A status is reached only once, so that no event is repeated, unless the order may go
    back from delivered (G359).
    """
    order = state[TEAM_ORDERS].get(fulfilment.subject)
    if order.status in (AWAITING_APPROVAL, REJECTED, CANCELED):
        return
    goes_back = order.status == DELIVERED and not stays_delivered(state, order.status)
    status = order_status(APPROVED if goes_back else order.status, fulfilment.tally)
    if status == order.status:
        return
    order = state[TEAM_ORDERS].put(msgspec.structs.replace(order, status=status))
    if status in EVENTS and not goes_back and fulfilment.channel == TEAM:
        emit_order_event(state, order, EVENTS[status])


def emit_order_event(state: State, order: TeamOrder, kind: str) -> None:
    """Emit an event with the order's current status."""
    state.emit(kind, order.owner, order.n, livemode=is_live(order), status=order.status)


def update_order(state: State, order: TeamOrder, **columns: Any) -> TeamOrder:
    """Set the purchase order number or cost center (a slot). InvalidState for a canceled or rejected order."""
    if order.status in (CANCELED, REJECTED):
        raise InvalidState(f"this order is {order.status}: it cannot be changed")
    return state[TEAM_ORDERS].put(msgspec.structs.replace(order, **columns))


def cancel_order(state: State, order: TeamOrder, reason: str | None = None) -> TeamOrder:
    """Cancel an order and refund all of it.

    InvalidState while one of its parcels can no longer be canceled, and while its payment is uncertain.
    """
    fulfilment = fulfilment_of(state, order)
    if order.status in (CANCELED, REJECTED):
        raise InvalidState(f"this order is {order.status} already")
    if not team_fulfilment.all_cancelable(state, fulfilment):
        raise InvalidState(
            f"this order is {order.status}: it can be canceled only while none of its parcels is being made or sent"
        )
    payment = payment_of(state, RESOURCE, order.n)
    if payment is not None and payment.status == UNCERTAIN:
        raise InvalidState("this order's payment is uncertain: it can be canceled once the payment is decided")
    approvals.withdraw_approval(state, RESOURCE, order.n)
    order = state[TEAM_ORDERS].put(msgspec.structs.replace(order, status=CANCELED, cancel_reason=reason))
    team_fulfilment.cancel_remaining(state, fulfilment)
    release_payments(state, RESOURCE, order.n)
    if payment is not None and payment.status == SETTLED:
        refund_payment(state, payment, payment.amount_cents - payment.refunded_cents)
    return order
