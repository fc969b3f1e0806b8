"""The content of a document: heading, table and totals, without its layout."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

import msgspec

from giftsim.engine.kernel.state import State
from giftsim.services.gifting.domain.team.billing.billable import Bill
from giftsim.services.gifting.domain.team.billing.billing_profile import bill_to, day_of
from giftsim.services.gifting.domain.team.billing.invoice import (
    DEPOSIT,
    INVOICES,
    OPEN,
    PAID,
    Invoice,
    Receipt,
    status_of,
)
from giftsim.services.gifting.domain.team.billing.statement import Movement, Statement
from giftsim.services.gifting.domain.team.tenant import Tenant


class Column(msgspec.Struct, frozen=True):
    """A table column: its heading, its share of the width in percent, and whether its cells are figures."""

    heading: str
    share: int
    figures: bool = False


class Document(msgspec.Struct, frozen=True):
    """A document to print.

    `facts` are pairs of label and value below the title, `addressee` the lines of the address, `at_ms` the file's date,
    `note` the small print.
    """

    title: str
    number: str
    at_ms: int
    facts: Sequence[tuple[str, str]]
    addressee: Sequence[str]
    columns: Sequence[Column]
    rows: Sequence[Sequence[str]]
    totals: Sequence[tuple[str, str]]
    note: str


def format_dollars(cents: int) -> str:
    """The amount as `$1,234.50`, or `-$1,234.50` below zero."""
    return f"{'-' if cents < 0 else ''}${abs(cents) // 100:,}.{abs(cents) % 100:02d}"


def format_date(day: str) -> str:
    """The day `2027-01-04` as `January 4, 2027`."""
    parsed = date.fromisoformat(day)
    return f"{MONTHS[parsed.month - 1]} {parsed.day}, {parsed.year}"


MONTHS = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)


NOTE = "Amounts are in US dollars, dates are days in Los Angeles. Issued by a simulator: nobody owes or paid this."
SANDBOX_NOTE = f"Sandbox, no live money. {NOTE}"
ITEM_COLUMNS = (Column("Item", 60), Column("Quantity", 15, figures=True), Column("Amount", 25, figures=True))
MOVEMENT_COLUMNS = (
    Column("Date", 25),
    Column("Entry", 25),
    Column("Amount", 25, figures=True),
    Column("Balance", 25, figures=True),
)
METHOD_LABELS = {
    "balance": "The team's balance",
    "net_terms": "Credit terms",
    "bank_transfer": "Bank transfer",
    "us_bank_account": "US bank account (ACH)",
}
DEPOSIT_LINE = "Deposit to the team's balance"


def invoice_document(state: State, tenant: Tenant, invoice: Invoice) -> Document:
    """The invoice as it was issued, with its current status."""
    terms = "Deposit" if invoice.kind == DEPOSIT else "Credit terms"
    status = (
        status_of(state, invoice).replace("_", " ").capitalize()
        if invoice.paid_ms is None
        else f"Paid {_date(invoice.paid_ms)}"
    )
    due_cents = invoice.due_cents if invoice.status == OPEN else 0
    credited = [("Credited", format_dollars(-invoice.credited_cents))] if invoice.credited_cents else []
    paid = [("Paid", format_dollars(-invoice.due_cents))] if invoice.status == PAID else []
    return Document(
        "Invoice",
        invoice.number,
        invoice.created_ms,
        (
            ("Date", _date(invoice.created_ms)),
            ("Due", format_date(invoice.due_on)),
            ("Terms", terms),
            ("Status", status),
            *_billed_facts(invoice.bill),
        ),
        invoice.addressee,
        ITEM_COLUMNS,
        _rows(invoice.bill, invoice.amount_cents),
        (("Total", format_dollars(invoice.amount_cents)), *credited, *paid, ("Amount due", format_dollars(due_cents))),
        _note(tenant),
    )


def receipt_document(state: State, tenant: Tenant, receipt: Receipt) -> Document:
    """The receipt of a payment, with what was paid, when and how."""
    invoice = None if receipt.invoice is None else state[INVOICES].get(receipt.invoice)
    invoice_facts = [("Invoice", invoice.number)] if invoice else []
    return Document(
        "Receipt",
        receipt.number,
        receipt.created_ms,
        (
            ("Date", _date(receipt.created_ms)),
            ("Paid by", METHOD_LABELS[receipt.method]),
            *invoice_facts,
            *_billed_facts(receipt.bill),
        ),
        receipt.addressee,
        ITEM_COLUMNS,
        _rows(receipt.bill, receipt.amount_cents),
        (("Amount paid", format_dollars(receipt.amount_cents)),),
        _note(tenant),
    )


def statement_document(state: State, tenant: Tenant, statement: Statement) -> Document:
    """A month's statement, dated at the end of the month; the current month's is dated now."""
    year, month = statement.month.split("-")
    name = f"{MONTHS[int(month) - 1]} {year}{' (so far)' if statement.partial else ''}"
    return Document(
        "Statement",
        statement.month,
        statement.at_ms,
        (("Month", name), ("Date", _date(statement.at_ms))),
        bill_to(state, tenant),
        MOVEMENT_COLUMNS,
        [_movement(movement) for movement in statement.movements],
        (
            ("Opening balance", format_dollars(statement.opening_cents)),
            ("Closing balance", format_dollars(statement.closing_cents)),
        ),
        _note(tenant),
    )


def _billed_facts(billed: Bill | None) -> list[tuple[str, str]]:
    if billed is None:
        return []
    facts = (("For", billed.title), ("PO number", billed.po_number), ("Cost center", billed.cost_center))
    return [(label, value) for label, value in facts if value]


def _rows(billed: Bill | None, amount_cents: int) -> Sequence[tuple[str, str, str]]:
    """The lines of what was billed, or a single line with the title if the lines do not sum up to the amount."""
    lines = billed.lines if billed else ()
    if billed is None or sum(line.amount_cents for line in lines) != amount_cents or not lines:
        return [(billed.title if billed else DEPOSIT_LINE, "1", format_dollars(amount_cents))]
    return [(line.text, str(line.quantity), format_dollars(line.amount_cents)) for line in lines]


def _movement(movement: Movement) -> tuple[str, str, str, str]:
    return (
        _date(movement.at_ms),
        movement.kind.capitalize(),
        format_dollars(movement.amount_cents),
        format_dollars(movement.balance_cents),
    )


def _date(at_ms: int) -> str:
    return format_date(day_of(at_ms))


def _note(tenant: Tenant) -> str:
    return NOTE if tenant.livemode else SANDBOX_NOTE
