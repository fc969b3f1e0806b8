"""Who may call: keys missing, unknown, foreign, unbound or without the capability, and what is judged first."""

from __future__ import annotations

import base64
from collections.abc import Callable
from typing import Any

import pytest

from tests.shows import shows
from tests.support.api_clients import PartnerClient
from tests.support.orders import claim_tokens, order_body
from tests.support.partner.orders import list_orders, order_id
from tests.support.responses import created, error_code, status_and_code
from tests.support.worlds import World

FUNDED = {"wallet_cents": 10_000, "card": "good"}


@shows("P-1.9")
def test_orders_of_another_account_do_not_exist(world: World, partner: PartnerClient) -> None:
    order = created(partner.create_order(return_claim_links=True))
    path, stranger = f"/team-orders/{order_id(order)}", world.partner_with_new_key(account=FUNDED)
    with world.assert_unchanged():
        assert error_code(stranger.get(path), 404) == "team_order_not_found"
        assert error_code(stranger.get(f"{path}?include=claim_links"), 404) == "team_order_not_found"
        assert error_code(stranger.get(f"{path}/manifest.csv"), 404) == "team_order_not_found"
        assert error_code(stranger.post(f"{path}/cancel", {}), 404) == "team_order_not_found"
        mine = [order["recipients"][0]["recipient_id"]]
        assert error_code(stranger.post(f"{path}/cancel", {"recipient_ids": mine}), 404) == "team_order_not_found"
    listed = stranger.get("/team-orders").json()
    assert (listed["team_orders"], listed["total"]) == ([], 0)
    own = created(stranger.create_order())
    assert order_id(own) != order_id(order)
    assert [row["id"] for row in stranger.get("/team-orders").json()["team_orders"]] == [order_id(own)]
    assert [row["id"] for row in partner.get("/team-orders").json()["team_orders"]] == [order_id(order)]


@shows("P-1.9")
def test_a_cancel_cannot_reach_into_another_order(world: World, partner: PartnerClient) -> None:
    stranger = world.partner_with_new_key(account=FUNDED)
    theirs, own = created(partner.create_order()), created(stranger.create_order())
    foreign = [theirs["recipients"][0]["recipient_id"]]
    with world.assert_unchanged():
        answer = stranger.post(f"/team-orders/{order_id(own)}/cancel", {"recipient_ids": foreign})
    assert error_code(answer, 404) == "recipient_not_found"


@shows("P-1.9")
def test_endpoints_of_another_account_do_not_exist(world: World, partner: PartnerClient) -> None:
    endpoint = partner.subscribe("team_order.claimed")["endpoint"]
    path, stranger = f"/webhooks/{endpoint['id']}", world.partner_with_new_key(account=FUNDED)
    assert error_code(stranger.get(path), 404) == "endpoint_not_found"
    assert error_code(stranger.delete(path), 404) == "endpoint_not_found"
    assert error_code(stranger.post(f"{path}/test", {}), 404) == "endpoint_not_found"
    assert stranger.get("/webhooks").json() == {"endpoints": []}
    assert partner.get(path).json()["endpoint"] == endpoint
    assert world.deliveries() == []


@shows("P-1.9")
def test_events_go_to_the_account_whose_order_it_is(world: World, partner: PartnerClient) -> None:
    stranger = world.partner_with_new_key(account=FUNDED)
    stranger.subscribe("team_order.claimed", host="stranger.example")
    partner.subscribe("team_order.claimed", host="own.example")
    for order in (created(partner.create_order()), created(stranger.create_order())):
        world.simulate("claim", team_order_id=order_id(order), recipient=0)
        world.advance("1h")
    assert [delivery["url"] for delivery in world.deliveries()] == [
        "https://own.example/gifts",
        "https://stranger.example/gifts",
    ]


@shows("P-1.9")
def test_two_keys_of_one_account_share_its_orders(world: World, partner: PartnerClient) -> None:
    order = created(partner.create_order())
    accounts = world.call_control("GET", "/accounts")["accounts"]
    shared = next(row["account_id"] for row in accounts if row["label"] == "prepaid")
    second = world.partner_with_new_key(account={"id": shared})
    assert second.read_order(order_id(order)) == partner.read_order(order_id(order))
    assert second.post(f"/team-orders/{order_id(order)}/cancel", {}).status == 200
    assert partner.read_order(order_id(order))["team_order"]["status"] == "canceled"


def test_the_same_idempotency_key_of_another_key_is_another_order(world: World, partner: PartnerClient) -> None:
    first = created(partner.create_order(name="One"))
    second = created(world.partner_with_new_key(account=FUNDED).create_order(name="Two"))
    assert order_id(first) != order_id(second)


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


def stranger(world: World, **headers: str) -> PartnerClient:
    """Somebody with those headers and no more, in a world that is named beside them (G10)."""
    return PartnerClient(world.client, world.partner().contract, {"X-Sim-World": world.id, **headers})


def furnish(partner: PartnerClient) -> None:
    """One order and one endpoint, so that every path names something."""
    created(partner.create_order(idempotency_key="furniture"))
    partner.subscribe("team_order.claimed")


@shows("P-5.1")
def test_a_key_begins_with_pk_live_and_is_sent_as_bearer(world: World) -> None:
    key = world.credentials["partner.prepaid"]["value"]
    made_key = world.call_control("POST", "/keys", {"interface": "partner"})["key"]
    assert key.startswith("pk_live_")
    assert made_key.startswith("pk_live_")
    for spelled in (f"Bearer {key}", f"bearer {key}", f"Bearer  {key}", f"Bearer {made_key}"):
        assert stranger(world, Authorization=spelled).get("/team-orders").status == 200


@shows("P-5.1")
def test_a_key_in_any_other_place_does_not_count(world: World) -> None:
    key = world.credentials["partner.prepaid"]["value"]
    basic = base64.b64encode(f"{key}:".encode()).decode()
    places: tuple[dict[str, str], ...] = (
        {"X-API-Key": key}, {"Authorization": f"Basic {basic}"}, {"Authorization": key}, {"Cookie": f"session={key}"},
        {"Authorization": f"Token {key}"},
    )  # fmt: skip
    for headers in places:
        assert status_and_code(stranger(world, **headers).get("/team-orders")) == (401, "unauthorized"), headers
    assert status_and_code(stranger(world).get(f"/team-orders?api_key={key}")) == (401, "unauthorized")


@shows("P-5.2")
@every_endpoint
def test_without_a_good_key_every_endpoint_is_401(world: World, method: str, path: str, body: Any) -> None:
    furnish(world.partner())
    with world.assert_unchanged():
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
            assert status_and_code(answer) == (401, "unauthorized"), authorization
            assert "x-ratelimit-limit" not in answer.headers


@shows("P-5.2")
def test_a_revoked_key_is_401_at_once(world: World, partner: PartnerClient) -> None:
    assert partner.get("/team-orders").status == 200
    world.call_control("DELETE", "/keys/partner.prepaid")
    assert status_and_code(partner.get("/team-orders")) == (401, "unauthorized")
    assert status_and_code(partner.create_order()) == (401, "unauthorized")


@shows("P-5.3")
@every_endpoint
def test_a_key_bound_to_no_account_is_403_everywhere(world: World, method: str, path: str, body: Any) -> None:
    furnish(world.partner())
    with world.assert_unchanged():
        answer = world.partner("partner.unbound").call(method, path, body)
        assert status_and_code(answer) == (403, "forbidden_no_account")


@shows("P-5.4")
@every_endpoint
def test_a_key_without_the_capability_is_403_everywhere(world: World, method: str, path: str, body: Any) -> None:
    furnish(world.partner())
    with world.assert_unchanged():
        answer = world.partner("partner.no_capability").call(method, path, body)
        assert status_and_code(answer) == (403, "forbidden_capability")


@shows("P-5.5")
def test_a_new_key_has_the_capability_and_an_older_one_once_it_is_enabled(world: World) -> None:
    new = world.partner_with_new_key(account={"wallet_cents": 100_000})
    assert new.create_order().status == 201
    old = world.partner("partner.no_capability")
    assert status_and_code(old.create_order()) == (403, "forbidden_capability")
    world.call_control("PATCH", "/keys/partner.no_capability", {"capabilities": ["team_orders"]})
    assert old.create_order().status == 201
    world.call_control("PATCH", "/keys/partner.no_capability", {"capabilities": []})
    assert status_and_code(old.get("/team-orders")) == (403, "forbidden_capability")


def test_credentials_of_two_worlds_never_meet(new_world: Make) -> None:
    one, other = new_world(seed=5), new_world(seed=5)
    keys = [
        world.call_control("POST", "/keys", {"interface": "partner", "account": {"wallet_cents": 9_000}})
        for world in (one, other)
    ]
    assert keys[0]["key"] != keys[1]["key"]
    order = created(one.partner(key=keys[0]["key"]).create_order(return_claim_links=True))
    assert other.partner(key=keys[1]["key"]).get("/team-orders").json()["total"] == 0
    assert status_and_code(one.partner(key=keys[1]["key"]).get(f"/team-orders/{order['team_order']['id']}"))[0] == 404
    assert other.claim(claim_tokens(order)[0]).status == 404
    assert one.claim(claim_tokens(order)[0]).status == 200
    one.call_control("DELETE", f"/keys/{keys[0]['key']}")
    assert one.partner(key=keys[0]["key"]).get("/team-orders").status == 401
    assert other.partner(key=keys[1]["key"]).get("/team-orders").status == 200


def test_a_key_chooses_its_world_whatever_the_header_says(new_world: Make) -> None:
    one, other = new_world(), new_world()
    key = one.credentials["partner.prepaid"]["value"]
    created(stranger(other, Authorization=f"Bearer {key}").create_order())
    assert len(list_orders(one)) == 1
    assert list_orders(other) == []


def test_a_key_ends_with_its_world(new_world: Make) -> None:
    gone, stays = new_world(), new_world()
    partner = gone.partner()
    gone.call_control("DELETE", "")
    assert status_and_code(partner.get("/team-orders")) == (401, "unauthorized")
    assert stays.partner().get("/team-orders").status == 200


def test_one_order_of_checks_from_the_route_to_the_payment(world: World) -> None:
    """Each call has all the faults of those below it; one is mended at a time (G13)."""
    nobody, poor = stranger(world), world.partner_with_new_key(account={}, capabilities=[], plan="starter")
    assert status_and_code(nobody.post("/team-order", "[")) == (404, "not_found")
    assert status_and_code(nobody.call("PUT", "/team-orders", "[")) == (405, "method_not_allowed")
    assert status_and_code(nobody.post("/team-orders", "[")) == (401, "unauthorized")
    name = poor.headers["Authorization"].removeprefix("Bearer ")
    world.change_settings(rate_limits__starter=1)
    poor.get("/team-orders")
    assert status_and_code(poor.post("/team-orders", "[")) == (429, "rate_limited")
    world.change_settings(rate_limits__starter=1_000)
    assert status_and_code(poor.post("/team-orders", "[")) == (403, "forbidden_capability")
    world.call_control("PATCH", f"/keys/{name}", {"capabilities": ["team_orders"]})
    assert status_and_code(poor.post("/team-orders", "[")) == (400, "invalid_body")
    assert status_and_code(poor.create_order()) == (402, "insufficient_funds_no_card")
    wrong = {"items": [{"sku_code": "NO-SUCH"}], "recipients": [{"name": "Bo", "email": "?"}]}
    assert status_and_code(poor.create_order(gift_sender=None, **wrong)) == (409, "idempotency_payload_mismatch")
    second = {**wrong, "idempotency_key": "second"}
    assert status_and_code(poor.create_order(gift_sender=None, **second)) == (400, "gift_sender_required")
    assert status_and_code(poor.create_order(**second)) == (404, "sku_not_found")
    second["items"] = [{"sku_code": "ENGR-01"}]
    assert status_and_code(poor.create_order(**second)) == (422, "invalid_recipients")
    second["recipients"] = [{"name": "Bo", "email": "bo@example.com"}]
    assert status_and_code(poor.create_order(**second)) == (409, "personalization_review_required")
    world.simulate("personalization", product="ENGR-01", reviewed=True)
    assert status_and_code(poor.create_order(**second)) == (402, "insufficient_funds_no_card")


def test_body_syntax_then_query_then_path_id_then_body_then_state(world: World, partner: PartnerClient) -> None:
    order = created(partner.create_order())["team_order"]["id"]
    assert status_and_code(partner.post("/team-orders/999/cancel", "[")) == (400, "invalid_body")
    assert status_and_code(partner.post("/team-orders/999/cancel", {"recipient_ids": []})) == (
        404,
        "team_order_not_found",
    )
    assert status_and_code(partner.post(f"/team-orders/{order}/cancel", {"recipient_ids": []})) == (400, "invalid_body")
    assert status_and_code(partner.post(f"/team-orders/{order}/cancel", {"recipient_ids": [1]})) == (
        404,
        "recipient_not_found",
    )
    world.simulate("shipment", team_order_id=order, to="shipped")
    assert status_and_code(partner.post(f"/team-orders/{order}/cancel", {})) == (409, "nothing_to_cancel")
    assert status_and_code(partner.get("/team-orders?limit=0")) == (400, "invalid_body")


def test_an_unknown_route_names_the_nearest_and_a_wrong_method_those_there_are(partner: PartnerClient) -> None:
    answer = partner.get("/team-order")
    assert status_and_code(answer) == (404, "not_found")
    assert "/api/external/team-orders" in answer.json()["error"]["message"]
    answer = partner.call("PATCH", "/webhooks/1")
    assert status_and_code(answer) == (405, "method_not_allowed")
    assert answer.headers["allow"] == "GET, HEAD, DELETE, OPTIONS"
