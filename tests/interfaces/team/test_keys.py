"""Keys: created by the owner, shown once, listed by prefix and end, revoked."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

import pytest

from tests.shows import shows
from tests.support.responses import expect_error, expect_status, invalid_fields
from tests.support.team.clients import SCOPES, TeamClient, TeamClients
from tests.support.team.local_time import advance_to, next_month_start
from tests.support.team.orders import approve_and_reload, reload
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

UNPAID = [scope for scope in SCOPES if scope != "orders:pay"]


def key_body(**members: Any) -> dict[str, Any]:
    """A valid body. Members given as `...` are left out."""
    body = {"name": "Shop", "mode": "live", "role": "requester", "scopes": ["catalog:read"], **members}
    return {name: value for name, value in body.items() if value is not ...}


@shows("T-5.7", "T-4.200")
def test_a_key_is_shown_once_and_listed_by_its_prefix_and_end(team: TeamClients) -> None:
    key = team.owner.post_json("/keys", key_body())
    rows = team.owner.get_json("/keys")["data"]
    assert rows[0] == {**{name: value for name, value in key.items() if name != "key"}, "last4": key["key"][-4:]}
    assert len(rows) == 5
    assert [row["id"] for row in rows] == sorted((row["id"] for row in rows), reverse=True)
    assert key["key"] not in json.dumps(rows)


@shows("T-5.1", "T-5.2", "T-4.202")
@pytest.mark.parametrize(("mode", "live"), [("live", True), ("test", False)])
def test_a_new_key_works_at_once_in_its_mode(team: TeamClients, mode: str, live: bool) -> None:
    key = team.owner.post_json("/keys", key_body(mode=mode, role="approver", scopes=["people:write"]))
    assert key["key"].startswith(f"ptk_{mode}_{team.world.id}_")
    assert key["prefix"] == f"ptk_{mode}_"
    client = team.with_key(key["key"])
    assert client.get_json("/team")["livemode"] is live
    person = client.post_json("/people", {"people": [{"work_email": "ada@example.com"}]})["data"][0]
    assert person["livemode"] is live
    assert isinstance(person["id"], int if live else str)


@shows("T-5.8")
@pytest.mark.parametrize("role", ["requester", "approver"])
def test_a_key_has_the_role_and_the_scopes_it_was_given(team: TeamClients, role: str) -> None:
    scopes = ["people:read", "orders:read"]
    team.owner.post_json("/keys", key_body(role=role, scopes=scopes))
    row = team.owner.get_json("/keys")["data"][0]
    assert (row["role"], row["scopes"], row["mode"], row["pay_limits"]) == (role, scopes, "live", None)


@shows("T-5.10")
def test_each_of_the_thirteen_scopes_is_accepted_and_nothing_else(team: TeamClients) -> None:
    for scope in SCOPES:
        assert team.owner.post_json("/keys", key_body(scopes=[scope]))["scopes"] == [scope]
    for scope in ("people:admin", "artwork:read", "rules:read", "*", "", "Orders:Read"):
        assert invalid_fields(team.owner.post("/keys", key_body(scopes=[scope]))) == ["scopes[0]"]


@shows("T-5.15")
def test_only_a_live_key_can_have_the_pay_scope(team: TeamClients) -> None:
    response = team.owner.post("/keys", key_body(mode="test", scopes=["orders:pay"]))
    assert invalid_fields(response) == ["scopes"]
    limits = {"per_request_cents": 10_000, "monthly_cents": 50_000}
    assert team.owner.post_json("/keys", key_body(scopes=["orders:pay"], pay_limits=limits))["pay_limits"] == limits
    half = {"per_request_cents": 10_000}
    key = team.owner.post_json("/keys", key_body(scopes=["orders:pay"], pay_limits=half))
    assert key["pay_limits"] == {**half, "monthly_cents": None}
    assert team.owner.post_json("/keys", key_body(mode="test", scopes=UNPAID))["scopes"] == UNPAID


@pytest.mark.parametrize(
    ("members", "wrong"),
    [
        ({"name": ...}, ["name"]),
        ({"name": " "}, ["name"]),
        ({"name": "a\nb"}, ["name"]),
        ({"name": 5, "mode": "prod", "role": "admin", "scopes": "all"}, ["mode", "name", "role", "scopes"]),
        ({"role": "owner"}, ["role"]),
        ({"scopes": ["orders:read", "orders:read"]}, ["scopes"]),
        ({"pay_limits": {"per_request_cents": -1}}, ["pay_limits"]),
        ({"pay_limits": {"monthly_cents": 1.5}}, ["pay_limits"]),
        ({"pay_limits": {"monthly_cents": 1.0}}, ["pay_limits"]),
        ({"name": 1.0}, ["name"]),
        ({"pay_limits": []}, ["pay_limits"]),
    ],
)
def test_an_invalid_key_body_is_refused_by_field(
    team: TeamClients, members: dict[str, Any], wrong: list[str]
) -> None:  # fmt: skip
    before = team.owner.get_json("/keys")
    assert sorted(invalid_fields(team.owner.post("/keys", key_body(**members)))) == wrong
    assert team.owner.get_json("/keys") == before


def test_errors_do_not_echo_the_body(team: TeamClients) -> None:
    body = key_body(name="x" * 201 + "bo@example.com", role="bo@example.com", scopes=["bo@example.com"])
    response = team.owner.post("/keys", body)
    assert {row["field"]: row["message"] for row in response.json()["error"]["details"]} == {
        "name": "is longer than 200 characters",
        "role": "must be requester or approver",
        "scopes[0]": f"must be one of {', '.join(SCOPES)}",
    }
    assert "example" not in response.text
    for text in ("[]", '"keys"', "null"):
        error = expect_error(team.owner.post("/keys", text), 422, "validation_failed")
        assert error["details"] == [{"field": "body", "message": "must be an object"}]


@shows("T-4.204")
def test_a_revoked_key_is_refused_and_the_others_work(team: TeamClients) -> None:
    client = team.key("catalog:read")
    key_id = team.owner.get_json("/keys")["data"][0]["id"]
    expect_status(client.get("/team"), 200)
    assert expect_status(team.owner.delete(f"/keys/{key_id}"), 200).json() == {"id": key_id, "revoked": True}
    expect_error(client.get("/team"), 401, "invalid_api_key")
    expect_error(team.owner.delete(f"/keys/{key_id}"), 404, "not_found")
    assert key_id not in [row["id"] for row in team.owner.get_json("/keys")["data"]]
    expect_status(team.live.get("/team"), 200)


@shows("T-1.3")
def test_an_owner_manages_only_the_keys_of_their_team(team: TeamClients) -> None:
    other_keys = team.other_owner.get_json("/keys")["data"]
    assert [row["last4"] for row in other_keys] == ["ther"]
    for raw in (other_keys[0]["id"], 1, 999_999, "7001 ", "07001", "x", "-7001", "ptk_live"):
        expect_error(team.owner.delete(f"/keys/{raw}"), 404, "not_found")
    expect_status(team.other.get("/team"), 200)


@shows("T-4.201", "T-4.203", "T-4.205", "T-5.9")
def test_only_the_owner_manages_keys(team: TeamClients) -> None:
    before = team.owner.get_json("/keys")
    key_id = before["data"][0]["id"]
    for client, status, code in (
        (team.live, 403, "session_required"),
        (team.test, 403, "session_required"),
        (team.approver, 403, "owner_required"),
        (team.member, 403, "owner_required"),
        (team.anonymous, 401, "missing_session"),
    ):
        expect_error(client.get("/keys"), status, code)
        expect_error(client.post("/keys", key_body()), status, code)
        expect_error(client.delete(f"/keys/{key_id}"), status, code)
    assert team.owner.get_json("/keys") == before


def test_key_operations_ignore_idempotency_keys(team: TeamClients) -> None:
    keys = [team.owner.post_json("/keys", key_body(), Idempotency_Key="same")["id"] for _ in range(2)]
    assert keys[0] != keys[1]
    expect_status(team.owner.post("/keys", key_body(), Idempotency_Key="k" * 129), 201)


def test_a_key_has_the_plan_of_its_team(team: TeamClients) -> None:
    team.world.simulate("team", plan="growth")
    assert team.key().get("/team").headers["x-ratelimit-limit"] == "300"
    assert team.owner.get("/keys").headers["x-ratelimit-limit"] == "300"


def test_a_fork_has_its_own_keys(team: TeamClients, world: World) -> None:
    name = team.owner.post_json("/keys", key_body())["key"].rpartition("_")[2]
    fork = world.control.post(f"/worlds/{world.id}/fork", {}).json()
    response = world.client.call(
        "GET", "/api/teams/v1/team", headers={"Authorization": f"Bearer ptk_live_{fork['id']}_{name}"}
    )
    assert response.status == 200
    world.client.call("DELETE", f"/_sim/v1/worlds/{fork['id']}")


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


@shows("T-1.7", "T-5.15")
def test_only_a_live_key_with_the_pay_scope_and_both_limits_pays(team: TeamClients) -> None:
    before = billing_state(team.live)
    powerless = team.key(*(scope for scope in SCOPES if scope != "orders:pay"))
    expect_error(powerless.post("/team-orders", net_terms_order_body()), 403, "insufficient_scope")
    without = team.key(*SCOPES)
    expect_error(without.post("/team-orders", net_terms_order_body()), 422, "payment_not_permitted")
    expect_error(team.test.post("/team-orders", net_terms_order_body()), 403, "insufficient_scope")
    assert billing_state(team.live) == before
    assert create_paid_order(team.live)["invoice_id"] is not None


@shows("T-1.7")
@pytest.mark.parametrize("limits", [None, {"per_request_cents": 1_000_000, "monthly_cents": 1_000_000}])
def test_pay_limits_are_checked_as_they_are_at_payment(team: TeamClients, world: World, limits: Any) -> None:
    order = team.live.post_json("/team-orders", kit_order_body())
    world.call_control("PATCH", "/keys/team.live_approver", {"pay_limits": limits})
    if limits is None:
        expect_error(request_funding(team.live, order), 422, "payment_not_permitted")
    else:
        assert fund(team.live, order)["status"] == "succeeded"


@shows("T-5.16")
def test_a_payment_can_reach_but_not_exceed_the_limit_per_request(team: TeamClients) -> None:
    client = key_with_limits(team, 2 * unit_cents(team), 1_000_000)
    before = billing_state(team.live)
    expect_error(client.post("/team-orders", net_terms_order_body(3)), 422, "spending_ceiling_exceeded")
    assert billing_state(team.live) == before
    create_paid_order(client, 2)
    order = client.post_json("/team-orders", kit_order_body(3))
    expect_error(request_funding(client, order), 422, "spending_ceiling_exceeded")
    assert reload(client, order)["payment_status"] == "unpaid"


@shows("T-5.18", "T-8.6")
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
    with world.assert_unchanged():
        expect_error(request_funding(client, held), 422, "spending_ceiling_exceeded")
    for each in (order, held):
        paid = approve_and_reload(team, each)
        assert (paid["payment_status"], paid["payment_method"]) == ("paid", "balance")


def test_an_order_held_above_a_limit_requests_its_approval_where_that_is_set(team: TeamClients, world: World) -> None:
    world.change_settings(on_ceiling="hold", approvals__auto_request=True)
    client = key_with_limits(team, unit_cents(team), 1_000_000)
    order = client.post_json("/team-orders", net_terms_order_body(2))
    assert client.get_json(f"/approvals/{order['approval_id']}")["status"] == "pending"


@shows("T-5.21")
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


@shows("T-5.19")
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


@shows("T-5.19")
def test_a_failed_reserved_payment_no_longer_counts_towards_the_month(team: TeamClients, world: World) -> None:
    world.change_settings(payments__settle_after="3h")
    client = client_with_monthly_limit(team, 2 * unit_cents(team))
    order = client.post_json("/team-orders", net_terms_order_body(2))
    assert world.simulate("payment", team_order_id=order["id"], outcome="failed")["status"] == "failed"
    assert reload(client, order)["payment_status"] == "unpaid"
    assert client.post_json("/team-orders", net_terms_order_body(2))["payment_status"] == "reserved"


@shows("T-5.20")
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


@shows("T-5.22")
@pytest.mark.parametrize("to", [1, 900_000])
def test_a_changed_price_is_not_paid_at_the_old_amount(team: TeamClients, world: World, to: int) -> None:
    order = team.live.post_json("/team-orders", kit_order_body())
    world.simulate("price", product="mug-01", price_cents=to)
    before = billing_state(team.live)
    expect_error(request_funding(team.live, order), 422, "price_changed")
    assert billing_state(team.live) == before


@shows("T-5.23")
def test_an_order_with_an_unsigned_proof_is_not_paid(team: TeamClients) -> None:
    before = billing_state(team.live)
    branded = {"collection": "branded-kit", "headcount": 1}
    expect_error(team.live.post("/team-orders", {**branded, "payment_method": "net_terms"}), 422, "proof_not_signed")
    assert billing_state(team.live) == before
    order = team.live.post_json("/team-orders", branded)
    expect_error(request_funding(team.live, order), 422, "proof_not_signed")
    assert reload(team.live, order)["payment_status"] == "unpaid"


@shows("T-5.24")
def test_an_insufficient_balance_does_not_pay_and_never_goes_negative(team: TeamClients, world: World) -> None:
    order = team.live.post_json("/team-orders", kit_order_body())
    world.simulate("team", balance_cents=unit_cents(team) - 1, credit={"status": "suspended"})
    world.simulate("approval", team_order_id=order["id"], decision="approve")
    assert reload(team.live, order)["payment_status"] == "unpaid"
    assert team.live.get_json("/billing/balance")["balance_cents"] == unit_cents(team) - 1


@shows("T-5.25")
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
