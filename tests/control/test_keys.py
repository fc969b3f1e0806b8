"""Keys of partners: creating, changing and revoking them."""

from __future__ import annotations

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
