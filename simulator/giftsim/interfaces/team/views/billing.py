"""The JSON of balance, terms, invoices, statements and the billing profile. It never contains an email."""

from __future__ import annotations

from typing import Any

from giftsim.domain.team.billing.billable import Bill, bill_of
from giftsim.domain.team.billing.billing_profile import ADDRESS_MEMBERS, BillingProfile
from giftsim.domain.team.billing.cost_center import CostCenter
from giftsim.domain.team.billing.invoice import INVOICES, Invoice
from giftsim.domain.team.billing.receipt import RECEIPTS
from giftsim.domain.team.billing.statement import Movement, Statement
from giftsim.domain.team.billing.tax_certificate import TaxCertificate
from giftsim.domain.team.billing.wallet import Balance, Terms
from giftsim.domain.team.tenant import Id, Tenant
from giftsim.kernel.instants import format_instant, instant_or_null
from giftsim.kernel.state import State

CURRENCY = "USD"


def balance(tenant: Tenant, balance: Balance) -> dict[str, Any]:
    """The balance, and how much of it is reserved and available (A5.7)."""
    return {
        "balance_cents": balance.balance_cents,
        "reserved_cents": balance.reserved_cents,
        "available_cents": balance.available_cents,
        "currency": CURRENCY,
        "livemode": tenant.livemode,
    }


def terms(terms: Terms) -> dict[str, Any]:
    """The credit terms (A5.6)."""
    return {
        "status": terms.status,
        "net_days": terms.net_days,
        "credit_limit_cents": terms.credit_limit_cents,
        "outstanding_cents": terms.outstanding_cents,
        "available_cents": terms.available_cents,
    }


def invoice(state: State, tenant: Tenant, invoice: Invoice) -> dict[str, Any]:
    """An invoice as listed. Only its PDF shows the lines."""
    return {
        "id": invoice.id,
        "number": invoice.number,
        "kind": invoice.kind,
        "status": invoice.status,
        "amount_cents": invoice.amount_cents,
        "currency": CURRENCY,
        **_resource(invoice.bill),
        "receipt_id": receipt_id(state, invoice.receipt),
        "due_on": invoice.due_on,
        "paid_at": instant_or_null(invoice.paid_ms),
        "livemode": tenant.livemode,
        "created_at": format_instant(invoice.created_ms),
    }


def statement(state: State, tenant: Tenant, statement: Statement) -> dict[str, Any]:
    """A month's statement."""
    return {
        "month": statement.month,
        "partial": statement.partial,
        "currency": CURRENCY,
        "opening_balance_cents": statement.opening_cents,
        "closing_balance_cents": statement.closing_cents,
        "entries": [_entry(state, movement) for movement in statement.movements],
        "livemode": tenant.livemode,
    }


def cost_center(tenant: Tenant, center: CostCenter) -> dict[str, Any]:
    """A cost center."""
    return {
        "id": center.id,
        "code": center.code,
        "name": center.name,
        "livemode": tenant.livemode,
        "created_at": format_instant(center.created_ms),
    }


def profile(tenant: Tenant, profile: BillingProfile) -> dict[str, Any]:
    """The billing profile. Of the email it shows only whether one is set."""
    address = profile.address
    return {
        "legal_name": profile.legal_name,
        "billing_email_set": profile.email is not None,
        "address": None if address is None else dict(zip(ADDRESS_MEMBERS, address, strict=True)),
        "livemode": tenant.livemode,
        "updated_at": format_instant(profile.updated_ms),
    }


def certificate(tenant: Tenant, certificate: TaxCertificate) -> dict[str, Any]:
    """A tax certificate."""
    return {
        "id": certificate.id,
        "status": certificate.status,
        "url": certificate.url,
        "region": certificate.region,
        "content_type": certificate.content_type,
        "size_bytes": certificate.size_bytes,
        "reviewed_at": instant_or_null(certificate.reviewed_ms),
        "livemode": tenant.livemode,
        "created_at": format_instant(certificate.created_ms),
    }


def invoice_id(state: State, slot: int | None) -> Id | None:
    """The public id of the invoice in a slot, or None."""
    return None if slot is None else state[INVOICES].get(slot).id


def receipt_id(state: State, slot: int | None) -> Id | None:
    """The public id of the receipt in a slot, or None."""
    return None if slot is None else state[RECEIPTS].get(slot).id


def _entry(state: State, movement: Movement) -> dict[str, Any]:
    table, slot = movement.resource_type, movement.resource
    bill = None if table is None or slot is None else bill_of(state, table, slot)
    return {
        "at": format_instant(movement.at_ms),
        "kind": movement.kind,
        "amount_cents": movement.amount_cents,
        "balance_cents": movement.balance_cents,
        **_resource(bill),
        "invoice_id": invoice_id(state, movement.invoice),
        "receipt_id": receipt_id(state, movement.receipt),
    }


def _resource(bill: Bill | None) -> dict[str, Any]:
    return {"resource_type": bill.type if bill else None, "resource_id": bill.id if bill else None}
