"""Keys: created by the owner, shown once, listed by prefix and end, revoked."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.claims import claims
from tests.support.responses import expect_error, expect_status, invalid_fields
from tests.support.team.clients import SCOPES, TeamClients
from tests.support.worlds import World

UNPAID = [scope for scope in SCOPES if scope != "orders:pay"]


def key_body(**members: Any) -> dict[str, Any]:
    """A valid body. Members given as `...` are left out."""
    body = {"name": "Shop", "mode": "live", "role": "requester", "scopes": ["catalog:read"], **members}
    return {name: value for name, value in body.items() if value is not ...}


@claims("T-5.7", "T-4.200")
def test_a_key_is_shown_once_and_listed_by_its_prefix_and_end(team: TeamClients) -> None:
    key = team.owner.post_json("/keys", key_body())
    rows = team.owner.get_json("/keys")["data"]
    assert rows[0] == {**{name: value for name, value in key.items() if name != "key"}, "last4": key["key"][-4:]}
    assert len(rows) == 5
    assert [row["id"] for row in rows] == sorted((row["id"] for row in rows), reverse=True)
    assert key["key"] not in json.dumps(rows)


@claims("T-5.1", "T-5.2", "T-4.202")
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


@claims("T-5.8")
@pytest.mark.parametrize("role", ["requester", "approver"])
def test_a_key_has_the_role_and_the_scopes_it_was_given(team: TeamClients, role: str) -> None:
    scopes = ["people:read", "orders:read"]
    team.owner.post_json("/keys", key_body(role=role, scopes=scopes))
    row = team.owner.get_json("/keys")["data"][0]
    assert (row["role"], row["scopes"], row["mode"], row["pay_limits"]) == (role, scopes, "live", None)


@claims("T-5.10")
def test_each_of_the_thirteen_scopes_is_accepted_and_nothing_else(team: TeamClients) -> None:
    for scope in SCOPES:
        assert team.owner.post_json("/keys", key_body(scopes=[scope]))["scopes"] == [scope]
    for scope in ("people:admin", "artwork:read", "rules:read", "*", "", "Orders:Read"):
        assert invalid_fields(team.owner.post("/keys", key_body(scopes=[scope]))) == ["scopes[0]"]


@claims("T-5.15")
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
        "scopes[0]": "must be one of the 13 scopes, such as orders:read",
    }
    assert "example" not in response.text
    for text in ("[]", '"keys"', "null"):
        error = expect_error(team.owner.post("/keys", text), 422, "validation_failed")
        assert error["details"] == [{"field": "body", "message": "must be an object"}]


@claims("T-4.204")
def test_a_revoked_key_is_refused_and_the_others_work(team: TeamClients) -> None:
    client = team.key("catalog:read")
    key_id = team.owner.get_json("/keys")["data"][0]["id"]
    expect_status(client.get("/team"), 200)
    assert expect_status(team.owner.delete(f"/keys/{key_id}"), 200).json() == {"id": key_id, "revoked": True}
    expect_error(client.get("/team"), 401, "invalid_api_key")
    expect_error(team.owner.delete(f"/keys/{key_id}"), 404, "not_found")
    assert key_id not in [row["id"] for row in team.owner.get_json("/keys")["data"]]
    expect_status(team.live.get("/team"), 200)


@claims("T-1.3")
def test_an_owner_manages_only_the_keys_of_their_team(team: TeamClients) -> None:
    other_keys = team.other_owner.get_json("/keys")["data"]
    assert [row["last4"] for row in other_keys] == ["ther"]
    for raw in (other_keys[0]["id"], 1, 999_999, "7001 ", "07001", "x", "-7001", "ptk_live"):
        expect_error(team.owner.delete(f"/keys/{raw}"), 404, "not_found")
    expect_status(team.other.get("/team"), 200)


@claims("T-4.201", "T-4.203", "T-4.205", "T-5.9")
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
