"""The states and countries of the claim form (G99)."""

from __future__ import annotations

import re

import pytest

from giftsim.services.gifting.domain.fulfilment.address import COUNTRIES
from tests.support.api_clients import PartnerClient
from tests.support.partner.catalogue import ADDRESSES, COLOUR, NAVY, TEE_LINE
from tests.support.partner.claim_form import choose_country, open_page, order_by_link, parse_claim_form, submit_form
from tests.support.partner.orders import order_id
from tests.support.worlds import World


@pytest.mark.parametrize("country", list(ADDRESSES))
def test_the_form_asks_for_what_a_country_needs(world: World, partner: PartnerClient, country: str) -> None:
    order, token = order_by_link(partner, destination_countries=[country])
    form = parse_claim_form(open_page(world, token))
    states = form.options.get("address.state")
    assert (states is None) == (not COUNTRIES[country].states)
    assert form.fields["address.country"] == country
    address = dict(ADDRESSES[country])
    if states:
        assert sorted(states)[1:] == sorted(f"{country}-{code}" for code in COUNTRIES[country].states)
        address["state"] = f"{country}-{address['state']}"
    assert submit_form(world, token, {f"address.{name}": str(text) for name, text in address.items()}).status == 200
    (row,) = partner.read_order(order_id(order))["recipients"]
    assert row["address"] == {"state": None, **ADDRESSES[country]}


def test_a_state_of_another_country_is_refused_also_where_both_have_the_code(
    world: World, partner: PartnerClient
) -> None:
    _, token = order_by_link(partner, destination_countries=["AU", "US", "GB"])
    sydney = {f"address.{name}": str(text) for name, text in ADDRESSES["AU"].items()}
    with world.assert_unchanged():
        for country, expected in (("AU", "address.state"), ("GB", "address.zip")):
            sent = {**sydney, "address.state": "US-WA", "address.country": country}
            assert expected in parse_claim_form(submit_form(world, token, sent), 422).invalid
    assert submit_form(world, token, {**sydney, "address.state": "AU-WA"}).status == 200


FIELDS = {
    "US": ["Street and number", "City", "State", "ZIP code"],
    "CA": ["Street and number", "City", "Province or territory", "Postal code"],
    "AU": ["Street and number", "Suburb or town", "State or territory", "Postcode"],
    "GB": ["Street and number", "Town or city", "County (optional)", "Postcode"],
    "DE": ["Street and number", "Postcode", "Town or city"],
    "IT": ["Street and number", "Postcode", "Town or city", "Province (optional)"],
}


@pytest.mark.parametrize("country", list(FIELDS))
def test_the_fields_of_a_country_have_its_words_and_its_order(
    world: World, partner: PartnerClient, country: str
) -> None:
    _, token = order_by_link(partner, destination_countries=list(COUNTRIES))
    form = parse_claim_form(choose_country(world, token, country))
    text = form.text[form.text.index("Another country") :]
    labels = [re.search(rf"{re.escape(label)}\n", text) for label in FIELDS[country]]
    places = [match.start() for match in labels if match]
    assert (len(places), places) == (len(labels), sorted(places))
    assert f"Like {COUNTRIES[country].zip_example}" in text


def test_another_country_keeps_what_was_entered_and_claims_nothing(world: World, partner: PartnerClient) -> None:
    _, token = order_by_link(partner, items=[TEE_LINE], destination_countries=["US", "DE"])
    entered = {
        f"selection.{COLOUR}": str(NAVY), "address.country": "US", "address.address1": "Unter den Linden 1",
        "address.city": "Berlin", "address.zip": "10117",
    }  # fmt: skip
    with world.assert_unchanged():
        form = parse_claim_form(choose_country(world, token, "DE", **entered))
    assert form.fields == {**entered, "address.country": "DE"}
    assert form.errors == []
    assert list(form.countries) == ["US", "DE"]
    assert submit_form(world, token, form.fields).status == 200


@pytest.mark.parametrize("country", ["", "XX", "GB", "<script>"])
def test_a_form_without_a_country_of_the_gift_asks_for_it_and_keeps_the_address(
    world: World, partner: PartnerClient, country: str
) -> None:
    _, token = order_by_link(partner, destination_countries=["US", "DE"])
    berlin = {"address.address1": "Unter den Linden 1", "address.city": "Berlin", "address.zip": "10117"}
    form = parse_claim_form(submit_form(world, token, {**berlin, "address.country": country}), 422)
    assert (form.fields, list(form.countries)) == (berlin, ["US", "DE"])
    only = "This gift goes to United States and Germany only"
    assert form.errors == ["Please correct this field:", only if country else "Country is missing"]
    again = parse_claim_form(choose_country(world, token, country, **berlin))
    assert (again.fields, again.errors) == (berlin, [])


def test_a_region_in_a_country_that_needs_none_is_kept_in_view(world: World, partner: PartnerClient) -> None:
    _, token = order_by_link(partner, destination_countries=["NL"])
    dam = {f"address.{name}": str(text) for name, text in ADDRESSES["NL"].items()}
    assert "address.state" not in parse_claim_form(open_page(world, token)).fields
    form = parse_claim_form(submit_form(world, token, {**dam, "address.zip": "x", "address.state": "Holland"}), 422)
    assert form.fields["address.state"] == "Holland"
