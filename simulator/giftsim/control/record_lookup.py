"""Records of teams by their public ids alone, whosever they are: those of live spaces and of sandboxes (G41)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, TypeVar

from giftsim.control.problem import Ambiguous, CertificateNotFound, InvoiceNotFound, PaymentNotFound
from giftsim.domain.access.api_key import API_KEYS, TEST
from giftsim.domain.team.billing.invoice import INVOICES, Invoice
from giftsim.domain.team.billing.payment_record import PAYMENTS, PENDING, RESERVED, UNCERTAIN, Payment
from giftsim.domain.team.billing.tax_certificate import CERTIFICATES, Certificate
from giftsim.domain.team.orders.gift import GIFTS
from giftsim.domain.team.orders.team_order import TEAM_ORDERS
from giftsim.domain.team.team import TEAMS
from giftsim.domain.team.tenant import Id, Owned
from giftsim.kernel.state import State
from giftsim.kernel.table import TableSpec
from giftsim.problem import Problem

R = TypeVar("R", bound=Owned)
OPEN = (PENDING, RESERVED, UNCERTAIN)
PAID_FOR: Mapping[str, tuple[str, TableSpec[Any]]] = {
    "team_order_id": ("team_order", TEAM_ORDERS),
    "gift_id": ("gift", GIFTS),
}


def anywhere(state: State, spec: TableSpec[R], raw: Id) -> R | None:
    """The record of that id in any team or sandbox, or None; an integer is a live one's, a UUID a sandbox's."""
    found = (state[spec].find("id", f"{owner} {str(raw).lower()}") for owner in _owners(state))
    return next((record for record in found if record is not None), None)


def known(state: State, spec: TableSpec[R], raw: Id, refusal: type[Problem], noun: str) -> R:
    """The record of that id in any team or sandbox; the refusal, which names the noun and the id, otherwise."""
    record = anywhere(state, spec, raw)
    if record is None:
        raise refusal(f"no team has {noun} {str(raw)[:60]}")
    return record


def team_payment_of(state: State, body: Mapping[str, Any]) -> Payment:
    """The payment of `payment_id`, or that of an order or a gift which waits for an outcome; PaymentNotFound."""
    named = [name for name in ("payment_id", *PAID_FOR) if name in body]
    if len(named) != 1:
        raise Ambiguous(f"name the payment by one of payment_id, {', '.join(PAID_FOR)}")
    if named == ["payment_id"]:
        payment = anywhere(state, PAYMENTS, body["payment_id"])
    else:
        resource_type, spec = PAID_FOR[named[0]]
        record = anywhere(state, spec, body[named[0]])
        slots = state[PAYMENTS].rows_in("resource", f"{resource_type} {record.n}") if record else []
        payment = next((payment for payment in reversed(slots) if payment.status in OPEN), None)
    if payment is None:
        raise PaymentNotFound(f"no payment by this {named[0]} is there to be decided")
    return payment


def invoice_of(state: State, raw: Id) -> Invoice:
    """The invoice of an id; InvoiceNotFound."""
    return known(state, INVOICES, raw, InvoiceNotFound, "an invoice")


def certificate_of(state: State, raw: Id) -> Certificate:
    """The tax certificate of an id; CertificateNotFound."""
    return known(state, CERTIFICATES, raw, CertificateNotFound, "a tax certificate")


def _owners(state: State) -> Iterator[str]:
    for team in state[TEAMS]:
        yield f"team {team.n}"
        yield f"test of team {team.n}"
    yield from (f"test {key.n}" for key in state[API_KEYS] if key.mode == TEST)
