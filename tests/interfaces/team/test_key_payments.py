"""Payment by key: the pay scope, limits per request and month, and what is checked at payment."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from tests.claims import claims
from tests.support.responses import expect_error, expect_status
from tests.support.team.clients import SCOPES, TeamClient, TeamClients
from tests.support.team.local_time import advance_to, next_month_start
from tests.support.team.orders import reload
from tests.support.team.payments import (
    CRASH,
    billing_state,
    fund,
    key_with_limits,
    kit_order_body,
    net_terms_order_body,
    request_funding,
    unit_cents,
)
from tests.support.worlds import World

PAYING = ("orders:read", "orders:write", "billing:read", "billing:write", "orders:pay", "catalog:read")


def create_paid_order(client: TeamClient, headcount: int = 1, **headers: str | None) -> Any:
    """Create an order that is paid at once."""
    order = expect_status(client.call("POST", "/team-orders", net_terms_order_body(headcount), **headers), 201).json()
    assert order["payment_status"] == "paid"
    return order


def expect_over_monthly_limit(client: TeamClient, headcount: int = 1) -> None:
    """Check that an order of this size exceeds the key's monthly limit."""
    expect_error(client.post("/team-orders", net_terms_order_body(headcount)), 422, "monthly_cap_exceeded")


def client_with_monthly_limit(team: TeamClients, monthly: int) -> TeamClient:
    """A client whose key has a monthly limit and practically no limit per request."""
    return key_with_limits(team, 1_000_000, monthly)


@claims("T-1.7", "T-5.15")
def test_only_a_live_key_with_the_pay_scope_and_both_limits_pays(team: TeamClients) -> None:
    before = billing_state(team.live)
    powerless = team.key(*(scope for scope in SCOPES if scope != "orders:pay"))
    expect_error(powerless.post("/team-orders", net_terms_order_body()), 403, "insufficient_scope")
    without = team.key(*SCOPES)
    expect_error(without.post("/team-orders", net_terms_order_body()), 422, "payment_not_permitted")
    expect_error(team.test.post("/team-orders", net_terms_order_body()), 403, "insufficient_scope")
    assert billing_state(team.live) == before
    assert create_paid_order(team.live)["invoice_id"] is not None


@claims("T-1.7")
@pytest.mark.parametrize("limits", [None, {"per_request_cents": 1_000_000, "monthly_cents": 1_000_000}])
def test_pay_limits_are_checked_as_they_are_at_payment(team: TeamClients, world: World, limits: Any) -> None:
    order = team.live.post_json("/team-orders", kit_order_body())
    world.call_control("PATCH", "/keys/team.live_approver", {"pay_limits": limits})
    if limits is None:
        expect_error(request_funding(team.live, order), 422, "payment_not_permitted")
    else:
        assert fund(team.live, order)["status"] == "succeeded"


@claims("T-5.16")
def test_a_payment_can_reach_but_not_exceed_the_limit_per_request(team: TeamClients) -> None:
    client = key_with_limits(team, 2 * unit_cents(team), 1_000_000)
    before = billing_state(team.live)
    expect_error(client.post("/team-orders", net_terms_order_body(3)), 422, "spending_ceiling_exceeded")
    assert billing_state(team.live) == before
    create_paid_order(client, 2)
    order = client.post_json("/team-orders", kit_order_body(3))
    expect_error(request_funding(client, order), 422, "spending_ceiling_exceeded")
    assert reload(client, order)["payment_status"] == "unpaid"


@claims("T-5.18", "T-8.6")
def test_payments_can_reach_but_not_exceed_the_monthly_limit_of_their_key(team: TeamClients) -> None:
    client, other = (client_with_monthly_limit(team, 3 * unit_cents(team)) for _ in range(2))
    create_paid_order(client, 2)
    before = billing_state(team.live)
    expect_over_monthly_limit(client, 2)
    assert billing_state(team.live) == before
    create_paid_order(client)
    expect_over_monthly_limit(client)
    create_paid_order(other, 3)


def test_a_setting_holds_orders_above_a_limit_instead(team: TeamClients, world: World) -> None:
    world.change_settings(on_ceiling="hold")
    client = key_with_limits(team, unit_cents(team), 1_000_000)
    order = client.post_json("/team-orders", net_terms_order_body(2))
    assert (order["status"], order["payment_status"]) == ("awaiting_approval", "unpaid")
    held = client.post_json("/team-orders", kit_order_body(2))
    funding = fund(client, held)
    assert (funding["status"], funding["payment_id"]) == ("pending", None)
    assert reload(client, held)["payment_status"] == "unpaid"


@claims("T-5.21")
@pytest.mark.parametrize("number", [7, 12, 4, 11])
def test_the_month_starts_at_midnight_in_los_angeles_in_summer_and_winter(
    team: TeamClients, world: World, number: int
) -> None:
    client = client_with_monthly_limit(team, unit_cents(team))
    advance_to(world, next_month_start(world))
    midnight = next_month_start(world, number)
    advance_to(world, midnight - timedelta(days=20))
    create_paid_order(client)
    advance_to(world, midnight - timedelta(seconds=1))
    expect_over_monthly_limit(client)
    advance_to(world, midnight)
    create_paid_order(client)
    expect_over_monthly_limit(client)


@claims("T-5.19")
def test_a_reserved_payment_counts_towards_the_month_until_it_settles(team: TeamClients, world: World) -> None:
    world.change_settings(payments__settle_after="3h")
    client = client_with_monthly_limit(team, 3 * unit_cents(team))
    order = client.post_json("/team-orders", net_terms_order_body(2))
    assert (order["payment_status"], order["invoice_id"]) == ("reserved", None)
    expect_over_monthly_limit(client, 2)
    client.post_json("/team-orders", net_terms_order_body())
    world.advance("3h")
    assert reload(client, order)["payment_status"] == "paid"
    assert len(client.list_all("/invoices")) == 2


@claims("T-5.19")
def test_a_failed_reserved_payment_no_longer_counts_towards_the_month(team: TeamClients, world: World) -> None:
    world.change_settings(payments__settle_after="3h")
    client = client_with_monthly_limit(team, 2 * unit_cents(team))
    order = client.post_json("/team-orders", net_terms_order_body(2))
    assert world.simulate("payment", team_order_id=order["id"], outcome="failed")["status"] == "failed"
    assert reload(client, order)["payment_status"] == "unpaid"
    assert client.post_json("/team-orders", net_terms_order_body(2))["payment_status"] == "reserved"


@claims("T-5.20")
def test_an_uncertain_payment_counts_towards_the_month_until_its_outcome(team: TeamClients, world: World) -> None:
    client = client_with_monthly_limit(team, 2 * unit_cents(team))
    advance_to(world, next_month_start(world))
    with pytest.raises(ConnectionError):
        client.post("/team-orders", net_terms_order_body(2), **CRASH)
    [order] = client.list_all("/team-orders")
    assert order["payment_status"] == "uncertain"
    world.advance("2d")
    expect_over_monthly_limit(client)
    world.simulate("payment", payment_id=order["payment_id"], outcome="failed")
    create_paid_order(client, 2)


def test_an_uncertain_create_is_refused_until_its_outcome_is_known(team: TeamClients, world: World) -> None:
    with pytest.raises(ConnectionError):
        team.live.post("/team-orders", net_terms_order_body(), Idempotency_Key="once", **CRASH)
    again = team.live.post("/team-orders", net_terms_order_body(), Idempotency_Key="once")
    expect_error(again, 409, "idempotency_in_progress")
    assert again.headers["retry-after"]
    [order] = team.live.list_all("/team-orders")
    world.simulate("payment", team_order_id=order["id"], outcome="settled")
    response = expect_status(team.live.post("/team-orders", net_terms_order_body(), Idempotency_Key="once"), 201)
    assert response.json()["id"] == order["id"]
    assert response.json()["payment_status"] == "paid"
    assert len(team.live.list_all("/invoices")) == 1


@claims("T-5.22")
@pytest.mark.parametrize("to", [1, 900_000])
def test_a_changed_price_is_not_paid_at_the_old_amount(team: TeamClients, world: World, to: int) -> None:
    order = team.live.post_json("/team-orders", kit_order_body())
    world.simulate("price", product="mug-01", price_cents=to)
    before = billing_state(team.live)
    expect_error(request_funding(team.live, order), 422, "price_changed")
    assert billing_state(team.live) == before


@claims("T-5.23")
def test_an_order_with_an_unsigned_proof_is_not_paid(team: TeamClients) -> None:
    before = billing_state(team.live)
    branded = {"collection": "branded-kit", "headcount": 1}
    expect_error(team.live.post("/team-orders", {**branded, "payment_method": "net_terms"}), 422, "proof_not_signed")
    assert billing_state(team.live) == before
    order = team.live.post_json("/team-orders", branded)
    expect_error(request_funding(team.live, order), 422, "proof_not_signed")
    assert reload(team.live, order)["payment_status"] == "unpaid"


@claims("T-5.24")
def test_an_insufficient_balance_does_not_pay_and_never_goes_negative(team: TeamClients, world: World) -> None:
    order = team.live.post_json("/team-orders", kit_order_body())
    world.simulate("team", balance_cents=unit_cents(team) - 1, credit={"status": "suspended"})
    world.simulate("approval", team_order_id=order["id"], decision="approve")
    assert reload(team.live, order)["payment_status"] == "unpaid"
    assert team.live.get_json("/billing/balance")["balance_cents"] == unit_cents(team) - 1


@claims("T-5.25")
@pytest.mark.parametrize("cut", [{"status": "suspended"}, {"status": "none"}, {"credit_limit_cents": 1}])
def test_credit_terms_are_checked_at_payment(team: TeamClients, world: World, cut: Any) -> None:
    order = team.live.post_json("/team-orders", kit_order_body())
    world.simulate("team", credit=cut)
    before = billing_state(team.live)
    expect_error(request_funding(team.live, order), 422, "credit_unavailable")
    assert billing_state(team.live) == before
    assert reload(team.live, order)["payment_status"] == "unpaid"


def test_a_refused_payment_creates_no_order_and_frees_its_key(team: TeamClients, world: World) -> None:
    world.simulate("team", credit={"credit_limit_cents": 0})
    expect_error(
        team.live.post("/team-orders", net_terms_order_body(), Idempotency_Key="one"), 422, "credit_unavailable"
    )
    assert team.live.list_all("/team-orders") == []
    world.simulate("team", credit={"credit_limit_cents": 1_000_000})
    create_paid_order(team.live, Idempotency_Key="one")
