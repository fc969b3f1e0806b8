"""Money of teams as JSON, and the outcomes of payments, invoices and certificates, decided by a tester."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from giftsim.control.credentials import credential_name
from giftsim.control.pagination import filtered_page, rows_of_table, search
from giftsim.control.record_lookup import find_certificate, find_invoice, named_payment
from giftsim.control.world_access import change_state, current_state
from giftsim.domain.api_key import API_KEYS, ApiKey
from giftsim.domain.money.account import ACCOUNTS, NET_TERMS, Account
from giftsim.domain.money.charge import SPEND_ZONE, spent_today
from giftsim.domain.team.billing.billable import bill_of
from giftsim.domain.team.billing.billing_profile import month_bounds, month_of
from giftsim.domain.team.billing.funding import pay_invoice
from giftsim.domain.team.billing.invoice import INVOICE, INVOICES, RECEIPTS, Invoice
from giftsim.domain.team.billing.payment import FAILED, SETTLED, Payment, fail, mark_uncertain, settle
from giftsim.domain.team.billing.spending_limits import spent_cents
from giftsim.domain.team.billing.tax_certificate import (
    TAX_CERTIFICATE,
    TAX_CERTIFICATES,
    TaxCertificate,
    review_certificate,
)
from giftsim.domain.team.billing.wallet import Terms, read_balance, read_terms
from giftsim.domain.team.team import TEAMS, Team
from giftsim.domain.team.tenant import TenantRecord, is_live, live_tenant, tenant_of_owner
from giftsim.gateway.call import Call, Response
from giftsim.kernel.instants import end_of_local_date, format_instant, instant_or_null
from giftsim.kernel.state import State


def key_limits_view(state: State, key: ApiKey) -> list[dict[str, Any]]:
    """The limits of a key: per day for a partner's key, per request and per month for a team's."""
    return [*_daily(state, key), *_ceilings(state, key)]


def account_limits_view(account: Account) -> list[dict[str, Any]]:
    """The credit line of an account on net terms. What is held for open charges is used, too."""
    if account.billing_mode != NET_TERMS:
        return []
    used_cents = max(0, account.held_cents - account.cash_cents)
    return [_limit("credit", account.credit_limit_cents, used_cents)]


def terms_limits_view(terms: Terms) -> list[dict[str, Any]]:
    """The credit line of a team. What is reserved is used, too; without active terms nothing is left."""
    if terms.status == "none":
        return []
    used_cents = (
        terms.credit_limit_cents - terms.available_cents if terms.status == "active" else terms.outstanding_cents
    )
    return [{**_limit("credit", terms.credit_limit_cents, used_cents), "left_cents": terms.available_cents}]


def _daily(state: State, key: ApiKey) -> Iterator[dict[str, Any]]:
    daily_cents = None if key.account is None else state[ACCOUNTS].get(key.account).daily_limit_cents
    if daily_cents is not None:
        yield _limit("daily", daily_cents, spent_today(state, key), end_of_local_date(state.now_ms, SPEND_ZONE))


def _ceilings(state: State, key: ApiKey) -> Iterator[dict[str, Any]]:
    if key.per_request_cents is not None:
        yield _limit("per_request", key.per_request_cents, 0)
    if key.monthly_cents is not None:
        month = month_of(state.now_ms)
        yield _limit("monthly", key.monthly_cents, spent_cents(state, key.n, month), month_bounds(month)[1])


def _limit(name: str, limit_cents: int, used_cents: int, ends_ms: int | None = None) -> dict[str, Any]:
    return {
        "name": name,
        "limit_cents": limit_cents,
        "used_cents": used_cents,
        "left_cents": max(0, limit_cents - used_cents),
        "turns_over_at": None if ends_ms is None else format_instant(ends_ms),
    }


def balance_and_terms(state: State, team: Team) -> dict[str, Any]:
    """The live balance and credit terms of a team."""
    balance, terms = read_balance(state, live_tenant(team.n)), read_terms(state, live_tenant(team.n))
    return {
        "balance_cents": balance.balance_cents,
        "reserved_cents": balance.reserved_cents,
        "limits": terms_limits_view(terms),
        "credit": {
            "status": terms.status,
            "net_days": terms.net_days,
            "credit_limit_cents": terms.credit_limit_cents,
            "outstanding_cents": terms.outstanding_cents,
            "available_cents": terms.available_cents,
        },
    }


def payment_view(state: State, payment: Payment) -> dict[str, Any]:
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


def invoice_view(state: State, invoice: Invoice) -> dict[str, Any]:
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


def certificate_view(state: State, certificate: TaxCertificate) -> dict[str, Any]:
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


def list_invoices(call: Call) -> Response:
    """List the invoices of all teams and sandboxes."""
    keep = search(call.query["q"], lambda row: (row.id, row.number, row.bill and row.bill.id))
    with current_state(call.world) as state:
        return filtered_page(
            call,
            "invoices",
            rows_of_table(state[INVOICES]),
            lambda row: invoice_view(state, row),
            keep=keep,
            status=lambda row: row.status,
            statuses=INVOICE.states,
        )


def get_invoice(call: Call) -> Response:
    """One invoice."""
    with current_state(call.world) as state:
        return Response(200, invoice_view(state, find_invoice(state, call.params["id"])))


def list_certificates(call: Call) -> Response:
    """List the tax certificates of all teams and sandboxes."""
    keep = search(call.query["q"], lambda row: (row.id, row.url, row.region))
    with current_state(call.world) as state:
        return filtered_page(
            call,
            "certificates",
            rows_of_table(state[TAX_CERTIFICATES]),
            lambda row: certificate_view(state, row),
            keep=keep,
            status=lambda row: row.status,
            statuses=TAX_CERTIFICATE.states,
        )


def simulate_payment(call: Call) -> Response:
    """Settle or fail a payment, or leave its outcome unknown (A5.4, A8.7)."""
    decide = {SETTLED: settle, FAILED: fail}.get(call.body["outcome"], mark_uncertain)
    with change_state(call) as state:
        return Response(200, payment_view(state, decide(state, named_payment(state, call.body))))


def simulate_invoice(call: Call) -> Response:
    """Pay an invoice by bank transfer (A5.9)."""
    with change_state(call) as state:
        return Response(200, invoice_view(state, pay_invoice(state, find_invoice(state, call.body["invoice_id"]))))


def simulate_certificate(call: Call) -> Response:
    """Accept or reject a tax certificate (A1.10)."""
    with change_state(call) as state:
        certificate = find_certificate(state, call.body["certificate_id"])
        return Response(200, certificate_view(state, review_certificate(state, certificate, call.body["outcome"])))
