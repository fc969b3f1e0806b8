"""What becomes of teams' payments, invoices and certificates: bank, provider and reviewer, played by verbs."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from giftsim.control.record_lookup import certificate_of, invoice_of, team_payment_of
from giftsim.control.views import money as views
from giftsim.control.world_access import changing
from giftsim.domain.team.billing.bank_transfer import pay_invoice
from giftsim.domain.team.billing.payment_record import FAILED, SETTLED
from giftsim.domain.team.billing.settlement import fail, lose, settle
from giftsim.domain.team.billing.tax_certificate import review
from giftsim.gateway.call import Call, Handler, Response


def simulate_payment(call: Call) -> Response:
    """It becomes known what came of a payment, or that nobody knows (A5.4, A8.7)."""
    decide = {SETTLED: settle, FAILED: fail}.get(call.body["outcome"], lose)
    with changing(call) as state:
        return Response(200, views.payment(state, decide(state, team_payment_of(state, call.body))))


def simulate_invoice(call: Call) -> Response:
    """A team's bank pays an invoice (A5.9)."""
    with changing(call) as state:
        return Response(200, views.invoice(state, pay_invoice(state, invoice_of(state, call.body["invoice_id"]))))


def simulate_certificate(call: Call) -> Response:
    """Somebody reviews a tax certificate (A1.10)."""
    with changing(call) as state:
        certificate = certificate_of(state, call.body["certificate_id"])
        return Response(200, views.certificate(state, review(state, certificate, call.body["outcome"])))


HANDLERS: Mapping[str, Handler] = MappingProxyType(
    {
        "simulatePayment": simulate_payment,
        "simulateInvoice": simulate_invoice,
        "simulateCertificate": simulate_certificate,
    }
)
