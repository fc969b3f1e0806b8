"""The bundle: how items are named, what can be wrong with one, and that everybody receives all of it."""

from __future__ import annotations

import json
from fractions import Fraction
from math import floor
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.shows import shows
from tests.support.api_clients import PartnerClient
from tests.support.orders import address_recipients, claim_tokens, email_recipients
from tests.support.partner.catalogue import (
    ADDRESSES,
    BLACK,
    COLOUR,
    MEDIUM,
    MUG,
    MUG_CENTS,
    MUG_LINE,
    NAVY,
    PEN_CENTS,
    SIZE,
    SMALL,
    TEE,
    TEE_CENTS,
    TEE_LINE,
)
from tests.support.partner.orders import manifest_rows, order_id, refused_order
from tests.support.responses import created, error_code
from tests.support.worlds import World

in_one_world = settings(suppress_health_check=[HealthCheck.function_scoped_fixture])

LONDON = ADDRESSES["GB"]


def to_london_and_reno() -> list[dict[str, Any]]:
    """Three bundles to London, one to London, one to Reno."""
    return [{"name": "Bo", "address": LONDON, "quantity": 3}, {"name": "Cy", "address": LONDON}, *address_recipients(1)]


@shows("P-2.20", "P-4.9")
def test_the_items_are_those_that_the_recipient_gets(partner: PartnerClient) -> None:
    items = [{"sku_code": "PEN-01", "quantity": 3}, {"sku_code": "MUG-01"}]
    rows = [*address_recipients(1, quantity=4), *address_recipients(1)]
    order = created(partner.create_order(items=items, recipients=rows))
    assert [row["items"] for row in manifest_rows(partner, order)] == [
        "12 x PEN-01 Ballpoint pen; 4 x MUG-01 Stoneware mug",
        "3 x PEN-01 Ballpoint pen; 1 x MUG-01 Stoneware mug",
    ]


@shows("P-2.5", "P-4.9")
def test_the_items_say_what_was_picked_once_it_is(world: World, partner: PartnerClient) -> None:
    order = created(
        partner.create_order(items=[TEE_LINE, MUG_LINE], recipients=email_recipients(2), return_claim_links=True)
    )
    before = "1 x tee-01 Cotton tee (Size: S); 1 x MUG-01 Stoneware mug"
    assert [row["items"] for row in manifest_rows(partner, order)] == [before] * 2
    assert world.claim(claim_tokens(order)[1], selection={str(COLOUR): NAVY}).status == 200
    after = "1 x TEE-01-S-NAVY Cotton tee (Size: S, Colour: Navy); 1 x MUG-01 Stoneware mug"
    assert [row["items"] for row in manifest_rows(partner, order)] == [before, after]


@shows("P-4.9")
@pytest.mark.parametrize(("percent", "duties"), [(20, ["1080", "360", "0"]), (7, ["378", "126", "0"]), (0, ["0"] * 3)])
def test_duties_are_a_percentage_of_the_goods_that_is_told_and_not_charged(
    world: World, partner: PartnerClient, percent: int, duties: list[str]
) -> None:
    plain = created(partner.create_order(idempotency_key="plain", recipients=to_london_and_reno()))
    world.change_settings(**{"partner.prices.duties_percent.GB": percent})
    order = created(partner.create_order(recipients=to_london_and_reno()))
    assert order["totals"] == plain["totals"]
    totals = order["totals"]
    parts = [totals[name] for name in ("subtotal_cents", "shipping_cents", "event_fees_cents")]
    assert totals["charged_cents"] == totals["total_cents"] == sum(parts)
    assert [row["duties_cents"] for row in manifest_rows(partner, order)] == duties
    assert [money["total_cents"] for money in (row["money"] for row in partner.read_order(1002)["recipients"])] == [
        5400 + 1800, 1800 + 1800, 1800 + 800,
    ]  # fmt: skip


def test_duties_of_a_claim_link_are_known_once_it_is_claimed(world: World, partner: PartnerClient) -> None:
    world.change_settings(**{"partner.prices.duties_percent.GB": 25, "partner.prices.duties_percent.US": 1})
    order = created(partner.create_order(destination_countries=["US", "GB"], return_claim_links=True))
    assert manifest_rows(partner, order)[0]["duties_cents"] == "0"
    assert world.claim(claim_tokens(order)[0], address=LONDON).status == 200
    assert manifest_rows(partner, order)[0]["duties_cents"] == "450"


@in_one_world
@given(percent=st.integers(0, 1000), quantity=st.integers(1, 1000), price_cents=st.integers(0, 10_000))
def test_duties_are_rounded_half_up_to_whole_cents(
    world: World, partner: PartnerClient, percent: int, quantity: int, price_cents: int
) -> None:
    world.simulate("price", product="PEN-01", price_cents=price_cents)
    world.change_account(wallet_cents=1_000_000_000)
    world.change_settings(**{"partner.prices.duties_percent.US": percent})
    total = partner.get("/team-orders?limit=1").json()["total"]
    rows = address_recipients(1, quantity=quantity)
    body = {"idempotency_key": f"duties {total}", "items": [{"sku_code": "PEN-01"}], "recipients": rows}
    order = created(partner.create_order(**body))
    [row] = manifest_rows(partner, order)
    exact = Fraction(price_cents * quantity * percent, 100)
    assert int(row["duties_cents"]) == floor(exact + Fraction(1, 2))


FIXED = {str(SIZE): SMALL, str(COLOUR): BLACK}


def tee(**members: Any) -> dict[str, Any]:
    return {"merchant_product_id": TEE, **members}


@shows("P-2.4")
@pytest.mark.parametrize("named", [{"sku_code": "MUG-01"}, {"merchant_sku_id": 10100}, {"merchant_product_id": MUG}])
@pytest.mark.parametrize("quantity", [1, 2, 1000, None])
def test_an_item_is_named_in_one_of_three_ways_and_counted(
    world: World, partner: PartnerClient, named: dict[str, Any], quantity: int | None
) -> None:
    item = named if quantity is None else {**named, "quantity": quantity}
    order = created(partner.create_order(items=[item]))
    assert order["totals"]["subtotal_cents"] == (quantity or 1) * MUG_CENTS
    (row,) = manifest_rows(partner, order)
    assert row["items"].startswith(f"{quantity or 1} x ")
    assert "Stoneware mug" in row["items"]


@shows("P-2.4")
def test_a_sku_is_one_make_of_its_product(partner: PartnerClient) -> None:
    order = created(partner.create_order(items=[{"sku_code": "TEE-01-M-NAVY"}]))
    (row,) = manifest_rows(partner, order)
    assert (row["items"], row["subtotal_cents"]) == (
        "1 x TEE-01-M-NAVY Cotton tee (Size: M, Colour: Navy)", str(TEE_CENTS),
    )  # fmt: skip


@shows("P-2.5", "P-2.6")
def test_fixed_options_go_into_the_parcel_and_the_recipient_picks_the_rest(
    world: World, partner: PartnerClient
) -> None:
    partner.subscribe("team_order.claimed")
    order = created(
        partner.create_order(items=[TEE_LINE, MUG_LINE], recipients=email_recipients(2), return_claim_links=True)
    )
    first, second = claim_tokens(order)
    shown = world.client.call("GET", f"/claim/{world.id}/{first}").json()
    (choice,) = shown["choices"]
    assert (choice["variation_id"], choice["name"], choice["item"]) == (COLOUR, "Colour", "Cotton tee")
    assert [option["name"] for option in choice["options"]] == ["Black", "Navy", "White"]
    assert [row["items"].split("; ")[0] for row in manifest_rows(partner, order)] == [
        "1 x tee-01 Cotton tee (Size: S)"
    ] * 2  # fmt: skip
    assert world.claim(first, selection={str(COLOUR): NAVY}).status == 200
    assert world.claim(second, selection={str(COLOUR): BLACK}).status == 200
    world.advance("1h")
    told = [json.loads(delivery["request"]["body"])["data"]["recipient"] for delivery in world.deliveries()]
    assert [(one["name"], one["selection"]) for one in told] == [
        ("Person 0", {str(COLOUR): NAVY}), ("Person 1", {str(COLOUR): BLACK}),
    ]  # fmt: skip


@shows("P-2.6")
def test_where_nothing_is_left_open_there_is_no_selection(world: World, partner: PartnerClient) -> None:
    partner.subscribe("team_order.claimed")
    order = created(partner.create_order(items=[tee(fixed_options=FIXED)], return_claim_links=True))
    assert world.client.call("GET", f"/claim/{world.id}/{claim_tokens(order)[0]}").json()["choices"] == []
    assert world.claim(claim_tokens(order)[0], selection={str(COLOUR): NAVY}).status == 200
    world.advance("1h")
    (delivery,) = world.deliveries()
    assert json.loads(delivery["request"]["body"])["data"]["recipient"]["selection"] is None


@shows("P-2.5")
def test_a_recipient_may_be_left_every_variation(world: World, partner: PartnerClient) -> None:
    order = created(partner.create_order(items=[tee(choice_variation_ids=[SIZE, COLOUR])], return_claim_links=True))
    (token,) = claim_tokens(order)
    answer = world.claim(token, selection={str(SIZE): MEDIUM})
    assert error_code(answer, 422) == "invalid_claim"
    assert [error["field"] for error in answer.json()["errors"]] == [f"selection.{COLOUR}"]
    assert world.claim(token, selection={str(SIZE): MEDIUM, str(COLOUR): NAVY}).status == 200


@shows("P-2.7")
@pytest.mark.parametrize("recipients", [email_recipients(3), address_recipients(3)])
def test_everybody_receives_the_whole_bundle(partner: PartnerClient, recipients: Any) -> None:
    items = [{"sku_code": "MUG-01", "quantity": 2}, {"sku_code": "PEN-01", "quantity": 3}]
    order = created(partner.create_order(items=items, recipients=recipients))
    assert order["totals"]["subtotal_cents"] == 3 * (2 * MUG_CENTS + 3 * PEN_CENTS)
    assert [row["items"] for row in manifest_rows(partner, order)] == [
        "2 x MUG-01 Stoneware mug; 3 x PEN-01 Ballpoint pen"
    ] * 3  # fmt: skip


@shows("P-7.3")
@pytest.mark.parametrize(
    "item",
    [
        {}, {"quantity": 1}, {"name": "Mug"}, "MUG-01", None, 7, [], [MUG_LINE],
        {"sku_code": "MUG-01", "merchant_sku_id": 10100}, {"sku_code": "MUG-01", "merchant_product_id": MUG},
        {"merchant_sku_id": 10100, "merchant_product_id": MUG},
        {"sku_code": "MUG-01", "merchant_sku_id": 10100, "merchant_product_id": MUG},
        {"sku_code": ""}, {"sku_code": 7}, {"sku_code": "MUG\n01"},
        {"merchant_sku_id": "10100"}, {"merchant_sku_id": True}, {"merchant_sku_id": 10100.5},
        {"merchant_product_id": "101"}, {"merchant_product_id": None}, {"sku_code": None},
    ],
)  # fmt: skip
def test_an_item_is_named_in_exactly_one_way(world: World, partner: PartnerClient, item: Any) -> None:
    assert refused_order(world, partner, items=[MUG_LINE, item]) == "invalid_item"


@shows("P-7.3")
@pytest.mark.parametrize("quantity", [0, -1, 1001, "1", 1.5, True, [1]])
def test_a_quantity_is_a_whole_number_from_1_to_1000(world: World, partner: PartnerClient, quantity: Any) -> None:
    assert refused_order(world, partner, items=[{"sku_code": "MUG-01", "quantity": quantity}]) == "invalid_item"


@shows("P-7.3")
@pytest.mark.parametrize(
    "options",
    [
        {}, {"fixed_options": {}}, {"fixed_options": {str(SIZE): SMALL}}, {"choice_variation_ids": [SIZE]},
        {"fixed_options": {**FIXED, str(COLOUR): SMALL}}, {"fixed_options": {**FIXED, "9": 1}},
        {"fixed_options": {**FIXED, f"0{SIZE}": MEDIUM}}, {"fixed_options": {f"0{SIZE}": SMALL, str(COLOUR): BLACK}},
        {"fixed_options": {**FIXED, str(SIZE): str(SMALL)}}, {"fixed_options": {**FIXED, str(SIZE): None}},
        {"fixed_options": {"size": SMALL, str(COLOUR): BLACK}}, {"fixed_options": [SMALL, BLACK]},
        {"fixed_options": None}, {"fixed_options": FIXED, "choice_variation_ids": [COLOUR]},
        {"choice_variation_ids": [SIZE, COLOUR, COLOUR]}, {"choice_variation_ids": [SIZE, COLOUR, 9]},
        {"choice_variation_ids": [str(SIZE), str(COLOUR)]}, {"choice_variation_ids": f"{SIZE},{COLOUR}"},
        {"choice_variation_ids": None}, {"choice_variation_ids": {str(SIZE): SMALL}},
    ],
)  # fmt: skip
def test_every_variation_is_either_fixed_or_left_open(world: World, partner: PartnerClient, options: Any) -> None:
    assert refused_order(world, partner, items=[tee(**options)]) == "invalid_item"


@shows("P-7.3")
@pytest.mark.parametrize("options", [{"fixed_options": {}}, {"choice_variation_ids": []}, {"fixed_options": FIXED}])
def test_a_sku_has_its_options_already(world: World, partner: PartnerClient, options: Any) -> None:
    assert refused_order(world, partner, items=[{"sku_code": "TEE-01-M-NAVY", **options}]) == "invalid_item"


def test_nobody_can_pick_where_recipients_have_addresses(world: World, partner: PartnerClient) -> None:
    assert refused_order(world, partner, items=[TEE_LINE], recipients=address_recipients(1)) == "invalid_item"


@shows("P-7.17")
@pytest.mark.parametrize(
    "item",
    [
        {"sku_code": "GONE-01"}, {"sku_code": "mug-01"}, {"sku_code": " MUG-01"}, {"merchant_sku_id": 999},
        {"merchant_sku_id": 0}, {"merchant_sku_id": -10100}, {"merchant_sku_id": 10**30}, {"merchant_product_id": 999},
        {"merchant_sku_id": MUG}, {"merchant_product_id": 10100},
        {"merchant_product_id": 999, "fixed_options": {"1": 2}, "choice_variation_ids": [3]},
    ],
)  # fmt: skip
def test_what_is_not_in_the_catalogue_is_not_found(world: World, partner: PartnerClient, item: Any) -> None:
    body = json.dumps({"idempotency_key": "first", "gift_sender": "Ada", "items": [MUG_LINE, item],
                       "recipients": email_recipients(1)})  # fmt: skip
    with world.assert_unchanged():
        answer = partner.post("/team-orders", body)
    assert error_code(answer, 404) == "sku_not_found"
    assert created(partner.create_order())


@shows("P-7.17")
@pytest.mark.parametrize("item", [{"merchant_sku_id": 10500}, {"sku_code": "NEXT-01"}, {"merchant_product_id": 105}])
def test_what_belongs_to_another_account_is_not_found(world: World, partner: PartnerClient, item: Any) -> None:
    assert refused_order(world, partner, 404, items=[item]) == "sku_not_found"
    neighbour = next(
        row["account_id"] for row in world.call_control("GET", "/accounts")["accounts"] if row["label"] == "neighbour"
    )
    order = created(world.partner_with_new_key(account={"id": neighbour}).create_order(items=[item]))
    assert order["totals"]["subtotal_cents"] == 1900


@shows("P-7.24")
@pytest.mark.parametrize("item", [{"sku_code": "ENGR-01"}, {"merchant_sku_id": 10400}, {"merchant_product_id": 104}])
def test_personalization_is_reviewed_before_anything_is_charged(
    world: World, partner: PartnerClient, item: Any
) -> None:
    with world.assert_unchanged():
        answer = partner.create_order(items=[MUG_LINE, item])
    assert error_code(answer, 409) == "personalization_review_required"
    world.simulate("personalization", product="ENGR-01", key="partner.prepaid", reviewed=True)
    order = created(partner.create_order(items=[MUG_LINE, item]))
    assert order["totals"]["charged_cents"] == order["totals"]["total_cents"]


@shows("P-7.24")
def test_a_review_counts_for_its_account_and_until_it_is_taken_back(world: World, partner: PartnerClient) -> None:
    engraved = [{"sku_code": "ENGR-01"}]
    stranger = world.partner_with_new_key(account={"wallet_cents": 10_000})
    world.simulate("personalization", product="ENGR-01", key="partner.prepaid", reviewed=True)
    assert error_code(stranger.create_order(items=engraved), 409) == "personalization_review_required"
    order = created(partner.create_order(items=engraved))
    world.simulate("personalization", product="ENGR-01", key="partner.prepaid", reviewed=False)
    answer = partner.create_order(idempotency_key="second", items=engraved)
    assert error_code(answer, 409) == "personalization_review_required"
    assert partner.read_order(order_id(order))["team_order"]["status"] == "collecting_addresses"


@shows("P-8.1")
@pytest.mark.parametrize("count", [1, 10])
def test_an_order_has_one_to_ten_items(partner: PartnerClient, count: int) -> None:
    order = created(partner.create_order(items=[{"sku_code": "PEN-01"}] * count))
    assert order["totals"]["subtotal_cents"] == count * PEN_CENTS


@shows("P-8.1")
def test_eleven_items_are_too_many(world: World, partner: PartnerClient) -> None:
    assert refused_order(world, partner, items=[{"sku_code": "PEN-01"}] * 11) == "invalid_body"


@shows("P-2.5")
def test_items_that_leave_the_same_variation_open_share_one_pick(world: World, partner: PartnerClient) -> None:
    lines = [TEE_LINE, {**TEE_LINE, "fixed_options": {str(SIZE): MEDIUM}}]
    order = created(partner.create_order(items=lines, return_claim_links=True))
    [token] = claim_tokens(order)
    page = world.client.call("GET", f"/claim/{world.id}/{token}", headers={"Accept": "application/json"}).json()
    assert [choice["variation_id"] for choice in page["choices"]] == [COLOUR]
    assert world.claim(token, selection={str(COLOUR): NAVY}).status == 200
    assert manifest_rows(partner, order)[0]["items"].count("NAVY") == 2
