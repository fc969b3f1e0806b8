"""One order of checks: a call that is wrong in every way is told of one thing after another as they are put right."""

from __future__ import annotations

from typing import Any

from tests.claims import claims
from tests.interfaces.team.scene import Team, TeamFace, refused, well

KEY = "/keys/team.live_approver"
ORDER: dict[str, Any] = {
    "collection": "welcome-kit",
    "headcount": 1,
    "recipients": [{"name": "Bo", "email": "bo@example.com"}],
}


def spent(team: Team) -> None:
    """Use up the minute of the live key, which has no scopes and no switch behind it any more."""
    team.world.ask("PATCH", KEY, {"plan": "starter", "scopes": []})
    for _ in range(60):
        well(team.live.get("/team"), 200)
    team.world.simulate("team", api_enabled=False)


@claims("T-5.26")
def test_a_create_that_is_all_wrong_is_told_so_in_the_order_of_checks(team: Team) -> None:
    world, live = team.world, team.live
    spent(team)
    refused(team.nobody.call("POST", "/team-order", "{", Idempotency_Key=None), 404, "not_found")
    refused(team.nobody.call("PUT", "/team-orders", "{", Idempotency_Key=None), 405, "method_not_allowed")
    refused(team.nobody.call("POST", "/team-orders", "{", Idempotency_Key=None), 401, "missing_api_key")
    refused(live.call("POST", "/team-orders", "{", Idempotency_Key=None), 401, "team_api_disabled")
    world.simulate("team", api_enabled=True)
    refused(live.call("POST", "/team-orders", "{", Idempotency_Key=None), 429, "rate_limited")
    world.advance("60s")
    refused(live.call("POST", "/team-orders", "{", Idempotency_Key=None), 403, "insufficient_scope")
    world.ask("PATCH", KEY, {"scopes": ["orders:write"]})
    refused(live.call("POST", "/team-orders", "{", Idempotency_Key=None), 400, "idempotency_key_required")
    refused(live.call("POST", "/team-orders", "{", Idempotency_Key="k" * 129), 400, "invalid_idempotency_key")
    refused(live.call("POST", "/team-orders", "{", Idempotency_Key="one"), 400, "invalid_json")
    made = well(live.post("/team-orders", ORDER, Idempotency_Key="one"), 201)
    paying = {"payment_method": "net_terms", "headcount": "many"}
    refused(live.post("/team-orders", paying, Idempotency_Key="one"), 403, "insufficient_scope")
    world.ask("PATCH", KEY, {"scopes": ["orders:write", "orders:read", "orders:pay", "billing:write"]})
    refused(live.post("/team-orders", paying, Idempotency_Key="one"), 409, "idempotency_key_reused")
    refused(live.post("/team-orders", paying, Idempotency_Key="two"), 422, "validation_failed")
    assert [row["id"] for row in live.got("/team-orders")["data"]] == [made.json()["id"]]


def test_a_path_is_judged_before_the_body_and_the_body_before_the_state(team: Team) -> None:
    order = team.live.make("/team-orders", ORDER)["id"]
    bad: dict[str, Any] = {"po_number": 5}
    refused(team.live.patch("/team-orders/999999", bad), 404, "not_found")
    refused(team.other.patch(f"/team-orders/{order}", bad), 404, "not_found")
    refused(team.test.patch(f"/team-orders/{order}", bad), 404, "not_found")
    well(team.live.post(f"/team-orders/{order}/cancel", {"reason": "changed our minds"}), 200)
    refused(team.live.post(f"/team-orders/{order}/cancel", {"reason": 5}), 422, "validation_failed")
    refused(team.live.post(f"/team-orders/{order}/cancel", {"reason": "again"}), 409, "invalid_state")


def test_who_lacks_the_right_learns_nothing_of_what_is_there(team: Team) -> None:
    order = team.live.make("/team-orders", ORDER)["id"]
    world = team.world
    made = world.ask("POST", "/keys", {"interface": "team", "scopes": ["catalog:read"]})
    face = TeamFace(world, made["headers"])
    answers = [
        refused(face.call(method, path, body), 403, "insufficient_scope")["message"]
        for method, path, body in (
            ("GET", f"/team-orders/{order}", None),
            ("GET", "/team-orders/999999", None),
            ("PATCH", f"/team-orders/{order}", "{"),
            ("PATCH", "/team-orders/999999", "{"),
        )
    ]
    assert answers[0] == answers[1]
    assert answers[2] == answers[3]


def test_a_world_may_ask_for_the_role_approver_on_net_terms(team: Team) -> None:
    held = ["orders:write", "orders:pay", "billing:write"]
    limits = {"per_request_cents": 1_000_000, "monthly_cents": 1_000_000}
    body = {"interface": "team", "role": "requester", "scopes": held, "pay_limits": limits}
    face = TeamFace(team.world, team.world.ask("POST", "/keys", body)["headers"])
    well(face.post("/team-orders", {**ORDER, "payment_method": "net_terms"}), 201)
    team.world.settings(team__net_terms_role="approver")
    refused(face.post("/team-orders", {**ORDER, "payment_method": "net_terms"}), 403, "insufficient_role")
    well(face.post("/team-orders", ORDER), 201)
