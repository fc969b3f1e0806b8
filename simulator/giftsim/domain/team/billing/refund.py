"""Refund payments to where the money came from, and release reserved ones (A5.5)."""

from __future__ import annotations

import msgspec

from giftsim.domain.money.account import ACCOUNTS, move_money
from giftsim.domain.money.charge import CHARGES, Charge
from giftsim.domain.team.billing.invoice import INVOICES, NET_TERMS, credit_invoice, void_deposits
from giftsim.domain.team.billing.payment_record import BALANCE, PAYMENTS, PENDING, RESERVED, SETTLED, Payment
from giftsim.domain.team.billing.settings import REFUND_FREES_ROOM
from giftsim.domain.team.billing.settlement import fail
from giftsim.domain.team.billing.spending_limits import add_spending
from giftsim.kernel.state import State
from giftsim.problem import InvalidState


def refund(state: State, payment: Payment, cents: int, *, keep: bool = False) -> Payment:
    """Refund a settled payment in part or whole: to the balance, off what is owed on terms, or to the bank.

    With `keep` what came from a bank goes to the balance too (G59).

    The setting `payments.refund_frees_room` says whether the refunded amount no longer counts against the key's
    monthly limit. InvalidState for a payment that is not settled, ValueError for more than is left of it.
    """
    payment = state[PAYMENTS].get(payment.n)
    if payment.status != SETTLED:
        raise InvalidState(f"payment {payment.id} is {payment.status}: there is nothing to refund")
    if not 0 <= cents <= payment.amount_cents - payment.refunded_cents:
        raise ValueError(f"payment {payment.id} has less than {cents} cents left to refund")
    if payment.charge is not None:
        _return_money(state, payment, state[CHARGES].get(payment.charge), cents, keep=keep)
    if payment.invoice is not None:
        credit_invoice(state, state[INVOICES].get(payment.invoice), cents)
    if payment.key is not None and payment.month and state.setting(REFUND_FREES_ROOM):
        add_spending(state, payment.key, payment.month, -cents)
    return state[PAYMENTS].put(msgspec.structs.replace(payment, refunded_cents=payment.refunded_cents + cents))


def release(state: State, resource_type: str, slot: int) -> None:
    """Release the reserved payments of a canceled record, fail its ACH intents, and void its deposit invoices.

    Settled payments are left to `refund`; uncertain ones stay until they are decided.
    """
    void_deposits(state, resource_type, slot)
    for payment in state[PAYMENTS].rows_in("resource", f"{resource_type} {slot}"):
        if payment.status in (PENDING, RESERVED):
            fail(state, payment)


def _return_money(state: State, payment: Payment, charge: Charge, cents: int, *, keep: bool) -> None:
    account = state[ACCOUNTS].get(charge.account)
    source = account.wallet if keep or payment.method in (BALANCE, NET_TERMS) else account.external_source
    move_money(state, account, "refund", f"payment {payment.n}", ((charge.toward, -cents), (source, cents)))
