"""Quotes: the price of an order, without creating one."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.claims import claims
from tests.support.orders import RENO
from tests.support.responses import expect_status, invalid_fields
from tests.support.team.clients import TeamClients
from tests.support.team.orders import KIT, KIT_CENTS, PARCEL_CENTS, approve, create_order, typed_recipients

SHIPPING = {"US": 800, "CA": 1500, "GB": 1800, "AU": 2200, "DE": 1600, "FR": 1600, "NL": 1600, "IT": 1600, "ES": 1600}
BERLIN = {"address1": "Unter den Linden 1", "city": "Berlin", "zip": "10117", "country": "DE"}
in_one_world = settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=30)


def request_quote(team: TeamClients, **members: Any) -> Any:
    """Request a quote for welcome kits."""
    return team.live.post_json("/team-orders/quote", {"collection": KIT, "headcount": 1, **members}, 200)


@claims("T-4.46", "T-2.21")
def test_a_quote_prices_items_and_shipping_and_creates_nothing(team: TeamClients) -> None:
    before = team.world.observable_state()
    quote = request_quote(team, headcount=25, destination_countries=["US", "GB"])
    assert quote == {
        "collection": KIT,
        "headcount": 25,
        "destination_countries": ["US", "GB"],
        "items": [
            {"item_slug": slug, "merchant_product_id": product, "name": name, "quantity": 1, "unit_price_cents": cents,
             "total_cents": 25 * cents}
            for slug, product, name, cents in (
                ("mug-01", 101, "Stoneware mug", 1800), ("note-01", 111, "Dotted notebook", 1400),
                ("pen-01", 103, "Ballpoint pen", 600),
            )
        ],
        "totals": {
            "subtotal_cents": 25 * KIT_CENTS, "shipping_cents": 25 * 1800, "total_cents": 25 * (KIT_CENTS + 1800),
            "currency": "USD",
        },
        "livemode": True,
    }  # fmt: skip
    assert team.world.observable_state() == before
    assert team.live.list_all("/team-orders") == []


@in_one_world
@given(heads=st.integers(1, 5000), countries=st.lists(st.sampled_from(list(SHIPPING)), unique=True))
def test_each_recipient_is_priced_with_shipping_to_the_dearest_country(
    team: TeamClients, heads: int, countries: list[str]
) -> None:
    named = {"destination_countries": countries} if countries else {}
    totals = request_quote(team, headcount=heads, **named)["totals"]
    assert totals["subtotal_cents"] == heads * KIT_CENTS
    assert totals["shipping_cents"] == heads * max([SHIPPING[code] for code in countries], default=PARCEL_CENTS)
    assert totals["total_cents"] == totals["subtotal_cents"] + totals["shipping_cents"]


def test_a_quote_equals_the_price_of_the_order(team: TeamClients) -> None:
    assert create_order(team.live, headcount=7)["totals"] == request_quote(team, headcount=7)["totals"]


@in_one_world
@given(countries=st.lists(st.sampled_from(list(SHIPPING)), unique=True, min_size=1))
def test_an_order_to_other_countries_costs_what_its_quote_said(team: TeamClients, countries: list[str]) -> None:
    order = create_order(team.live, destination_countries=countries)
    quote = request_quote(team, headcount=2, destination_countries=countries)
    assert (order["totals"], order["destination_countries"]) == (quote["totals"], countries)


def test_recipients_claim_in_the_countries_of_the_order_alone(team: TeamClients) -> None:
    order = create_order(team.live, destination_countries=["DE", "FR"], headcount=1, recipients=typed_recipients(1))
    approve(team.world, order)
    [link] = [mail["links"][0] for mail in team.world.mail() if mail["to"] == "guest0@example.com"]
    token = link.rsplit("/", 1)[1]
    refused = expect_status(team.world.claim(token, address=RENO), 422)
    assert "this gift goes to DE, FR only" in refused.text
    expect_status(team.world.claim(token, address=BERLIN), 200)


@pytest.mark.parametrize("countries", [[], "US", ["US", "US"], ["XX"], [1], None])
def test_an_order_to_unknown_countries_is_refused(team: TeamClients, countries: Any) -> None:
    body = {"collection": KIT, "headcount": 1, "destination_countries": countries}
    before = team.world.observable_state()
    [field] = invalid_fields(team.live.post("/team-orders", body))
    assert field.startswith("destination_countries")
    assert team.world.observable_state() == before


def test_a_price_change_applies_to_the_next_quote(team: TeamClients) -> None:
    team.world.simulate("price", product="mug-01", price_cents=1)
    assert request_quote(team)["totals"]["subtotal_cents"] == KIT_CENTS - 1800 + 1


def test_a_setting_changes_the_default_destination(team: TeamClients) -> None:
    team.world.change_settings(partner__destination_countries=["CA", "DE"])
    quote = request_quote(team)
    assert quote["destination_countries"] == ["CA", "DE"]
    assert quote["totals"]["shipping_cents"] == 1600
    assert create_order(team.live, headcount=1, recipients=None)["totals"] == quote["totals"]


@claims("T-2.21")
@pytest.mark.parametrize(
    ("members", "field"),
    [
        ({"collection": "no-such-kit"}, "collection"),
        ({"collection": None}, "collection"),
        ({"collection": 801}, "collection"),
        ({"headcount": 0}, "headcount"),
        ({"headcount": 5001}, "headcount"),
        ({"headcount": 1.5}, "headcount"),
        ({"headcount": "3"}, "headcount"),
        ({"destination_countries": []}, "destination_countries"),
        ({"destination_countries": "US"}, "destination_countries"),
        ({"destination_countries": ["US", "US"]}, "destination_countries"),
        ({"destination_countries": ["XX"]}, "destination_countries[0]"),
        ({"destination_countries": ["us"]}, "destination_countries[0]"),
    ],
)
def test_a_quote_of_unknown_goods_is_refused(team: TeamClients, members: dict[str, Any], field: str) -> None:
    body = {"collection": KIT, "headcount": 1, **members}
    assert invalid_fields(team.live.post("/team-orders/quote", body)) == [field]


@pytest.mark.parametrize("missing", ["collection", "headcount"])
def test_a_quote_needs_collection_and_headcount(team: TeamClients, missing: str) -> None:
    body = {name: value for name, value in {"collection": KIT, "headcount": 1}.items() if name != missing}
    assert invalid_fields(team.live.post("/team-orders/quote", body)) == [missing]


def test_a_test_key_sees_the_same_prices(team: TeamClients) -> None:
    body = {"collection": KIT, "headcount": 3}
    quote = team.test.post_json("/team-orders/quote", body, 200)
    assert quote == {**team.live.post_json("/team-orders/quote", body, 200), "livemode": False}
