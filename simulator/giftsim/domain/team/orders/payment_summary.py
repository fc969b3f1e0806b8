"""The payment of an order or gift as responses show it, and paying for what was approved (A1.2, A8.4)."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Any, TypeVar

import msgspec

from giftsim.domain.team.billing.invoice import INVOICES, NET_TERMS, OPEN, Invoice
from giftsim.domain.team.billing.payment import pay
from giftsim.domain.team.billing.payment_record import BALANCE, PAYMENTS, PENDING, SETTLED, Payment
from giftsim.domain.team.billing.problem import CreditUnavailable, InsufficientBalance, PaymentRefused
from giftsim.domain.team.billing.receipt import RECEIPTS
from giftsim.domain.team.billing.settlement import payment_of, payment_status
from giftsim.domain.team.orders.approval import PAY_ON_APPROVE
from giftsim.domain.team.tenant import Id, Tenant
from giftsim.kernel.state import State

R = TypeVar("R", Invoice, Payment)


class PaymentSummary(msgspec.Struct, frozen=True, gc=False):
    """The payment status (A1.1), and the public ids of payment, invoice and receipt."""

    payment_status: str
    payment_id: Id | None
    invoice_id: Id | None
    receipt_id: Id | None


def summarize_payment(state: State, resource_type: str, slot: int) -> PaymentSummary:
    """The payment of a record as responses show it: the one that paid, else the newest that is still pending."""
    payment = payment_of(state, resource_type, slot)
    named = payment or _newest(state[PAYMENTS].rows_in("resource", f"{resource_type} {slot}"), PENDING)
    invoice = _invoice(state, payment, state[INVOICES].rows_in("resource", f"{resource_type} {slot}"))
    receipts = [row.receipt for row in (payment, invoice) if row is not None and row.receipt is not None]
    return PaymentSummary(
        payment_status(payment),
        named.id if named else None,
        invoice.id if invoice else None,
        state[RECEIPTS].get(receipts[0]).id if receipts else None,
    )


def _invoice(state: State, payment: Payment | None, invoices: Sequence[Invoice]) -> Invoice | None:
    """The invoice that was paid by a settled payment, else the newest open one, else the newest."""
    if payment is None or payment.status != SETTLED:
        return _newest(invoices, OPEN) or (invoices[-1] if invoices else None)
    if payment.invoice is not None:
        return state[INVOICES].get(payment.invoice)
    paid = [invoice for invoice in invoices if invoice.receipt is not None and invoice.receipt == payment.receipt]
    return paid[0] if paid else None


def _newest(rows: Sequence[R], status: str) -> R | None:
    return next((row for row in reversed(rows) if row.status == status), None)


def is_paid(state: State, resource_type: str, slot: int) -> bool:
    """Whether a record has a settled payment."""
    payment = payment_of(state, resource_type, slot)
    return payment is not None and payment.status == SETTLED


def pay_approved(state: State, tenant: Tenant, resource_type: str, slot: int, amount_cents: int) -> None:
    """Pay for an approved record from the balance, else on terms, if it is unpaid and can be paid (A1.2)."""
    if pays_on_approval(state, tenant) and payment_of(state, resource_type, slot) is None:
        with suppress(PaymentRefused):
            pay_from_wallet(state, tenant, resource_type, slot, amount_cents)


def pays_on_approval(state: State, tenant: Tenant) -> bool:
    """Whether approving a record of this tenant also pays for it."""
    return tenant.livemode and state.setting(PAY_ON_APPROVE)


def pay_from_wallet(state: State, tenant: Tenant, resource_type: str, slot: int, amount_cents: int) -> None:
    """Pay for an approved record from the balance, else on terms. PaymentRefused, as the balance refuses it."""
    columns: dict[str, Any] = {"amount_cents": amount_cents, "resource_type": resource_type, "slot": slot}
    try:
        pay(state, tenant, key=None, method=BALANCE, **columns)
    except InsufficientBalance as refusal:
        try:
            pay(state, tenant, key=None, method=NET_TERMS, **columns)
        except CreditUnavailable:
            raise refusal from None
