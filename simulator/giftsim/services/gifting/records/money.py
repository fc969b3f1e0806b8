"""Charges, payments, invoices, certificates and the ledger as JSON, and the verbs that decide their outcomes."""

from __future__ import annotations

from typing import Any

from giftsim.engine.control.pagination import list_records
from giftsim.engine.control.world_access import change_state, current_state
from giftsim.engine.gateway.call import Call, Response
from giftsim.engine.gateway.record_kind import Ref
from giftsim.engine.kernel.instants import format_instant, instant_or_null
from giftsim.engine.kernel.state import State
from giftsim.services.gifting.domain.api_key import API_KEYS
from giftsim.services.gifting.domain.fulfilment.fulfilment import FIRST_ID as FIRST_ORDER
from giftsim.services.gifting.domain.fulfilment.fulfilment import FULFILMENTS
from giftsim.services.gifting.domain.fulfilment.order_charge import PURPOSE
from giftsim.services.gifting.domain.money.account import ACCOUNTS, Entry, read_ledger_name
from giftsim.services.gifting.domain.money.account import FIRST_ID as FIRST_ACCOUNT
from giftsim.services.gifting.domain.money.charge import PAID, Charge, fail_charge, find_charge, settle_charge
from giftsim.services.gifting.domain.team.billing.billable import bill_of
from giftsim.services.gifting.domain.team.billing.funding import pay_invoice
from giftsim.services.gifting.domain.team.billing.invoice import FIRST_ID as FIRST_INVOICE
from giftsim.services.gifting.domain.team.billing.invoice import FIRST_RECEIPT_ID, INVOICES, RECEIPTS, Invoice
from giftsim.services.gifting.domain.team.billing.payment import (
    FAILED,
    PAYMENTS,
    SETTLED,
    Payment,
    fail_payment,
    mark_uncertain,
    settle_payment,
)
from giftsim.services.gifting.domain.team.billing.tax_certificate import TaxCertificate, review_certificate
from giftsim.services.gifting.domain.team.billing.wallet_payment import FIRST_ID as FIRST_PAYMENT
from giftsim.services.gifting.domain.team.billing.wallet_payment import PURPOSE as TEAM
from giftsim.services.gifting.records.gifting_kinds import (
    CERTIFICATE,
    INVOICE,
    PAYMENT,
    team_and_mode,
)
from giftsim.services.gifting.records.key_credentials import credential_name
from giftsim.services.gifting.records.named import named_charge, named_payment, require_record
from giftsim.services.gifting.records.parent_refs import ref_of_billed, ref_of_resource
from giftsim.services.gifting.records.searches import CERTIFICATE_SEARCH, CHARGE_SEARCH, INVOICE_SEARCH, LEDGER_SEARCH


def charge_view(state: State, charge: Charge) -> dict[str, Any]:
    """A charge. The status `sent` means that its outcome is unknown."""
    return {
        "id": charge.transaction_id,
        "account_id": state[ACCOUNTS].get(charge.account).id,
        "key": None if charge.key is None else credential_name(state[API_KEYS].get(charge.key)),
        "purpose": charge.purpose,
        "team_order_id": state[FULFILMENTS].get(charge.subject).id if charge.purpose == PURPOSE else None,
        "about": charged(state, charge),
        "status": charge.status,
        "amount_cents": charge.amount_cents,
        "wallet_cents": charge.wallet_cents,
        "card_cents": charge.card_cents,
        "code": charge.code,
        "opened_at": format_instant(charge.opened_at_ms),
        "closed_at": instant_or_null(charge.closed_at_ms),
        "team_payment": payment_view(state, state[PAYMENTS].get(charge.subject)) if charge.purpose == TEAM else None,
    }


def ledger_entry_view(state: State, entry: Entry) -> dict[str, Any]:
    """An entry of the ledger, and the order, gift or campaign it is about. Its postings add up to zero."""
    return {
        "seq": entry.n + 1,
        "at": format_instant(entry.at_ms),
        "kind": entry.kind,
        "owner": with_public_id(entry.owner),
        "ref": with_public_id(entry.ref),
        "about": paid(state, entry.ref),
        "postings": [{"account": with_public_id(name), "cents": cents} for name, cents in entry.postings],
    }


# The first public ids of records that the ledger names by their slots.
_FIRST_IDS = {
    **dict.fromkeys(("wallet", "card", "bank", "account"), FIRST_ACCOUNT),
    "order": FIRST_ORDER,
    "payment": FIRST_PAYMENT,
    "invoice": FIRST_INVOICE,
    "receipt": FIRST_RECEIPT_ID,
}


def with_public_id(name: str) -> str:
    """A name in the ledger with its slot replaced by the public id: `wallet 0` becomes `wallet 501`."""
    kind, n = read_ledger_name(name)
    return f"{kind} {_FIRST_IDS[kind] + n}" if n is not None and kind in _FIRST_IDS else name


def paid(state: State, ref: str) -> Ref | None:
    """What a ledger entry is about, by its `ref`: a charge, a refund or a bank's payment. None for an adjustment."""
    kind, n = read_ledger_name(ref)
    if kind == "team_order" and n is not None:
        return Ref("team_order", n)
    if kind == "payment" and n is not None:
        return PAYMENT.ref_of(state, n)
    if kind == "invoice" and n is not None:
        return invoiced(state, state[INVOICES].get(n))
    charge = find_charge(state, ref)
    return None if charge is None else charged(state, charge)


def charged(state: State, charge: Charge) -> Ref | None:
    """What a charge pays for. None for the settlement of an account."""
    if charge.purpose == PURPOSE:
        return Ref("team_order", state[FULFILMENTS].get(charge.subject).id)
    return PAYMENT.ref_of(state, charge.subject) if charge.purpose == TEAM else None


def invoiced(state: State, invoice: Invoice) -> Ref | None:
    """What an invoice is for. None for the balance."""
    return ref_of_billed(state, invoice.resource_type, invoice.resource)


def payment_view(state: State, payment: Payment) -> dict[str, Any]:
    """A payment. `month` is the month in Los Angeles in which it counts against the key's limit."""
    bill = bill_of(state, payment.resource_type, payment.resource)
    return {
        "payment_id": payment.id,
        **team_and_mode(state, payment),
        "key": None if payment.key is None else credential_name(state[API_KEYS].get(payment.key)),
        "method": payment.method,
        "status": payment.status,
        "amount_cents": payment.amount_cents,
        "refunded_cents": payment.refunded_cents,
        "month": payment.month or None,
        "resource_type": bill.type,
        "resource_id": bill.id,
        "about": ref_of_resource(bill.type, bill.id),
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
        **team_and_mode(state, invoice),
        "number": invoice.number,
        "kind": invoice.kind,
        "status": invoice.status,
        "amount_cents": invoice.amount_cents,
        "credited_cents": invoice.credited_cents,
        "resource_type": invoice.bill.type if invoice.bill else None,
        "resource_id": invoice.bill.id if invoice.bill else None,
        "about": ref_of_resource(invoice.bill.type, invoice.bill.id) if invoice.bill else None,
        "receipt_id": None if invoice.receipt is None else state[RECEIPTS].get(invoice.receipt).id,
        "due_on": invoice.due_on,
        "created_at": format_instant(invoice.created_ms),
        "paid_at": instant_or_null(invoice.paid_ms),
    }


def certificate_view(state: State, certificate: TaxCertificate) -> dict[str, Any]:
    """A tax certificate."""
    return {
        "certificate_id": certificate.id,
        **team_and_mode(state, certificate),
        "status": certificate.status,
        "url": certificate.url,
        "region": certificate.region,
        "content_type": certificate.content_type,
        "size_bytes": certificate.size_bytes,
        "created_at": format_instant(certificate.created_ms),
        "reviewed_at": instant_or_null(certificate.reviewed_ms),
    }


def list_payments(call: Call) -> Response:
    """List charges and settlements."""
    return list_records(call, CHARGE_SEARCH, charge_view)


def list_ledger(call: Call) -> Response:
    """List the entries of the ledger."""
    return list_records(call, LEDGER_SEARCH, ledger_entry_view)


def list_invoices(call: Call) -> Response:
    """List the invoices of all teams and sandboxes."""
    return list_records(call, INVOICE_SEARCH, invoice_view)


def get_invoice(call: Call) -> Response:
    """One invoice."""
    with current_state(call.world) as state:
        return Response(200, invoice_view(state, require_record(state, INVOICE, call.params["id"])))


def list_certificates(call: Call) -> Response:
    """List the tax certificates of all teams and sandboxes."""
    return list_records(call, CERTIFICATE_SEARCH, certificate_view)


def simulate_payment(call: Call) -> Response:
    """Settle or fail a payment, or leave its outcome unknown (A5.4, A8.7)."""
    decide = {SETTLED: settle_payment, FAILED: fail_payment}.get(call.body["outcome"], mark_uncertain)
    with change_state(call) as state:
        return Response(200, payment_view(state, decide(state, named_payment(state, call.body))))


def simulate_invoice(call: Call) -> Response:
    """Pay an invoice by bank transfer (A5.9)."""
    with change_state(call) as state:
        invoice = require_record(state, INVOICE, call.body["invoice_id"])
        return Response(200, invoice_view(state, pay_invoice(state, invoice)))


def simulate_certificate(call: Call) -> Response:
    """Accept or reject a tax certificate (A1.10)."""
    with change_state(call) as state:
        certificate = require_record(state, CERTIFICATE, call.body["certificate_id"])
        return Response(200, certificate_view(state, review_certificate(state, certificate, call.body["outcome"])))


def simulate_outcome(call: Call) -> Response:
    """Settle or fail a charge with an unknown outcome (G28)."""
    with change_state(call) as state:
        charge = named_charge(state, call.world.id, call.body)
        charge = settle_charge(state, charge) if call.body["outcome"] == PAID else fail_charge(state, charge)
        return Response(200, charge_view(state, charge))
