"""Records of all teams and their sandboxes by public id (G41)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, TypeVar

from giftsim.control.problem import Ambiguous, CertificateNotFound, InvoiceNotFound, PaymentNotFound
from giftsim.domain.api_key import API_KEYS, TEST
from giftsim.domain.team.billing.invoice import INVOICES, Invoice
from giftsim.domain.team.billing.payment import PAYMENTS, PENDING, RESERVED, UNCERTAIN, Payment
from giftsim.domain.team.billing.tax_certificate import TAX_CERTIFICATES, TaxCertificate
from giftsim.domain.team.orders.gift import GIFTS
from giftsim.domain.team.orders.team_order import TEAM_ORDERS
from giftsim.domain.team.team import TEAMS
from giftsim.domain.team.tenant import Id, TenantRecord
from giftsim.kernel.state import State
from giftsim.kernel.table import TableSpec
from giftsim.problem import Problem

R = TypeVar("R", bound=TenantRecord)
WITHOUT_OUTCOME = (PENDING, RESERVED, UNCERTAIN)
PAID_RESOURCES: Mapping[str, tuple[str, TableSpec[Any]]] = {
    "team_order_id": ("team_order", TEAM_ORDERS),
    "gift_id": ("gift", GIFTS),
}


def find_in_any_team(state: State, spec: TableSpec[R], public_id: Id) -> R | None:
    """The record with a public id in any team or sandbox, or None. Live ids are integers, sandbox ids are UUIDs."""
    records = (state[spec].find("id", f"{owner} {str(public_id).lower()}") for owner in owners(state))
    return next((record for record in records if record is not None), None)


def require_in_any_team(state: State, spec: TableSpec[R], public_id: Id, error: type[Problem], noun: str) -> R:
    """The record with a public id in any team or sandbox. Raises `error`, which names the noun and the id."""
    record = find_in_any_team(state, spec, public_id)
    if record is None:
        raise error(f"no team has {noun} with the id {str(public_id)[:60]}")
    return record


def named_payment(state: State, body: Mapping[str, Any]) -> Payment:
    """The payment of `payment_id`, or the latest one without an outcome of an order or gift. Raises PaymentNotFound."""
    named = [name for name in ("payment_id", *PAID_RESOURCES) if name in body]
    if len(named) != 1:
        raise Ambiguous(f"name the payment by one of payment_id, {', '.join(PAID_RESOURCES)}")
    if named == ["payment_id"]:
        payment = find_in_any_team(state, PAYMENTS, body["payment_id"])
    else:
        resource_type, spec = PAID_RESOURCES[named[0]]
        record = find_in_any_team(state, spec, body[named[0]])
        payments = state[PAYMENTS].rows_in("resource", f"{resource_type} {record.n}") if record else []
        payment = next((payment for payment in reversed(payments) if payment.status in WITHOUT_OUTCOME), None)
    if payment is None:
        raise PaymentNotFound(f"there is no payment without an outcome for {named[0]} {str(body[named[0]])[:60]}")
    return payment


def find_invoice(state: State, invoice_id: Id) -> Invoice:
    """The invoice with an id, of any team. Raises InvoiceNotFound."""
    return require_in_any_team(state, INVOICES, invoice_id, InvoiceNotFound, "an invoice")


def find_certificate(state: State, certificate_id: Id) -> TaxCertificate:
    """The tax certificate with an id, of any team. Raises CertificateNotFound."""
    return require_in_any_team(state, TAX_CERTIFICATES, certificate_id, CertificateNotFound, "a tax certificate")


def owners(state: State) -> Iterator[str]:
    """The owners of records of all teams and their sandboxes, as in `TenantRecord.owner`."""
    for team in state[TEAMS]:
        yield f"team {team.n}"
        yield f"test of team {team.n}"
    yield from (f"test {key.n}" for key in state[API_KEYS] if key.mode == TEST)
