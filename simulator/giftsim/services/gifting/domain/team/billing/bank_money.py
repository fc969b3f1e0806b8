"""Bank money that misbehaves: it returns, or comes late, twice, as another amount or without a reference (G435)."""

from __future__ import annotations

import msgspec

from giftsim.engine.kernel.state import State
from giftsim.engine.problem import InvalidState
from giftsim.services.gifting.domain.money.account import ACCOUNTS, move_money
from giftsim.services.gifting.domain.money.charge import CHARGES
from giftsim.services.gifting.domain.money.refund import RETURN_KIND, withdraw_refunds
from giftsim.services.gifting.domain.team.billing.billable import bill_of
from giftsim.services.gifting.domain.team.billing.billing_profile import (
    MATCHES_AMOUNT,
    RETURNS_TAKE_BALANCE,
    SENT_BACK,
    UNAPPLIED,
)
from giftsim.services.gifting.domain.team.billing.funding import pay_invoice
from giftsim.services.gifting.domain.team.billing.invoice import (
    BANK_RETURNS,
    DEPOSIT,
    INVOICE,
    INVOICES,
    NET_TERMS,
    OPEN,
    PAID,
    RECEIPTS,
    VOID,
    BankReturn,
    Invoice,
    Receipt,
    has_returned,
    write_receipt,
)
from giftsim.services.gifting.domain.team.billing.payment import (
    BANK_METHODS,
    BANK_TRANSFER,
    FAILED,
    PAYMENT,
    PAYMENTS,
    SETTLED,
    US_BANK_ACCOUNT,
    Payment,
    is_paid,
)
from giftsim.services.gifting.domain.team.billing.wallet import balance_account, terms_account
from giftsim.services.gifting.domain.team.tenant import Tenant, tenant_of_owner

# Money that returns


def return_payment(state: State, payment: Payment) -> Payment:
    """The bank takes back the money of a settled payment: it has failed, and what it paid for is unpaid (G435).

    That of a bank transfer takes its invoice with it. InvalidState unless a bank has paid and the money is there.
    """
    if payment.status != SETTLED or payment.method not in BANK_METHODS:
        raise InvalidState(
            f"payment {payment.id} by {payment.method} is {payment.status}: only bank money that has come can return,"
            " and that of a purchase on terms by its paid invoice"
        )
    if payment.method == BANK_TRANSFER and payment.receipt is not None:
        invoice = state[RECEIPTS].get(payment.receipt).invoice
        if invoice is not None:
            return_invoice(state, state[INVOICES].get(invoice))
            return state[PAYMENTS].get(payment.n)
    _note(state, f"payment {payment.id}", payment.receipt, payment.amount_cents)
    if state.setting(RETURNS_TAKE_BALANCE):
        _take_from_balance(state, payment.owner, f"payment {payment.n}", payment.amount_cents)
        return payment
    return _reverse(state, payment)


def return_invoice(state: State, invoice: Invoice) -> Invoice:
    """The bank takes back the money that paid an invoice: it is open again (G437), or void if its order has ended.

    InvalidState for an invoice that is not paid.
    """
    if invoice.status != PAID:
        raise InvalidState(f"invoice {invoice.id} is {invoice.status}: only money that has paid one can return")
    _note(state, f"invoice {invoice.id}", invoice.receipt, invoice.due_cents)
    if state.setting(RETURNS_TAKE_BALANCE):
        _take_from_balance(state, invoice.owner, f"invoice {invoice.n}", invoice.due_cents)
        return invoice
    if invoice.kind == NET_TERMS:
        _owe_again(state, invoice)
    else:
        _take_deposit(state, invoice)
    invoice = INVOICE.fire(state, invoice, "return", receipt=None, paid_ms=None)
    return INVOICE.fire(state, invoice, "void") if _has_ended(state, invoice) else invoice


def _note(state: State, name: str, receipt: int | None, cents: int) -> None:
    if receipt is None or has_returned(state, receipt):
        raise InvalidState(f"the money for {name} has returned already")
    table = state[BANK_RETURNS]
    table.add(BankReturn(table.next_n, receipt, state.now_ms, cents))


def _take_from_balance(state: State, owner: str, ref: str, cents: int) -> None:
    """Take an amount from the balance of a live team, which may get below 0 (G436)."""
    tenant = tenant_of_owner(state, owner)
    if tenant.livemode and cents:
        account = balance_account(state, tenant.team)
        move_money(state, account, RETURN_KIND, ref, ((account.external_source, cents), (account.wallet, -cents)))


def _reverse(state: State, payment: Payment) -> Payment:
    """Fail a settled payment. What was refunded of it is taken from the balance, where it went (G170)."""
    if payment.charge is not None:
        charge, ref, cents = state[CHARGES].get(payment.charge), f"payment {payment.n}", payment.amount_cents
        refunded_cents = cents if payment.to_balance else payment.refunded_cents - withdraw_refunds(state, ref)
        account = state[ACCOUNTS].get(charge.account)
        postings = (
            (account.external_source, cents),
            *(() if payment.to_balance else ((charge.toward, refunded_cents - cents),)),
            (account.wallet, -refunded_cents),
        )
        move_money(state, account, RETURN_KIND, ref, postings)
    return PAYMENT.fire(state, payment, "return")


def _owe_again(state: State, invoice: Invoice) -> None:
    """Undo the payment of a purchase on terms: its team owes it again."""
    account = terms_account(state, tenant_of_owner(state, invoice.owner).team)
    postings = ((account.external_source, invoice.due_cents), (account.wallet, -invoice.due_cents))
    move_money(state, account, RETURN_KIND, f"invoice {invoice.n}", postings)
    if invoice.payment is not None:
        payment = state[PAYMENTS].get(invoice.payment)
        state[PAYMENTS].put(msgspec.structs.replace(payment, receipt=None))


def _take_deposit(state: State, invoice: Invoice) -> None:
    """Fail the payment that a deposit made for its order, and take the rest of it from the balance."""
    rest_cents = invoice.due_cents
    for payment in state[PAYMENTS].rows_in("resource", f"{invoice.resource_type} {invoice.resource}"):
        if payment.receipt == invoice.receipt and payment.status == SETTLED:
            _reverse(state, payment)
            rest_cents -= payment.amount_cents
    _take_from_balance(state, invoice.owner, f"invoice {invoice.n}", rest_cents)


def _has_ended(state: State, invoice: Invoice) -> bool:
    """Whether a deposit is for an order that was canceled or rejected, so that nobody has to pay it."""
    if invoice.kind != DEPOSIT or invoice.resource_type is None or invoice.resource is None:
        return False
    is_open = bill_of(state, invoice.resource_type, invoice.resource).is_open
    return not is_open and not is_paid(state, invoice.resource_type, invoice.resource)


# Money that pays nothing


def pay_too_little(state: State, invoice: Invoice, cents: int) -> Receipt | None:
    """Less than an open invoice says arrives for it: that pays nothing, and the invoice stays open (G439)."""
    _check_open(invoice)
    if cents >= invoice.due_cents:
        raise InvalidState(f"{cents} cents are not less than the {invoice.due_cents} due on invoice {invoice.id}")
    return credit_balance(state, tenant_of_owner(state, invoice.owner), cents)


def pay_too_much(state: State, invoice: Invoice, cents: int) -> Receipt | None:
    """More than an open invoice says arrives for it: it is paid, and the rest pays nothing (G439)."""
    _check_open(invoice)
    if cents <= invoice.due_cents:
        raise InvalidState(f"{cents} cents are not more than the {invoice.due_cents} due on invoice {invoice.id}")
    pay_invoice(state, invoice)
    return credit_balance(state, tenant_of_owner(state, invoice.owner), cents - invoice.due_cents)


def pay_twice(state: State, invoice: Invoice) -> Receipt | None:
    """The amount of an invoice arrives twice, or once more for one that is paid: the second pays nothing (G439)."""
    if invoice.status not in (OPEN, PAID):
        raise InvalidState(f"invoice {invoice.id} is {invoice.status}: money for it comes late, not twice")
    if invoice.status == OPEN:
        pay_invoice(state, invoice)
    return credit_balance(state, tenant_of_owner(state, invoice.owner), invoice.due_cents)


def pay_late(state: State, late: Invoice | Payment, cents: int | None = None) -> Receipt | None:
    """Money arrives for a void invoice, or for an ACH intent that has failed: it pays nothing (G438)."""
    if isinstance(late, Invoice) and late.status != VOID:
        other = "the verb invoice pays it" if late.status == OPEN else "more money for it is paid_twice"
        raise InvalidState(f"invoice {late.id} is {late.status}, and money is late only for one that is void: {other}")
    if isinstance(late, Payment) and (late.status, late.method) != (FAILED, US_BANK_ACCOUNT):
        raise InvalidState(
            f"payment {late.id} by {late.method} is {late.status}: money is late only for an ACH intent that has failed"
        )
    method = late.method if isinstance(late, Payment) else BANK_TRANSFER
    tenant = tenant_of_owner(state, late.owner)
    return credit_balance(state, tenant, late.amount_cents if cents is None else cents, method)


def pay_without_reference(state: State, tenant: Tenant, cents: int) -> tuple[Invoice | None, Receipt | None]:
    """Money arrives that names no invoice. It pays none, unless a setting looks for one of its amount (G440)."""
    rows = state[INVOICES].rows_in("owner", tenant.owner)
    matching = [each for each in rows if each.status == OPEN and each.due_cents == cents]
    if state.setting(MATCHES_AMOUNT) and len(matching) == 1:
        return pay_invoice(state, matching[0]), None
    return None, credit_balance(state, tenant, cents)


def credit_balance(state: State, tenant: Tenant, cents: int, method: str = BANK_TRANSFER) -> Receipt | None:
    """Put bank money that pays nothing on the balance, with a receipt; None if it is sent back, by a setting (G438)."""
    if state.setting(UNAPPLIED) == SENT_BACK:
        return None
    receipt = write_receipt(state, tenant, method, cents, None, None)
    if tenant.livemode:
        account = balance_account(state, tenant.team)
        postings = ((account.external_source, -cents), (account.wallet, cents))
        move_money(state, account, DEPOSIT, f"receipt {receipt.n}", postings)
    return receipt


def _check_open(invoice: Invoice) -> None:
    if invoice.status != OPEN:
        other = "money for it is late" if invoice.status == VOID else "more money for it is paid_twice"
        raise InvalidState(f"invoice {invoice.id} is {invoice.status}: {other}")
