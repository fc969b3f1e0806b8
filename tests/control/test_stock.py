"""The verb `stock`: what a product, an option or a SKU is named by, and what the catalogue of the control API says."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.api_clients import PartnerClient
from tests.support.partner.catalogue import COLOUR, TEE_LINE
from tests.support.partner.claim_form import order_by_link
from tests.support.responses import status_and_code
from tests.support.worlds import World


def take_off(world: World, **named: Any) -> Any:
    """Take something off sale; the product."""
    return world.simulate("stock", **named, on_sale=False)


def listed(world: World, slug: str) -> Any:
    """A product in the list of the control API."""
    return next(row for row in world.call_control("GET", "/catalogue?q=" + slug)["catalogue"] if row["slug"] == slug)


@pytest.mark.parametrize("name", ["MUG-01", "mug-01", 101, "101", 10100])
def test_a_product_is_named_as_for_a_price_and_goes_off_sale_and_back(world: World, name: str | int) -> None:
    before = listed(world, "mug-01")
    assert (before["on_sale"], before["skus"][0]["on_sale"]) == (True, True)
    off = take_off(world, product=name)
    assert (off["on_sale"], off["skus"][0]["on_sale"]) == (False, False)
    assert listed(world, "mug-01") == off
    assert take_off(world, product=name) == off
    assert world.simulate("stock", product=name, on_sale=True) == before
    assert world.simulate("stock", product=name, on_sale=True) == before


@pytest.mark.parametrize("option", ["M", 10212, "10212"])
def test_an_option_is_named_by_its_id_or_its_name(world: World, option: str | int) -> None:
    off = take_off(world, product="tee-01", option=option)
    assert off["on_sale"] is True
    assert [each["name"] for row in off["variations"] for each in row["options"] if not each["on_sale"]] == ["M"]
    assert {sku["on_sale"] for sku in off["skus"] if sku["options"]["1021"] == 10212} <= {False}
    assert all(sku["on_sale"] for sku in off["skus"] if sku["options"]["1021"] != 10212)


def test_a_product_without_any_option_of_a_variation_is_off_sale(world: World) -> None:
    sizes = [each["id"] for each in listed(world, "tee-01")["variations"][0]["options"]]
    assert [take_off(world, product="tee-01", option=size)["on_sale"] for size in sizes] == [True] * (
        len(sizes) - 1
    ) + [False]
    assert world.simulate("stock", product="tee-01", option=sizes[0], on_sale=True)["on_sale"] is True


def test_a_sku_goes_off_sale_with_those_of_the_same_options(world: World) -> None:
    tee = listed(world, "tee-01")
    off = take_off(world, sku=tee["skus"][0]["code"])
    assert off["on_sale"] is True
    assert [sku["code"] for sku in off["skus"] if not sku["on_sale"]] == ["TEE-01", "TEE-01-S-BLACK"]
    assert take_off(world, sku="MUG-01") == listed(world, "mug-01")
    assert listed(world, "mug-01")["on_sale"] is False
    assert world.simulate("stock", sku=tee["skus"][0]["id"], on_sale=True) == tee


@pytest.mark.parametrize(
    ("body", "status", "words"),
    [
        ({"product": "NO-01"}, 404, "there is no product NO-01"),
        ({"product": "9" * 5_000}, 404, f"there is no product {'9' * 60}"),
        ({"sku": "9" * 5_000}, 404, f"there is no SKU {'9' * 60}; listCatalogue has"),
        ({"sku": "MUG"}, 404, "there is no SKU MUG; listCatalogue has"),
        ({"sku": "mug-01"}, 404, "there is no SKU mug-01"),
        ({"product": "mug-01", "option": "M"}, 404, "mug-01 has no option M; it has none"),
        ({"product": "tee-01", "option": "XXL"}, 404, "tee-01 has no option XXL; its options are 10211 (S)"),
        ({}, 400, "name a product, a product with an option, or a sku alone"),
        ({"product": "mug-01", "sku": "MUG-01"}, 400, "name a product, a product with an option, or a sku alone"),
        ({"sku": "MUG-01", "option": "M"}, 400, "name a product, a product with an option, or a sku alone"),
    ],
)
def test_what_is_not_there_is_named_and_nothing_changes(
    world: World, body: dict[str, Any], status: int, words: str
) -> None:
    with world.assert_unchanged():
        response = world.control.post(f"/worlds/{world.id}/simulate/stock", {**body, "on_sale": False})
    assert response.status == status
    assert words in response.json()["error"]["message"]


def test_what_nobody_can_claim_is_mended_by_putting_something_back(world: World, partner: PartnerClient) -> None:
    order_by_link(partner, items=[TEE_LINE])
    for option in ("White", "Navy", "Black"):
        take_off(world, product="tee-01", option=option)
    (need,) = world.call_control("GET", "/attention")["needs"]
    (act,) = need["acts"]
    assert (need["text"], act["label"]) == ("Unclaimed: Bo’s cotton tee", "Put Cotton tee in White back on sale")
    path = f"/claim_links/{world.mail()[0]['links'][0].rpartition('/')[2]}"
    assert world.call_control("GET", path)["entry"]["selection"] == {}
    world.call_control("POST", f"/{act['path']}", act["body"])
    assert world.call_control("GET", path)["entry"]["selection"] == {str(COLOUR): 10223}
    (need,) = world.call_control("GET", "/attention")["needs"]
    assert [act["label"] for act in need["acts"]] == ["Claim as Bo"]


def test_on_sale_has_to_be_said(world: World) -> None:
    response = world.control.post(f"/worlds/{world.id}/simulate/stock", {"product": "MUG-01"})
    assert status_and_code(response) == (400, "invalid_body")
