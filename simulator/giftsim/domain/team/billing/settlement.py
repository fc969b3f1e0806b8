"""Payments as records, and what becomes of them: settled, failed, or nobody knows (A5.4, A8.7, G28).

A payment is a charge on an account of the team's purse, with what a charge does not know: the key's month, its method
and its documents. Where it has a charge, the charge is decided and the payment follows.
"""

from __future__ import annotations

import msgspec

from giftsim.domain.money.account import ACCOUNTS
from giftsim.domain.money.charge import CHARGES, PAID, Charge, fail_charge, settle_charge
from giftsim.domain.team.billing.billable import BILLABLE, bill_of, check_payable
from giftsim.domain.team.billing.invoice import NET_TERMS, issue_invoice
from giftsim.domain.team.billing.payment_record import (
    FAILED,
    NOT_FAILED,
    PAYMENTS,
    PENDING,
    RESERVED,
    SETTLED,
    UNCERTAIN,
    US_BANK_ACCOUNT,
    Payment,
)
from giftsim.domain.team.billing.problem import PaymentRefused
from giftsim.domain.team.billing.receipt import write_receipt
from giftsim.domain.team.billing.settings import SETTLE_AFTER
from giftsim.domain.team.billing.spending_limits import add_spending
from giftsim.domain.team.record_owner import tenant_of_owner
from giftsim.kernel.state import State
from giftsim.kernel.state_machine import After, Machine, Row
from giftsim.problem import InvalidState


def _settlement_due(state: State, payment: Payment) -> int | None:
    after_ms = state.setting(SETTLE_AFTER)
    return payment.created_ms + after_ms if after_ms else None


PAYMENT: Machine[Payment] = Machine(
    "payment",
    PAYMENTS,
    initial=(RESERVED, PENDING),
    final=(SETTLED, FAILED),
    rows=[
        Row(RESERVED, "settle", SETTLED, after=After(_settlement_due, 1, "the provider takes its time to settle")),
        Row(RESERVED, "fail", FAILED),
        Row(RESERVED, "lose", UNCERTAIN),
        Row(UNCERTAIN, "settle", SETTLED),
        Row(UNCERTAIN, "fail", FAILED),
        Row(PENDING, "settle", SETTLED),
        Row(PENDING, "fail", FAILED),
        Row(PENDING, "lose", UNCERTAIN),
    ],
)


def settle(state: State, payment: Payment) -> Payment:
    """The money moved; what came from a bank for something that cannot be paid any more stays in the balance."""
    _check_undecided(payment)
    if payment.method == US_BANK_ACCOUNT:
        covered = can_settle(state, payment.resource_type, payment.resource, payment.amount_cents, payment)
        payment = payment if covered else _redirect_to_balance(state, payment)
    if payment.charge is None:
        _complete(state, payment)
    else:
        settle_charge(state, state[CHARGES].get(payment.charge))
    return state[PAYMENTS].get(payment.n)


def fail(state: State, payment: Payment) -> Payment:
    """Nothing moved: what was reserved is free, and the key's month has its room back."""
    _check_undecided(payment)
    if payment.charge is None:
        _abandon(state, payment)
    else:
        fail_charge(state, state[CHARGES].get(payment.charge), "payment_failed")
    return state[PAYMENTS].get(payment.n)


def mark_uncertain(state: State, payment: Payment) -> Payment:
    """Nobody knows what came of it: it stays reserved and counted until somebody says (A5.4)."""
    return PAYMENT.fire(state, payment, "lose")


def payment_of(state: State, resource_type: str, slot: int) -> Payment | None:
    """The payment that pays for a record, or may have paid for it; None where none does."""
    for payment in state[PAYMENTS].rows_in("resource", f"{resource_type} {slot}"):
        if payment.status in NOT_FAILED and not payment.to_balance:
            return payment
    return None


def payment_status(payment: Payment | None) -> str:
    """What answers call `payment_status` (A1.1)."""
    if payment is None:
        return "unpaid"
    if payment.status != SETTLED:
        return payment.status
    return "refunded" if payment.refunded_cents == payment.amount_cents > 0 else "paid"


def check_open(state: State, resource_type: str, slot: int) -> None:
    """InvalidState where it is paid, may have been paid, or was called off."""
    if payment_of(state, resource_type, slot) or not bill_of(state, resource_type, slot).is_open:
        raise InvalidState("this is paid already, or its state does not let it be paid")


def can_settle(state: State, resource_type: str, slot: int, amount_cents: int, payment: Payment | None = None) -> bool:
    """Whether money that came in covers a record as it stands now; `payment` is the one that it came with, if any."""
    told, other = bill_of(state, resource_type, slot), payment_of(state, resource_type, slot)
    if not told.is_open or told.total_cents > amount_cents or other not in (None, payment):
        return False
    try:
        check_payable(state, resource_type, slot)
    except PaymentRefused:
        return False
    return True


def timer_subject(state: State, n: int) -> str:
    """A payment in words, for the list of timers."""
    return f"payment {state[PAYMENTS].get(n).id}"


def on_charge_closed(state: State, charge: Charge) -> None:
    """A payment's charge was decided (handles CHARGE_CLOSED)."""
    payment = state[PAYMENTS].get(charge.subject)
    if charge.status == PAID:
        _complete(state, payment)
    else:
        _abandon(state, payment)


def _check_undecided(payment: Payment) -> None:
    if payment.status in (SETTLED, FAILED):
        raise InvalidState(f"payment {payment.id} is {payment.status} already")


def _redirect_to_balance(state: State, payment: Payment) -> Payment:
    if payment.charge is not None:
        charge = state[CHARGES].get(payment.charge)
        wallet = state[ACCOUNTS].get(charge.account).wallet
        state[CHARGES].put(msgspec.structs.replace(charge, toward=wallet))
    return state[PAYMENTS].put(msgspec.structs.replace(payment, to_balance=True))


def _complete(state: State, payment: Payment) -> None:
    """Write the documents, then tell whoever was waiting for the money."""
    payment = PAYMENT.fire(state, payment, "settle", settled_ms=state.now_ms)
    tenant, about, resource = tenant_of_owner(state, payment.owner), payment.resource_type, payment.resource
    if payment.method == NET_TERMS:
        invoice = issue_invoice(state, tenant, NET_TERMS, payment.amount_cents, about, resource, payment.n)
        payment = state[PAYMENTS].put(msgspec.structs.replace(payment, invoice=invoice.n))
    elif payment.receipt is None:
        paid_for = None if payment.to_balance else about
        receipt = write_receipt(state, tenant, payment.method, payment.amount_cents, paid_for, resource)
        payment = state[PAYMENTS].put(msgspec.structs.replace(payment, receipt=receipt.n))
    if not payment.to_balance:
        state.handler_of(BILLABLE, payment.resource_type).on_paid(state, payment)


def _abandon(state: State, payment: Payment) -> None:
    payment = PAYMENT.fire(state, payment, "fail")
    if payment.month and payment.key is not None:
        add_spending(state, payment.key, payment.month, -payment.amount_cents)
    state.handler_of(BILLABLE, payment.resource_type).on_payment_failed(state, payment)


def _settle_due(state: State, n: int) -> None:
    settle(state, state[PAYMENTS].get(n))


TIMERS = {"payment.settle": _settle_due}
