"""The JSON of balance, terms, invoices, statements and the billing profile. It never contains an email."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from giftsim.engine.gateway.call import Call, Response
from giftsim.engine.kernel.email_address import trim_email
from giftsim.engine.kernel.instants import format_instant, instant_or_null
from giftsim.engine.kernel.state import State
from giftsim.services.gifting.domain.team.billing import billing_profile, statement, tax_certificate, wallet
from giftsim.services.gifting.domain.team.billing.billable import Bill, bill_of
from giftsim.services.gifting.domain.team.billing.billing_profile import (
    ADDRESS_MEMBERS,
    COST_CENTERS,
    BillingProfile,
    CostCenter,
)
from giftsim.services.gifting.domain.team.billing.invoice import INVOICES, RECEIPTS, Invoice, Receipt, status_of
from giftsim.services.gifting.domain.team.billing.statement import Movement, Statement
from giftsim.services.gifting.domain.team.billing.tax_certificate import TaxCertificate
from giftsim.services.gifting.domain.team.billing.wallet import Balance, Terms
from giftsim.services.gifting.domain.team.tenant import Id, Tenant, find_record
from giftsim.services.gifting.interfaces.team import document
from giftsim.services.gifting.interfaces.team.document import Document
from giftsim.services.gifting.interfaces.team.pagination import respond_with_page
from giftsim.services.gifting.interfaces.team.request_checks import BodyCheck, Finder, url_errors

CURRENCY = "USD"


def balance_view(tenant: Tenant, balance: Balance) -> dict[str, Any]:
    """The balance, and how much of it is reserved and available (A5.7)."""
    return {
        "balance_cents": balance.balance_cents,
        "reserved_cents": balance.reserved_cents,
        "available_cents": balance.available_cents,
        "currency": CURRENCY,
        "livemode": tenant.livemode,
    }


def terms_view(tenant: Tenant, terms: Terms) -> dict[str, Any]:
    """The credit terms (A5.6)."""
    return {
        "status": terms.status,
        "net_days": terms.net_days,
        "credit_limit_cents": terms.credit_limit_cents,
        "outstanding_cents": terms.outstanding_cents,
        "available_cents": terms.available_cents,
        "livemode": tenant.livemode,
    }


def invoice_view(state: State, tenant: Tenant, invoice: Invoice) -> dict[str, Any]:
    """An invoice as listed. Only its PDF shows the lines."""
    return {
        "id": invoice.id,
        "number": invoice.number,
        "kind": invoice.kind,
        "status": status_of(state, invoice),
        "amount_cents": invoice.amount_cents,
        "currency": CURRENCY,
        **_resource(invoice.bill),
        "receipt_id": receipt_id(state, invoice.receipt),
        "due_on": invoice.due_on,
        "paid_at": instant_or_null(invoice.paid_ms),
        "livemode": tenant.livemode,
        "created_at": format_instant(invoice.created_ms),
    }


def statement_view(state: State, tenant: Tenant, statement: Statement) -> dict[str, Any]:
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


def cost_center_view(tenant: Tenant, center: CostCenter) -> dict[str, Any]:
    """A cost center."""
    return {
        "id": center.id,
        "code": center.code,
        "name": center.name,
        "livemode": tenant.livemode,
        "created_at": format_instant(center.created_ms),
    }


def profile_view(tenant: Tenant, profile: BillingProfile) -> dict[str, Any]:
    """The billing profile. Of the email it shows only whether one is set."""
    address = profile.address
    return {
        "legal_name": profile.legal_name,
        "billing_email_set": profile.email is not None,
        "address": None if address is None else dict(zip(ADDRESS_MEMBERS, address, strict=True)),
        "livemode": tenant.livemode,
        "updated_at": format_instant(profile.updated_ms),
    }


def certificate_view(tenant: Tenant, certificate: TaxCertificate) -> dict[str, Any]:
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


def get_balance(call: Call) -> Response:
    """Read the balance."""
    tenant = call.caller.tenant
    return Response(200, balance_view(tenant, wallet.read_balance(call.state, tenant)))


def list_invoices(call: Call) -> Response:
    """List invoices."""
    state, tenant, invoices = call.state, call.caller.tenant, call.state[INVOICES]
    slots = invoices.slots_in("owner", tenant.owner)
    return respond_with_page(call, "invoices", slots, lambda n: invoice_view(state, tenant, invoices.get(n)))


def get_invoice_pdf(call: Call) -> Response:
    """Read an invoice as PDF."""
    invoice = _invoice(call)
    return _pdf(document.invoice_document(call.state, call.caller.tenant, invoice), f"invoice-{invoice.id}")


def get_receipt_pdf(call: Call) -> Response:
    """Read a receipt as PDF."""
    receipt = _receipt(call)
    return _pdf(document.receipt_document(call.state, call.caller.tenant, receipt), f"receipt-{receipt.id}")


def get_statement(call: Call) -> Response:
    """Read the movements of the balance in a month, as JSON or PDF."""
    state, tenant = call.state, call.caller.tenant
    month = statement.read_statement(state, tenant, call.params["month"])
    if call.query["format"] == "pdf":
        return _pdf(document.statement_document(state, tenant, month), f"statement-{month.month}")
    return Response(200, statement_view(state, tenant, month))


def list_cost_centers(call: Call) -> Response:
    """List cost centers."""
    tenant, centers = call.caller.tenant, call.state[COST_CENTERS]
    slots = centers.slots_in("owner", tenant.owner)
    return respond_with_page(call, "cost_centers", slots, lambda n: cost_center_view(tenant, centers.get(n)))


def create_cost_center(call: Call) -> Response:
    """Create a cost center."""
    tenant = call.caller.tenant
    created = billing_profile.create_cost_center(call.state, tenant, call.body["code"], call.body["name"])
    return Response(201, cost_center_view(tenant, created))


def get_credit_terms(call: Call) -> Response:
    """Read the credit terms."""
    tenant = call.caller.tenant
    return Response(200, terms_view(tenant, wallet.read_terms(call.state, tenant)))


def replace_billing_profile(call: Call) -> Response:
    """Replace the billing profile. Members left out of the body are cleared."""
    tenant, body, address = call.caller.tenant, call.body, call.body.get("address")
    email = body.get("billing_email")
    lines = None if address is None else tuple(address.get(name) for name in billing_profile.ADDRESS_MEMBERS)
    stored = billing_profile.replace_billing_profile(
        call.state, tenant, body.get("legal_name"), email and trim_email(email), lines
    )
    return Response(200, profile_view(tenant, stored))


def create_tax_certificate(call: Call) -> Response:
    """Register a certificate by its URL, for review."""
    tenant = call.caller.tenant
    registered = tax_certificate.register_certificate(call.state, tenant, call.body["url"], call.body.get("region"))
    return Response(201, certificate_view(tenant, registered))


def _pdf(document: Document, name: str) -> Response:
    from giftsim.services.gifting.interfaces.team.pdf import render_pdf  # its fonts are slow to load

    headers = {"Content-Disposition": f'attachment; filename="{name}.pdf"'}
    return Response(200, render_pdf(document), headers, "application/pdf", opaque=True)


def _invoice(call: Call, raw: str | None = None) -> Invoice:
    return find_record(call.state, INVOICES, call.caller.tenant, call.params["id"] if raw is None else raw)


def _receipt(call: Call, raw: str | None = None) -> Receipt:
    return find_record(call.state, RECEIPTS, call.caller.tenant, call.params["id"] if raw is None else raw)


FINDERS: Final[Mapping[str, Finder]] = {"invoice": _invoice, "receipt": _receipt}
BODY_CHECKS: Final[Mapping[str, BodyCheck]] = {"createTaxCertificate": url_errors}
