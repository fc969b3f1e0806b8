"""Funding of an order: on terms by the key that created it, by bank transfer, by ACH; deposit invoices."""

from __future__ import annotations

from typing import Any

import pytest

from tests.shows import shows
from tests.support.responses import expect_error, expect_status, invalid_fields
from tests.support.team.clients import SCOPES, TeamClients
from tests.support.team.orders import KIT, reload
from tests.support.team.payments import (
    CRASH,
    billing_state,
    fund,
    kit_order_body,
    net_terms_order_body,
    request_funding,
    unit_cents,
)
from tests.support.worlds import World

METHODS = ("net_terms", "bank_transfer", "us_bank_account")


@pytest.fixture
def unpaid_order(team: TeamClients) -> Any:
    """Create an order, which is not paid."""
    return team.live.post_json("/team-orders", kit_order_body())


def order_statuses(team: TeamClients, record: Any) -> tuple[str, str]:
    """The status and the payment status of an order."""
    reloaded = reload(team.live, record)
    return reloaded["status"], reloaded["payment_status"]


@shows("T-2.38")
@pytest.mark.parametrize("method", ["card", "balance", "", None, 1])
def test_an_unknown_funding_method_is_refused(team: TeamClients, unpaid_order: Any, method: Any) -> None:
    before = billing_state(team.live)
    response = team.live.post("/funding", {"method": method, "campaign_id": unpaid_order["id"]})
    assert invalid_fields(response) == ["method"]
    assert billing_state(team.live) == before


@shows("T-2.39")
@pytest.mark.parametrize("method", METHODS)
def test_only_orders_of_the_same_team_and_mode_can_be_funded(team: TeamClients, method: str) -> None:
    other_order, test = (
        team.other.post_json("/team-orders", kit_order_body()),
        team.test.post_json("/team-orders", kit_order_body()),
    )
    before = [billing_state(client) for client in (team.live, team.other, team.test)]
    for unknown in (999_999, other_order["id"], test["id"], str(other_order["id"]), None):
        assert invalid_fields(team.live.post("/funding", {"method": method, "campaign_id": unknown})) == ["campaign_id"]
    assert [billing_state(client) for client in (team.live, team.other, team.test)] == before


@shows("T-4.182")
@pytest.mark.parametrize("method", METHODS)
def test_funding_needs_an_idempotency_key(team: TeamClients, unpaid_order: Any, method: str) -> None:
    before = billing_state(team.live)
    expect_error(
        request_funding(team.live, unpaid_order, method, Idempotency_Key=None), 400, "idempotency_key_required"
    )
    assert billing_state(team.live) == before
    expect_status(request_funding(team.live, unpaid_order, method), 201)


@shows("T-4.183")
def test_funding_on_terms_needs_the_pay_scope_and_by_bank_does_not(team: TeamClients, unpaid_order: Any) -> None:
    client = team.key("billing:write")
    expect_error(request_funding(client, unpaid_order), 403, "insufficient_scope")
    assert order_statuses(team, unpaid_order) == ("awaiting_approval", "unpaid")
    expect_status(request_funding(client, unpaid_order, "bank_transfer"), 201)
    expect_status(request_funding(client, unpaid_order, "us_bank_account"), 201)


@shows("T-4.180", "T-4.185")
def test_an_order_is_paid_on_terms_only_once(team: TeamClients, unpaid_order: Any) -> None:
    funding = fund(team.live, unpaid_order)
    total = unpaid_order["totals"]["total_cents"]
    assert (funding["method"], funding["status"], funding["amount_cents"]) == ("net_terms", "succeeded", total)
    [invoice] = team.live.list_all("/invoices")
    assert (invoice["id"], invoice["kind"], invoice["status"]) == (funding["invoice_id"], "net_terms", "open")
    assert (invoice["resource_type"], invoice["resource_id"]) == ("team_order", unpaid_order["id"])
    assert order_statuses(team, unpaid_order) == ("approved", "paid")
    assert reload(team.live, unpaid_order)["payment_id"] == funding["payment_id"]
    expect_error(request_funding(team.live, unpaid_order), 409, "invalid_state")
    assert team.live.get_json("/credit-terms")["outstanding_cents"] == total


@shows("T-4.184")
def test_a_key_pays_on_terms_only_for_orders_it_created(team: TeamClients, unpaid_order: Any) -> None:
    limits = {"per_request_cents": 1_000_000, "monthly_cents": 5_000_000}
    expect_error(request_funding(team.key(*SCOPES, pay_limits=limits), unpaid_order), 422, "payment_not_permitted")
    assert order_statuses(team, unpaid_order) == ("awaiting_approval", "unpaid")
    assert fund(team.live, unpaid_order)["status"] == "succeeded"


@pytest.mark.parametrize("method", METHODS)
def test_a_closed_order_cannot_be_funded(team: TeamClients, unpaid_order: Any, method: str) -> None:
    team.live.post_json(f"/team-orders/{unpaid_order['id']}/cancel", {}, 200)
    expect_error(request_funding(team.live, unpaid_order, method), 409, "invalid_state")
    paid = team.live.post_json("/team-orders", net_terms_order_body())
    expect_error(request_funding(team.live, paid, method), 409, "invalid_state")
    assert len(team.live.list_all("/invoices")) == 1


@shows("T-5.27")
def test_a_bank_transfer_pays_the_order_when_the_money_arrives(
    team: TeamClients, world: World, unpaid_order: Any
) -> None:
    balance = team.live.get_json("/billing/balance")
    funding = fund(team.live, unpaid_order, "bank_transfer")
    assert (funding["status"], funding["payment_id"], funding["intent"]) == ("pending", None, None)
    [invoice] = team.live.list_all("/invoices")
    assert (invoice["id"], invoice["kind"], invoice["status"]) == (funding["invoice_id"], "deposit", "open")
    assert invoice["amount_cents"] == unpaid_order["totals"]["total_cents"]
    world.advance("30d")
    assert order_statuses(team, unpaid_order) == ("awaiting_approval", "unpaid")
    world.simulate("invoice", invoice_id=invoice["id"], outcome="paid")
    assert order_statuses(team, unpaid_order) == ("awaiting_approval", "paid")
    [invoice] = team.live.list_all("/invoices")
    assert (invoice["status"], invoice["receipt_id"]) == ("paid", reload(team.live, unpaid_order)["receipt_id"])
    assert team.live.get_json("/billing/balance") == balance


@pytest.mark.parametrize("method", [*METHODS, "balance"])
def test_an_order_names_the_method_that_paid_it(
    team: TeamClients, world: World, unpaid_order: Any, method: str
) -> None:
    assert unpaid_order["payment_method"] is None
    if method == "balance":
        world.simulate("approval", team_order_id=unpaid_order["id"], decision="approve")
        assert reload(team.live, unpaid_order)["payment_method"] == "balance"
        return
    funding = fund(team.live, unpaid_order, method)
    if method == "bank_transfer":
        assert reload(team.live, unpaid_order)["payment_method"] is None
        world.simulate("invoice", invoice_id=funding["invoice_id"])
    elif method == "us_bank_account":
        assert reload(team.live, unpaid_order)["payment_method"] is None
        world.simulate("payment", payment_id=funding["payment_id"], outcome="settled")
    assert reload(team.live, unpaid_order)["payment_method"] == method


@shows("T-5.28")
def test_an_ach_intent_needs_ach_to_be_enabled(team: TeamClients, world: World, unpaid_order: Any) -> None:
    world.simulate("team", ach_enabled=False)
    expect_error(request_funding(team.live, unpaid_order, "us_bank_account"), 422, "ach_not_enabled")
    assert world.call_control("GET", "/payments")["payments"] == []
    world.simulate("team", ach_enabled=True)
    funding = fund(team.live, unpaid_order, "us_bank_account")
    assert funding["intent"]["status"] == "requires_confirmation"
    assert (funding["status"], funding["invoice_id"]) == ("pending", None)


@shows("T-5.29")
def test_no_call_confirms_an_ach_intent(team: TeamClients, world: World, unpaid_order: Any) -> None:
    before = billing_state(team.live)
    funding = fund(team.live, unpaid_order, "us_bank_account")
    world.advance("60d")
    assert billing_state(team.live) == before
    assert order_statuses(team, unpaid_order) == ("awaiting_approval", "unpaid")
    world.simulate("payment", payment_id=funding["payment_id"], outcome="settled")
    assert order_statuses(team, unpaid_order) == ("awaiting_approval", "paid")
    assert team.live.get_json("/billing/balance") == before[0]


def test_an_ach_payment_can_be_uncertain_or_fail(team: TeamClients, world: World, unpaid_order: Any) -> None:
    funding = fund(team.live, unpaid_order, "us_bank_account")
    world.simulate("payment", payment_id=funding["payment_id"], outcome="uncertain")
    assert order_statuses(team, unpaid_order) == ("awaiting_approval", "uncertain")
    expect_error(request_funding(team.live, unpaid_order), 409, "invalid_state")
    world.simulate("payment", payment_id=funding["payment_id"], outcome="failed")
    assert order_statuses(team, unpaid_order) == ("awaiting_approval", "unpaid")
    assert fund(team.live, unpaid_order)["status"] == "succeeded"


@pytest.mark.parametrize("method", ["bank_transfer", "us_bank_account"])
def test_money_that_arrives_after_its_order_closed_goes_to_the_balance(
    team: TeamClients, world: World, unpaid_order: Any, method: str
) -> None:
    balance = team.live.get_json("/billing/balance")["balance_cents"]
    funding = fund(team.live, unpaid_order, method)
    fund(team.live, unpaid_order)
    if method == "bank_transfer":
        world.simulate("invoice", invoice_id=funding["invoice_id"])
    else:
        assert world.simulate("payment", payment_id=funding["payment_id"], outcome="settled")["to_balance"] is True
    total = unpaid_order["totals"]["total_cents"]
    assert team.live.get_json("/billing/balance")["balance_cents"] == balance + total
    assert team.live.get_json("/credit-terms")["outstanding_cents"] == total


def test_canceling_an_order_voids_its_invoice(team: TeamClients, world: World, unpaid_order: Any) -> None:
    transfer, intent = fund(team.live, unpaid_order, "bank_transfer"), fund(team.live, unpaid_order, "us_bank_account")
    team.live.post_json(f"/team-orders/{unpaid_order['id']}/cancel", {}, 200)
    assert [invoice["status"] for invoice in team.live.list_all("/invoices")] == ["void"]
    for verb, body in (
        ("invoice", {"invoice_id": transfer["invoice_id"]}),
        ("payment", {"payment_id": intent["payment_id"], "outcome": "settled"}),
    ):
        expect_error(world.control.post(f"/worlds/{world.id}/simulate/{verb}", body), 409, "invalid_state")


@shows("T-4.186", "T-4.188")
def test_a_paid_deposit_invoice_increases_the_balance(team: TeamClients, world: World) -> None:
    body = {"amount_cents": 12_345}
    expect_error(team.live.post("/deposit-invoices", body, Idempotency_Key=None), 400, "idempotency_key_required")
    assert team.live.list_all("/invoices") == []
    invoice = team.live.post_json("/deposit-invoices", body)
    assert (invoice["kind"], invoice["status"], invoice["resource_id"], invoice["amount_cents"]) == (
        "deposit",
        "open",
        None,
        12_345,
    )
    assert team.live.list_all("/invoices") == [invoice]
    balance = team.live.get_json("/billing/balance")["balance_cents"]
    world.simulate("invoice", invoice_id=invoice["id"])
    assert team.live.get_json("/billing/balance")["balance_cents"] == balance + 12_345
    expect_error(
        world.control.post(f"/worlds/{world.id}/simulate/invoice", {"invoice_id": invoice["id"]}), 409, "invalid_state"
    )


@pytest.mark.parametrize(("surplus", "paid"), [(-1, "unpaid"), (0, "paid"), (500, "paid")])
def test_a_sufficient_deposit_for_an_order_pays_it(
    team: TeamClients, world: World, unpaid_order: Any, surplus: int, paid: str
) -> None:
    amount = unit_cents(team) + surplus
    invoice = team.live.post_json("/deposit-invoices", {"amount_cents": amount, "campaign_id": unpaid_order["id"]})
    assert (invoice["resource_type"], invoice["resource_id"]) == ("team_order", unpaid_order["id"])
    balance = team.live.get_json("/billing/balance")["balance_cents"]
    world.simulate("invoice", invoice_id=invoice["id"])
    assert order_statuses(team, unpaid_order)[1] == paid
    kept = surplus if paid == "paid" else amount
    assert team.live.get_json("/billing/balance")["balance_cents"] == balance + kept


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "amount_cents"), ({"amount_cents": 0}, "amount_cents"), ({"amount_cents": 1_000_000_001}, "amount_cents"),
        ({"amount_cents": 1.5}, "amount_cents"), ({"amount_cents": 1, "campaign_id": 5}, "campaign_id"),
    ],
)  # fmt: skip
def test_a_deposit_needs_a_positive_amount_and_an_existing_order(team: TeamClients, body: Any, field: str) -> None:
    assert invalid_fields(team.live.post("/deposit-invoices", body)) == [field]
    assert team.live.list_all("/invoices") == []


def test_an_uncertain_funding_is_settled_by_the_control_api_and_replayed(
    team: TeamClients, world: World, unpaid_order: Any
) -> None:
    with pytest.raises(ConnectionError):
        request_funding(team.live, unpaid_order, Idempotency_Key="once", **CRASH)
    assert order_statuses(team, unpaid_order) == ("awaiting_approval", "uncertain")
    expect_error(request_funding(team.live, unpaid_order, Idempotency_Key="once"), 409, "idempotency_in_progress")
    expect_error(request_funding(team.live, unpaid_order), 409, "invalid_state")
    world.simulate("payment", team_order_id=unpaid_order["id"], outcome="failed")
    again = expect_status(request_funding(team.live, unpaid_order, Idempotency_Key="once"), 201)
    assert again.json()["status"] == "succeeded"
    assert "idempotent-replayed" not in again.headers
    replay = expect_status(request_funding(team.live, unpaid_order, Idempotency_Key="once"), 201)
    assert (replay.body, replay.headers["idempotent-replayed"]) == (again.body, "true")
    assert team.live.get_json("/credit-terms")["outstanding_cents"] == unpaid_order["totals"]["total_cents"]


@shows("T-1.17")
def test_a_sandbox_funds_its_own_orders_and_moves_no_money(team: TeamClients, world: World) -> None:
    before, ledger = billing_state(team.live), world.call_control("GET", "/ledger")
    sandbox = team.test.get_json("/billing/balance"), team.test.get_json("/credit-terms")
    first, second = (team.test.post_json("/team-orders", {"collection": KIT, "headcount": 2}) for _ in range(2))
    expect_error(request_funding(team.test, first), 403, "insufficient_scope")
    transfer, intent = fund(team.test, first, "bank_transfer"), fund(team.test, second, "us_bank_account")
    assert (transfer["livemode"], intent["livemode"]) == (False, False)
    world.simulate("invoice", invoice_id=transfer["invoice_id"])
    world.simulate("payment", payment_id=intent["payment_id"], outcome="settled")
    team.test.post_json("/deposit-invoices", {"amount_cents": 500})
    assert [reload(team.test, record)["payment_status"] for record in (first, second)] == ["paid", "paid"]
    assert (team.test.get_json("/billing/balance"), team.test.get_json("/credit-terms")) == sandbox
    assert billing_state(team.live) == before
    assert world.call_control("GET", "/ledger") == ledger
    assert team.test_second.list_all("/invoices") == []


def test_a_payment_for_an_order_rejected_meanwhile_is_refunded(
    team: TeamClients, world: World, unpaid_order: Any
) -> None:
    approval = team.live.post_json(f"/team-orders/{unpaid_order['id']}/request-approval", {}, 200)
    with pytest.raises(ConnectionError):
        request_funding(team.live, unpaid_order, **CRASH)
    world.simulate("approval", approval_id=approval["id"], decision="reject")
    world.simulate("payment", team_order_id=unpaid_order["id"], outcome="settled")
    assert order_statuses(team, unpaid_order) == ("rejected", "refunded")
    assert team.live.get_json("/credit-terms")["outstanding_cents"] == 0
    assert [invoice["status"] for invoice in team.live.list_all("/invoices")] == ["void"]


def test_rejecting_an_order_voids_its_invoice(team: TeamClients, world: World, unpaid_order: Any) -> None:
    fund(team.live, unpaid_order, "bank_transfer")
    world.simulate("approval", team_order_id=unpaid_order["id"], decision="reject")
    assert [invoice["status"] for invoice in team.live.list_all("/invoices")] == ["void"]
