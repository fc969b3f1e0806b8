"""Read balance, invoices, receipts, statements and terms; store the billing profile, cost centers, certificates."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from giftsim.domain.team.billing import billing_profile, cost_center, statement, tax_certificate, wallet
from giftsim.domain.team.billing.cost_center import COST_CENTERS
from giftsim.domain.team.billing.invoice import INVOICES, Invoice
from giftsim.domain.team.billing.receipt import RECEIPTS, Receipt
from giftsim.domain.team.tenant import find_record
from giftsim.gateway.call import Call, Handler, Response
from giftsim.interfaces.team.body_validation import BodyCheck
from giftsim.interfaces.team.document import Document
from giftsim.interfaces.team.finder import Finder
from giftsim.interfaces.team.pagination import page
from giftsim.interfaces.team.public_url import url_errors
from giftsim.interfaces.team.views import billing as views
from giftsim.interfaces.team.views import documents
from giftsim.kernel.email_address import trim_email


def get_balance(call: Call) -> Response:
    """Read the balance."""
    tenant = call.caller.tenant
    return Response(200, views.balance(tenant, wallet.read_balance(call.state, tenant)))


def list_invoices(call: Call) -> Response:
    """List invoices."""
    state, tenant, invoices = call.state, call.caller.tenant, call.state[INVOICES]
    slots = invoices.slots_in("owner", tenant.owner)
    return page(call, "invoices", slots, lambda n: views.invoice(state, tenant, invoices.get(n)))


def get_invoice_pdf(call: Call) -> Response:
    """Read an invoice as PDF."""
    invoice = _invoice(call)
    return _pdf(documents.invoice(call.caller.tenant, invoice), f"invoice-{invoice.id}")


def get_receipt_pdf(call: Call) -> Response:
    """Read a receipt as PDF."""
    receipt = _receipt(call)
    return _pdf(documents.receipt(call.state, call.caller.tenant, receipt), f"receipt-{receipt.id}")


def get_statement(call: Call) -> Response:
    """Read the movements of the balance in a month, as JSON or PDF."""
    state, tenant = call.state, call.caller.tenant
    month = statement.read_statement(state, tenant, call.params["month"])
    if call.query["format"] == "pdf":
        return _pdf(documents.statement(state, tenant, month), f"statement-{month.month}")
    return Response(200, views.statement(state, tenant, month))


def list_cost_centers(call: Call) -> Response:
    """List cost centers."""
    tenant, centers = call.caller.tenant, call.state[COST_CENTERS]
    slots = centers.slots_in("owner", tenant.owner)
    return page(call, "cost_centers", slots, lambda n: views.cost_center(tenant, centers.get(n)))


def create_cost_center(call: Call) -> Response:
    """Create a cost center."""
    tenant = call.caller.tenant
    created = cost_center.create_cost_center(call.state, tenant, call.body["code"], call.body["name"])
    return Response(201, views.cost_center(tenant, created))


def get_credit_terms(call: Call) -> Response:
    """Read the credit terms."""
    return Response(200, views.terms(wallet.read_terms(call.state, call.caller.tenant)))


def replace_billing_profile(call: Call) -> Response:
    """Replace the billing profile. Members left out of the body are cleared."""
    tenant, body, address = call.caller.tenant, call.body, call.body.get("address")
    email = body.get("billing_email")
    lines = None if address is None else tuple(address.get(name) for name in billing_profile.ADDRESS_MEMBERS)
    stored = billing_profile.replace_billing_profile(
        call.state, tenant, body.get("legal_name"), email and trim_email(email), lines
    )
    return Response(200, views.profile(tenant, stored))


def create_tax_certificate(call: Call) -> Response:
    """Register a certificate by its URL, for review."""
    tenant = call.caller.tenant
    registered = tax_certificate.register_certificate(call.state, tenant, call.body["url"], call.body.get("region"))
    return Response(201, views.certificate(tenant, registered))


def _pdf(document: Document, name: str) -> Response:
    from giftsim.interfaces.team.pdf import render_pdf  # fpdf2 is slow to import

    headers = {"Content-Disposition": f'attachment; filename="{name}.pdf"'}
    return Response(200, render_pdf(document), headers, "application/pdf", opaque=True)


def _invoice(call: Call, raw: str | None = None) -> Invoice:
    return find_record(call.state, INVOICES, call.caller.tenant, call.params["id"] if raw is None else raw)


def _receipt(call: Call, raw: str | None = None) -> Receipt:
    return find_record(call.state, RECEIPTS, call.caller.tenant, call.params["id"] if raw is None else raw)


HANDLERS: Mapping[str, Handler] = MappingProxyType(
    {
        "getBalance": get_balance,
        "listInvoices": list_invoices,
        "getInvoicePdf": get_invoice_pdf,
        "getReceiptPdf": get_receipt_pdf,
        "getStatement": get_statement,
        "listCostCenters": list_cost_centers,
        "createCostCenter": create_cost_center,
        "getCreditTerms": get_credit_terms,
        "replaceBillingProfile": replace_billing_profile,
        "createTaxCertificate": create_tax_certificate,
    }
)
FINDERS: Mapping[str, Finder] = MappingProxyType({"invoice": _invoice, "receipt": _receipt})
BODY_CHECKS: Mapping[str, BodyCheck] = MappingProxyType({"createTaxCertificate": url_errors})
