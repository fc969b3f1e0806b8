"""How net-terms keys pay: on account down to the credit limit, and settled by card."""

from __future__ import annotations

from typing import Any

import pytest

from tests.shows import shows
from tests.support.api_clients import PartnerClient
from tests.support.orders import email_recipients, order_body
from tests.support.partner.catalogue import ROW_CENTS
from tests.support.partner.money import account_of, ledger_balances, payments, wallet_cents
from tests.support.responses import created, status_and_code
from tests.support.worlds import World

KEY = "partner.net_terms"


@pytest.fixture
def terms(world: World) -> PartnerClient:
    """The partner interface by the net-terms key: credit of 10,000.00 and a good card."""
    return world.partner(KEY)


JUNE: dict[str, Any] = {"amount_cents": 100, "idempotency_key": "june"}


def settle(partner: PartnerClient, **members: Any) -> Any:
    """Settle with success; the answer's JSON."""
    answer = partner.post("/billing/settle", members)
    assert answer.status == 200, answer.text
    return answer.json()


@shows("P-1.6")
def test_an_order_is_charged_on_account_and_takes_the_balance_below_zero(world: World, terms: PartnerClient) -> None:
    billing = created(terms.create_order(recipients=email_recipients(3)))["billing"]
    assert billing["billing_mode"] == "net_terms"
    assert (billing["wallet_cash_cents"], billing["card_charged_cents"]) == (3 * ROW_CENTS, 0)
    assert billing["new_cash_balance_cents"] == wallet_cents(world, KEY) == -3 * ROW_CENTS
    assert account_of(world, KEY)["owed_cents"] == 3 * ROW_CENTS


@shows("P-1.6", "P-7.13")
def test_exactly_the_room_is_granted_and_not_one_cent_more(world: World, terms: PartnerClient) -> None:
    world.change_account(KEY, credit_limit_cents=3 * ROW_CENTS - 1)
    created(terms.create_order(recipients=email_recipients(2)))
    answer = terms.create_order(idempotency_key="second")
    assert status_and_code(answer) == (402, "credit_limit_exceeded")
    assert wallet_cents(world, KEY) == -2 * ROW_CENTS
    assert payments(world, "paid")[-1]["amount_cents"] == 2 * ROW_CENTS
    world.change_account(KEY, credit_limit_cents=3 * ROW_CENTS)
    order = created(terms.create_order(idempotency_key="second"))
    assert order["team_order"]["id"] == answer.json()["team_order_id"]
    assert wallet_cents(world, KEY) == -3 * ROW_CENTS


@shows("P-1.6")
def test_money_in_the_wallet_counts_before_the_credit(world: World, terms: PartnerClient) -> None:
    world.change_account(KEY, add_cents=1_000, credit_limit_cents=ROW_CENTS - 1_001)
    assert status_and_code(terms.create_order()) == (402, "credit_limit_exceeded")
    world.change_account(KEY, add_cents=1)
    assert created(terms.create_order())["billing"]["new_cash_balance_cents"] == -(ROW_CENTS - 1_001)


@shows("P-1.6")
def test_the_card_of_a_net_terms_account_pays_no_orders(world: World, terms: PartnerClient) -> None:
    world.change_account(KEY, card="declined")
    assert created(terms.create_order())["billing"]["card_charged_cents"] == 0
    world.change_account(KEY, card="good", credit_limit_cents=ROW_CENTS)
    assert status_and_code(terms.create_order(idempotency_key="second")) == (402, "credit_limit_exceeded")


@shows("P-1.7")
def test_settling_pays_all_that_is_owed_by_card_and_restores_the_room(world: World, terms: PartnerClient) -> None:
    world.change_account(KEY, credit_limit_cents=2 * ROW_CENTS)
    created(terms.create_order(recipients=email_recipients(2)))
    assert status_and_code(terms.create_order(idempotency_key="second")) == (402, "credit_limit_exceeded")
    settled = settle(terms)
    assert set(settled) == {"ok", "settled_cents", "new_cash_balance_cents", "payment_transaction_id"}
    assert (settled["ok"], settled["settled_cents"], settled["new_cash_balance_cents"]) == (True, 2 * ROW_CENTS, 0)
    assert wallet_cents(world, KEY) == 0
    assert ledger_balances(world)["card 503"] == -2 * ROW_CENTS
    (payment,) = [row for row in payments(world) if row["purpose"] == "settlement"]
    assert (payment["id"], payment["card_cents"]) == (settled["payment_transaction_id"], 2 * ROW_CENTS)
    created(terms.create_order(idempotency_key="second"))


@shows("P-1.7")
def test_a_part_can_be_settled(world: World, terms: PartnerClient) -> None:
    created(terms.create_order())
    assert settle(terms, amount_cents=1)["new_cash_balance_cents"] == 1 - ROW_CENTS
    assert settle(terms, amount_cents=ROW_CENTS - 1)["new_cash_balance_cents"] == 0
    assert status_and_code(terms.post("/billing/settle", {})) == (409, "nothing_to_settle")


@pytest.mark.parametrize("amount", [ROW_CENTS + 1, 0, -1, "10", 10.0, True])
def test_an_amount_that_is_not_owed_is_refused(world: World, terms: PartnerClient, amount: object) -> None:
    created(terms.create_order())
    with world.assert_unchanged():
        assert status_and_code(terms.post("/billing/settle", {"amount_cents": amount})) == (400, "invalid_body")


def test_nothing_owed_and_prepaid_have_nothing_to_settle(
    world: World, terms: PartnerClient, partner: PartnerClient
) -> None:
    created(partner.create_order())
    with world.assert_unchanged():
        assert status_and_code(terms.post("/billing/settle", {})) == (409, "nothing_to_settle")
        assert status_and_code(terms.post("/billing/settle", {"amount_cents": 1})) == (409, "nothing_to_settle")
        assert status_and_code(partner.post("/billing/settle", {})) == (409, "nothing_to_settle")


@pytest.mark.parametrize(("card", "code"), [("declined", "card_charge_failed"), ("none", "insufficient_funds_no_card")])
def test_a_card_that_does_not_pay_settles_nothing(world: World, terms: PartnerClient, card: str, code: str) -> None:
    created(terms.create_order())
    world.change_account(KEY, card=card)
    money = ledger_balances(world)
    assert status_and_code(terms.post("/billing/settle", {})) == (402, code)
    assert ledger_balances(world) == money
    world.change_account(KEY, card="good")
    assert settle(terms)["settled_cents"] == ROW_CENTS


def test_no_body_at_all_settles_everything(world: World, terms: PartnerClient) -> None:
    created(terms.create_order())
    assert terms.post("/billing/settle").json()["settled_cents"] == ROW_CENTS


def test_a_settlement_with_a_key_is_made_once(world: World, terms: PartnerClient) -> None:
    created(terms.create_order())
    first = terms.post("/billing/settle", {"amount_cents": 100, "idempotency_key": "june"})
    with world.assert_unchanged():
        again = terms.post("/billing/settle", {"idempotency_key": "june", "amount_cents": 100})
        assert (again.body, again.headers["idempotent-replayed"]) == (first.body, "true")
        other = terms.post("/billing/settle", {"amount_cents": 101, "idempotency_key": "june"})
        assert status_and_code(other) == (409, "idempotency_payload_mismatch")
    settle(terms, amount_cents=100)
    assert wallet_cents(world, KEY) == 200 - ROW_CENTS


def test_a_refused_settlement_leaves_its_key_free(world: World, terms: PartnerClient) -> None:
    assert status_and_code(terms.post("/billing/settle", {"idempotency_key": "june"})) == (409, "nothing_to_settle")
    created(terms.create_order())
    assert settle(terms, idempotency_key="june", amount_cents=5)["settled_cents"] == 5


def test_a_settlement_counts_against_no_daily_limit(world: World, terms: PartnerClient) -> None:
    world.change_account(KEY, daily_limit_cents=ROW_CENTS)
    created(terms.create_order())
    assert settle(terms)["settled_cents"] == ROW_CENTS
    assert status_and_code(terms.create_order(idempotency_key="second")) == (402, "daily_spend_limit_exceeded")
    world.advance("1d")
    created(terms.create_order(idempotency_key="second"))


def test_a_crashed_settlement_is_unknown_until_it_is_resolved(world: World, terms: PartnerClient) -> None:
    created(terms.create_order())
    with pytest.raises(ConnectionError):
        terms.post("/billing/settle", {}, X_Sim_Fault="crash=after_charge")
    assert wallet_cents(world, KEY) == -ROW_CENTS
    assert status_and_code(terms.post("/billing/settle", {})) == (409, "idempotency_outcome_unknown")
    assert world.simulate("outcome", key=KEY, outcome="paid")["status"] == "paid"
    assert wallet_cents(world, KEY) == 0
    assert status_and_code(terms.post("/billing/settle", {})) == (409, "nothing_to_settle")


def test_a_crashed_settlement_that_failed_can_be_made_again(world: World, terms: PartnerClient) -> None:
    created(terms.create_order())
    with pytest.raises(ConnectionError):
        terms.post("/billing/settle", {}, X_Sim_Fault="crash=after_charge")
    world.simulate("outcome", key=KEY, outcome="failed")
    assert settle(terms)["settled_cents"] == ROW_CENTS
    assert ledger_balances(world)["card 503"] == -ROW_CENTS


def test_settling_can_be_switched_off(world: World, terms: PartnerClient) -> None:
    created(terms.create_order())
    world.change_settings(partner__settle_enabled=False)
    assert status_and_code(terms.post("/billing/settle", {})) == (404, "not_found")
    assert wallet_cents(world, KEY) == -ROW_CENTS


def test_a_settlements_query_string_does_not_count_either(world: World) -> None:
    partner = world.partner("partner.net_terms")
    created(partner.create_order())
    body = {"amount_cents": 100, "idempotency_key": "settle"}
    first = partner.post("/billing/settle?attempt=1", body)
    assert first.status == 200, first.text
    assert partner.post("/billing/settle?attempt=2", body).body == first.body


@shows("P-7.21")
def test_a_key_of_a_settlement_is_not_a_key_of_an_order(world: World) -> None:
    partner = world.partner("partner.net_terms")
    created(partner.create_order())
    body = order_body(idempotency_key="settle", amount_cents=100)
    assert partner.post("/billing/settle", body).status == 200
    with world.assert_unchanged():
        assert status_and_code(partner.post("/team-orders", body)) == (409, "idempotency_payload_mismatch")


def crash_settlement(terms: PartnerClient) -> None:
    """Settle a part with a key; the card is charged and the response is lost."""
    with pytest.raises(ConnectionError):
        terms.post("/billing/settle", JUNE, X_Sim_Fault="crash=after_charge")


def test_a_settlement_of_unknown_outcome_is_not_made_again_with_its_key(world: World, terms: PartnerClient) -> None:
    created(terms.create_order())
    crash_settlement(terms)
    world.advance("60d")
    assert status_and_code(terms.post("/billing/settle", JUNE)) == (409, "idempotency_outcome_unknown")
    world.simulate("outcome", key=KEY, outcome="paid")
    with world.assert_unchanged():
        first = settle(terms, **JUNE)
        assert first["settled_cents"] == JUNE["amount_cents"]
        assert first["payment_transaction_id"] == payments(world)[-1]["id"]
        assert settle(terms, **JUNE) == first
        other = terms.post("/billing/settle", {**JUNE, "amount_cents": 101})
        assert status_and_code(other) == (409, "idempotency_payload_mismatch")


@pytest.mark.parametrize("outcome", ["paid", "failed"])
def test_the_key_of_a_settlement_names_it_to_the_verb_that_ends_it(
    world: World, terms: PartnerClient, outcome: str
) -> None:
    created(terms.create_order())
    crash_settlement(terms)
    with_key = {"idempotency_key": JUNE["idempotency_key"], "outcome": outcome}
    assert world.simulate("outcome", **with_key)["status"] == outcome
    paid = len(payments(world))
    assert settle(terms, **JUNE)["settled_cents"] == JUNE["amount_cents"]
    assert len(payments(world)) - paid == (outcome == "failed")
    refused = world.control.post(f"/worlds/{world.id}/simulate/outcome", with_key)
    assert status_and_code(refused) == (409, "invalid_state")


def test_a_settlement_that_has_failed_is_made_again_with_its_key(world: World, terms: PartnerClient) -> None:
    created(terms.create_order())
    for _ in range(2):
        crash_settlement(terms)
        world.simulate("outcome", key=KEY, outcome="failed")
    crash_settlement(terms)
    world.simulate("outcome", key=KEY, outcome="paid")
    count = len(payments(world))
    assert settle(terms, **JUNE)["settled_cents"] == JUNE["amount_cents"]
    assert len(payments(world)) == count
