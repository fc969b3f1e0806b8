"""The manifest's items and duties: what each recipient gets, and what customs would ask for it (B35)."""

from __future__ import annotations

from fractions import Fraction
from math import floor
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.claims import claims
from tests.support.api_clients import PartnerClient
from tests.support.orders import address_recipients, claim_tokens, email_recipients
from tests.support.partner.catalogue import ADDRESSES, COLOUR, MUG_LINE, NAVY, TEE_LINE
from tests.support.partner.orders import manifest_rows
from tests.support.responses import created
from tests.support.worlds import World

in_one_world = settings(suppress_health_check=[HealthCheck.function_scoped_fixture])

LONDON = ADDRESSES["GB"]


def to_london_and_reno() -> list[dict[str, Any]]:
    """Three bundles to London, one to London, one to Reno."""
    return [{"name": "Bo", "address": LONDON, "quantity": 3}, {"name": "Cy", "address": LONDON}, *address_recipients(1)]


@claims("P-2.20", "P-4.9")
def test_the_items_are_those_that_the_recipient_gets(partner: PartnerClient) -> None:
    items = [{"sku_code": "PEN-01", "quantity": 3}, {"sku_code": "MUG-01"}]
    rows = [*address_recipients(1, quantity=4), *address_recipients(1)]
    order = created(partner.create_order(items=items, recipients=rows))
    assert [row["items"] for row in manifest_rows(partner, order)] == [
        "12 x PEN-01 Ballpoint pen; 4 x MUG-01 Stoneware mug",
        "3 x PEN-01 Ballpoint pen; 1 x MUG-01 Stoneware mug",
    ]


@claims("P-2.5", "P-4.9")
def test_the_items_say_what_was_picked_once_it_is(world: World, partner: PartnerClient) -> None:
    order = created(
        partner.create_order(items=[TEE_LINE, MUG_LINE], recipients=email_recipients(2), return_claim_links=True)
    )
    before = "1 x tee-01 Cotton tee (Size: S); 1 x MUG-01 Stoneware mug"
    assert [row["items"] for row in manifest_rows(partner, order)] == [before] * 2
    assert world.claim(claim_tokens(order)[1], selection={str(COLOUR): NAVY}).status == 200
    after = "1 x tee-01 Cotton tee (Size: S, Colour: Navy); 1 x MUG-01 Stoneware mug"
    assert [row["items"] for row in manifest_rows(partner, order)] == [before, after]


@claims("P-4.9")
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
