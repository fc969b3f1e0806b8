"""What starts a held team order: an approval, or a payment (A1.2, A1.3, T-1.4, T-4.65)."""

from __future__ import annotations

import msgspec

from giftsim.engine.kernel.state import State
from giftsim.engine.problem import InvalidState
from giftsim.services.gifting.domain.fulfilment.mail import SHARED_CLAIM_LINK, record_mail
from giftsim.services.gifting.domain.fulfilment.recipient import claim_path
from giftsim.services.gifting.domain.fulfilment.shipment import CANCELED, REJECTED
from giftsim.services.gifting.domain.team.billing.billable import Bill, Billable, BillLine
from giftsim.services.gifting.domain.team.billing.billing_profile import COST_CENTERS
from giftsim.services.gifting.domain.team.billing.payment import (
    BANK_METHODS,
    PAYMENTS,
    SETTLED,
    is_paid,
    payment_of,
    payment_status,
)
from giftsim.services.gifting.domain.team.billing.payment_errors import PriceChanged
from giftsim.services.gifting.domain.team.billing.wallet_payment import refund_payment, release_payments
from giftsim.services.gifting.domain.team.member import MEMBERS, Member, default_approver
from giftsim.services.gifting.domain.team.orders import approval as approvals
from giftsim.services.gifting.domain.team.orders import team_fulfilment
from giftsim.services.gifting.domain.team.orders.approval import Approval, latest_approval, pay_approved
from giftsim.services.gifting.domain.team.orders.setup import check_proofs
from giftsim.services.gifting.domain.team.orders.team_order import (
    APPROVED,
    AWAITING_APPROVAL,
    HELD,
    RESOURCE,
    TEAM_ORDERS,
    TeamOrder,
    find_order,
    fulfilment_of,
)
from giftsim.services.gifting.domain.team.team_errors import NotFound
from giftsim.services.gifting.domain.team.tenant import Tenant, is_live, tenant_of_owner


def mail_shared_link(state: State, order: TeamOrder) -> None:
    """Mail the link of a started order's open seats, if it has any. A sandbox sends no mail (T-1.16)."""
    fulfilment = fulfilment_of(state, order)
    recipient = _approver(state, order)
    if fulfilment.share_token is None or recipient is None or not is_live(order):
        return
    seats = "1 seat" if fulfilment.open_seats == 1 else f"{fulfilment.open_seats} seats"
    subject = f"Share this link: {seats} of team order {order.id} can be claimed"
    record_mail(state, recipient.email, SHARED_CLAIM_LINK, subject, (claim_path(fulfilment.share_token),))


def _approver(state: State, order: TeamOrder) -> Member | None:
    """Who decided the order's approval; for an order that was paid without one, the team's approver."""
    approval = latest_approval(state, RESOURCE, order.n)
    if approval is not None and approval.decided_by is not None:
        return state[MEMBERS].get(approval.decided_by)
    return default_approver(state, tenant_of_owner(state, order.owner).team)


def request_order_approval(state: State, order: TeamOrder, note: str | None = None) -> Approval:
    """The pending approval of an order, requested if there is none. InvalidState if there is nothing to approve.

    If prices have changed, an unpaid order is repriced first and its former approval is superseded.
    """
    if order.status not in HELD:
        raise InvalidState(f"this order is {order.status}: there is nothing to approve")
    payment, fulfilment = payment_of(state, RESOURCE, order.n), fulfilment_of(state, order)
    if payment is None and team_fulfilment.has_started(fulfilment):
        raise InvalidState("this order was approved, and its bank took the money back: fund it again")
    if payment is not None and not (order.status == AWAITING_APPROVAL and payment.status == SETTLED):
        raise InvalidState(
            f"this order is {order.status} and {payment_status(state, payment)}: there is nothing to approve"
        )
    if payment is None and team_fulfilment.price_changed(state, fulfilment):
        fulfilment = team_fulfilment.reprice_fulfilment(state, fulfilment)
        approvals.supersede_approval(state, RESOURCE, order.n)
    state[TEAM_ORDERS].put(msgspec.structs.replace(order, status=AWAITING_APPROVAL))
    return approvals.request_approval(
        state,
        tenant_of_owner(state, order.owner),
        RESOURCE,
        order.n,
        resource_id=order.id,
        amount_cents=fulfilment.total_cents,
        note=note,
    )


def on_approval_decided(state: State, approval: Approval) -> None:
    """Approve and pay for the order, or reject and cancel it (handles APPROVAL_DECIDED).

    An order that a bank has paid for starts, or its money goes to the team's balance (G59).
    """
    order, payment = state[TEAM_ORDERS].get(approval.resource), payment_of(state, RESOURCE, approval.resource)
    if approval.status == approvals.REJECTED:
        state[TEAM_ORDERS].put(msgspec.structs.replace(order, status=REJECTED))
        team_fulfilment.cancel_remaining(state, fulfilment_of(state, order))
        release_payments(state, RESOURCE, order.n)
        if payment is not None and payment.status == SETTLED:
            refund_payment(state, payment, payment.amount_cents - payment.refunded_cents)
    if approval.status != approvals.APPROVED:
        return
    order = state[TEAM_ORDERS].put(msgspec.structs.replace(order, status=APPROVED))
    if payment is not None and payment.status == SETTLED:
        _start(state, order)
        return
    pay_approved(state, tenant_of_owner(state, order.owner), RESOURCE, order.n, approval.amount_cents)


def _start(state: State, order: TeamOrder) -> None:
    """Open the claim links of an order that is approved and paid, and mail them."""
    team_fulfilment.activate_fulfilment(state, fulfilment_of(state, order))
    mail_shared_link(state, order)


def proofs_closed(state: State, slot: int) -> str | None:
    """Why the proofs of an order (a slot) cannot change: how it ended, or `paid` (handles PROOFS_CLOSED)."""
    status = state[TEAM_ORDERS].get(slot).status
    if status in (CANCELED, REJECTED):
        return status
    has_started = team_fulfilment.has_started(fulfilment_of(state, state[TEAM_ORDERS].get(slot)))
    return "paid" if has_started or is_paid(state, RESOURCE, slot) else None


class BillableTeamOrder(Billable):
    """Team orders as something that can be paid for."""

    def bill(self, state: State, slot: int) -> Bill:
        """What an order costs: a line for each item, one for gifts of choice, and one for shipping."""
        order = state[TEAM_ORDERS].get(slot)
        fulfilment = fulfilment_of(state, order)
        item_lines = [
            BillLine(item.name, item.quantity * order.headcount, item.price_cents * item.quantity * order.headcount)
            for item in fulfilment.items
        ]
        menu_cents = fulfilment.subtotal_cents - sum([line.amount_cents for line in item_lines])
        menu_lines = [BillLine("Gift of choice", order.headcount, menu_cents)] if fulfilment.menu else []
        return Bill(
            RESOURCE,
            order.id,
            f"Team order {order.id}",
            fulfilment.total_cents,
            is_open=order.status not in (CANCELED, REJECTED) and not is_paid(state, RESOURCE, slot),
            key=order.key,
            lines=(*item_lines, *menu_lines, BillLine("Shipping", order.headcount, fulfilment.shipping_cents)),
            po_number=order.po_number,
            cost_center=None if order.cost_center is None else state[COST_CENTERS].get(order.cost_center).code,
        )

    def check_payable(self, state: State, slot: int) -> None:
        """Raise ProofNotSigned or PriceChanged if the order cannot be paid as it is (T-5.22, T-5.23).

        An order that has started is paid again as it was (G435).
        """
        order = state[TEAM_ORDERS].get(slot)
        if team_fulfilment.has_started(fulfilment_of(state, order)):
            return
        check_proofs(state, order.owner, RESOURCE, slot, fulfilment_of(state, order))
        if team_fulfilment.price_changed(state, fulfilment_of(state, order)):
            raise PriceChanged("prices have changed since the order was priced; request its approval to reprice it")

    def on_paid(self, state: State, payment: int) -> None:
        """Start the order's fulfilment, unless it goes on already (G435); refund it if it has ended.

        A payment by a key approves an order that still waits for that. Money from a bank does not (G59).
        """
        paid = state[PAYMENTS].get(payment)
        order = state[TEAM_ORDERS].get(paid.resource)
        if order.status in (CANCELED, REJECTED):
            refund_payment(state, paid, paid.amount_cents)
            return
        surplus_cents = paid.amount_cents - fulfilment_of(state, order).total_cents
        if surplus_cents > 0:  # of a bank: the order became cheaper meanwhile
            refund_payment(state, paid, surplus_cents)
        if order.status == AWAITING_APPROVAL:
            if paid.method in BANK_METHODS:
                return
            approvals.supersede_approval(state, RESOURCE, order.n)
            order = state[TEAM_ORDERS].put(msgspec.structs.replace(order, status=APPROVED))
        if not team_fulfilment.has_started(fulfilment_of(state, order)):
            _start(state, order)

    def on_payment_failed(self, state: State, slot: int) -> None:
        """Leave the order as it is, so that it can be paid again."""


def order_slot(state: State, tenant: Tenant, raw: object) -> int | None:
    """The slot of the tenant's order with a public id, or None."""
    try:
        return find_order(state, tenant, raw).n
    except NotFound:
        return None
