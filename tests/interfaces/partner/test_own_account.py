"""A key sees and touches its own account's orders and endpoints, and nobody else's."""

from __future__ import annotations

from tests.claims import claims
from tests.harness import Face, World
from tests.interfaces.partner.scene import code, made, order_id

FUNDED = {"wallet_cents": 10_000, "card": "good"}


@claims("P-1.9")
def test_orders_of_another_account_do_not_exist(world: World, partner: Face) -> None:
    order = made(partner.order(return_claim_links=True))
    path, stranger = f"/team-orders/{order_id(order)}", world.key(account=FUNDED)
    with world.unchanged():
        assert code(stranger.get(path), 404) == "team_order_not_found"
        assert code(stranger.get(f"{path}?include=claim_links"), 404) == "team_order_not_found"
        assert code(stranger.get(f"{path}/manifest.csv"), 404) == "team_order_not_found"
        assert code(stranger.post(f"{path}/cancel", {}), 404) == "team_order_not_found"
        mine = [order["recipients"][0]["recipient_id"]]
        assert code(stranger.post(f"{path}/cancel", {"recipient_ids": mine}), 404) == "team_order_not_found"
    listed = stranger.get("/team-orders").json()
    assert (listed["team_orders"], listed["total"]) == ([], 0)
    own = made(stranger.order())
    assert order_id(own) != order_id(order)
    assert [row["id"] for row in stranger.get("/team-orders").json()["team_orders"]] == [order_id(own)]
    assert [row["id"] for row in partner.get("/team-orders").json()["team_orders"]] == [order_id(order)]


@claims("P-1.9")
def test_a_cancel_cannot_reach_into_another_order(world: World, partner: Face) -> None:
    stranger = world.key(account=FUNDED)
    theirs, own = made(partner.order()), made(stranger.order())
    foreign = [theirs["recipients"][0]["recipient_id"]]
    with world.unchanged():
        answer = stranger.post(f"/team-orders/{order_id(own)}/cancel", {"recipient_ids": foreign})
    assert code(answer, 404) == "recipient_not_found"


@claims("P-1.9")
def test_endpoints_of_another_account_do_not_exist(world: World, partner: Face) -> None:
    endpoint = partner.subscribe("team_order.claimed")["endpoint"]
    path, stranger = f"/webhooks/{endpoint['id']}", world.key(account=FUNDED)
    assert code(stranger.get(path), 404) == "endpoint_not_found"
    assert code(stranger.delete(path), 404) == "endpoint_not_found"
    assert code(stranger.post(f"{path}/test", {}), 404) == "endpoint_not_found"
    assert stranger.get("/webhooks").json() == {"endpoints": []}
    assert partner.get(path).json()["endpoint"] == endpoint
    assert world.deliveries() == []


@claims("P-1.9")
def test_events_go_to_the_account_whose_order_it_is(world: World, partner: Face) -> None:
    stranger = world.key(account=FUNDED)
    stranger.subscribe("team_order.claimed", host="stranger.example")
    partner.subscribe("team_order.claimed", host="own.example")
    for order in (made(partner.order()), made(stranger.order())):
        world.simulate("claim", team_order_id=order_id(order), recipient=0)
        world.advance("1h")
    assert [delivery["url"] for delivery in world.deliveries()] == [
        "https://own.example/gifts",
        "https://stranger.example/gifts",
    ]


@claims("P-1.9")
def test_two_keys_of_one_account_share_its_orders(world: World, partner: Face) -> None:
    order = made(partner.order())
    accounts = world.ask("GET", "/accounts")["accounts"]
    shared = next(row["account_id"] for row in accounts if row["label"] == "prepaid")
    second = world.key(account={"id": shared})
    assert second.read(order_id(order)) == partner.read(order_id(order))
    assert second.post(f"/team-orders/{order_id(order)}/cancel", {}).status == 200
    assert partner.read(order_id(order))["team_order"]["status"] == "canceled"


def test_the_same_idempotency_key_of_another_key_is_another_order(world: World, partner: Face) -> None:
    first = made(partner.order(name="One"))
    second = made(world.key(account=FUNDED).order(name="Two"))
    assert order_id(first) != order_id(second)
