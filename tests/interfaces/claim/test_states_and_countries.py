"""The states and countries of the claim form (G99)."""

from __future__ import annotations

import pytest

from giftsim.domain.fulfilment.address import COUNTRIES
from tests.support.api_clients import PartnerClient
from tests.support.partner.catalogue import ADDRESSES
from tests.support.partner.claim_form import open_page, order_by_link, parse_claim_form, submit_form
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
        for country, expected in (("AU", "address.state"), ("GB", "address.zip"), ("", "address.country")):
            sent = {**sydney, "address.state": "US-WA", "address.country": country}
            assert expected in parse_claim_form(submit_form(world, token, sent), 422).invalid
    assert submit_form(world, token, {**sydney, "address.state": "AU-WA"}).status == 200
