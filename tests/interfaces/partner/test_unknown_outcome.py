"""A charge that went out and whose outcome nobody recorded: never charged twice, settled by whoever knows (G28)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from giftsim.kernel.instants import HOUR, format_instant, parse_instant
from tests.claims import claims
from tests.harness import Face, World, order_body, people
from tests.interfaces.partner.till import ROW_CENTS, account, balances, made, orders, payments, refused, wallet_cents

Crash = Callable[..., int]


@pytest.fixture(params=["table", "header"])
def crash(request: pytest.FixtureRequest, world: World) -> Crash:
    """Creates an order whose answer never comes, by a fault of the table or of the call; the order's id."""

    def create(face: Face, **members: Any) -> int:
        headers = {"X_Sim_Fault": "crash=after_charge"}
        if request.param == "table":
            world.fault({"crash": "after_charge"}, when={"first": 1})
            headers = {}
        with pytest.raises(ConnectionError):
            face.post("/team-orders", order_body(**members), **headers)
        return int(orders(world)[-1]["id"])

    return create


@claims("P-7.22")
def test_nobody_knows_what_came_of_it_and_nothing_is_charged_again(world: World, partner: Face, crash: Crash) -> None:
    order = crash(partner)
    money = balances(world)
    detail = partner.read(order)
    assert detail["team_order"]["status"] == "unpaid"
    assert (wallet_cents(world), account(world)["held_cents"]) == (500_000, ROW_CENTS)
    with world.unchanged():
        for _ in range(3):
            assert refused(partner.order()) == (409, "idempotency_outcome_unknown")
        assert refused(partner.order(name="other")) == (409, "idempotency_payload_mismatch")
    assert (balances(world), len(orders(world)), len(payments(world))) == (money, 1, 1)
    world.advance("60d")
    assert refused(partner.order()) == (409, "idempotency_outcome_unknown")
    assert (world.mail(), world.events()) == ([], [])


@claims("P-7.22")
def test_it_cannot_be_canceled_while_it_is_unknown(world: World, partner: Face, crash: Crash) -> None:
    order = crash(partner, recipients=people(2))
    rows = [row["recipient_id"] for row in partner.read(order)["recipients"]]
    with world.unchanged():
        path = f"/team-orders/{order}/cancel"
        assert refused(partner.post(path, {})) == (409, "idempotency_outcome_unknown")
        assert refused(partner.post(path, {"recipient_ids": rows[:1]})) == (409, "idempotency_outcome_unknown")
        assert refused(partner.post(path, {"recipient_ids": [1]})) == (404, "recipient_not_found")


@claims("P-7.22")
def test_found_to_be_paid_the_retry_answers_201_without_a_second_charge(
    world: World, partner: Face, crash: Crash
) -> None:
    order = crash(partner)
    world.advance("3h")
    assert world.simulate("outcome", idempotency_key="first", outcome="paid")["status"] == "paid"
    assert partner.read(order)["team_order"]["status"] == "collecting_addresses"
    assert (wallet_cents(world), account(world)["held_cents"]) == (500_000 - ROW_CENTS, 0)
    with world.unchanged():
        answer = partner.order()
        created = made(answer)
        assert partner.order().body == answer.body
    assert created["team_order"]["id"] == order
    assert created["totals"]["charged_cents"] == ROW_CENTS
    assert created["billing"]["payment_transaction_id"] == payments(world)[0]["id"]
    assert created["team_order"]["claim_expires_at"] == format_instant(parse_instant(world.now) + 30 * 24 * HOUR)
    assert len(world.mail()) == 1


@claims("P-7.22")
def test_found_to_have_failed_the_retry_charges_the_same_order(world: World, partner: Face, crash: Crash) -> None:
    order = crash(partner)
    assert world.simulate("outcome", team_order_id=order, outcome="failed")["status"] == "failed"
    assert (wallet_cents(world), account(world)["held_cents"]) == (500_000, 0)
    assert partner.read(order)["team_order"]["status"] == "unpaid"
    assert made(partner.order())["team_order"]["id"] == order
    assert [row["status"] for row in payments(world)] == ["failed", "paid"]
    assert balances(world)[f"order {order}"] == ROW_CENTS


def test_found_to_have_failed_it_can_be_canceled(world: World, partner: Face, crash: Crash) -> None:
    order = crash(partner)
    world.simulate("outcome", idempotency_key="first", outcome="failed")
    canceled = partner.post(f"/team-orders/{order}/cancel", {}).json()
    assert (canceled["canceled"][0]["was_paid"], canceled["refunded_cents"]) == (False, 0)
    assert wallet_cents(world) == 500_000


@pytest.mark.parametrize(("setting", "status"), [("paid", "collecting_addresses"), ("failed", "unpaid")])
@pytest.mark.parametrize("before", [True, False])
def test_the_hourly_run_settles_it_where_that_is_set(
    world: World, partner: Face, setting: str, status: str, before: bool
) -> None:
    if before:
        world.settings(partner__reconcile_unknown=setting)
    partner_order = order_body()
    with pytest.raises(ConnectionError):
        partner.post("/team-orders", partner_order, X_Sim_Fault="crash=after_charge")
    if not before:
        world.settings(partner__reconcile_unknown=setting)
    hour = (parse_instant(world.now) // HOUR + 1) * HOUR
    world.advance(to=format_instant(hour - 1000))
    assert refused(partner.order()) == (409, "idempotency_outcome_unknown")
    world.advance("1s")
    assert partner.read(1001)["team_order"]["status"] == status
    assert payments(world)[0]["closed_at"] == format_instant(hour)
    assert account(world)["held_cents"] == 0
    assert made(partner.order())["team_order"]["id"] == 1001
    assert wallet_cents(world) == 500_000 - ROW_CENTS


def test_what_is_held_pays_for_nothing_else(world: World, partner: Face, crash: Crash) -> None:
    world.account(wallet_cents=ROW_CENTS, card="none")
    crash(partner)
    assert refused(partner.order(idempotency_key="second")) == (402, "insufficient_funds_no_card")
    world.simulate("outcome", idempotency_key="first", outcome="failed")
    made(partner.order(idempotency_key="second"))
    assert wallet_cents(world) == 0


def test_on_net_terms_it_takes_room_until_it_is_known(world: World, crash: Crash) -> None:
    terms = world.partner("partner.net_terms")
    world.account("partner.net_terms", credit_limit_cents=ROW_CENTS)
    crash(terms)
    assert refused(terms.order(idempotency_key="second")) == (402, "credit_limit_exceeded")
    world.simulate("outcome", idempotency_key="first", outcome="failed")
    made(terms.order(idempotency_key="second"))


def test_it_counts_against_the_day_until_it_is_known_to_have_failed(world: World, partner: Face, crash: Crash) -> None:
    world.account(daily_limit_cents=ROW_CENTS)
    crash(partner)
    assert refused(partner.order(idempotency_key="second")) == (402, "daily_spend_limit_exceeded")
    world.simulate("outcome", idempotency_key="first", outcome="failed")
    made(partner.order(idempotency_key="second"))


def test_a_charge_that_is_refused_anyway_is_known(world: World, crash: Crash) -> None:
    poor = world.partner("partner.no_funds")
    answer = poor.post("/team-orders", order_body(), X_Sim_Fault="crash=after_charge")
    assert refused(answer) == (402, "insufficient_funds_no_card")
    world.account("partner.no_funds", add_cents=ROW_CENTS)
    assert made(poor.order())["team_order"]["id"] == answer.json()["team_order_id"]


def test_nothing_is_there_to_resolve_where_nothing_is_unknown(world: World, partner: Face) -> None:
    made(partner.order())
    path = f"/worlds/{world.id}/simulate/outcome"
    for named in ({"idempotency_key": "first"}, {"team_order_id": 1001}, {"key": "partner.net_terms"}):
        answer = world.control.post(path, {**named, "outcome": "paid"})
        assert answer.status == 409, named
    assert world.control.post(path, {"idempotency_key": "nobody's", "outcome": "paid"}).status == 404
    assert world.control.post(path, {"idempotency_key": "first", "outcome": "perhaps"}).status == 400


def test_a_crash_in_the_middle_of_a_retry_is_unknown_too(world: World) -> None:
    poor = world.partner("partner.no_funds")
    order = poor.order().json()["team_order_id"]
    world.account("partner.no_funds", add_cents=ROW_CENTS)
    with pytest.raises(ConnectionError):
        poor.post("/team-orders", order_body(), X_Sim_Fault="crash=after_charge")
    assert refused(poor.order()) == (409, "idempotency_outcome_unknown")
    world.simulate("outcome", key="partner.no_funds", idempotency_key="first", outcome="paid")
    assert made(poor.order())["team_order"]["id"] == order
    assert balances(world)["wallet 502"] == 0
