"""What is off sale: a partner cannot order it, recipients cannot pick it, and orders that exist keep it (G444-G446)."""

from __future__ import annotations

from itertools import count
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.shows import shows
from tests.support.api_clients import PartnerClient
from tests.support.orders import RENO, address_recipients
from tests.support.partner.catalogue import (
    BLACK,
    COLOUR,
    MEDIUM,
    MUG,
    MUG_LINE,
    NAVY,
    PEN_CENTS,
    SIZE,
    SMALL,
    TEE,
    TEE_CENTS,
    TEE_LINE,
)
from tests.support.partner.claim_form import open_page, order_by_link, parse_claim_form, submit_form
from tests.support.partner.orders import order_id, shipment_statuses
from tests.support.responses import created, status_and_code
from tests.support.worlds import World

KEYS = count()
in_one_world = settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=20)
FIELDS = {f"address.{name}": str(text) for name, text in RENO.items()}
BLACK_TEE = {"merchant_product_id": TEE, "fixed_options": {str(SIZE): SMALL, str(COLOUR): BLACK}}


def take_off(world: World, **named: Any) -> None:
    """Take something off sale."""
    world.simulate("stock", **named, on_sale=False)


def put_back(world: World, **named: Any) -> None:
    """Put something back on sale."""
    world.simulate("stock", **named, on_sale=True)


def page(world: World, token: str) -> Any:
    """The claim page as a program reads it."""
    return world.client.call("GET", f"/claim/{world.id}/{token}", headers={"Accept": "application/json"}).json()


def claim(world: World, token: str, **body: Any) -> Any:
    """A claim as a program sends it; the response."""
    return world.client.call("POST", f"/claim/{world.id}/{token}", body={"address": RENO, **body})


@shows("P-7.17")
@pytest.mark.parametrize("line", [MUG_LINE, {"merchant_sku_id": 10100}, {"merchant_product_id": MUG}])
def test_a_product_off_sale_is_not_on_the_account_until_it_is_put_back(
    world: World, partner: PartnerClient, line: dict[str, Any]
) -> None:
    take_off(world, product="mug-01")
    with world.assert_unchanged():
        response = partner.create_order(items=[{"sku_code": "PEN-01"}, line])
    assert status_and_code(response) == (404, "sku_not_found")
    assert "is off sale" in response.json()["error"]["message"]
    put_back(world, product="mug-01")
    created(partner.create_order(items=[{"sku_code": "PEN-01"}, line]))


@shows("P-7.3")
def test_a_fixed_option_off_sale_is_an_invalid_item_and_others_can_be_ordered(
    world: World, partner: PartnerClient
) -> None:
    take_off(world, product="tee-01", option="S")
    with world.assert_unchanged():
        response = partner.create_order(items=[BLACK_TEE], recipients=address_recipients())
    assert status_and_code(response) == (400, "invalid_item")
    assert f"S, option {SMALL} of Size, is off sale" in response.json()["error"]["message"]
    other = {**BLACK_TEE, "fixed_options": {str(SIZE): MEDIUM, str(COLOUR): BLACK}}
    order = created(partner.create_order(items=[other], recipients=address_recipients()))
    assert order["totals"]["subtotal_cents"] == TEE_CENTS


def test_a_product_without_any_size_is_off_sale_as_a_whole(world: World, partner: PartnerClient) -> None:
    tee = world.call_control("GET", "/catalogue?q=tee-01")["catalogue"][0]
    for size in tee["variations"][0]["options"]:
        take_off(world, product=TEE, option=size["id"])
    for line in (BLACK_TEE, TEE_LINE, {"sku_code": tee["skus"][0]["code"]}):
        assert status_and_code(partner.create_order(items=[line])) == (404, "sku_not_found")


def test_a_product_is_off_sale_once_its_last_sku_is(world: World, partner: PartnerClient) -> None:
    *others, last = world.call_control("GET", "/catalogue?q=tee-01")["catalogue"][0]["skus"]
    for sku in others:
        take_off(world, sku=sku["code"])
    assert partner.create_order(items=[TEE_LINE]).status == 201
    take_off(world, sku=last["code"])
    refused = partner.create_order(items=[TEE_LINE], idempotency_key="second")
    assert status_and_code(refused) == (404, "sku_not_found")
    assert world.call_control("GET", "/catalogue?q=tee-01")["catalogue"][0]["on_sale"] is False
    put_back(world, sku=last["code"])
    assert partner.create_order(items=[TEE_LINE], idempotency_key="second").status == 201


def test_a_sku_off_sale_is_not_sold_by_its_code_nor_by_its_options(world: World, partner: PartnerClient) -> None:
    sku = world.call_control("GET", "/catalogue?q=tee-01")["catalogue"][0]["skus"][0]
    take_off(world, sku=sku["code"])
    assert status_and_code(partner.create_order(items=[{"sku_code": sku["code"]}])) == (404, "sku_not_found")
    assert status_and_code(partner.create_order(items=[{"merchant_sku_id": sku["id"]}])) == (404, "sku_not_found")
    line = {"merchant_product_id": TEE, "fixed_options": sku["options"]}
    response = partner.create_order(items=[line], recipients=address_recipients())
    assert status_and_code(response) == (400, "invalid_item")
    assert "Cotton tee is off sale with these options" in response.json()["error"]["message"]
    order, token = order_by_link(partner, items=[TEE_LINE])
    refusal = claim(world, token, selection={str(COLOUR): sku["options"][str(COLOUR)]})
    assert status_and_code(refusal) == (422, "invalid_claim")
    assert claim(world, token, selection={str(COLOUR): NAVY}).status == 200
    assert shipment_statuses(partner, order) == ["submitted"]


def test_an_order_that_exists_keeps_its_items_paid_or_not(world: World, partner: PartnerClient) -> None:
    paid = created(partner.create_order(recipients=address_recipients()))
    linked, token = order_by_link(partner, idempotency_key="link")
    world.simulate("account", key="partner.prepaid", wallet_cents=0, card="none")
    body = {"idempotency_key": "unpaid", "recipients": address_recipients()}
    assert partner.create_order(**body).status == 402
    take_off(world, product="mug-01")
    assert partner.create_order(recipients=address_recipients()).json() == paid
    assert claim(world, token).status == 200
    world.simulate("account", key="partner.prepaid", wallet_cents=100_000)
    third = created(partner.create_order(**body))
    world.advance("30d")
    for order in (paid, linked, third):
        assert partner.read_order(order_id(order))["team_order"]["status"] == "delivered"


def test_an_open_claim_page_offers_what_is_left_and_says_what_is_not(world: World, partner: PartnerClient) -> None:
    order, token = order_by_link(partner, items=[TEE_LINE])
    before = page(world, token)
    take_off(world, product=TEE, option=BLACK)
    assert [each["option_id"] for each in page(world, token)["choices"][0]["options"]] == [NAVY, 10223]
    assert "no longer available" in parse_claim_form(open_page(world, token)).text
    with world.assert_unchanged():
        refusal = claim(world, token, selection={str(COLOUR): BLACK})
        form = parse_claim_form(submit_form(world, token, {**FIELDS, f"selection.{COLOUR}": str(BLACK)}), 422)
    assert status_and_code(refusal) == (422, "invalid_claim")
    assert refusal.json()["errors"] == [
        {
            "field": f"selection.{COLOUR}",
            "message": f"pick a colour: Black is off sale, so one of {NAVY} (Navy), 10223 (White)",
        }
    ]
    assert form.invalid == [f"selection.{COLOUR}"]
    assert shipment_statuses(partner, order) == ["awaiting"]
    put_back(world, product=TEE, option=BLACK)
    assert page(world, token) == before
    assert claim(world, token, selection={str(COLOUR): BLACK}).status == 200
    take_off(world, product=TEE, option=BLACK)
    world.advance("30d")
    assert shipment_statuses(partner, order) == ["delivered"]


def test_a_verb_picks_what_is_left_and_nothing_can_be_claimed_once_nothing_is(
    world: World, partner: PartnerClient
) -> None:
    order, token = order_by_link(partner, items=[TEE_LINE])
    for colour in (NAVY, 10223, BLACK):
        take_off(world, product=TEE, option=colour)
    with world.assert_unchanged():
        assert status_and_code(claim(world, token)) == (422, "invalid_claim")
        form = parse_claim_form(submit_form(world, token, FIELDS), 422)
        for verb, more in (("claim", {}), ("shipment", {"to": "shipped"})):
            response = world.control.post(
                f"/worlds/{world.id}/simulate/{verb}", {"team_order_id": order_id(order), "recipient": 0, **more}
            )
            assert response.status in (409, 422)
            assert "no colour is left" in response.json()["error"]["message"]
    assert form.errors[-1] == "No colour is left. Ask the person who sent you the gift."
    assert "Nothing of this is left" in form.text
    put_back(world, product=TEE, option=NAVY)
    world.simulate("shipment", team_order_id=order_id(order), to="shipped")
    assert shipment_statuses(partner, order) == ["shipped"]


def test_who_names_no_options_gets_the_first_that_are_on_sale_together(world: World, partner: PartnerClient) -> None:
    both = {"merchant_product_id": TEE, "choice_variation_ids": [SIZE, COLOUR]}
    order, token = order_by_link(partner, items=[both])
    take_off(world, sku="TEE-01-S-BLACK")
    picked = {str(SIZE): SMALL, str(COLOUR): NAVY}
    assert world.call_control("GET", f"/claim_links/{token}")["entry"]["selection"] == picked
    before = world.fingerprint()
    for named in ({"team_order_id": order_id(order), "recipient": 0}, {"token": token}):
        assert world.simulate("claim", **named)["status"] == "submitted"
        world.call_control("POST", "/undo", {"to": world.call_control("GET", "/undo?all=true")["undo"][0]["to"]})
        assert world.fingerprint() == before


def test_an_actor_that_would_claim_is_refused_and_the_link_expires(world: World, partner: PartnerClient) -> None:
    world.call_control("POST", "/actors", {"id": "bo", "recipient": "bo@example.com", "claims": "2d"})
    order, _ = order_by_link(partner, items=[TEE_LINE])
    for colour in (NAVY, 10223, BLACK):
        take_off(world, product=TEE, option=colour)
    world.advance("40d")
    assert shipment_statuses(partner, order) == ["expired"]
    (actor,) = world.call_control("GET", "/actors")["actors"]
    assert "no colour is left" in str(actor)


@in_one_world
@given(off=st.sets(st.sampled_from([BLACK, NAVY, 10223])), picked=st.sampled_from([BLACK, NAVY, 10223]), data=st.data())
def test_money_and_claims_fit_whatever_is_off_sale(
    world: World, partner: PartnerClient, off: set[int], picked: int, data: st.DataObject
) -> None:
    """An order costs the same whatever goes off sale after it; a claim is taken if and only if its option is left."""
    for option in (BLACK, NAVY, 10223):
        put_back(world, product=TEE, option=option)
    pens = data.draw(st.integers(1, 3))
    order, token = order_by_link(
        partner,
        idempotency_key=f"{picked} {sorted(off)} {pens} {next(KEYS)}",
        items=[TEE_LINE, {"sku_code": "PEN-01", "quantity": pens}],
    )
    for option in off:
        take_off(world, product=TEE, option=option)
    assert claim(world, token, selection={str(COLOUR): picked}).status == (422 if picked in off else 200)
    totals = partner.read_order(order_id(order))["team_order"]["totals"]
    assert totals["subtotal_cents"] == TEE_CENTS + pens * PEN_CENTS


def test_a_paid_gift_may_keep_its_options(world: World, partner: PartnerClient) -> None:
    order, token = order_by_link(partner, items=[TEE_LINE])
    world.change_settings(claims__options_reserved=True)
    before = page(world, token)
    take_off(world, product=TEE, option=BLACK)
    assert page(world, token) == before
    assert claim(world, token, selection={str(COLOUR): BLACK}).status == 200
    assert shipment_statuses(partner, order) == ["submitted"]
