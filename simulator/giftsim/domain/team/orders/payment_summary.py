"""The payment of an order or gift as responses show it, and paying for what was approved (A1.2, A8.4)."""

from __future__ import annotations

from contextlib import suppress

import msgspec

from giftsim.domain.team.billing.invoice import INVOICES, NET_TERMS
from giftsim.domain.team.billing.payment import pay
from giftsim.domain.team.billing.payment_record import BALANCE, SETTLED
from giftsim.domain.team.billing.problem import PaymentRefused
from giftsim.domain.team.billing.receipt import RECEIPTS
from giftsim.domain.team.billing.settlement import payment_of, payment_status
from giftsim.domain.team.orders.approval import PAY_ON_APPROVE
from giftsim.domain.team.tenant import Id, Tenant
from giftsim.kernel.state import State


class PaymentSummary(msgspec.Struct, frozen=True, gc=False):
    """The payment status (A1.1), and the public ids of payment, invoice and receipt."""

    payment_status: str
    payment_id: Id | None
    invoice_id: Id | None
    receipt_id: Id | None


def summarize_payment(state: State, resource_type: str, slot: int) -> PaymentSummary:
    """The payment of a record as responses show it, with its newest invoice."""
    payment = payment_of(state, resource_type, slot)
    invoices = state[INVOICES].slots_in("resource", f"{resource_type} {slot}")
    invoice = state[INVOICES].get(invoices[-1]) if invoices else None
    receipts = [row.receipt for row in (payment, invoice) if row is not None and row.receipt is not None]
    return PaymentSummary(
        payment_status(payment),
        payment.id if payment else None,
        invoice.id if invoice else None,
        state[RECEIPTS].get(receipts[0]).id if receipts else None,
    )


def is_paid(state: State, resource_type: str, slot: int) -> bool:
    """Whether a record has a settled payment."""
    payment = payment_of(state, resource_type, slot)
    return payment is not None and payment.status == SETTLED


def pay_approved(state: State, tenant: Tenant, resource_type: str, slot: int, amount_cents: int) -> None:
    """Pay for an approved record from the balance, else on terms, if it is unpaid and can be paid (A1.2)."""
    if not tenant.livemode or not state.setting(PAY_ON_APPROVE) or payment_of(state, resource_type, slot) is not None:
        return
    for method in (BALANCE, NET_TERMS):
        with suppress(PaymentRefused):
            pay(
                state,
                tenant,
                key=None,
                method=method,
                amount_cents=amount_cents,
                resource_type=resource_type,
                slot=slot,
            )
            return
