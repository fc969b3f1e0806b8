"""Invoices, receipts and statements as papers: dates are Los Angeles's, and nothing of a recipient stands in them."""

from __future__ import annotations

from collections.abc import Sequence

from giftsim.domain.team.billing.billable import Billed
from giftsim.domain.team.billing.billing_month import day_of
from giftsim.domain.team.billing.billing_profile import party
from giftsim.domain.team.billing.invoice import DEPOSIT, INVOICES, OPEN, PAID, Invoice
from giftsim.domain.team.billing.receipt import Receipt
from giftsim.domain.team.billing.statement import Movement, Statement
from giftsim.domain.team.tenant import Space
from giftsim.interfaces.team.document import MONTHS, Column, Paper, dollars, long_date
from giftsim.kernel.state import State

NOTE = "Amounts are in US dollars, dates are days in Los Angeles. Issued by a simulator: nobody owes or paid this."
SANDBOX_NOTE = f"Sandbox, no live money. {NOTE}"
ITEMS = (Column("Item", 60), Column("Quantity", 15, figures=True), Column("Amount", 25, figures=True))
MOVEMENTS = (
    Column("Date", 25), Column("Entry", 25), Column("Amount", 25, figures=True), Column("Balance", 25, figures=True),
)  # fmt: skip
WAYS = {
    "balance": "The team's balance", "net_terms": "Credit terms", "bank_transfer": "Bank transfer",
    "us_bank_account": "US bank account (ACH)",
}  # fmt: skip
TO_BALANCE = "Deposit to the team's balance"


def invoice(space: Space, invoice: Invoice) -> Paper:
    """An invoice as it was issued, with what has become of it."""
    terms = "Deposit" if invoice.kind == DEPOSIT else "Credit terms"
    standing = invoice.status.capitalize() if invoice.paid_ms is None else f"Paid {_date(invoice.paid_ms)}"
    due_cents = invoice.due_cents if invoice.status == OPEN else 0
    credited = [("Credited", dollars(-invoice.credited_cents))] if invoice.credited_cents else []
    paid = [("Paid", dollars(-invoice.due_cents))] if invoice.status == PAID else []
    return Paper(
        "Invoice", invoice.number, invoice.created_ms,
        (("Date", _date(invoice.created_ms)), ("Due", long_date(invoice.due_on)), ("Terms", terms),
         ("Status", standing), *_about(invoice.told)),
        invoice.party, ITEMS, _rows(invoice.told, invoice.amount_cents),
        (("Total", dollars(invoice.amount_cents)), *credited, *paid, ("Amount due", dollars(due_cents))),
        _note(space),
    )  # fmt: skip


def receipt(state: State, space: Space, receipt: Receipt) -> Paper:
    """A receipt."""
    billing = None if receipt.invoice is None else state[INVOICES].get(receipt.invoice)
    invoiced = [("Invoice", billing.number)] if billing else []
    return Paper(
        "Receipt", receipt.number, receipt.created_ms,
        (("Date", _date(receipt.created_ms)), ("Paid by", WAYS[receipt.method]), *invoiced, *_about(receipt.told)),
        receipt.party, ITEMS, _rows(receipt.told, receipt.amount_cents),
        (("Amount paid", dollars(receipt.amount_cents)),), _note(space),
    )  # fmt: skip


def statement(state: State, space: Space, statement: Statement) -> Paper:
    """A month's statement; that of the present month is dated now, others by their last instant."""
    year, month = statement.month.split("-")
    name = f"{MONTHS[int(month) - 1]} {year}{' (so far)' if statement.partial else ''}"
    return Paper(
        "Statement", statement.month, statement.at_ms, (("Month", name), ("Date", _date(statement.at_ms))),
        party(state, space), MOVEMENTS, [_movement(movement) for movement in statement.movements],
        (("Opening balance", dollars(statement.opening_cents)), ("Closing balance", dollars(statement.closing_cents))),
        _note(space),
    )  # fmt: skip


def _about(told: Billed | None) -> list[tuple[str, str]]:
    if told is None:
        return []
    named = (("For", told.title), ("PO number", told.po_number), ("Cost center", told.cost_center))
    return [(label, value) for label, value in named if value]


def _rows(told: Billed | None, amount_cents: int) -> Sequence[tuple[str, str, str]]:
    """The lines of what was billed, where they say the whole of the amount."""
    lines = told.lines if told else ()
    if told is None or sum(line.amount_cents for line in lines) != amount_cents or not lines:
        return [(told.title if told else TO_BALANCE, "1", dollars(amount_cents))]
    return [(line.text, str(line.quantity), dollars(line.amount_cents)) for line in lines]


def _movement(movement: Movement) -> tuple[str, str, str, str]:
    return (
        _date(movement.at_ms), movement.kind.capitalize(), dollars(movement.amount_cents),
        dollars(movement.balance_cents),
    )  # fmt: skip


def _date(at_ms: int) -> str:
    return long_date(day_of(at_ms))


def _note(space: Space) -> str:
    return NOTE if space.livemode else SANDBOX_NOTE
