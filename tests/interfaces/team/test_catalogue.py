"""The catalogue: collections, items, options and print areas, the same for all teams."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.shows import shows
from tests.support.responses import expect_error, expect_status, invalid_fields
from tests.support.team.clients import TeamClients
from tests.support.team.orders import PARCEL_CENTS, approve_and_reload, create_order, event_types, typed_recipients
from tests.support.worlds import World

EVERYBODY = ("live", "requester", "test", "test_second", "other")


@shows("T-4.6", "T-4.9")
def test_a_collection_read_by_slug_is_the_same_as_in_the_list(team: TeamClients) -> None:
    rows = team.live.list_all("/collections")
    assert len(rows) >= 6
    assert {"welcome-kit", "branded-kit"} <= {row["slug"] for row in rows}
    for row in rows:
        assert team.live.get_json(f"/collections/{row['slug']}") == row


@shows("T-4.6")
def test_a_collection_has_the_items_of_the_list_and_the_sum_of_their_prices(team: TeamClients) -> None:
    items = {item["slug"]: item for item in team.live.list_all("/items")}
    for row in team.live.list_all("/collections"):
        assert row["price_cents"] == sum(item["price_cents"] for item in row["items"])
        assert [items[item["slug"]] for item in row["items"]] == row["items"]
        assert len({item["id"] for item in row["items"]}) == len(row["items"])


def test_a_price_change_applies_to_items_and_collections(team: TeamClients) -> None:
    before = team.live.get_json("/collections/welcome-kit")
    item = before["items"][0]
    team.world.simulate("price", product=item["slug"], price_cents=item["price_cents"] + 5)
    after = team.live.get_json("/collections/welcome-kit")
    assert after["items"][0] == {**item, "price_cents": item["price_cents"] + 5}
    assert after["price_cents"] == before["price_cents"] + 5


def test_only_the_branded_kit_has_custom_artwork(team: TeamClients) -> None:
    drawn = {
        row["slug"]
        for row in team.live.list_all("/collections")
        if any(item["personalization"] == "custom_artwork" for item in row["items"])
    }
    assert drawn == {"branded-kit"}


@shows("T-4.9", "T-4.14", "T-7.6")
@pytest.mark.parametrize(
    "path",
    ["/collections/nope", "/collections/801", "/collections/mug-01", "/collections/Welcome-Kit", "/items/nope/options",
     "/items/welcome-kit/options", "/items/next-01/options", "/collections/" + "x" * 201],
)  # fmt: skip
def test_an_unknown_slug_is_not_found(team: TeamClients, path: str) -> None:
    expect_error(team.live.get(path), 404, "not_found")


@shows("T-4.11")
def test_items_exclude_products_of_single_partners(team: TeamClients) -> None:
    rows = team.live.list_all("/items")
    assert len(rows) >= 24
    slugs = [row["slug"] for row in rows]
    assert len(set(slugs)) == len(slugs)
    assert "mug-01" in slugs
    assert "next-01" not in slugs
    assert all(row["merchant_product_id"] == row["id"] for row in rows)


@shows("T-4.14")
def test_options_are_listed_and_empty_for_an_item_without_variations(team: TeamClients) -> None:
    tee = team.live.get_json("/items/tee-01/options")
    assert [(option["name"], [value["name"] for value in option["values"]]) for option in tee["data"]] == [
        ("Size", ["S", "M", "L", "XL"]),
        ("Colour", ["Black", "Navy", "White"]),
    ]
    assert team.live.get_json("/items/mug-01/options") == {"data": [], "next_cursor": None}
    for row in team.live.list_all("/items"):
        expect_status(team.live.get(f"/items/{row['slug']}/options"), 200)


@shows("T-4.115")
def test_print_areas_are_read_by_slug_or_id(team: TeamClients) -> None:
    areas = team.live.get_json("/print-areas?product=tee-01")
    assert [area["key"] for area in areas["data"]] == ["front", "back", "left_sleeve"]
    assert team.live.get_json("/print-areas?product=102") == areas
    assert team.live.get_json("/print-areas?product=cabl-01") == {"data": [], "next_cursor": None}


@shows("T-4.117")
@pytest.mark.parametrize("query", ["", "?product=", "?product=%20", "?products=mug-01", "?product=a&product=b"])
def test_print_areas_need_exactly_one_product(team: TeamClients, query: str) -> None:
    expect_error(team.live.get(f"/print-areas{query}"), 400, "invalid_parameter")


@shows("T-4.117")
@pytest.mark.parametrize("product", ["nope", "999999", "0101", "-101", "welcome-kit", "next-01", "105", "9" * 200, "٣"])
def test_an_unknown_product_has_no_print_areas(team: TeamClients, product: str) -> None:
    expect_error(team.live.get(f"/print-areas?product={product}"), 404, "not_found")


@shows("T-4.6", "T-4.11")
def test_the_catalogue_is_the_same_for_every_team_and_mode(team: TeamClients) -> None:
    for path in ("/collections", "/items", "/items/tee-01/options", "/print-areas?product=mug-01"):
        results = [getattr(team, name).get_json(path)["data"] for name in EVERYBODY]
        assert results == [results[0]] * len(EVERYBODY)


def test_a_fixture_can_define_collections(new_world: Callable[..., World]) -> None:
    own = {"id": 901, "slug": "own-kit", "name": "Own kit", "items": ["pen-01", "mug-01", "pen-01"]}
    team = TeamClients(new_world(fixture={"extends": "empty", "collections": [own]}))
    created = team.live.get_json("/collections/own-kit")
    assert [item["slug"] for item in created["items"]] == ["pen-01", "mug-01"]
    assert team.live.list_all("/collections")[0] == created


TWO_MUGS = {"items": [{"merchant_product_id": 101, "quantity": 2}, {"merchant_product_id": 103}]}
CENTS = 2 * 1800 + 600


@shows("T-4.173")
def test_the_store_sells_the_items_of_the_catalog(team: TeamClients) -> None:
    store = team.live.get_json("/store")
    assert store["name"] == "Northwind Trading store"
    assert sorted(item["id"] for item in store["items"]) == sorted(item["id"] for item in team.live.list_all("/items"))
    assert team.test.get_json("/store") == store
    team.world.simulate("price", product="mug-01", price_cents=5)
    (mug,) = [item for item in team.live.get_json("/store")["items"] if item["slug"] == "mug-01"]
    assert mug["price_cents"] == 5


@shows("T-4.175")
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


@shows("T-4.177", "T-1.4")
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
