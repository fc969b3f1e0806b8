"""Who lets a team order go: a human who approves it, or the money that pays it (A1.2, A1.3, T-1.4, T-4.65)."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from giftsim.domain.fulfilment.shipment import CANCELED, REJECTED
from giftsim.domain.team.billing.billable import Bill, Billable, BillLine
from giftsim.domain.team.billing.cost_center import COST_CENTERS
from giftsim.domain.team.billing.payment_record import Payment
from giftsim.domain.team.billing.problem import PriceChanged, ProofNotSigned
from giftsim.domain.team.billing.refund import refund, release
from giftsim.domain.team.billing.settlement import payment_of, payment_status
from giftsim.domain.team.orders import approval as approvals
from giftsim.domain.team.orders import order_fulfilment
from giftsim.domain.team.orders.approval import Approval
from giftsim.domain.team.orders.payment_summary import is_paid, pay_approved
from giftsim.domain.team.orders.team_order import (
    APPROVED,
    AWAITING_APPROVAL,
    HELD,
    RESOURCE,
    TEAM_ORDERS,
    TeamOrder,
    find_order,
    fulfilment_of,
)
from giftsim.domain.team.problem import NotFound
from giftsim.domain.team.record_owner import tenant_of_owner
from giftsim.domain.team.tenant import Tenant
from giftsim.kernel.signals import Signal
from giftsim.kernel.state import State
from giftsim.problem import InvalidState

# Whether an order (a slot) waits for the signature of a proof.
UNSIGNED: Signal[Callable[[State, int], bool]] = Signal("unsigned", lambda _state, _slot: False)


def request_order_approval(state: State, order: TeamOrder, note: str | None = None) -> Approval:
    """The pending approval of an order, which awaits it from now on; InvalidState where there is nothing to approve.

    If prices have changed, the order is priced anew first, and what was asked or granted before is superseded.
    """
    if order.status not in HELD:
        raise InvalidState(f"this order is {order.status}: there is nothing to approve")
    payment = payment_of(state, RESOURCE, order.n)
    if payment is not None:
        raise InvalidState(f"this order is {order.status} and {payment_status(payment)}: there is nothing to approve")
    placed = fulfilment_of(state, order)
    if order_fulfilment.price_changed(state, placed):
        placed = order_fulfilment.reprice(state, placed)
        approvals.supersede_approval(state, RESOURCE, order.n)
    state[TEAM_ORDERS].put(msgspec.structs.replace(order, status=AWAITING_APPROVAL))
    return approvals.request_approval(
        state, tenant_of_owner(state, order.owner), RESOURCE, order.n, resource_id=order.id,
        amount_cents=placed.total_cents, note=note,
    )  # fmt: skip


def on_approval_decided(state: State, approval: Approval) -> None:
    """A human decided (handles APPROVAL_DECIDED): a yes pays too where it can, a no ends the order."""
    order = state[TEAM_ORDERS].get(approval.resource)
    if approval.status == approvals.REJECTED:
        state[TEAM_ORDERS].put(msgspec.structs.replace(order, status=REJECTED))
        order_fulfilment.cancel_remaining(state, fulfilment_of(state, order))
        release(state, RESOURCE, order.n)
        return
    state[TEAM_ORDERS].put(msgspec.structs.replace(order, status=APPROVED))
    total_cents = fulfilment_of(state, order).total_cents
    pay_approved(state, tenant_of_owner(state, order.owner), RESOURCE, order.n, total_cents)


class BillableTeamOrder(Billable):
    """How team orders are paid for."""

    def bill(self, state: State, slot: int) -> Bill:
        """What money is told of an order."""
        order = state[TEAM_ORDERS].get(slot)
        placed = fulfilment_of(state, order)
        goods = [
            BillLine(item.name, item.quantity * order.headcount, item.price_cents * item.quantity * order.headcount)
            for item in placed.items
        ]
        menu_cents = placed.subtotal_cents - sum([line.amount_cents for line in goods])
        choice = [BillLine("Gift of choice", order.headcount, menu_cents)] if placed.menu else []
        return Bill(
            RESOURCE, order.id, f"Team order {order.id}", placed.total_cents,
            is_open=order.status not in (CANCELED, REJECTED) and not is_paid(state, RESOURCE, slot), key=order.key,
            lines=(*goods, *choice, BillLine("Shipping", order.headcount, placed.shipping_cents)),
            po_number=order.po_number,
            cost_center=None if order.cost_center is None else state[COST_CENTERS].get(order.cost_center).code,
        )  # fmt: skip

    def check_payable(self, state: State, slot: int) -> None:
        """ProofNotSigned, PriceChanged (T-5.22, T-5.23)."""
        if state.handler(UNSIGNED)(state, slot):
            raise ProofNotSigned("an item of the order needs a signed proof of its present version")
        if order_fulfilment.price_changed(state, fulfilment_of(state, state[TEAM_ORDERS].get(slot))):
            raise PriceChanged("prices have changed since the order was priced; ask for its approval to price it anew")

    def on_paid(self, state: State, payment: Payment) -> None:
        """The money is there: whoever waited for a human waits no more, and it goes.

        What comes for an order that was called off meanwhile goes back.
        """
        order = state[TEAM_ORDERS].get(payment.resource)
        if order.status in (CANCELED, REJECTED):
            refund(state, payment, payment.amount_cents)
            return
        if order.status == AWAITING_APPROVAL:
            approvals.supersede_approval(state, RESOURCE, order.n)
            order = state[TEAM_ORDERS].put(msgspec.structs.replace(order, status=APPROVED))
        order_fulfilment.start(state, fulfilment_of(state, order))

    def on_payment_failed(self, state: State, payment: Payment) -> None:
        """The order stays as it is and can be paid again."""


def order_slot(state: State, tenant: Tenant, raw: object) -> int | None:
    """The slot of the order that an id names in a tenant, or None."""
    try:
        return find_order(state, tenant, raw).n
    except NotFound:
        return None
