"""Payments of the team interface: as responses show them, faults in them, and retries while one has no outcome.

An idempotency key is remembered until the outcome of its payment is known, and a lifetime longer (A8.7, G28, G58).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

import msgspec

from giftsim.engine.gateway.call import Call
from giftsim.engine.gateway.idempotency import LIFETIME
from giftsim.engine.gateway.idempotency_record import OUTCOME_PENDING, prolong
from giftsim.engine.gateway.problem import InFlight
from giftsim.engine.kernel.signals import connect, connect_key
from giftsim.engine.kernel.state import State
from giftsim.services.gifting.domain.money.charge import ChargeFault
from giftsim.services.gifting.domain.team.billing.billable import TEAM_ORDER
from giftsim.services.gifting.domain.team.billing.funding import FUNDINGS, funding_payment
from giftsim.services.gifting.domain.team.billing.invoice import INVOICES, OPEN, RECEIPTS, Invoice
from giftsim.services.gifting.domain.team.billing.payment import (
    PAYMENT_DECIDED,
    PAYMENTS,
    PENDING,
    RESERVED,
    SETTLED,
    UNCERTAIN,
    Payment,
    payment_of,
    payment_status,
)
from giftsim.services.gifting.domain.team.campaigns.campaign import BATCH_RESOURCE, BATCHES
from giftsim.services.gifting.domain.team.orders.team_order import TEAM_ORDERS
from giftsim.services.gifting.domain.team.tenant import Id

R = TypeVar("R", Invoice, Payment)


class PaymentSummary(msgspec.Struct, frozen=True, gc=False):
    """The payment status (A1.1), the method, and the public ids of payment, invoice and receipt."""

    payment_status: str
    payment_method: str | None
    payment_id: Id | None
    invoice_id: Id | None
    receipt_id: Id | None


def summarize_payment(state: State, resource_type: str, slot: int) -> PaymentSummary:
    """The payment of a record as responses show it: the one that paid, else the newest that is still pending."""
    payment = payment_of(state, resource_type, slot)
    named = payment or _newest(state[PAYMENTS].rows_in("resource", f"{resource_type} {slot}"), PENDING)
    invoice = _find_paid_or_open_invoice(state, payment, state[INVOICES].rows_in("resource", f"{resource_type} {slot}"))
    receipts = [row.receipt for row in (payment, invoice) if row is not None and row.receipt is not None]
    return PaymentSummary(
        payment_status(state, payment),
        payment.method if payment else None,
        named.id if named else None,
        invoice.id if invoice else None,
        state[RECEIPTS].get(receipts[0]).id if receipts else None,
    )


def _find_paid_or_open_invoice(state: State, payment: Payment | None, invoices: Sequence[Invoice]) -> Invoice | None:
    """The invoice that was paid by a settled payment, else the newest open one (G68)."""
    if payment is None or payment.status != SETTLED:
        return _newest(invoices, OPEN)
    if payment.invoice is not None:
        return state[INVOICES].get(payment.invoice)
    paid = [invoice for invoice in invoices if invoice.receipt is not None and invoice.receipt == payment.receipt]
    return paid[0] if paid else None


def _newest(rows: Sequence[R], status: str) -> R | None:
    return next((row for row in reversed(rows) if row.status == status), None)


def charge_fault(call: Call) -> ChargeFault:
    """The effect of the call's fault, if it has one, on the charge."""
    return ChargeFault(crash=call.effect.get("crash") == "after_charge")


def check_outcome_known(call: Call, payment: Payment | None) -> None:
    """Raise InFlight while the payment made earlier with the same Idempotency-Key has no known outcome."""
    if _has_no_outcome(payment):
        call.headers["Retry-After"] = "1"
        raise InFlight("an earlier call with this Idempotency-Key made a payment that has no outcome yet; retry later")


def prolong_keys(state: State, payment: Payment) -> None:
    """Keep the keys of a payment for a whole lifetime from now, when its outcome is known."""
    until_ms, slot = state.now_ms + state.setting(LIFETIME), payment.resource
    if payment.resource_type == BATCH_RESOURCE:
        prolong(state, BATCHES.name, slot, until_ms)
    elif payment.resource_type == TEAM_ORDER:
        prolong(state, TEAM_ORDERS.name, slot, until_ms)
        for n in state[FUNDINGS].slots_in("order", slot):
            prolong(state, FUNDINGS.name, n, until_ms)


def _has_no_outcome(payment: Payment | None) -> bool:
    return payment is not None and payment.status in (RESERVED, UNCERTAIN)


CONNECTIONS = (
    connect(PAYMENT_DECIDED, prolong_keys),
    connect_key(OUTCOME_PENDING, TEAM_ORDERS.name, lambda state, n: _has_no_outcome(payment_of(state, TEAM_ORDER, n))),
    connect_key(OUTCOME_PENDING, BATCHES.name, lambda state, n: _has_no_outcome(payment_of(state, BATCH_RESOURCE, n))),
    connect_key(
        OUTCOME_PENDING,
        FUNDINGS.name,
        lambda state, n: _has_no_outcome(funding_payment(state, state[FUNDINGS].get(n))),
    ),
)
