"""The order of checks: a call with several errors reports them one after another as they are fixed."""

from __future__ import annotations

from typing import Any

from tests.shows import shows
from tests.support.responses import expect_error, expect_status
from tests.support.team.clients import TeamClient, TeamClients

KEY = "/keys/team.live_approver"
ORDER: dict[str, Any] = {
    "collection": "welcome-kit",
    "headcount": 1,
    "recipients": [{"name": "Bo", "email": "bo@example.com"}],
}


def exhaust_live_key(team: TeamClients) -> None:
    """Use up the live key's rate-limit window, take its scopes away and switch the team's API off."""
    team.world.call_control("PATCH", KEY, {"plan": "starter", "scopes": []})
    for _ in range(60):
        expect_status(team.live.get("/team"), 200)
    team.world.simulate("team", api_enabled=False)


@shows("T-5.26")
def test_a_create_with_every_error_reports_them_in_the_order_of_checks(team: TeamClients) -> None:
    world, live = team.world, team.live
    exhaust_live_key(team)
    expect_error(team.anonymous.call("POST", "/team-order", "{", Idempotency_Key=None), 404, "not_found")
    expect_error(team.anonymous.call("PUT", "/team-orders", "{", Idempotency_Key=None), 405, "method_not_allowed")
    expect_error(team.anonymous.call("POST", "/team-orders", "{", Idempotency_Key=None), 401, "missing_api_key")
    expect_error(live.call("POST", "/team-orders", "{", Idempotency_Key=None), 401, "team_api_disabled")
    world.simulate("team", api_enabled=True)
    expect_error(live.call("POST", "/team-orders", "{", Idempotency_Key=None), 429, "rate_limited")
    world.advance("60s")
    expect_error(live.call("POST", "/team-orders", "{", Idempotency_Key=None), 403, "insufficient_scope")
    world.call_control("PATCH", KEY, {"scopes": ["orders:write"]})
    expect_error(live.call("POST", "/team-orders", "{", Idempotency_Key=None), 400, "idempotency_key_required")
    expect_error(live.call("POST", "/team-orders", "{", Idempotency_Key="k" * 129), 400, "invalid_idempotency_key")
    expect_error(live.call("POST", "/team-orders", "{", Idempotency_Key="one"), 400, "invalid_json")
    order = expect_status(live.post("/team-orders", ORDER, Idempotency_Key="one"), 201)
    paying = {"payment_method": "net_terms", "headcount": "many"}
    expect_error(live.post("/team-orders", paying, Idempotency_Key="one"), 403, "insufficient_scope")
    world.call_control("PATCH", KEY, {"scopes": ["orders:write", "orders:read", "orders:pay", "billing:write"]})
    expect_error(live.post("/team-orders", paying, Idempotency_Key="one"), 409, "idempotency_key_reused")
    expect_error(live.post("/team-orders", paying, Idempotency_Key="two"), 422, "validation_failed")
    assert [row["id"] for row in live.get_json("/team-orders")["data"]] == [order.json()["id"]]


def test_the_path_is_checked_before_the_body_and_the_body_before_the_state(team: TeamClients) -> None:
    order = team.live.post_json("/team-orders", ORDER)["id"]
    bad: dict[str, Any] = {"po_number": 5}
    expect_error(team.live.patch("/team-orders/999999", bad), 404, "not_found")
    expect_error(team.other.patch(f"/team-orders/{order}", bad), 404, "not_found")
    expect_error(team.test.patch(f"/team-orders/{order}", bad), 404, "not_found")
    expect_status(team.live.post(f"/team-orders/{order}/cancel", {"reason": "changed our minds"}), 200)
    expect_error(team.live.post(f"/team-orders/{order}/cancel", {"reason": 5}), 422, "validation_failed")
    expect_error(team.live.post(f"/team-orders/{order}/cancel", {"reason": "again"}), 409, "invalid_state")


def test_a_caller_without_permission_learns_nothing_about_records(team: TeamClients) -> None:
    order = team.live.post_json("/team-orders", ORDER)["id"]
    world = team.world
    key = world.call_control("POST", "/keys", {"interface": "team", "scopes": ["catalog:read"]})
    client = TeamClient(world, key["headers"])
    responses = [
        expect_error(client.call(method, path, body), 403, "insufficient_scope")["message"]
        for method, path, body in (
            ("GET", f"/team-orders/{order}", None),
            ("GET", "/team-orders/999999", None),
            ("PATCH", f"/team-orders/{order}", "{"),
            ("PATCH", "/team-orders/999999", "{"),
        )
    ]
    assert responses[0] == responses[1]
    assert responses[2] == responses[3]


def test_a_setting_requires_the_role_approver_for_net_terms(team: TeamClients) -> None:
    scopes = ["orders:write", "orders:pay", "billing:write"]
    limits = {"per_request_cents": 1_000_000, "monthly_cents": 1_000_000}
    body = {"interface": "team", "role": "requester", "scopes": scopes, "pay_limits": limits}
    client = TeamClient(team.world, team.world.call_control("POST", "/keys", body)["headers"])
    expect_status(client.post("/team-orders", {**ORDER, "payment_method": "net_terms"}), 201)
    team.world.change_settings(team__net_terms_role="approver")
    expect_error(client.post("/team-orders", {**ORDER, "payment_method": "net_terms"}), 403, "insufficient_role")
    expect_status(client.post("/team-orders", ORDER), 201)
