"""A charge that went out and whose outcome nobody recorded: never charged twice, settled by whoever knows (G28)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from giftsim.engine.kernel.instants import HOUR, format_instant, parse_instant
from tests.shows import shows
from tests.support.api_clients import PartnerClient
from tests.support.orders import email_recipients, order_body
from tests.support.partner.catalogue import ROW_CENTS
from tests.support.partner.money import account_of, ledger_balances, payments, wallet_cents
from tests.support.partner.orders import list_orders
from tests.support.responses import created, status_and_code
from tests.support.worlds import World

Crash = Callable[..., int]


@pytest.fixture(params=["table", "header"])
def crash(request: pytest.FixtureRequest, world: World) -> Crash:
    """Creates an order whose answer never comes, by a fault of the table or of the call; the order's id."""

    def create(face: PartnerClient, **members: Any) -> int:
        headers = {"X_Sim_Fault": "crash=after_charge"}
        if request.param == "table":
            world.add_fault({"crash": "after_charge"}, when={"first": 1})
            headers = {}
        with pytest.raises(ConnectionError):
            face.post("/team-orders", order_body(**members), **headers)
        return int(list_orders(world)[-1]["id"])

    return create


@shows("P-7.22")
def test_nobody_knows_what_came_of_it_and_nothing_is_charged_again(
    world: World, partner: PartnerClient, crash: Crash
) -> None:
    order = crash(partner)
    money = ledger_balances(world)
    detail = partner.read_order(order)
    assert detail["team_order"]["status"] == "unpaid"
    assert (wallet_cents(world), account_of(world)["held_cents"]) == (500_000, ROW_CENTS)
    with world.assert_unchanged():
        for _ in range(3):
            assert status_and_code(partner.create_order()) == (409, "idempotency_outcome_unknown")
        assert status_and_code(partner.create_order(name="other")) == (409, "idempotency_payload_mismatch")
    assert (ledger_balances(world), len(list_orders(world)), len(payments(world))) == (money, 1, 1)
    world.advance("60d")
    assert status_and_code(partner.create_order()) == (409, "idempotency_outcome_unknown")
    assert (world.mail(), world.events()) == ([], [])


@shows("P-7.22")
def test_it_cannot_be_canceled_while_it_is_unknown(world: World, partner: PartnerClient, crash: Crash) -> None:
    order = crash(partner, recipients=email_recipients(2))
    rows = [row["recipient_id"] for row in partner.read_order(order)["recipients"]]
    with world.assert_unchanged():
        path = f"/team-orders/{order}/cancel"
        assert status_and_code(partner.post(path, {})) == (409, "idempotency_outcome_unknown")
        assert status_and_code(partner.post(path, {"recipient_ids": rows[:1]})) == (409, "idempotency_outcome_unknown")
        assert status_and_code(partner.post(path, {"recipient_ids": [1]})) == (404, "recipient_not_found")


@shows("P-7.22")
def test_found_to_be_paid_the_retry_answers_201_without_a_second_charge(
    world: World, partner: PartnerClient, crash: Crash
) -> None:
    order = crash(partner)
    world.advance("3h")
    assert world.simulate("outcome", idempotency_key="first", outcome="paid")["status"] == "paid"
    assert partner.read_order(order)["team_order"]["status"] == "collecting_addresses"
    assert (wallet_cents(world), account_of(world)["held_cents"]) == (500_000 - ROW_CENTS, 0)
    with world.assert_unchanged():
        answer = partner.create_order()
        body = created(answer)
        assert partner.create_order().body == answer.body
    assert body["team_order"]["id"] == order
    assert body["totals"]["charged_cents"] == ROW_CENTS
    assert body["billing"]["payment_transaction_id"] == payments(world)[0]["id"]
    assert body["team_order"]["claim_expires_at"] == format_instant(parse_instant(world.now) + 30 * 24 * HOUR)
    assert len(world.mail()) == 1


@shows("P-4.17")
def test_found_to_be_paid_and_canceled_since_it_keeps_its_201(
    world: World, partner: PartnerClient, crash: Crash
) -> None:
    order = crash(partner)
    world.simulate("outcome", team_order_id=order, outcome="paid")
    assert partner.post(f"/team-orders/{order}/cancel", {}).status == 200
    answer = created(partner.create_order())
    assert (answer["team_order"]["status"], answer["totals"]["charged_cents"]) == ("canceled", ROW_CENTS)
    assert wallet_cents(world) == 500_000


@shows("P-7.22")
def test_found_to_have_failed_the_retry_charges_the_same_order(
    world: World, partner: PartnerClient, crash: Crash
) -> None:
    order = crash(partner)
    assert world.simulate("outcome", team_order_id=order, outcome="failed")["status"] == "failed"
    assert (wallet_cents(world), account_of(world)["held_cents"]) == (500_000, 0)
    assert partner.read_order(order)["team_order"]["status"] == "unpaid"
    assert created(partner.create_order())["team_order"]["id"] == order
    assert [row["status"] for row in payments(world)] == ["failed", "paid"]
    assert ledger_balances(world)[f"order {order}"] == ROW_CENTS


def test_found_to_have_failed_it_can_be_canceled(world: World, partner: PartnerClient, crash: Crash) -> None:
    order = crash(partner)
    world.simulate("outcome", idempotency_key="first", outcome="failed")
    canceled = partner.post(f"/team-orders/{order}/cancel", {}).json()
    assert (canceled["canceled"][0]["was_paid"], canceled["refunded_cents"]) == (False, 0)
    assert wallet_cents(world) == 500_000


@pytest.mark.parametrize(("setting", "status"), [("paid", "collecting_addresses"), ("failed", "unpaid")])
@pytest.mark.parametrize("before", [True, False])
def test_the_hourly_run_settles_it_where_that_is_set(
    world: World, partner: PartnerClient, setting: str, status: str, before: bool
) -> None:
    if before:
        world.change_settings(partner__reconcile_unknown=setting)
    partner_order = order_body()
    with pytest.raises(ConnectionError):
        partner.post("/team-orders", partner_order, X_Sim_Fault="crash=after_charge")
    if not before:
        world.change_settings(partner__reconcile_unknown=setting)
    hour = (parse_instant(world.now) // HOUR + 1) * HOUR
    world.advance(to=format_instant(hour - 1000))
    assert status_and_code(partner.create_order()) == (409, "idempotency_outcome_unknown")
    world.advance("1s")
    assert partner.read_order(1001)["team_order"]["status"] == status
    assert payments(world)[0]["closed_at"] == format_instant(hour)
    assert account_of(world)["held_cents"] == 0
    assert created(partner.create_order())["team_order"]["id"] == 1001
    assert wallet_cents(world) == 500_000 - ROW_CENTS


def test_what_is_held_pays_for_nothing_else(world: World, partner: PartnerClient, crash: Crash) -> None:
    world.change_account(wallet_cents=ROW_CENTS, card="none")
    crash(partner)
    assert status_and_code(partner.create_order(idempotency_key="second")) == (402, "insufficient_funds_no_card")
    world.simulate("outcome", idempotency_key="first", outcome="failed")
    created(partner.create_order(idempotency_key="second"))
    assert wallet_cents(world) == 0


def test_on_net_terms_it_takes_room_until_it_is_known(world: World, crash: Crash) -> None:
    terms = world.partner("partner.net_terms")
    world.change_account("partner.net_terms", credit_limit_cents=ROW_CENTS)
    crash(terms)
    assert status_and_code(terms.create_order(idempotency_key="second")) == (402, "credit_limit_exceeded")
    world.simulate("outcome", idempotency_key="first", outcome="failed")
    created(terms.create_order(idempotency_key="second"))


def test_it_counts_against_the_day_until_it_is_known_to_have_failed(
    world: World, partner: PartnerClient, crash: Crash
) -> None:
    world.change_account(daily_limit_cents=ROW_CENTS)
    crash(partner)
    assert status_and_code(partner.create_order(idempotency_key="second")) == (402, "daily_spend_limit_exceeded")
    world.simulate("outcome", idempotency_key="first", outcome="failed")
    created(partner.create_order(idempotency_key="second"))


def test_a_charge_that_is_refused_anyway_is_known(world: World, crash: Crash) -> None:
    poor = world.partner("partner.no_funds")
    answer = poor.post("/team-orders", order_body(), X_Sim_Fault="crash=after_charge")
    assert status_and_code(answer) == (402, "insufficient_funds_no_card")
    world.change_account("partner.no_funds", add_cents=ROW_CENTS)
    assert created(poor.create_order())["team_order"]["id"] == answer.json()["team_order_id"]


def test_nothing_is_there_to_resolve_where_nothing_is_unknown(world: World, partner: PartnerClient) -> None:
    created(partner.create_order())
    path = f"/worlds/{world.id}/simulate/outcome"
    for named in ({"idempotency_key": "first"}, {"team_order_id": 1001}, {"key": "partner.net_terms"}):
        answer = world.control.post(path, {**named, "outcome": "paid"})
        assert answer.status == 409, named
    assert world.control.post(path, {"idempotency_key": "nobody's", "outcome": "paid"}).status == 404
    assert world.control.post(path, {"idempotency_key": "first", "outcome": "perhaps"}).status == 400


def test_a_crash_in_the_middle_of_a_retry_is_unknown_too(world: World) -> None:
    poor = world.partner("partner.no_funds")
    order = poor.create_order().json()["team_order_id"]
    world.change_account("partner.no_funds", add_cents=ROW_CENTS)
    with pytest.raises(ConnectionError):
        poor.post("/team-orders", order_body(), X_Sim_Fault="crash=after_charge")
    assert status_and_code(poor.create_order()) == (409, "idempotency_outcome_unknown")
    world.simulate("outcome", key="partner.no_funds", idempotency_key="first", outcome="paid")
    assert created(poor.create_order())["team_order"]["id"] == order
    assert ledger_balances(world)["wallet 502"] == 0
