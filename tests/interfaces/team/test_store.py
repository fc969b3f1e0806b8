"""The team's store: its items, quotes and orders."""

from __future__ import annotations

from typing import Any

import pytest

from tests.claims import claims
from tests.support.responses import expect_error, expect_status, invalid_fields
from tests.support.team.clients import TeamClients
from tests.support.team.orders import PARCEL_CENTS, approve_and_reload, create_order, event_types, typed_recipients

TWO_MUGS = {"items": [{"merchant_product_id": 101, "quantity": 2}, {"merchant_product_id": 103}]}
CENTS = 2 * 1800 + 600


@claims("T-4.173")
def test_the_store_sells_the_items_of_the_catalog(team: TeamClients) -> None:
    store = team.live.get_json("/store")
    assert store["name"] == "Northwind Trading store"
    assert sorted(item["id"] for item in store["items"]) == sorted(item["id"] for item in team.live.list_all("/items"))
    assert team.test.get_json("/store") == store
    team.world.simulate("price", product="mug-01", price_cents=5)
    (mug,) = [item for item in team.live.get_json("/store")["items"] if item["slug"] == "mug-01"]
    assert mug["price_cents"] == 5


@claims("T-4.175")
def test_a_store_quote_prices_the_items_per_recipient_and_creates_nothing(team: TeamClients) -> None:
    for recipients in (None, [], typed_recipients(1), typed_recipients(3)):
        heads = max(1, len(recipients or []))
        body = TWO_MUGS if recipients is None else {**TWO_MUGS, "recipients": recipients}
        quote = team.live.post_json("/store/quote", body, 200)
        assert (quote["collection"], quote["headcount"], quote["destination_countries"]) == (None, heads, ["US"])
        assert [(row["item_slug"], row["quantity"], row["total_cents"]) for row in quote["items"]] == [
            ("mug-01", 2, heads * 3600), ("pen-01", 1, heads * 600),
        ]  # fmt: skip
        assert quote["totals"] == {
            "subtotal_cents": heads * CENTS, "shipping_cents": heads * PARCEL_CENTS,
            "total_cents": heads * (CENTS + PARCEL_CENTS), "currency": "USD",
        }  # fmt: skip
        assert "@" not in str(quote)
    assert team.live.list_all("/team-orders") == []
    assert event_types(team.world) == []


@claims("T-4.177", "T-1.4")
def test_a_store_order_is_a_team_order_that_awaits_approval(team: TeamClients) -> None:
    body = {**TWO_MUGS, "recipients": typed_recipients(2)}
    order = team.live.post_json("/store/orders", body)
    assert (order["source"], order["collection"], order["headcount"]) == ("store", None, 2)
    assert (order["status"], order["payment_status"]) == ("awaiting_approval", "unpaid")
    assert order["totals"] == team.live.post_json("/store/quote", body, 200)["totals"]
    assert [row["name"] for row in order["recipients"]] == ["Guest 0", "Guest 1"]
    assert [(item["item_slug"], item["quantity"]) for item in order["items"]] == [("mug-01", 2), ("pen-01", 1)]
    assert team.live.get_json(f"/team-orders/{order['id']}") == order
    assert team.live.list_all("/team-orders") == [order]
    approval = team.live.get_json(f"/approvals/{order['approval_id']}")
    assert (approval["status"], approval["resource_type"], approval["resource_id"]) == (
        "pending", "team_order", order["id"],
    )  # fmt: skip
    team.world.advance("60d")
    assert team.live.get_json(f"/team-orders/{order['id']}") == order
    assert event_types(team.world) == ["approval.requested"]
    assert approve_and_reload(team, order)["payment_status"] == "paid"
    assert len(team.world.mail()) == 2


def test_a_store_order_without_recipients_is_for_one(team: TeamClients) -> None:
    order = team.live.post_json("/store/orders", TWO_MUGS)
    assert (order["headcount"], order["recipients"]) == (1, [])
    assert order["totals"]["total_cents"] == CENTS + PARCEL_CENTS


def test_a_test_key_s_store_order_is_not_live(team: TeamClients) -> None:
    order = team.test.post_json("/store/orders", TWO_MUGS)
    assert (order["livemode"], isinstance(order["id"], str)) == (False, True)
    assert team.live.list_all("/team-orders") == []


@pytest.mark.parametrize("path", ["/store/quote", "/store/orders"])
@pytest.mark.parametrize(
    ("members", "field"),
    [
        ({"items": []}, "items"),
        ({"items": {}}, "items"),
        ({"items": [{"merchant_product_id": 101}] * 21}, "items"),
        ({"items": [{"quantity": 1}]}, "items[0].merchant_product_id"),
        ({"items": [{"merchant_product_id": "101"}]}, "items[0].merchant_product_id"),
        ({"items": [{"merchant_product_id": 101}, {"merchant_product_id": 999}]}, "items[1].merchant_product_id"),
        ({"items": [{"merchant_product_id": 105}]}, "items[0].merchant_product_id"),
        ({"items": [{"merchant_product_id": 101, "quantity": 0}]}, "items[0].quantity"),
        ({"items": [{"merchant_product_id": 101, "quantity": 1001}]}, "items[0].quantity"),
        ({"recipients": [{"name": "Bo"}]}, "recipients[0].email"),
        ({"recipients": [{"name": "Bo", "email": "bo at home"}]}, "recipients[0].email"),
    ],
)
def test_unknown_store_items_are_refused(team: TeamClients, path: str, members: dict[str, Any], field: str) -> None:
    assert invalid_fields(team.live.post(path, {**TWO_MUGS, **members})) == [field]
    assert team.live.list_all("/team-orders") == []


def test_a_repeated_store_order_creates_one_order(team: TeamClients) -> None:
    first = team.live.post("/store/orders", TWO_MUGS, Idempotency_Key="k")
    assert team.live.post("/store/orders", TWO_MUGS, Idempotency_Key="k").body == expect_status(first, 201).body
    expect_error(team.live.post("/team-orders", {}, Idempotency_Key="k"), 409, "idempotency_key_reused")
    assert (len(team.live.list_all("/team-orders")), len(team.live.list_all("/approvals"))) == (1, 1)


def test_store_orders_and_team_orders_are_one_list(team: TeamClients) -> None:
    order = [create_order(team.live), team.live.post_json("/store/orders", TWO_MUGS), create_order(team.live)]
    assert [row["id"] for row in team.live.list_all("/team-orders", 1)] == [row["id"] for row in order[::-1]]
