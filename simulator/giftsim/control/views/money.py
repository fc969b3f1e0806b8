"""Teams' money as its records stand: purses, payments, invoices and certificates."""

from __future__ import annotations

from typing import Any

from giftsim.control.credentials import table_name
from giftsim.domain.access.api_key import API_KEYS
from giftsim.domain.team.billing.billable import billed
from giftsim.domain.team.billing.invoice import INVOICES, Invoice
from giftsim.domain.team.billing.payment_record import Payment
from giftsim.domain.team.billing.receipt import RECEIPTS
from giftsim.domain.team.billing.tax_certificate import Certificate
from giftsim.domain.team.billing.wallet import read_balance, read_terms
from giftsim.domain.team.record_owner import is_live, space_at
from giftsim.domain.team.team import TEAMS, Team
from giftsim.domain.team.tenant import Owned, live_space
from giftsim.kernel.instants import format_instant, instant_or_null
from giftsim.kernel.state import State


def purse(state: State, team: Team) -> dict[str, Any]:
    """The live balance and terms of a team."""
    balance, terms = read_balance(state, live_space(team.n)), read_terms(state, live_space(team.n))
    return {
        "balance_cents": balance.balance_cents,
        "reserved_cents": balance.reserved_cents,
        "credit": {
            "status": terms.status,
            "net_days": terms.net_days,
            "credit_limit_cents": terms.credit_limit_cents,
            "outstanding_cents": terms.outstanding_cents,
            "available_cents": terms.available_cents,
        },
    }


def payment(state: State, payment: Payment) -> dict[str, Any]:
    """A payment; `month` is the Los Angeles month in which it counts against the key."""
    told = billed(state, payment.resource_type, payment.resource)
    return {
        "payment_id": payment.id,
        **_whose(state, payment),
        "key": None if payment.key is None else table_name(state[API_KEYS].get(payment.key)),
        "method": payment.method,
        "status": payment.status,
        "amount_cents": payment.amount_cents,
        "refunded_cents": payment.refunded_cents,
        "month": payment.month or None,
        "resource_type": told.type,
        "resource_id": told.id,
        "to_balance": payment.to_balance,
        "invoice_id": None if payment.invoice is None else state[INVOICES].get(payment.invoice).id,
        "receipt_id": None if payment.receipt is None else state[RECEIPTS].get(payment.receipt).id,
        "created_at": format_instant(payment.created_ms),
        "settled_at": instant_or_null(payment.settled_ms),
    }


def invoice(state: State, invoice: Invoice) -> dict[str, Any]:
    """An invoice with what is still due on it."""
    return {
        "invoice_id": invoice.id,
        **_whose(state, invoice),
        "number": invoice.number,
        "kind": invoice.kind,
        "status": invoice.status,
        "amount_cents": invoice.amount_cents,
        "credited_cents": invoice.credited_cents,
        "resource_type": invoice.told.type if invoice.told else None,
        "resource_id": invoice.told.id if invoice.told else None,
        "receipt_id": None if invoice.receipt is None else state[RECEIPTS].get(invoice.receipt).id,
        "due_on": invoice.due_on,
        "created_at": format_instant(invoice.created_ms),
        "paid_at": instant_or_null(invoice.paid_ms),
    }


def certificate(state: State, certificate: Certificate) -> dict[str, Any]:
    """A tax certificate."""
    return {
        "certificate_id": certificate.id,
        **_whose(state, certificate),
        "status": certificate.status,
        "url": certificate.url,
        "region": certificate.region,
        "content_type": certificate.content_type,
        "size_bytes": certificate.size_bytes,
        "created_at": format_instant(certificate.created_ms),
        "reviewed_at": instant_or_null(certificate.reviewed_ms),
    }


def _whose(state: State, record: Owned) -> dict[str, Any]:
    return {"team_id": state[TEAMS].get(space_at(state, record.owner).team).id, "livemode": is_live(record)}
