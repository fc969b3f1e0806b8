"""Who may call: keys missing, unknown, foreign, unbound or without the capability, and what is judged first."""

from __future__ import annotations

import base64
from collections.abc import Callable
from typing import Any

import pytest

from tests.claims import claims
from tests.harness import Face, World, order_body, tokens
from tests.interfaces.partner.till import made, orders, refused

Make = Callable[..., World]

ENDPOINTS: tuple[tuple[str, str, Any], ...] = (
    ("POST", "/team-orders", order_body()),
    ("GET", "/team-orders", None),
    ("GET", "/team-orders/1001", None),
    ("GET", "/team-orders/1001/manifest.csv", None),
    ("POST", "/team-orders/1001/cancel", {}),
    ("POST", "/webhooks", {"url": "https://hooks.partner.example/gifts", "events": ["team_order.shipped"]}),
    ("GET", "/webhooks", None),
    ("GET", "/webhooks/1", None),
    ("POST", "/webhooks/1/test", None),
    ("DELETE", "/webhooks/1", None),
    ("POST", "/billing/settle", {}),
)
every_endpoint = pytest.mark.parametrize(("method", "path", "body"), ENDPOINTS)


def stranger(world: World, **headers: str) -> Face:
    """Somebody with those headers and no more, in a world that is named beside them (G10)."""
    return Face(world.client, world.partner().contract, {"X-Sim-World": world.id, **headers})


def furnish(partner: Face) -> None:
    """One order and one endpoint, so that every path names something."""
    made(partner.order(idempotency_key="furniture"))
    partner.subscribe("team_order.claimed")


@claims("P-5.1")
def test_a_key_begins_with_pk_live_and_is_sent_as_bearer(world: World) -> None:
    key = world.credentials["partner.prepaid"]["value"]
    made_key = world.ask("POST", "/keys", {"interface": "partner"})["key"]
    assert key.startswith("pk_live_")
    assert made_key.startswith("pk_live_")
    for spelled in (f"Bearer {key}", f"bearer {key}", f"Bearer {made_key}"):
        assert stranger(world, Authorization=spelled).get("/team-orders").status == 200


@claims("P-5.1")
def test_the_key_in_any_other_place_is_no_key(world: World) -> None:
    key = world.credentials["partner.prepaid"]["value"]
    basic = base64.b64encode(f"{key}:".encode()).decode()
    places: tuple[dict[str, str], ...] = (
        {"X-API-Key": key}, {"Authorization": f"Basic {basic}"}, {"Authorization": key}, {"Cookie": f"session={key}"},
        {"Authorization": f"Token {key}"}, {"Authorization": f"Bearer  {key}"}, {"Authorization": f"Bearer {key} "},
    )  # fmt: skip
    for headers in places:
        assert refused(stranger(world, **headers).get("/team-orders")) == (401, "unauthorized"), headers
    assert refused(stranger(world).get(f"/team-orders?api_key={key}")) == (401, "unauthorized")


@claims("P-5.2")
@every_endpoint
def test_without_a_good_key_every_endpoint_is_401(world: World, method: str, path: str, body: Any) -> None:
    furnish(world.partner())
    with world.unchanged():
        for authorization in (
            None,
            f"Bearer pk_live_{world.id}_nobody",
            "Bearer pk_live_nowhere_prepaid",
            f"Bearer {world.credentials['team.live_approver']['value']}",
            f"Bearer pk_test_{world.id}_prepaid",
            f"Bearer PK_LIVE_{world.id}_prepaid",
        ):
            who = stranger(world, **({"Authorization": authorization} if authorization else {}))
            answer = who.call(method, path, body)
            assert refused(answer) == (401, "unauthorized"), authorization
            assert "x-ratelimit-limit" not in answer.headers


@claims("P-5.2")
def test_a_revoked_key_is_401_at_once(world: World, partner: Face) -> None:
    assert partner.get("/team-orders").status == 200
    world.ask("DELETE", "/keys/partner.prepaid")
    assert refused(partner.get("/team-orders")) == (401, "unauthorized")
    assert refused(partner.order()) == (401, "unauthorized")


@claims("P-5.3")
@every_endpoint
def test_a_key_bound_to_no_account_is_403_everywhere(world: World, method: str, path: str, body: Any) -> None:
    furnish(world.partner())
    with world.unchanged():
        answer = world.partner("partner.unbound").call(method, path, body)
        assert refused(answer) == (403, "forbidden_no_account")


@claims("P-5.4")
@every_endpoint
def test_a_key_without_the_capability_is_403_everywhere(world: World, method: str, path: str, body: Any) -> None:
    furnish(world.partner())
    with world.unchanged():
        answer = world.partner("partner.no_capability").call(method, path, body)
        assert refused(answer) == (403, "forbidden_capability")


@claims("P-5.5")
def test_a_new_key_has_the_capability_and_an_older_one_once_it_is_enabled(world: World) -> None:
    new = world.key(account={"wallet_cents": 100_000})
    assert new.order().status == 201
    old = world.partner("partner.no_capability")
    assert refused(old.order()) == (403, "forbidden_capability")
    world.ask("PATCH", "/keys/partner.no_capability", {"capabilities": ["team_orders"]})
    assert old.order().status == 201
    world.ask("PATCH", "/keys/partner.no_capability", {"capabilities": []})
    assert refused(old.get("/team-orders")) == (403, "forbidden_capability")


def test_credentials_of_two_worlds_never_meet(new_world: Make) -> None:
    one, other = new_world(seed=5), new_world(seed=5)
    keys = [
        world.ask("POST", "/keys", {"interface": "partner", "account": {"wallet_cents": 9_000}})
        for world in (one, other)
    ]
    assert keys[0]["key"] != keys[1]["key"]
    order = made(one.partner(key=keys[0]["key"]).order(return_claim_links=True))
    assert other.partner(key=keys[1]["key"]).get("/team-orders").json()["total"] == 0
    assert refused(one.partner(key=keys[1]["key"]).get(f"/team-orders/{order['team_order']['id']}"))[0] == 404
    assert other.claim(tokens(order)[0]).status == 404
    assert one.claim(tokens(order)[0]).status == 200
    one.ask("DELETE", f"/keys/{keys[0]['key']}")
    assert one.partner(key=keys[0]["key"]).get("/team-orders").status == 401
    assert other.partner(key=keys[1]["key"]).get("/team-orders").status == 200


def test_a_key_chooses_its_world_whatever_the_header_says(new_world: Make) -> None:
    one, other = new_world(), new_world()
    key = one.credentials["partner.prepaid"]["value"]
    made(stranger(other, Authorization=f"Bearer {key}").order())
    assert len(orders(one)) == 1
    assert orders(other) == []


def test_a_key_ends_with_its_world(new_world: Make) -> None:
    gone, stays = new_world(), new_world()
    partner = gone.partner()
    gone.ask("DELETE", "")
    assert refused(partner.get("/team-orders")) == (401, "unauthorized")
    assert stays.partner().get("/team-orders").status == 200


def test_one_order_of_checks_from_the_route_to_the_payment(world: World) -> None:
    """Each call has all the faults of those below it; one is mended at a time (G13)."""
    nobody, poor = stranger(world), world.key(account={}, capabilities=[], plan="starter")
    assert refused(nobody.post("/team-order", "[")) == (404, "not_found")
    assert refused(nobody.call("PUT", "/team-orders", "[")) == (405, "method_not_allowed")
    assert refused(nobody.post("/team-orders", "[")) == (401, "unauthorized")
    name = poor.headers["Authorization"].removeprefix("Bearer ")
    world.settings(rate_limits__starter=1)
    poor.get("/team-orders")
    assert refused(poor.post("/team-orders", "[")) == (429, "rate_limited")
    world.settings(rate_limits__starter=1_000)
    assert refused(poor.post("/team-orders", "[")) == (403, "forbidden_capability")
    world.ask("PATCH", f"/keys/{name}", {"capabilities": ["team_orders"]})
    assert refused(poor.post("/team-orders", "[")) == (400, "invalid_body")
    assert refused(poor.order()) == (402, "insufficient_funds_no_card")
    wrong = {"items": [{"sku_code": "NO-SUCH"}], "recipients": [{"name": "Bo", "email": "?"}]}
    assert refused(poor.order(gift_sender=None, **wrong)) == (409, "idempotency_payload_mismatch")
    second = {**wrong, "idempotency_key": "second"}
    assert refused(poor.order(gift_sender=None, **second)) == (400, "gift_sender_required")
    assert refused(poor.order(**second)) == (404, "sku_not_found")
    second["items"] = [{"sku_code": "ENGR-01"}]
    assert refused(poor.order(**second)) == (422, "invalid_recipients")
    second["recipients"] = [{"name": "Bo", "email": "bo@example.com"}]
    assert refused(poor.order(**second)) == (409, "personalization_review_required")
    world.simulate("personalization", product="ENGR-01", reviewed=True)
    assert refused(poor.order(**second)) == (402, "insufficient_funds_no_card")


def test_body_syntax_then_query_then_path_id_then_body_then_state(world: World, partner: Face) -> None:
    order = made(partner.order())["team_order"]["id"]
    assert refused(partner.post("/team-orders/999/cancel", "[")) == (400, "invalid_body")
    assert refused(partner.post("/team-orders/999/cancel", {"recipient_ids": []})) == (404, "team_order_not_found")
    assert refused(partner.post(f"/team-orders/{order}/cancel", {"recipient_ids": []})) == (400, "invalid_body")
    assert refused(partner.post(f"/team-orders/{order}/cancel", {"recipient_ids": [1]})) == (404, "recipient_not_found")
    world.simulate("shipment", team_order_id=order, to="shipped")
    assert refused(partner.post(f"/team-orders/{order}/cancel", {})) == (409, "nothing_to_cancel")
    assert refused(partner.get("/team-orders?limit=0")) == (400, "invalid_body")


def test_an_unknown_route_names_the_nearest_and_a_wrong_method_those_there_are(partner: Face) -> None:
    answer = partner.get("/team-order")
    assert refused(answer) == (404, "not_found")
    assert "/api/external/team-orders" in answer.json()["error"]["message"]
    answer = partner.call("PATCH", "/webhooks/1")
    assert refused(answer) == (405, "method_not_allowed")
    assert answer.headers["allow"] == "GET, DELETE"
