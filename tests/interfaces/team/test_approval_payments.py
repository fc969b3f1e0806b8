"""Payment of approved orders: on terms, without funds, after price changes, and by a setting."""

from __future__ import annotations

from tests.support.team.clients import TeamClients
from tests.support.team.orders import (
    EACH_CENTS,
    approve,
    approve_and_reload,
    create_gift,
    create_order,
    reload,
    request_approval,
)
from tests.support.team.payments import balance_cents


def make_unable_to_pay(team: TeamClients) -> None:
    """Set balance and credit limit to zero."""
    team.world.simulate("team", balance_cents=0, credit={"credit_limit_cents": 0})


def test_approving_pays_on_terms_if_the_balance_is_too_low(team: TeamClients) -> None:
    team.world.simulate("team", balance_cents=EACH_CENTS)
    approved = approve_and_reload(team, create_order(team.live))
    assert (approved["status"], approved["payment_status"]) == ("approved", "paid")
    assert approved["invoice_id"] is not None
    assert balance_cents(team.live) == EACH_CENTS


def test_approving_without_funds_leaves_the_order_approved_and_unpaid(team: TeamClients) -> None:
    make_unable_to_pay(team)
    order = create_order(team.live)
    approved = approve_and_reload(team, order)
    assert (approved["status"], approved["payment_status"]) == ("approved", "unpaid")
    assert team.world.mail() == []
    team.world.advance("60d")
    assert reload(team.live, order) == approved
    team.world.simulate("team", balance_cents=2 * EACH_CENTS)
    again_asked = request_approval(team.live, order)
    assert (again_asked["status"], reload(team.live, order)["status"]) == ("pending", "awaiting_approval")
    assert approve_and_reload(team, order)["payment_status"] == "paid"
    assert balance_cents(team.live) == 0
    assert len(team.world.mail()) == 2


def test_a_setting_keeps_approvals_from_paying(team: TeamClients) -> None:
    team.world.change_settings(approvals__pay_on_approve=False)
    before, order = balance_cents(team.live), create_order(team.live)
    approved = approve_and_reload(team, order)
    assert (approved["status"], approved["payment_status"]) == ("approved", "unpaid")
    assert (balance_cents(team.live), team.world.mail()) == (before, [])
    sent = approve_and_reload(team, create_gift(team.live))
    assert (sent["status"], sent["payment_status"]) == ("sent", "unpaid")
    assert balance_cents(team.live) == before
    assert len(team.world.mail()) == 1


def test_an_approval_does_not_pay_prices_that_changed_after_it_was_requested(team: TeamClients) -> None:
    order, before = create_order(team.live), balance_cents(team.live)
    old = request_approval(team.live, order)
    team.world.simulate("price", product="pen-01", price_cents=1000)
    approved = approve(team.world, {"id": order["id"]})
    assert approved["amount_cents"] == 2 * (EACH_CENTS + 400)
    assert team.live.get_json(f"/approvals/{old['id']}")["status"] == "superseded"
    assert balance_cents(team.live) == before - approved["amount_cents"]


def test_approving_a_superseded_approval_pays_nothing(team: TeamClients) -> None:
    order, before = create_order(team.live), balance_cents(team.live)
    old = request_approval(team.live, order)
    team.world.simulate("price", product="pen-01", price_cents=1000)
    team.world.simulate("approval", approval_id=old["id"], decision="approve")
    reloaded = reload(team.live, order)
    assert (reloaded["status"], reloaded["payment_status"], reloaded["totals"]) == (
        "approved",
        "unpaid",
        order["totals"],
    )
    assert balance_cents(team.live) == before
    new = request_approval(team.live, order)
    assert new["id"] != old["id"]
    assert new["amount_cents"] == reload(team.live, order)["totals"]["total_cents"] == 2 * (EACH_CENTS + 400)
    assert team.live.get_json(f"/approvals/{old['id']}")["status"] == "superseded"
    assert approve_and_reload(team, order)["payment_status"] == "paid"


def test_a_price_that_changes_back_needs_no_new_approval(team: TeamClients) -> None:
    order = create_order(team.live)
    first = request_approval(team.live, order)
    team.world.simulate("price", product="pen-01", price_cents=1000)
    team.world.simulate("price", product="pen-01", price_cents=600)
    assert request_approval(team.live, order) == first
