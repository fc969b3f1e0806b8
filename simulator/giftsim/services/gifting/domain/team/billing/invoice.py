"""Invoices for purchases on terms and for deposits, receipts, and their returns (A5.9, A5.11, T-6.11, T-6.12)."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta

import msgspec

from giftsim.engine.kernel.signals import Signal, ignore
from giftsim.engine.kernel.state import State
from giftsim.engine.kernel.state_machine import Machine, Row
from giftsim.engine.kernel.table import Record, TableSpec
from giftsim.services.gifting.domain.team.billing.billable import TEAM_ORDER, Bill, bill_of
from giftsim.services.gifting.domain.team.billing.billing_profile import DEPOSIT_DAYS, PAST_DUE_STATUS, bill_to, day_of
from giftsim.services.gifting.domain.team.billing.wallet import wallet_of
from giftsim.services.gifting.domain.team.tenant import Tenant, TenantRecord, public_id, tenant_table

FIRST_ID = 840_001
NET_TERMS, DEPOSIT = "net_terms", "deposit"
PAST_DUE = "past_due"
OPEN, PAID, VOID = "open", "paid", "void"

INVOICE_ISSUED: Signal[Callable[[State, Invoice], None]] = Signal("invoice_issued", ignore)


class Invoice(TenantRecord, frozen=True, gc=False, rename={"bill": "told", "addressee": "party"}):
    """An invoice for `resource` (a slot) of its type, or with None for the balance; `number` is printed on it.

    `bill` is what was billed, `addressee` the lines of the address, both as of its issue.
    `payment` and `receipt` are slots, `credited_cents` were refunded, `due_on` is a day in Los Angeles.
    """

    number: str
    kind: str
    amount_cents: int
    resource_type: str | None
    resource: int | None
    bill: Bill | None
    addressee: tuple[str, ...]
    due_on: str
    payment: int | None = None
    status: str = OPEN
    credited_cents: int = 0
    paid_ms: int | None = None
    receipt: int | None = None

    @property
    def due_cents(self) -> int:
        return self.amount_cents - self.credited_cents


def _resource(invoice: Invoice) -> str | None:
    return None if invoice.resource is None else f"{invoice.resource_type} {invoice.resource}"


INVOICES: TableSpec[Invoice] = tenant_table("team.invoice", Invoice, groups={"resource": _resource})

INVOICE: Machine[Invoice] = Machine(
    "invoice",
    INVOICES,
    initial=(OPEN,),
    final=(VOID,),
    rows=[Row(OPEN, "pay", PAID), Row(OPEN, "void", VOID), Row(PAID, "return", OPEN)],
)


def status_of(state: State, invoice: Invoice) -> str:
    """The status as the team interface shows it: by a setting, an open invoice can be past due (G363)."""
    is_past_due = invoice.status == OPEN and invoice.due_on < day_of(state.now_ms) and state.setting(PAST_DUE_STATUS)
    return PAST_DUE if is_past_due else invoice.status


def issue_invoice(
    state: State,
    tenant: Tenant,
    kind: str,
    amount_cents: int,
    resource_type: str | None = None,
    resource: int | None = None,
    payment: int | None = None,
) -> Invoice:
    """Issue an invoice, due by the team's terms or, for a deposit, by the setting `invoices.deposit_days`."""
    table = state[INVOICES]
    n, sequence = table.next_n, len(table.slots_in("owner", tenant.owner)) + 1
    days = state.setting(DEPOSIT_DAYS) if kind == DEPOSIT else wallet_of(state, tenant.team).net_days
    bill = None if resource_type is None or resource is None else bill_of(state, resource_type, resource)
    invoice = table.add(
        Invoice(
            n,
            tenant.owner,
            public_id(state, tenant, "invoice", n, FIRST_ID),
            state.now_ms,
            f"{'INV' if tenant.livemode else 'TEST-INV'}-{sequence:05d}",
            kind,
            amount_cents,
            resource_type,
            resource,
            bill,
            bill_to(state, tenant),
            _day_after(state.now_ms, days),
            payment,
        )
    )
    state.emit("invoice.issued", tenant.owner, n, livemode=tenant.livemode)
    state.handler(INVOICE_ISSUED)(state, invoice)
    return invoice


def issue_deposit_invoice(state: State, tenant: Tenant, amount_cents: int, order: int | None = None) -> Invoice:
    """Issue a deposit invoice, for an order (a slot) or for the balance (T-4.186)."""
    return issue_invoice(state, tenant, DEPOSIT, amount_cents, None if order is None else TEAM_ORDER, order)


def credit_invoice(state: State, invoice: Invoice, cents: int) -> Invoice:
    """Take a refund off an open invoice; it is void once nothing is due."""
    if invoice.status != OPEN:
        return invoice
    credited_cents = min(invoice.amount_cents, invoice.credited_cents + cents)
    if credited_cents == invoice.amount_cents:
        return INVOICE.fire(state, invoice, "void", credited_cents=credited_cents)
    return state[INVOICES].put(msgspec.structs.replace(invoice, credited_cents=credited_cents))


def void_deposits(state: State, resource_type: str, slot: int) -> None:
    """Void the open deposit invoices of a record that was canceled."""
    for invoice in state[INVOICES].rows_in("resource", f"{resource_type} {slot}"):
        if invoice.kind == DEPOSIT and invoice.status == OPEN:
            INVOICE.fire(state, invoice, "void")


def _day_after(at_ms: int, days: int) -> str:
    day = date.fromisoformat(day_of(at_ms))
    return (day + timedelta(days=min(days, (date.max - day).days))).isoformat()


FIRST_RECEIPT_ID = 860_001


class Receipt(TenantRecord, frozen=True, gc=False, rename={"bill": "told", "addressee": "party"}):
    """What was paid, and how; with `bill` of None it went to the balance. `invoice` is the slot of the paid invoice."""

    number: str
    method: str
    amount_cents: int
    bill: Bill | None
    addressee: tuple[str, ...]
    invoice: int | None


RECEIPTS: TableSpec[Receipt] = tenant_table("team.receipt", Receipt)


def write_receipt(
    state: State,
    tenant: Tenant,
    method: str,
    amount_cents: int,
    resource_type: str | None,
    resource: int | None,
    invoice: int | None = None,
) -> Receipt:
    """Write a receipt; `invoice` is the slot of the invoice that was paid, if there was one."""
    table = state[RECEIPTS]
    bill = None if resource_type is None or resource is None else bill_of(state, resource_type, resource)
    n, sequence = table.next_n, len(table.slots_in("owner", tenant.owner)) + 1
    return table.add(
        Receipt(
            n,
            tenant.owner,
            public_id(state, tenant, "receipt", n, FIRST_RECEIPT_ID),
            state.now_ms,
            f"{'RCP' if tenant.livemode else 'TEST-RCP'}-{sequence:05d}",
            method,
            amount_cents,
            bill,
            bill_to(state, tenant),
            invoice,
        )
    )


class BankReturn(Record, frozen=True, gc=False):
    """Bank money that returned: the `receipt` (a slot) that was written for it."""

    receipt: int
    at_ms: int
    cents: int


BANK_RETURNS: TableSpec[BankReturn] = TableSpec(
    "team.bank_return", BankReturn, unique={"receipt": "receipt"}, sparse=True
)


def bank_return(state: State, receipt: int | None) -> BankReturn | None:
    """When and how the bank money of a receipt (a slot) has returned, or None."""
    return None if receipt is None else state[BANK_RETURNS].find("receipt", receipt)


def has_returned(state: State, receipt: int | None) -> bool:
    """Whether the bank money of a receipt (a slot) has returned."""
    return bank_return(state, receipt) is not None
