"""Change or cancel a team order (T-2.23, T-2.24, T-4.60, T-4.62, A5.5)."""

from __future__ import annotations

from typing import Any

import msgspec

from giftsim.domain.fulfilment.shipment import CANCELED, REJECTED
from giftsim.domain.team.billing.payment_record import SETTLED, UNCERTAIN
from giftsim.domain.team.billing.refund import refund, release
from giftsim.domain.team.billing.settlement import payment_of
from giftsim.domain.team.orders import approval as approvals
from giftsim.domain.team.orders import order_fulfilment
from giftsim.domain.team.orders.team_order import HELD, RESOURCE, TEAM_ORDERS, TeamOrder, fulfilment_of
from giftsim.kernel.state import State
from giftsim.problem import InvalidState


def update_order(state: State, order: TeamOrder, **columns: Any) -> TeamOrder:
    """Set the purchase order number or cost center (a slot). InvalidState for a canceled or rejected order."""
    if order.status in (CANCELED, REJECTED):
        raise InvalidState(f"this order is {order.status}: it cannot be changed")
    return state[TEAM_ORDERS].put(msgspec.structs.replace(order, **columns))


def cancel_order(state: State, order: TeamOrder, reason: str | None = None) -> TeamOrder:
    """Cancel an order and refund it. InvalidState once production has started, and while its payment is uncertain."""
    fulfilment = fulfilment_of(state, order)
    if order.status not in HELD:
        raise InvalidState(f"this order is {order.status}: it can be canceled only before production starts")
    payment = payment_of(state, RESOURCE, order.n)
    if payment is not None and payment.status == UNCERTAIN:
        raise InvalidState("this order's payment is uncertain: it can be canceled once the payment is decided")
    approvals.withdraw_approval(state, RESOURCE, order.n)
    order = state[TEAM_ORDERS].put(msgspec.structs.replace(order, status=CANCELED, cancel_reason=reason))
    order_fulfilment.cancel_remaining(state, fulfilment)
    release(state, RESOURCE, order.n)
    if payment is not None and payment.status == SETTLED:
        refund(state, payment, payment.amount_cents - payment.refunded_cents)
    return order
