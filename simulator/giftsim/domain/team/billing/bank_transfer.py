"""Bank transfers, which pay invoices and thereby orders or the balance (A5.9, T-5.27)."""

from __future__ import annotations

import msgspec

from giftsim.domain.money.account import move_money
from giftsim.domain.team.billing.billable import bill_of
from giftsim.domain.team.billing.invoice import DEPOSIT, INVOICE, INVOICES, OPEN, Invoice
from giftsim.domain.team.billing.payment import create_payment
from giftsim.domain.team.billing.payment_record import BANK_TRANSFER, PAYMENTS, PENDING
from giftsim.domain.team.billing.receipt import Receipt, write_receipt
from giftsim.domain.team.billing.settlement import can_settle, settle
from giftsim.domain.team.billing.wallet import balance_account, terms_account
from giftsim.domain.team.tenant import is_live, tenant_of_owner
from giftsim.kernel.state import State
from giftsim.problem import InvalidState


def pay_invoice(state: State, invoice: Invoice) -> Invoice:
    """Pay an invoice by bank transfer: it settles a purchase on terms, or deposits money for an order or the balance.

    A deposit pays for its order if it covers the present total. The rest, or all of it if the order cannot be paid,
    goes to the balance. InvalidState for an invoice that is not open.
    """
    invoice = state[INVOICES].get(invoice.n)
    if invoice.status != OPEN:
        raise InvalidState(f"invoice {invoice.id} is {invoice.status} already")
    receipt = write_receipt(
        state, tenant_of_owner(state, invoice.owner), BANK_TRANSFER, invoice.due_cents, invoice.resource_type,
        invoice.resource, invoice.n,
    )  # fmt: skip
    if invoice.kind == DEPOSIT:
        _deposit(state, invoice, receipt)
    else:
        _repay(state, invoice, receipt)
    invoice = INVOICE.fire(state, invoice, "pay", receipt=receipt.n, paid_ms=state.now_ms)
    state.emit("invoice.paid", invoice.owner, invoice.n, livemode=is_live(invoice))
    return invoice


def _repay(state: State, invoice: Invoice, receipt: Receipt) -> None:
    account = terms_account(state, tenant_of_owner(state, invoice.owner).team)
    postings = ((account.external_source, -invoice.due_cents), (account.wallet, invoice.due_cents))
    move_money(state, account, "settlement", f"invoice {invoice.n}", postings)
    if invoice.payment is not None:
        payment = state[PAYMENTS].get(invoice.payment)
        state[PAYMENTS].put(msgspec.structs.replace(payment, receipt=receipt.n))


def _deposit(state: State, invoice: Invoice, receipt: Receipt) -> None:
    tenant = tenant_of_owner(state, invoice.owner)
    left_cents, kind, resource = invoice.amount_cents, invoice.resource_type, invoice.resource
    if kind is not None and resource is not None and can_settle(state, kind, resource, left_cents):
        total_cents = bill_of(state, kind, resource).total_cents
        payment = create_payment(
            state, tenant, BANK_TRANSFER, total_cents, kind, resource, status=PENDING, receipt=receipt.n
        )
        settle(state, payment)
        left_cents -= total_cents
    if left_cents and tenant.livemode:
        account = balance_account(state, tenant.team)
        postings = ((account.external_source, -left_cents), (account.wallet, left_cents))
        move_money(state, account, "deposit", f"invoice {invoice.n}", postings)
