"""The ids of payment, invoice and receipt that an order shows: those of the payment that paid for it."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.team.clients import TeamClients
from tests.support.team.orders import approve_and_reload, cancel, create_order, reload
from tests.support.team.payments import fund

MEMBERS = ("payment_status", "payment_id", "invoice_id", "receipt_id")


def shown(team: TeamClients, order: Any) -> tuple[Any, ...]:
    """Payment status, payment, invoice and receipt of an order."""
    reloaded = reload(team.live, order)
    return tuple(reloaded[name] for name in MEMBERS)


@pytest.mark.parametrize("paid", [0, 1])
def test_the_invoice_of_an_order_is_the_one_that_was_paid(team: TeamClients, paid: int) -> None:
    order = create_order(team.live)
    invoices = [fund(team.live, order, "bank_transfer")["invoice_id"] for _ in range(2)]
    assert shown(team, order) == ("unpaid", None, invoices[1], None)
    team.world.simulate("invoice", invoice_id=invoices[paid])
    rows = {row["id"]: row for row in team.live.list_all("/invoices")}
    status, payment, invoice, receipt = shown(team, order)
    assert (status, invoice, receipt) == ("paid", invoices[paid], rows[invoices[paid]]["receipt_id"])
    assert payment is not None


def test_an_order_paid_on_terms_shows_the_invoice_of_its_terms(team: TeamClients) -> None:
    order = create_order(team.live)
    deposit = fund(team.live, order, "bank_transfer")["invoice_id"]
    on_terms = fund(team.live, order)
    assert on_terms["invoice_id"] != deposit
    assert shown(team, order) == ("paid", on_terms["payment_id"], on_terms["invoice_id"], None)


def test_an_order_paid_from_the_balance_shows_no_invoice(team: TeamClients) -> None:
    order = create_order(team.live)
    fund(team.live, order, "bank_transfer")
    approved = approve_and_reload(team, order)
    assert (approved["payment_status"], approved["invoice_id"]) == ("paid", None)
    assert None not in (approved["payment_id"], approved["receipt_id"])


def test_a_pending_payment_is_named(team: TeamClients) -> None:
    order = create_order(team.live)
    first, second = (fund(team.live, order, "us_bank_account")["payment_id"] for _ in range(2))
    assert shown(team, order) == ("unpaid", second, None, None)
    team.world.simulate("payment", payment_id=second, outcome="failed")
    assert shown(team, order) == ("unpaid", first, None, None)
    team.world.simulate("payment", payment_id=first, outcome="uncertain")
    assert shown(team, order) == ("uncertain", first, None, None)
    team.world.simulate("payment", payment_id=first, outcome="failed")
    assert shown(team, order) == ("unpaid", None, None, None)


def test_the_pending_payment_of_a_canceled_order_is_named_no_more(team: TeamClients) -> None:
    order = create_order(team.live)
    fund(team.live, order, "us_bank_account")
    cancel(team.live, order)
    assert shown(team, order) == ("unpaid", None, None, None)
