"""Invoices and tax certificates of teams, and their outcomes and those of payments, decided by a tester."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from giftsim.control.pagination import filtered_page, rows_of_table, search
from giftsim.control.record_lookup import find_certificate, find_invoice, named_payment
from giftsim.control.views import money as views
from giftsim.control.world_access import change_state, current_state
from giftsim.domain.team.billing.bank_transfer import pay_invoice
from giftsim.domain.team.billing.invoice import INVOICE, INVOICES
from giftsim.domain.team.billing.payment_record import FAILED, SETTLED
from giftsim.domain.team.billing.settlement import fail, mark_uncertain, settle
from giftsim.domain.team.billing.tax_certificate import (
    TAX_CERTIFICATE,
    TAX_CERTIFICATES,
    review_certificate,
)
from giftsim.gateway.call import Call, Handler, Response


def list_invoices(call: Call) -> Response:
    """List the invoices of all teams and sandboxes."""
    keep = search(call.query["q"], lambda row: (row.id, row.number, row.bill and row.bill.id))
    with current_state(call.world) as state:
        return filtered_page(
            call, "invoices", rows_of_table(state[INVOICES]), lambda row: views.invoice(state, row), keep=keep,
            status=lambda row: row.status, statuses=INVOICE.states,
        )  # fmt: skip


def get_invoice(call: Call) -> Response:
    """One invoice."""
    with current_state(call.world) as state:
        return Response(200, views.invoice(state, find_invoice(state, call.params["id"])))


def list_certificates(call: Call) -> Response:
    """List the tax certificates of all teams and sandboxes."""
    keep = search(call.query["q"], lambda row: (row.id, row.url, row.region))
    with current_state(call.world) as state:
        return filtered_page(
            call, "certificates", rows_of_table(state[TAX_CERTIFICATES]), lambda row: views.certificate(state, row),
            keep=keep, status=lambda row: row.status, statuses=TAX_CERTIFICATE.states,
        )  # fmt: skip


def simulate_payment(call: Call) -> Response:
    """Settle or fail a payment, or leave its outcome unknown (A5.4, A8.7)."""
    decide = {SETTLED: settle, FAILED: fail}.get(call.body["outcome"], mark_uncertain)
    with change_state(call) as state:
        return Response(200, views.payment(state, decide(state, named_payment(state, call.body))))


def simulate_invoice(call: Call) -> Response:
    """Pay an invoice by bank transfer (A5.9)."""
    with change_state(call) as state:
        return Response(200, views.invoice(state, pay_invoice(state, find_invoice(state, call.body["invoice_id"]))))


def simulate_certificate(call: Call) -> Response:
    """Accept or reject a tax certificate (A1.10)."""
    with change_state(call) as state:
        certificate = find_certificate(state, call.body["certificate_id"])
        return Response(200, views.certificate(state, review_certificate(state, certificate, call.body["outcome"])))


HANDLERS: Mapping[str, Handler] = MappingProxyType(
    {
        "listInvoices": list_invoices,
        "getInvoice": get_invoice,
        "listCertificates": list_certificates,
        "simulatePayment": simulate_payment,
        "simulateInvoice": simulate_invoice,
        "simulateCertificate": simulate_certificate,
    }
)
