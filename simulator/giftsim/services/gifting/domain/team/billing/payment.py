"""Payments for orders, gifts, batches and deposits: their records, and the machine that settles them (A5.4, A8.7, G28).

A payment adds to a charge on an account of the team's wallet what the charge does not have: the key's month, the
method and the documents. If a payment has a charge, the charge is decided first and the payment follows.
"""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from giftsim.engine.kernel.signals import Signal, ignore
from giftsim.engine.kernel.state import State
from giftsim.engine.kernel.state_machine import After, Machine, Row
from giftsim.engine.kernel.table import TableSpec
from giftsim.engine.problem import InvalidState
from giftsim.services.gifting.domain.money.account import ACCOUNTS
from giftsim.services.gifting.domain.money.charge import CHARGES, PAID, Charge, fail_charge, settle_charge
from giftsim.services.gifting.domain.money.refund import unarrived_cents
from giftsim.services.gifting.domain.team.billing.billable import BILLABLE, bill_of, check_payable
from giftsim.services.gifting.domain.team.billing.billing_profile import SETTLE_AFTER
from giftsim.services.gifting.domain.team.billing.invoice import NET_TERMS, issue_invoice, write_receipt
from giftsim.services.gifting.domain.team.billing.payment_errors import PaymentRefused
from giftsim.services.gifting.domain.team.billing.spending_limits import add_spending
from giftsim.services.gifting.domain.team.tenant import TenantRecord, tenant_of_owner, tenant_table

BALANCE, BANK_TRANSFER, US_BANK_ACCOUNT = "balance", "bank_transfer", "us_bank_account"
BANK_METHODS = (BANK_TRANSFER, US_BANK_ACCOUNT)
PENDING, RESERVED, UNCERTAIN, SETTLED, FAILED = "pending", "reserved", "uncertain", "settled", "failed"
NOT_FAILED = (RESERVED, UNCERTAIN, SETTLED)


class Payment(TenantRecord, frozen=True, gc=False):
    """A payment for `resource`, a slot of its type; `key` (a slot) is None if a person or the bank pays.

    `month`, in Los Angeles, is the one in which it counts against the key's limit, empty if it does not. A `pending`
    payment is an ACH intent that is not confirmed yet. With `to_balance` the money went to the balance, because the
    record could no longer be paid. `charge`, `invoice` and `receipt` are slots; a sandbox's payment has no charge.
    """

    key: int | None
    method: str
    amount_cents: int
    resource_type: str
    resource: int
    month: str
    status: str
    charge: int | None = None
    settled_ms: int | None = None
    refunded_cents: int = 0
    to_balance: bool = False
    invoice: int | None = None
    receipt: int | None = None


def _resource(payment: Payment) -> str:
    return f"{payment.resource_type} {payment.resource}"


PAYMENTS: TableSpec[Payment] = tenant_table("team.payment", Payment, groups={"resource": _resource})


# The outcome of a payment is known: it is settled or has failed.
PAYMENT_DECIDED: Signal[Callable[[State, Payment], None]] = Signal("payment_decided", ignore)


def _settlement_due(state: State, payment: Payment) -> int | None:
    after_ms = state.setting(SETTLE_AFTER)
    return payment.created_ms + after_ms if after_ms else None


PAYMENT: Machine[Payment] = Machine(
    "payment",
    PAYMENTS,
    initial=(RESERVED, PENDING),
    final=(FAILED,),
    rows=[
        Row(RESERVED, "settle", SETTLED, after=After(_settlement_due, 1, "the provider takes its time to settle")),
        Row(RESERVED, "fail", FAILED),
        Row(RESERVED, "lose", UNCERTAIN),
        Row(UNCERTAIN, "settle", SETTLED),
        Row(UNCERTAIN, "fail", FAILED),
        Row(PENDING, "settle", SETTLED),
        Row(PENDING, "fail", FAILED),
        Row(PENDING, "lose", UNCERTAIN),
        Row(SETTLED, "return", FAILED, guard=lambda _, payment: payment.method in BANK_METHODS),
    ],
)


def settle_payment(state: State, payment: Payment) -> Payment:
    """Settle a payment. An ACH payment for a record that can no longer be paid goes to the balance."""
    _check_undecided(payment)
    if payment.method == US_BANK_ACCOUNT:
        covered = can_settle(state, payment.resource_type, payment.resource, payment.amount_cents, payment)
        payment = payment if covered else _redirect_to_balance(state, payment)
    if payment.charge is None:
        _finish_settled(state, payment)
    else:
        settle_charge(state, state[CHARGES].get(payment.charge))
    return state[PAYMENTS].get(payment.n)


def fail_payment(state: State, payment: Payment) -> Payment:
    """Fail a payment: what was reserved is free again, and no longer counts against the key's monthly limit."""
    _check_undecided(payment)
    if payment.charge is None:
        _finish_failed(state, payment)
    else:
        fail_charge(state, state[CHARGES].get(payment.charge), "payment_failed")
    return state[PAYMENTS].get(payment.n)


def mark_uncertain(state: State, payment: Payment) -> Payment:
    """Mark a payment uncertain: it stays reserved, and counts against the limit, until it is decided (A5.4)."""
    return PAYMENT.fire(state, payment, "lose")


def payment_of(state: State, resource_type: str, slot: int) -> Payment | None:
    """The payment that paid for a record, else one that is reserved or uncertain, or None (G213)."""
    payments = _possible_payments(state, resource_type, slot)
    return next((payment for payment in payments if payment.status == SETTLED), payments[0] if payments else None)


def _possible_payments(state: State, resource_type: str, slot: int) -> list[Payment]:
    """The payments that paid for a record, or may have. An order can have an uncertain one by a bank beside another."""
    rows = state[PAYMENTS].rows_in("resource", f"{resource_type} {slot}")
    return [payment for payment in rows if payment.status in NOT_FAILED and not payment.to_balance]


def payment_status(state: State, payment: Payment | None) -> str:
    """The `payment_status` of a record with this payment (A1.1). It is refunded once the money has arrived (G441)."""
    if payment is None:
        return "unpaid"
    if payment.status != SETTLED:
        return payment.status
    is_refunded = payment.refunded_cents == payment.amount_cents > 0
    return "refunded" if is_refunded and not unarrived_cents(state, f"payment {payment.n}") else "paid"


def check_open(state: State, resource_type: str, slot: int) -> None:
    """InvalidState if a record is paid, may have been paid, or has ended."""
    if payment_of(state, resource_type, slot) or not bill_of(state, resource_type, slot).is_open:
        raise InvalidState("this is paid already, or its status does not allow a payment")


def can_settle(state: State, resource_type: str, slot: int, amount_cents: int, payment: Payment | None = None) -> bool:
    """Whether received money can pay for a record as it is now: no payment but `payment` may have paid it already."""
    bill = bill_of(state, resource_type, slot)
    others = [each for each in _possible_payments(state, resource_type, slot) if each != payment]
    if not bill.is_open or bill.total_cents > amount_cents or others:
        return False
    try:
        check_payable(state, resource_type, slot)
    except PaymentRefused:
        return False
    return True


def is_paid(state: State, resource_type: str, slot: int) -> bool:
    """Whether a record has a settled payment."""
    payment = payment_of(state, resource_type, slot)
    return payment is not None and payment.status == SETTLED


def on_charge_closed(state: State, charge: Charge) -> None:
    """Settle or fail the payment of a charge (handles CHARGE_CLOSED)."""
    payment = state[PAYMENTS].get(charge.subject)
    if charge.status == PAID:
        _finish_settled(state, payment)
    else:
        _finish_failed(state, payment)


def _check_undecided(payment: Payment) -> None:
    if payment.status in (SETTLED, FAILED):
        raise InvalidState(f"payment {payment.id} is {payment.status} already")


def _redirect_to_balance(state: State, payment: Payment) -> Payment:
    if payment.charge is not None:
        charge = state[CHARGES].get(payment.charge)
        wallet = state[ACCOUNTS].get(charge.account).wallet
        state[CHARGES].put(msgspec.structs.replace(charge, toward=wallet))
    return state[PAYMENTS].put(msgspec.structs.replace(payment, to_balance=True))


def _finish_settled(state: State, payment: Payment) -> None:
    """Write the invoice or receipt, then call `on_paid` of what was paid for."""
    payment = PAYMENT.fire(state, payment, "settle", settled_ms=state.now_ms)
    tenant, kind, resource = tenant_of_owner(state, payment.owner), payment.resource_type, payment.resource
    if payment.method == NET_TERMS:
        invoice = issue_invoice(state, tenant, NET_TERMS, payment.amount_cents, kind, resource, payment.n)
        payment = state[PAYMENTS].put(msgspec.structs.replace(payment, invoice=invoice.n))
    elif payment.receipt is None:
        paid_for = None if payment.to_balance else kind
        receipt = write_receipt(state, tenant, payment.method, payment.amount_cents, paid_for, resource)
        payment = state[PAYMENTS].put(msgspec.structs.replace(payment, receipt=receipt.n))
    if not payment.to_balance:
        state.handler_of(BILLABLE, payment.resource_type).on_paid(state, payment.n)
    state.handler(PAYMENT_DECIDED)(state, payment)


def _finish_failed(state: State, payment: Payment) -> None:
    payment = PAYMENT.fire(state, payment, "fail")
    if payment.month and payment.key is not None:
        add_spending(state, payment.key, payment.month, -payment.amount_cents)
    state.handler_of(BILLABLE, payment.resource_type).on_payment_failed(state, payment.resource)
    state.handler(PAYMENT_DECIDED)(state, payment)


def _settle_due(state: State, n: int) -> None:
    settle_payment(state, state[PAYMENTS].get(n))


TIMERS = {"payment.settle": _settle_due}
