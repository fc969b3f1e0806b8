"""Keys of teams, and the options of teams, set through the control API."""

from __future__ import annotations

from typing import Any

from giftsim.domain.team.api_keys import SCOPES
from tests.support.responses import status_and_code
from tests.support.worlds import World

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
