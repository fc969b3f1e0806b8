"""Money of teams as JSON: balances, terms, payments, invoices and tax certificates."""

from __future__ import annotations

from typing import Any

from giftsim.control.credentials import credential_name
from giftsim.control.views import limits
from giftsim.domain.access.api_key import API_KEYS
from giftsim.domain.team.billing.billable import bill_of
from giftsim.domain.team.billing.invoice import INVOICES, Invoice
from giftsim.domain.team.billing.payment_record import Payment
from giftsim.domain.team.billing.receipt import RECEIPTS
from giftsim.domain.team.billing.tax_certificate import TaxCertificate
from giftsim.domain.team.billing.wallet import read_balance, read_terms
from giftsim.domain.team.team import TEAMS, Team
from giftsim.domain.team.tenant import TenantRecord, is_live, live_tenant, tenant_of_owner
from giftsim.kernel.instants import format_instant, instant_or_null
from giftsim.kernel.state import State


def balance_and_terms(state: State, team: Team) -> dict[str, Any]:
    """The live balance and credit terms of a team."""
    balance, terms = read_balance(state, live_tenant(team.n)), read_terms(state, live_tenant(team.n))
    return {
        "balance_cents": balance.balance_cents,
        "reserved_cents": balance.reserved_cents,
        "limits": limits.of_terms(terms),
        "credit": {
            "status": terms.status,
            "net_days": terms.net_days,
            "credit_limit_cents": terms.credit_limit_cents,
            "outstanding_cents": terms.outstanding_cents,
            "available_cents": terms.available_cents,
        },
    }


def payment(state: State, payment: Payment) -> dict[str, Any]:
    """A payment. `month` is the month in Los Angeles in which it counts against the key's limit."""
    bill = bill_of(state, payment.resource_type, payment.resource)
    return {
        "payment_id": payment.id,
        **_team_and_mode(state, payment),
        "key": None if payment.key is None else credential_name(state[API_KEYS].get(payment.key)),
        "method": payment.method,
        "status": payment.status,
        "amount_cents": payment.amount_cents,
        "refunded_cents": payment.refunded_cents,
        "month": payment.month or None,
        "resource_type": bill.type,
        "resource_id": bill.id,
        "to_balance": payment.to_balance,
        "invoice_id": None if payment.invoice is None else state[INVOICES].get(payment.invoice).id,
        "receipt_id": None if payment.receipt is None else state[RECEIPTS].get(payment.receipt).id,
        "created_at": format_instant(payment.created_ms),
        "settled_at": instant_or_null(payment.settled_ms),
    }


def invoice(state: State, invoice: Invoice) -> dict[str, Any]:
    """An invoice."""
    return {
        "invoice_id": invoice.id,
        **_team_and_mode(state, invoice),
        "number": invoice.number,
        "kind": invoice.kind,
        "status": invoice.status,
        "amount_cents": invoice.amount_cents,
        "credited_cents": invoice.credited_cents,
        "resource_type": invoice.bill.type if invoice.bill else None,
        "resource_id": invoice.bill.id if invoice.bill else None,
        "receipt_id": None if invoice.receipt is None else state[RECEIPTS].get(invoice.receipt).id,
        "due_on": invoice.due_on,
        "created_at": format_instant(invoice.created_ms),
        "paid_at": instant_or_null(invoice.paid_ms),
    }


def certificate(state: State, certificate: TaxCertificate) -> dict[str, Any]:
    """A tax certificate."""
    return {
        "certificate_id": certificate.id,
        **_team_and_mode(state, certificate),
        "status": certificate.status,
        "url": certificate.url,
        "region": certificate.region,
        "content_type": certificate.content_type,
        "size_bytes": certificate.size_bytes,
        "created_at": format_instant(certificate.created_ms),
        "reviewed_at": instant_or_null(certificate.reviewed_ms),
    }


def _team_and_mode(state: State, record: TenantRecord) -> dict[str, Any]:
    return {"team_id": state[TEAMS].get(tenant_of_owner(state, record.owner).team).id, "livemode": is_live(record)}
