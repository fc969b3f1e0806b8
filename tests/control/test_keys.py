"""Keys of partners: creating, changing and revoking them."""

from __future__ import annotations

from typing import Any

from giftsim.services.gifting.domain.team.api_keys import SCOPES
from tests.support.responses import status_and_code
from tests.support.worlds import World


def test_a_new_key_has_its_own_account_without_money(world: World) -> None:
    key = world.call_control("POST", "/keys", {"interface": "partner"})
    assert key["key"].startswith(f"pk_live_{world.id}_")
    partner = world.partner(key=key["key"])
    assert status_and_code(partner.create_order()) == (402, "insufficient_funds_no_card")
    assert world.call_control("GET", "")["credentials"][key["name"]]["value"] == key["key"]


def test_a_key_is_created_with_the_described_account(world: World) -> None:
    partner = world.partner_with_new_key(account={"wallet_cents": 500_000, "card": "good"})
    assert partner.create_order().status == 201
    account = world.call_control("GET", "/accounts")["accounts"][-1]
    assert (account["card"], account["billing_mode"]) == ("good", "prepaid")


def test_two_keys_of_one_account_read_the_same_orders(world: World) -> None:
    first = world.call_control(
        "POST", "/keys", {"interface": "partner", "name": "one", "account": {"wallet_cents": 500_000}}
    )
    second = world.call_control("POST", "/keys", {"interface": "partner", "account": {"id": first["account_id"]}})
    assert first["key"] == f"pk_live_{world.id}_one"
    assert first["account_id"] == second["account_id"]
    world.partner(key=first["key"]).create_order()
    assert world.partner(key=second["key"]).get("/team-orders").json()["total"] == 1


def test_a_key_can_have_no_account(world: World) -> None:
    assert status_and_code(world.partner_with_new_key(account=None).get("/team-orders")) == (
        403,
        "forbidden_no_account",
    )


def test_an_invalid_key_is_refused(world: World) -> None:
    cases: list[tuple[dict[str, object], int, str]] = [
        ({"interface": "museum"}, 400, "invalid_body"),
        ({"account": {"id": 9}}, 404, "account_not_found"),
        ({"account": {"id": 501, "card": "good"}}, 400, "invalid_body"),
        ({"name": "prepaid"}, 409, "key_exists"),
        ({"name": "a_b"}, 400, "invalid_body"),
    ]
    for body, status, code in cases:
        response = world.control.post(f"/worlds/{world.id}/keys", {"interface": "partner", **body})
        assert status_and_code(response) == (status, code), body


def test_capabilities_and_plan_of_a_key_can_change(world: World) -> None:
    partner = world.partner()
    world.call_control("PATCH", "/keys/partner.prepaid", {"capabilities": []})
    assert status_and_code(partner.get("/team-orders")) == (403, "forbidden_capability")
    changed = world.call_control("PATCH", "/keys/partner.prepaid", {"capabilities": ["team_orders"], "plan": "starter"})
    assert changed["capabilities"] == ["team_orders"]
    assert partner.get("/team-orders").headers["x-ratelimit-limit"] == "60"


def test_a_revoked_key_is_refused_and_no_longer_a_credential(world: World) -> None:
    key = world.credentials["partner.prepaid"]["value"]
    assert world.call_control("DELETE", f"/keys/{key}")["revoked"] is True
    assert world.partner().get("/team-orders").status == 401
    assert "partner.prepaid" not in world.call_control("GET", "")["credentials"]


def test_the_error_for_an_unknown_key_names_the_nearest_one(world: World) -> None:
    response = world.control.delete(f"/worlds/{world.id}/keys/partner.prepayd")
    assert status_and_code(response) == (404, "key_not_found")
    assert "did you mean partner.prepaid?" in response.json()["error"]["message"]


UNPAID = [scope for scope in SCOPES if scope != "orders:pay"]


def test_a_new_team_key_has_all_scopes_except_that_a_test_key_cannot_pay(world: World) -> None:
    live = world.call_control("POST", "/keys", {"interface": "team"})
    assert live["key"].startswith(f"ptk_live_{world.id}_")
    assert (live["role"], live["scopes"], live["pay_limits"]) == ("approver", list(SCOPES), None)
    test = world.call_control("POST", "/keys", {"interface": "team", "mode": "test", "name": "mine"})
    assert (test["key"], test["scopes"]) == (f"ptk_test_{world.id}_mine", UNPAID)
    assert (live["team_id"], live["account_id"]) == (test["team_id"], None)


def test_a_team_key_is_created_as_described(world: World) -> None:
    limits = {"per_request_cents": 1_000, "monthly_cents": None}
    body = {"role": "requester", "scopes": ["orders:pay"], "pay_limits": limits, "plan": "growth"}
    key = world.call_control("POST", "/keys", {"interface": "team", "team": "other", **body})
    assert {name: key[name] for name in body} == body
    assert key["team_id"] != world.call_control("POST", "/keys", {"interface": "team"})["team_id"]


def test_an_invalid_team_key_is_refused(world: World) -> None:
    cases: list[tuple[dict[str, Any], int, str]] = [
        ({"account": {}}, 400, "invalid_body"),
        ({"capabilities": []}, 400, "invalid_body"),
        ({"mode": "test", "scopes": ["orders:pay"]}, 400, "invalid_body"),
        ({"scopes": ["orders:all"]}, 400, "invalid_body"),
        ({"role": "owner"}, 400, "invalid_body"),
        ({"team": 1}, 404, "team_not_found"),
        ({"name": "approver"}, 409, "key_exists"),
        ({"interface": "partner", "role": "approver"}, 400, "invalid_body"),
        ({"interface": "partner", "pay_limits": None}, 400, "invalid_body"),
    ]
    for body, status, code in cases:
        response = world.control.post(f"/worlds/{world.id}/keys", {"interface": "team", **body})
        assert status_and_code(response) == (status, code), body


def test_scopes_pay_limits_and_plan_of_a_team_key_can_change(world: World) -> None:
    limits = {"per_request_cents": 1, "monthly_cents": 100}
    body = {"scopes": ["catalog:read"], "pay_limits": limits, "plan": "starter"}
    changed = world.call_control("PATCH", "/keys/team.live_approver", body)
    assert {name: changed[name] for name in body} == body
    monthly = world.call_control("PATCH", "/keys/team.live_approver", {"pay_limits": {"monthly_cents": 5}})
    assert monthly["pay_limits"] == {"per_request_cents": None, "monthly_cents": 5}
    assert world.call_control("PATCH", "/keys/team.live_approver", {"pay_limits": None})["pay_limits"] is None
    assert changed["role"] == world.call_control("PATCH", "/keys/team.live_approver", {})["role"]


def test_a_change_that_does_not_fit_the_key_is_refused(world: World) -> None:
    for key, body in (
        ("team.live_approver", {"capabilities": []}),
        ("team.test", {"scopes": ["orders:pay"]}),
        ("partner.prepaid", {"scopes": []}),
        ("partner.prepaid", {"pay_limits": None}),
    ):
        response = world.control.call("PATCH", f"/worlds/{world.id}/keys/{key}", body)
        assert status_and_code(response) == (400, "invalid_body"), body


def test_a_team_is_named_by_id_or_label_and_defaults_to_that_of_the_credentials(world: World) -> None:
    first = world.simulate("team")
    other = world.simulate("team", team_id="other", api_enabled=False)
    assert (first["label"], first["api_enabled"], other["api_enabled"]) == ("northwind", True, False)
    assert world.simulate("team", team_id=other["team_id"])["api_enabled"] is False
    assert world.simulate("team", team_id=first["team_id"], ach_enabled=False)["ach_enabled"] is False
    for body, expected in (({"team_id": 1}, (404, "team_not_found")), ({"plan": "gold"}, (400, "invalid_body"))):
        assert status_and_code(world.control.post(f"/worlds/{world.id}/simulate/team", body)) == expected


def test_the_plan_of_a_team_becomes_the_plan_of_its_keys(world: World) -> None:
    world.simulate("team", plan="growth")
    assert world.call_control("PATCH", "/keys/team.test", {})["plan"] == "growth"
    assert world.call_control("PATCH", "/keys/team.other_team", {})["plan"] == "sandbox"
    assert world.call_control("POST", "/keys", {"interface": "team"})["plan"] == "growth"
