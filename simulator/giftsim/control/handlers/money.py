"""Outcomes of teams' payments, invoices and tax certificates, decided by a tester."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from giftsim.control.record_lookup import find_certificate, find_invoice, named_payment
from giftsim.control.views import money as views
from giftsim.control.world_access import change_state
from giftsim.domain.team.billing.bank_transfer import pay_invoice
from giftsim.domain.team.billing.payment_record import FAILED, SETTLED
from giftsim.domain.team.billing.settlement import fail, mark_uncertain, settle
from giftsim.domain.team.billing.tax_certificate import review_certificate
from giftsim.gateway.call import Call, Handler, Response


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
        "simulatePayment": simulate_payment,
        "simulateInvoice": simulate_invoice,
        "simulateCertificate": simulate_certificate,
    }
)
