"""A key sees and touches its own account's orders and endpoints, and nobody else's."""

from __future__ import annotations

from tests.claims import claims
from tests.support.api_clients import PartnerClient
from tests.support.partner.orders import order_id
from tests.support.responses import created, error_code
from tests.support.worlds import World

FUNDED = {"wallet_cents": 10_000, "card": "good"}


@claims("P-1.9")
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


@claims("P-1.9")
def test_a_cancel_cannot_reach_into_another_order(world: World, partner: PartnerClient) -> None:
    stranger = world.partner_with_new_key(account=FUNDED)
    theirs, own = created(partner.create_order()), created(stranger.create_order())
    foreign = [theirs["recipients"][0]["recipient_id"]]
    with world.assert_unchanged():
        answer = stranger.post(f"/team-orders/{order_id(own)}/cancel", {"recipient_ids": foreign})
    assert error_code(answer, 404) == "recipient_not_found"


@claims("P-1.9")
def test_endpoints_of_another_account_do_not_exist(world: World, partner: PartnerClient) -> None:
    endpoint = partner.subscribe("team_order.claimed")["endpoint"]
    path, stranger = f"/webhooks/{endpoint['id']}", world.partner_with_new_key(account=FUNDED)
    assert error_code(stranger.get(path), 404) == "endpoint_not_found"
    assert error_code(stranger.delete(path), 404) == "endpoint_not_found"
    assert error_code(stranger.post(f"{path}/test", {}), 404) == "endpoint_not_found"
    assert stranger.get("/webhooks").json() == {"endpoints": []}
    assert partner.get(path).json()["endpoint"] == endpoint
    assert world.deliveries() == []


@claims("P-1.9")
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


@claims("P-1.9")
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
