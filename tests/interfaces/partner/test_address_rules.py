"""Addresses by the rules of their country, in an order and on the claim page alike (P-2.18, B40)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.claims import claims
from tests.support.api_clients import PartnerClient
from tests.support.orders import claim_tokens
from tests.support.partner.catalogue import ADDRESSES
from tests.support.partner.orders import order_id
from tests.support.responses import created, error_code, invalid_recipient_fields
from tests.support.worlds import World

NEED_STATE = ("US", "CA", "AU")
GOOD_ZIPS = {
    "US": ["89501", "89501-1234"], "CA": ["K1A 0B1", "k1a0b1"], "GB": ["M1 1AE", "EC1A 1BB", "SW1A2AA"],
    "AU": ["0800", "2000"], "DE": ["01067", "10117"], "FR": ["01000", "75001"], "NL": ["1012 JS", "1012JS"],
    "IT": ["00184"], "ES": ["01001", "28013"],
}  # fmt: skip
BAD_ZIPS = {
    "US": ["ABC", "8950", "K1A 0B1", "89501-12"], "CA": ["89501", "K1A", "D1A 0B1"], "GB": ["89501", "SW1A", "Q1 1AA"],
    "AU": ["200", "20000", "0100"], "DE": ["1011", "D-10117", "00000"], "FR": ["7500", "99999"],
    "NL": ["1012", "0012 JS", "1012 SS"], "IT": ["0184", "001844"], "ES": ["53001", "2801"],
}  # fmt: skip
BAD_STATES = {"US": ["Nevada", "ON", "XX"], "CA": ["Ontario", "NV"], "AU": ["New South Wales", "XX"]}


def cases(table: dict[str, list[str]]) -> list[tuple[str, str]]:
    return [(country, text) for country, texts in table.items() for text in texts]


def ordered(world: World, partner: PartnerClient, address: dict[str, Any]) -> list[str]:
    """What an order to that address finds wrong with it; nothing if it goes there."""
    answer = partner.create_order(recipients=[{"name": "Bo", "address": address}])
    if answer.status == 201:
        return []
    found = invalid_recipient_fields(answer)
    assert world.call_control("GET", "/orders")["orders"] == []
    return found[0]


def claimed(world: World, partner: PartnerClient, address: dict[str, Any]) -> list[str]:
    """The same on the claim page of an order that may go anywhere."""
    order = created(
        partner.create_order(idempotency_key="page", destination_countries=list(ADDRESSES), return_claim_links=True)
    )
    answer = world.claim(claim_tokens(order)[0], address=address)
    status = partner.read_order(order_id(order))["recipients"][0]["status"]
    if answer.status == 200:
        assert status == "submitted"
        return []
    assert (error_code(answer, 422), status) == ("invalid_claim", "awaiting")
    return [error["field"] for error in answer.json()["errors"]]


def judged(world: World, partner: PartnerClient, of: str, /, **members: Any) -> list[str]:
    """What both find wrong, which must be the same."""
    address = {**ADDRESSES[of], **members}
    found = ordered(world, partner, address)
    assert claimed(world, partner, address) == found
    return found


@claims("P-2.18")
@pytest.mark.parametrize("country", ADDRESSES)
def test_a_good_address_of_each_country_is_taken_and_kept(world: World, partner: PartnerClient, country: str) -> None:
    assert judged(world, partner, country) == []
    order = partner.get("/team-orders").json()["team_orders"][1]
    assert partner.read_order(order["id"])["recipients"][0]["address"] == {"state": None, **ADDRESSES[country]}


@claims("P-2.18")
@pytest.mark.parametrize("country", ADDRESSES)
def test_a_state_is_needed_in_three_countries(world: World, partner: PartnerClient, country: str) -> None:
    assert judged(world, partner, country, state=None) == (["address.state"] if country in NEED_STATE else [])


@claims("P-2.18")
@pytest.mark.parametrize(("country", "state"), cases(BAD_STATES))
def test_there_it_is_one_of_the_countrys_own(world: World, partner: PartnerClient, country: str, state: str) -> None:
    assert judged(world, partner, country, state=state) == ["address.state"]


@claims("P-2.18")
@pytest.mark.parametrize(("country", "text"), cases(GOOD_ZIPS))
def test_a_zip_as_the_country_writes_it_is_taken(world: World, partner: PartnerClient, country: str, text: str) -> None:
    assert judged(world, partner, country, zip=text) == []


@claims("P-2.18")
@pytest.mark.parametrize(("country", "text"), cases(BAD_ZIPS))
def test_a_zip_of_another_form_is_refused(world: World, partner: PartnerClient, country: str, text: str) -> None:
    assert judged(world, partner, country, zip=text) == ["address.zip"]


@claims("P-2.18")
@pytest.mark.parametrize("country", ["JP", "us", "USA", "United States", "GBR", "UK", "AT"])
def test_no_other_country_is_served(world: World, partner: PartnerClient, country: str) -> None:
    assert judged(world, partner, "US", country=country) == ["address.country"]


def test_unknown_members_of_an_address_do_not_matter(world: World, partner: PartnerClient) -> None:
    assert judged(world, partner, "US", address2="Apt 4", phone=7) == []
    order = partner.get("/team-orders").json()["team_orders"][1]
    assert partner.read_order(order["id"])["recipients"][0]["address"] == ADDRESSES["US"]
