"""Money from a bank pays for a held order, but does not stand in for the human's yes (G59)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.shows import shows
from tests.support.responses import expect_error
from tests.support.team.clients import TeamClients
from tests.support.team.orders import (
    EACH_CENTS,
    approve,
    approve_and_reload,
    cancel,
    create_order,
    recipient_statuses,
    reject,
    reload,
    request_approval,
)
from tests.support.team.payments import balance_cents, fund

BY_BANK = pytest.mark.parametrize("method", ["bank_transfer", "us_bank_account"])
TOTAL_CENTS = 2 * EACH_CENTS


def pay_by_bank(team: TeamClients, order: Any, method: str) -> None:
    """Fund an order, and have the money arrive."""
    funding = fund(team.live, order, method)
    if method == "bank_transfer":
        team.world.simulate("invoice", invoice_id=funding["invoice_id"])
    else:
        team.world.simulate("payment", payment_id=funding["payment_id"], outcome="settled")


def statuses(team: TeamClients, order: Any) -> tuple[str, str]:
    """The status and the payment status of an order."""
    reloaded = reload(team.live, order)
    return reloaded["status"], reloaded["payment_status"]


@shows("T-1.4")
@BY_BANK
@pytest.mark.parametrize("requested", [True, False])
def test_a_held_order_that_a_bank_paid_waits_for_the_yes(team: TeamClients, method: str, requested: bool) -> None:
    order, before = create_order(team.live), balance_cents(team.live)
    if requested:
        request_approval(team.live, order)
    pay_by_bank(team, order, method)
    team.world.advance("30d")
    assert (statuses(team, order), team.world.mail()) == (("awaiting_approval", "paid"), [])
    approval = request_approval(team.live, order)
    assert (approval["status"], approval["amount_cents"]) == ("pending", TOTAL_CENTS)
    assert approve(team.world, order)["id"] == approval["id"]
    assert (statuses(team, order), len(team.world.mail())) == (("approved", "paid"), 2)
    assert balance_cents(team.live) == before
    expect_error(team.live.post(f"/team-orders/{order['id']}/request-approval", {}), 409, "invalid_state")


@BY_BANK
def test_at_a_no_the_money_of_a_bank_goes_to_the_balance(team: TeamClients, method: str) -> None:
    order, before = create_order(team.live), balance_cents(team.live)
    pay_by_bank(team, order, method)
    reject(team.world, order)
    reloaded = reload(team.live, order)
    assert (reloaded["status"], reloaded["payment_status"], recipient_statuses(reloaded)) == (
        "rejected", "refunded", ["canceled"] * 2,
    )  # fmt: skip
    assert (balance_cents(team.live), team.world.mail()) == (before + TOTAL_CENTS, [])
    month = team.world.now[:7]
    statement = team.live.get_json(f"/statements/{month}")
    assert statement["closing_balance_cents"] == before + TOTAL_CENTS


@BY_BANK
def test_canceling_an_order_that_a_bank_paid_credits_the_money_to_the_balance(team: TeamClients, method: str) -> None:
    order, before = create_order(team.live), balance_cents(team.live)
    request_approval(team.live, order)
    pay_by_bank(team, order, method)
    cancel(team.live, order)
    assert (statuses(team, order), balance_cents(team.live)) == (("canceled", "refunded"), before + TOTAL_CENTS)
    statement = team.live.get_json(f"/statements/{team.world.now[:7]}")
    assert [(row["kind"], row["amount_cents"]) for row in statement["entries"]][-1] == ("refund", TOTAL_CENTS)
    assert [row["status"] for row in team.live.list_all("/approvals")] == ["canceled"]


def test_what_an_ach_payment_has_beyond_the_price_goes_to_the_balance(team: TeamClients) -> None:
    order, before = create_order(team.live), balance_cents(team.live)
    intent = fund(team.live, order, "us_bank_account")
    team.world.simulate("price", product="pen-01", price_cents=500)
    asked = request_approval(team.live, order)
    assert asked["amount_cents"] == TOTAL_CENTS - 200
    team.world.simulate("payment", payment_id=intent["payment_id"], outcome="settled")
    assert (statuses(team, order), balance_cents(team.live)) == (("awaiting_approval", "paid"), before + 200)
    cancel(team.live, order)
    assert (statuses(team, order), balance_cents(team.live)) == (("canceled", "refunded"), before + TOTAL_CENTS)


@BY_BANK
def test_an_order_approved_before_its_money_arrives_starts_when_it_does(team: TeamClients, method: str) -> None:
    team.world.simulate("team", balance_cents=0, credit={"credit_limit_cents": 0})
    order = create_order(team.live)
    assert approve_and_reload(team, order)["payment_status"] == "unpaid"
    pay_by_bank(team, order, method)
    assert (statuses(team, order), len(team.world.mail())) == (("approved", "paid"), 2)


@BY_BANK
def test_a_paid_order_keeps_the_price_it_was_paid_at(team: TeamClients, method: str) -> None:
    order, before = create_order(team.live), balance_cents(team.live)
    pay_by_bank(team, order, method)
    team.world.simulate("price", product="pen-01", price_cents=1000)
    assert request_approval(team.live, order)["amount_cents"] == TOTAL_CENTS
    assert approve(team.world, order)["amount_cents"] == TOTAL_CENTS
    assert (statuses(team, order), balance_cents(team.live)) == (("approved", "paid"), before)


def test_an_order_whose_approval_has_expired_can_be_asked_for_again(team: TeamClients) -> None:
    team.world.change_settings(approvals__expire_days=3)
    order = create_order(team.live)
    request_approval(team.live, order)
    pay_by_bank(team, order, "bank_transfer")
    team.world.advance("3d")
    assert statuses(team, order) == ("awaiting_approval", "paid")
    approve(team.world, order)
    assert statuses(team, order) == ("approved", "paid")


def test_an_uncertain_bank_payment_does_not_stand_in_for_the_yes_either(team: TeamClients) -> None:
    order, before = create_order(team.live), balance_cents(team.live)
    approval = request_approval(team.live, order)
    funding = fund(team.live, order, "us_bank_account")
    team.world.simulate("payment", payment_id=funding["payment_id"], outcome="uncertain")
    team.world.simulate("approval", approval_id=approval["id"], decision="reject")
    team.world.simulate("payment", payment_id=funding["payment_id"], outcome="settled")
    assert statuses(team, order)[0] == "rejected"
    assert balance_cents(team.live) == before + TOTAL_CENTS


@pytest.mark.parametrize(("outcome", "credited"), [("settled", TOTAL_CENTS), ("failed", 0)])
def test_an_intent_that_becomes_uncertain_beside_a_payment_pays_nothing_twice(
    team: TeamClients, outcome: str, credited: int
) -> None:
    order = create_order(team.live)
    intent = fund(team.live, order, "us_bank_account")["payment_id"]
    approve(team.world, order)
    paid, before = reload(team.live, order), balance_cents(team.live)
    team.world.simulate("payment", payment_id=intent, outcome="uncertain")
    assert reload(team.live, order) == paid
    team.world.simulate("payment", payment_id=intent, outcome=outcome)
    assert (reload(team.live, order), balance_cents(team.live) - before) == (paid, credited)
    assert cancel(team.live, order)["payment_status"] == "refunded"


@shows("T-5.27")
def test_an_order_whose_deposit_did_not_cover_it_shows_no_invoice_or_receipt(team: TeamClients) -> None:
    order = create_order(team.live)
    deposit = team.live.post_json("/deposit-invoices", {"amount_cents": 100, "campaign_id": order["id"]})
    assert reload(team.live, order)["invoice_id"] == deposit["id"]
    team.world.simulate("invoice", invoice_id=deposit["id"])
    unpaid = reload(team.live, order)
    assert [unpaid[name] for name in ("payment_status", "invoice_id", "receipt_id")] == ["unpaid", None, None]


def test_a_test_order_that_is_funded_waits_too(team: TeamClients) -> None:
    order = create_order(team.test)
    funding = fund(team.test, order, "bank_transfer")
    team.world.simulate("invoice", invoice_id=funding["invoice_id"])
    assert reload(team.test, order)["status"] == "awaiting_approval"
    assert approve(team.world, order)["status"] == "approved"
    reloaded = reload(team.test, order)
    assert (reloaded["status"], reloaded["payment_status"], team.world.mail()) == ("approved", "paid", [])
