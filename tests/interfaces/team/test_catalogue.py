"""The catalogue: collections, items, options and print areas, the same for all teams."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.claims import claims
from tests.support.responses import expect_error, expect_status
from tests.support.team.clients import TeamClients
from tests.support.worlds import World

EVERYBODY = ("live", "requester", "test", "test_second", "other")


@claims("T-4.6", "T-4.9")
def test_a_collection_read_by_slug_is_the_same_as_in_the_list(team: TeamClients) -> None:
    rows = team.live.list_all("/collections")
    assert len(rows) >= 6
    assert {"welcome-kit", "branded-kit"} <= {row["slug"] for row in rows}
    for row in rows:
        assert team.live.get_json(f"/collections/{row['slug']}") == row


@claims("T-4.6")
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


@claims("T-4.9", "T-4.14", "T-7.6")
@pytest.mark.parametrize(
    "path",
    ["/collections/nope", "/collections/801", "/collections/mug-01", "/collections/Welcome-Kit", "/items/nope/options",
     "/items/welcome-kit/options", "/items/next-01/options", "/collections/" + "x" * 201],
)  # fmt: skip
def test_an_unknown_slug_is_not_found(team: TeamClients, path: str) -> None:
    expect_error(team.live.get(path), 404, "not_found")


@claims("T-4.11")
def test_items_exclude_products_of_single_partners(team: TeamClients) -> None:
    rows = team.live.list_all("/items")
    assert len(rows) >= 24
    slugs = [row["slug"] for row in rows]
    assert len(set(slugs)) == len(slugs)
    assert "mug-01" in slugs
    assert "next-01" not in slugs
    assert all(row["merchant_product_id"] == row["id"] for row in rows)


@claims("T-4.14")
def test_options_are_listed_and_empty_for_an_item_without_variations(team: TeamClients) -> None:
    tee = team.live.get_json("/items/tee-01/options")
    assert [(option["name"], [value["name"] for value in option["values"]]) for option in tee["data"]] == [
        ("Size", ["S", "M", "L", "XL"]),
        ("Colour", ["Black", "Navy", "White"]),
    ]
    assert team.live.get_json("/items/mug-01/options") == {"data": [], "next_cursor": None}
    for row in team.live.list_all("/items"):
        expect_status(team.live.get(f"/items/{row['slug']}/options"), 200)


@claims("T-4.115")
def test_print_areas_are_read_by_slug_or_id(team: TeamClients) -> None:
    areas = team.live.get_json("/print-areas?product=tee-01")
    assert [area["key"] for area in areas["data"]] == ["front", "back", "left_sleeve"]
    assert team.live.get_json("/print-areas?product=102") == areas
    assert team.live.get_json("/print-areas?product=cabl-01") == {"data": [], "next_cursor": None}


@claims("T-4.117")
@pytest.mark.parametrize("query", ["", "?product=", "?product=%20", "?products=mug-01", "?product=a&product=b"])
def test_print_areas_need_exactly_one_product(team: TeamClients, query: str) -> None:
    expect_error(team.live.get(f"/print-areas{query}"), 400, "invalid_parameter")


@claims("T-4.117")
@pytest.mark.parametrize("product", ["nope", "999999", "0101", "-101", "welcome-kit", "next-01", "105", "9" * 200, "٣"])
def test_an_unknown_product_has_no_print_areas(team: TeamClients, product: str) -> None:
    expect_error(team.live.get(f"/print-areas?product={product}"), 404, "not_found")


@claims("T-4.6", "T-4.11")
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
