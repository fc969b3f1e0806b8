"""Funding an order: on terms by the key that made it, by a deposit invoice, by an ACH intent."""

from __future__ import annotations

from typing import Any

import pytest

from tests.claims import claims
from tests.harness import World
from tests.interfaces.team.money import CRASH, KIT, fund, funded, kit, money, on_terms, order, unit
from tests.interfaces.team.scene import SCOPES, Team, fields, refused, well

METHODS = ("net_terms", "bank_transfer", "us_bank_account")


@pytest.fixture
def held(team: Team) -> Any:
    """An order of the team that nobody has paid."""
    return team.live.make("/team-orders", kit())


def in_order(team: Team, made: Any) -> tuple[str, str]:
    """Where an order stands, and its money."""
    now = order(team.live, made)
    return now["status"], now["payment_status"]


@claims("T-2.38")
@pytest.mark.parametrize("method", ["card", "balance", "", None, 1])
def test_a_method_that_is_none_of_the_three_is_refused(team: Team, held: Any, method: Any) -> None:
    before = money(team.live)
    answer = team.live.post("/funding", {"method": method, "campaign_id": held["id"]})
    assert fields(answer) == ["method"]
    assert money(team.live) == before


@claims("T-2.39")
@pytest.mark.parametrize("method", METHODS)
def test_only_an_order_of_the_same_team_and_mode_is_funded(team: Team, method: str) -> None:
    theirs, test = team.other.make("/team-orders", kit()), team.test.make("/team-orders", kit())
    before = [money(face) for face in (team.live, team.other, team.test)]
    for unknown in (999_999, theirs["id"], test["id"], str(theirs["id"]), None):
        assert fields(team.live.post("/funding", {"method": method, "campaign_id": unknown})) == ["campaign_id"]
    assert [money(face) for face in (team.live, team.other, team.test)] == before


@claims("T-4.182")
@pytest.mark.parametrize("method", METHODS)
def test_nothing_is_funded_without_an_idempotency_key(team: Team, held: Any, method: str) -> None:
    before = money(team.live)
    refused(fund(team.live, held, method, Idempotency_Key=None), 400, "idempotency_key_required")
    assert money(team.live) == before
    well(fund(team.live, held, method), 201)


@claims("T-4.183")
def test_terms_ask_for_the_right_to_pay_and_the_banks_do_not(team: Team, held: Any) -> None:
    face = team.key("billing:write")
    refused(fund(face, held), 403, "insufficient_scope")
    assert in_order(team, held) == ("awaiting_approval", "unpaid")
    well(fund(face, held, "bank_transfer"), 201)
    well(fund(face, held, "us_bank_account"), 201)


@claims("T-4.180", "T-4.185")
def test_an_order_is_paid_on_terms_once(team: Team, held: Any) -> None:
    funding = funded(team.live, held)
    total = held["totals"]["total_cents"]
    assert (funding["method"], funding["status"], funding["amount_cents"]) == ("net_terms", "succeeded", total)
    [invoice] = team.live.listed("/invoices")
    assert (invoice["id"], invoice["kind"], invoice["status"]) == (funding["invoice_id"], "net_terms", "open")
    assert (invoice["resource_type"], invoice["resource_id"]) == ("team_order", held["id"])
    assert in_order(team, held) == ("approved", "paid")
    assert order(team.live, held)["payment_id"] == funding["payment_id"]
    refused(fund(team.live, held), 409, "invalid_state")
    assert team.live.got("/credit-terms")["outstanding_cents"] == total


@claims("T-4.184")
def test_a_key_pays_on_terms_for_its_own_orders_alone(team: Team, held: Any) -> None:
    limits = {"per_request_cents": 1_000_000, "monthly_cents": 5_000_000}
    refused(fund(team.key(*SCOPES, pay_limits=limits), held), 422, "payment_not_permitted")
    assert in_order(team, held) == ("awaiting_approval", "unpaid")
    assert funded(team.live, held)["status"] == "succeeded"


@pytest.mark.parametrize("method", METHODS)
def test_an_order_that_is_over_is_not_funded(team: Team, held: Any, method: str) -> None:
    team.live.make(f"/team-orders/{held['id']}/cancel", {}, 200)
    refused(fund(team.live, held, method), 409, "invalid_state")
    paid = team.live.make("/team-orders", on_terms())
    refused(fund(team.live, paid, method), 409, "invalid_state")
    assert len(team.live.listed("/invoices")) == 1


@claims("T-5.27")
def test_a_bank_transfer_leaves_the_order_unpaid_until_the_money_is_in(team: Team, world: World, held: Any) -> None:
    balance = team.live.got("/billing/balance")
    funding = funded(team.live, held, "bank_transfer")
    assert (funding["status"], funding["payment_id"], funding["intent"]) == ("pending", None, None)
    [invoice] = team.live.listed("/invoices")
    assert (invoice["id"], invoice["kind"], invoice["status"]) == (funding["invoice_id"], "deposit", "open")
    assert invoice["amount_cents"] == held["totals"]["total_cents"]
    world.advance("30d")
    assert in_order(team, held) == ("awaiting_approval", "unpaid")
    world.simulate("invoice", invoice_id=invoice["id"], outcome="paid")
    assert in_order(team, held) == ("approved", "paid")
    [invoice] = team.live.listed("/invoices")
    assert (invoice["status"], invoice["receipt_id"]) == ("paid", order(team.live, held)["receipt_id"])
    assert team.live.got("/billing/balance") == balance


@claims("T-5.28")
def test_an_ach_intent_is_made_only_where_ach_is_enabled(team: Team, world: World, held: Any) -> None:
    world.simulate("team", ach_enabled=False)
    refused(fund(team.live, held, "us_bank_account"), 422, "ach_not_enabled")
    assert world.ask("GET", "/payments")["payments"] == []
    world.simulate("team", ach_enabled=True)
    funding = funded(team.live, held, "us_bank_account")
    assert funding["intent"]["status"] == "requires_confirmation"
    assert (funding["status"], funding["invoice_id"]) == ("pending", None)


@claims("T-5.29")
def test_an_ach_intent_confirms_nothing(team: Team, world: World, held: Any) -> None:
    before = money(team.live)
    funding = funded(team.live, held, "us_bank_account")
    world.advance("60d")
    assert money(team.live) == before
    assert in_order(team, held) == ("awaiting_approval", "unpaid")
    world.simulate("payment", payment_id=funding["payment_id"], outcome="settled")
    assert in_order(team, held) == ("approved", "paid")
    assert team.live.got("/billing/balance") == before[0]


def test_an_ach_intent_can_fail_or_be_lost(team: Team, world: World, held: Any) -> None:
    funding = funded(team.live, held, "us_bank_account")
    world.simulate("payment", payment_id=funding["payment_id"], outcome="uncertain")
    assert in_order(team, held) == ("awaiting_approval", "uncertain")
    refused(fund(team.live, held), 409, "invalid_state")
    world.simulate("payment", payment_id=funding["payment_id"], outcome="failed")
    assert in_order(team, held) == ("awaiting_approval", "unpaid")
    assert funded(team.live, held)["status"] == "succeeded"


@pytest.mark.parametrize("method", ["bank_transfer", "us_bank_account"])
def test_money_that_comes_too_late_for_its_order_goes_to_the_balance(
    team: Team, world: World, held: Any, method: str
) -> None:
    balance = team.live.got("/billing/balance")["balance_cents"]
    funding = funded(team.live, held, method)
    funded(team.live, held)
    if method == "bank_transfer":
        world.simulate("invoice", invoice_id=funding["invoice_id"])
    else:
        assert world.simulate("payment", payment_id=funding["payment_id"], outcome="settled")["to_balance"] is True
    total = held["totals"]["total_cents"]
    assert team.live.got("/billing/balance")["balance_cents"] == balance + total
    assert team.live.got("/credit-terms")["outstanding_cents"] == total


def test_a_canceled_order_is_asked_for_no_more(team: Team, world: World, held: Any) -> None:
    transfer, intent = funded(team.live, held, "bank_transfer"), funded(team.live, held, "us_bank_account")
    team.live.make(f"/team-orders/{held['id']}/cancel", {}, 200)
    assert [invoice["status"] for invoice in team.live.listed("/invoices")] == ["void"]
    for verb, body in (
        ("invoice", {"invoice_id": transfer["invoice_id"]}),
        ("payment", {"payment_id": intent["payment_id"], "outcome": "settled"}),
    ):
        refused(world.control.post(f"/worlds/{world.id}/simulate/{verb}", body), 409, "invalid_state")


@claims("T-4.186", "T-4.188")
def test_a_deposit_invoice_fills_the_balance_when_it_is_paid(team: Team, world: World) -> None:
    body = {"amount_cents": 12_345}
    refused(team.live.post("/deposit-invoices", body, Idempotency_Key=None), 400, "idempotency_key_required")
    assert team.live.listed("/invoices") == []
    made = team.live.make("/deposit-invoices", body)
    assert (made["kind"], made["status"], made["resource_id"], made["amount_cents"]) == (
        "deposit",
        "open",
        None,
        12_345,
    )
    assert team.live.listed("/invoices") == [made]
    balance = team.live.got("/billing/balance")["balance_cents"]
    world.simulate("invoice", invoice_id=made["id"])
    assert team.live.got("/billing/balance")["balance_cents"] == balance + 12_345
    refused(
        world.control.post(f"/worlds/{world.id}/simulate/invoice", {"invoice_id": made["id"]}), 409, "invalid_state"
    )


@pytest.mark.parametrize(("surplus", "paid"), [(-1, "unpaid"), (0, "paid"), (500, "paid")])
def test_a_deposit_for_an_order_pays_it_if_it_is_enough(
    team: Team, world: World, held: Any, surplus: int, paid: str
) -> None:
    amount = unit(team) + surplus
    made = team.live.make("/deposit-invoices", {"amount_cents": amount, "campaign_id": held["id"]})
    assert (made["resource_type"], made["resource_id"]) == ("team_order", held["id"])
    balance = team.live.got("/billing/balance")["balance_cents"]
    world.simulate("invoice", invoice_id=made["id"])
    assert in_order(team, held)[1] == paid
    kept = surplus if paid == "paid" else amount
    assert team.live.got("/billing/balance")["balance_cents"] == balance + kept


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "amount_cents"), ({"amount_cents": 0}, "amount_cents"), ({"amount_cents": 1_000_000_001}, "amount_cents"),
        ({"amount_cents": 1.5}, "amount_cents"), ({"amount_cents": 1, "campaign_id": 5}, "campaign_id"),
    ],
)  # fmt: skip
def test_a_deposit_of_nothing_or_for_nothing_is_refused(team: Team, body: Any, field: str) -> None:
    assert fields(team.live.post("/deposit-invoices", body)) == [field]
    assert team.live.listed("/invoices") == []


def test_an_uncertain_funding_is_decided_by_the_world_and_repeated_by_its_key(
    team: Team, world: World, held: Any
) -> None:
    with pytest.raises(ConnectionError):
        fund(team.live, held, Idempotency_Key="once", **CRASH)
    assert in_order(team, held) == ("awaiting_approval", "uncertain")
    refused(fund(team.live, held, Idempotency_Key="once"), 409, "idempotency_in_progress")
    refused(fund(team.live, held), 409, "invalid_state")
    world.simulate("payment", team_order_id=held["id"], outcome="failed")
    again = well(fund(team.live, held, Idempotency_Key="once"), 201)
    assert again.json()["status"] == "succeeded"
    assert "idempotent-replayed" not in again.headers
    replay = well(fund(team.live, held, Idempotency_Key="once"), 201)
    assert (replay.body, replay.headers["idempotent-replayed"]) == (again.body, "true")
    assert team.live.got("/credit-terms")["outstanding_cents"] == held["totals"]["total_cents"]


@claims("T-1.17")
def test_a_sandbox_funds_its_own_orders_and_moves_no_money(team: Team, world: World) -> None:
    before, ledger = money(team.live), world.ask("GET", "/ledger")
    sandbox = team.test.got("/billing/balance"), team.test.got("/credit-terms")
    first, second = (team.test.make("/team-orders", {"collection": KIT, "headcount": 2}) for _ in range(2))
    refused(fund(team.test, first), 403, "insufficient_scope")
    transfer, intent = funded(team.test, first, "bank_transfer"), funded(team.test, second, "us_bank_account")
    assert (transfer["livemode"], intent["livemode"]) == (False, False)
    world.simulate("invoice", invoice_id=transfer["invoice_id"])
    world.simulate("payment", payment_id=intent["payment_id"], outcome="settled")
    team.test.make("/deposit-invoices", {"amount_cents": 500})
    assert [order(team.test, made)["payment_status"] for made in (first, second)] == ["paid", "paid"]
    assert (team.test.got("/billing/balance"), team.test.got("/credit-terms")) == sandbox
    assert money(team.live) == before
    assert world.ask("GET", "/ledger") == ledger
    assert team.test_second.listed("/invoices") == []


def test_what_was_paid_for_an_order_that_was_rejected_meanwhile_goes_back(team: Team, world: World, held: Any) -> None:
    asked = team.live.make(f"/team-orders/{held['id']}/request-approval", {}, 200)
    with pytest.raises(ConnectionError):
        fund(team.live, held, **CRASH)
    world.simulate("approval", approval_id=asked["id"], decision="reject")
    world.simulate("payment", team_order_id=held["id"], outcome="settled")
    assert in_order(team, held) == ("rejected", "refunded")
    assert team.live.got("/credit-terms")["outstanding_cents"] == 0
    assert [invoice["status"] for invoice in team.live.listed("/invoices")] == ["void"]


def test_a_rejected_order_is_asked_for_no_more(team: Team, world: World, held: Any) -> None:
    funded(team.live, held, "bank_transfer")
    world.simulate("approval", team_order_id=held["id"], decision="reject")
    assert [invoice["status"] for invoice in team.live.listed("/invoices")] == ["void"]
