"""What a create body may say of the order as a whole, and where that comes back."""

from __future__ import annotations

from typing import Any

import pytest

from tests.claims import claims
from tests.support.api_clients import PartnerClient
from tests.support.instants import date_from_now
from tests.support.orders import address_recipients, claim_tokens, email_recipients, order_body
from tests.support.partner.catalogue import ADDRESSES
from tests.support.partner.orders import manifest_rows, order_id, refused_order
from tests.support.responses import created
from tests.support.worlds import World

COUNTRIES = ("US", "CA", "GB", "AU", "DE", "FR", "NL", "IT", "ES")


def page(world: World, token: str) -> Any:
    """What the claim page tells a program."""
    answer = world.client.call("GET", f"/claim/{world.id}/{token}", headers={"Accept": "application/json"})
    assert answer.status == 200, answer.text
    return answer.json()


@claims("P-2.1")
@pytest.mark.parametrize("key", [None, 7, True, "", [], {}, "two\nlines", "x" * 256])
def test_an_order_needs_an_idempotency_key_that_is_text(world: World, partner: PartnerClient, key: Any) -> None:
    assert refused_order(world, partner, idempotency_key=key) == "invalid_body"


@claims("P-2.1")
def test_an_idempotency_key_of_null_is_none(world: World, partner: PartnerClient) -> None:
    with world.assert_unchanged():
        answer = partner.post("/team-orders", {**order_body(), "idempotency_key": None})
    assert answer.status == 400


@claims("P-2.2", "P-2.3")
def test_name_reference_and_po_number_come_back_wherever_the_order_is_read(
    world: World, partner: PartnerClient
) -> None:
    said = {"name": "Welcome kits", "reference": "REF-1001", "po_number": "PO-77"}
    partner.subscribe("team_order.claimed")
    order = created(partner.create_order(**said))
    (listed,) = partner.get("/team-orders").json()["team_orders"]
    for shown in (order["team_order"], partner.read_order(order_id(order))["team_order"], listed):
        assert {member: shown[member] for member in said} == said
    (row,) = manifest_rows(partner, order)
    assert (row["reference"], row["po_number"]) == ("REF-1001", "PO-77")
    world.simulate("claim", team_order_id=order_id(order), recipient=0)
    world.advance("1h")
    (event,) = world.events()
    assert event["data"]["team_order"]["name"] == "Welcome kits"
    assert event["data"]["team_order"]["reference"] == "REF-1001"


@claims("P-2.2", "P-2.3")
def test_names_that_were_not_given_are_null(partner: PartnerClient) -> None:
    shown = partner.read_order(order_id(created(partner.create_order())))["team_order"]
    assert [shown[member] for member in ("name", "reference", "po_number")] == [None, None, None]


@claims("P-2.9")
@pytest.mark.parametrize("country", COUNTRIES)
def test_each_of_nine_countries_can_be_a_destination(world: World, partner: PartnerClient, country: str) -> None:
    order = created(partner.create_order(destination_countries=[country], return_claim_links=True))
    assert order["team_order"]["destination_countries"] == [country]
    assert page(world, claim_tokens(order)[0])["countries"] == [country]
    assert world.claim(claim_tokens(order)[0], address=ADDRESSES[country]).status == 200
    assert partner.read_order(order_id(order))["recipients"][0]["address"]["country"] == country


@claims("P-2.9")
@pytest.mark.parametrize(
    "countries",
    [["JP"], ["usa"], ["us"], ["US", "JP"], "US", [], ["US", "US"], [7], {"US": 1}, ["United States"], [""]],
)
def test_no_other_destination_is_taken(world: World, partner: PartnerClient, countries: Any) -> None:
    assert refused_order(world, partner, destination_countries=countries) == "invalid_body"


def test_all_nine_destinations_come_back_in_the_order_of_the_request(partner: PartnerClient) -> None:
    wanted = list(reversed(COUNTRIES))
    assert created(partner.create_order(destination_countries=wanted))["team_order"]["destination_countries"] == wanted


def test_links_go_to_the_united_states_unless_the_order_or_the_setting_says_more(
    world: World, partner: PartnerClient
) -> None:
    assert created(partner.create_order())["team_order"]["destination_countries"] == ["US"]
    world.change_settings(partner__destination_countries=["GB", "DE"])
    assert created(partner.create_order(idempotency_key="b"))["team_order"]["destination_countries"] == ["GB", "DE"]
    order = created(partner.create_order(idempotency_key="c", destination_countries=["FR"]))
    assert order["team_order"]["destination_countries"] == ["FR"]


def test_orders_with_addresses_show_the_countries_found_there(partner: PartnerClient) -> None:
    rows = [{"name": code, "address": ADDRESSES[code]} for code in ("GB", "US", "GB")]
    order = created(partner.create_order(recipients=rows, destination_countries=["ES"]))
    assert order["team_order"]["destination_countries"] == ["GB", "US"]
    assert partner.read_order(order_id(order))["team_order"]["destination_countries"] == ["GB", "US"]


@claims("P-2.11")
def test_a_recipients_own_message_replaces_that_of_the_order(world: World, partner: PartnerClient) -> None:
    rows = [*email_recipients(1), *email_recipients(1, gift_message="Just for you\nand nobody else")]
    order = created(
        partner.create_order(gift_sender="Ada & Co", gift_message="To all", recipients=rows, return_claim_links=True)
    )  # fmt: skip
    pages = [page(world, token) for token in claim_tokens(order)]
    assert [shown["message"] for shown in pages] == ["To all", "Just for you\nand nobody else"]
    assert [shown["gift_sender"] for shown in pages] == ["Ada & Co"] * 2
    assert {mail["subject"] for mail in world.mail()} == {"Ada & Co has a gift for you"}


@claims("P-2.11")
def test_without_any_message_the_page_has_none(world: World, partner: PartnerClient) -> None:
    order = created(partner.create_order(return_claim_links=True))
    assert page(world, claim_tokens(order)[0])["message"] is None


@claims("P-2.12")
@pytest.mark.parametrize("recipients", [email_recipients(2), address_recipients(2)])
def test_a_card_is_printed_for_every_parcel(world: World, partner: PartnerClient, recipients: Any) -> None:
    order = created(partner.create_order(recipients=recipients, card={"message": "Thank you", "sender": "Ada"}))
    assert order["team_order"]["printed_card"] is True
    assert partner.read_order(order_id(order))["team_order"]["printed_card"] is True
    cards = [parcel["card"] for parcel in world.call_control("GET", "/parcels")["parcels"]]
    assert cards == [{"size": "5x7", "message": "Thank you", "sender": "Ada"}] * 2


@claims("P-2.12")
def test_without_a_card_none_is_printed(world: World, partner: PartnerClient) -> None:
    assert created(partner.create_order())["team_order"]["printed_card"] is False
    assert [parcel["card"] for parcel in world.call_control("GET", "/parcels")["parcels"]] == [None]


@claims("P-2.13")
@pytest.mark.parametrize(("rush", "told"), [(True, True), (False, False), (None, False)])
def test_the_event_comes_back_under_its_names(
    world: World, partner: PartnerClient, rush: bool | None, told: bool
) -> None:
    event = {"date": date_from_now(world, 30), **({} if rush is None else {"rush": rush})}
    order = created(partner.create_order(event=event))
    shown = order["team_order"]["event"]
    assert (shown["event_date"], shown["rush"]) == (date_from_now(world, 30), told)
    assert type(shown["fees_cents"]) is int
    read = partner.read_order(order_id(order))["team_order"]["event"]
    assert {member: read[member] for member in ("event_date", "rush", "fees_cents")} == {
        member: shown[member] for member in ("event_date", "rush", "fees_cents")
    }


@claims("P-2.13")
def test_without_an_event_there_is_none(partner: PartnerClient) -> None:
    assert created(partner.create_order())["team_order"]["event"] is None


def test_rush_halves_the_way(world: World, partner: PartnerClient) -> None:
    plain = created(partner.create_order(recipients=address_recipients(1)))
    rush = created(
        partner.create_order(
            idempotency_key="b", recipients=address_recipients(1), event={"date": date_from_now(world, 9), "rush": True}
        )
    )
    world.advance("60h")
    found = [partner.read_order(order_id(order))["recipients"][0]["status"] for order in (plain, rush)]
    assert found == ["labeled", "delivered"]


def test_the_word_for_orders_with_addresses_is_a_setting(world: World, partner: PartnerClient) -> None:
    world.change_settings(partner__address_mode="shipping_addresses")
    order = created(partner.create_order(recipients=address_recipients(1)))
    assert order["team_order"]["address_mode"] == "shipping_addresses"
    assert partner.read_order(order_id(order))["team_order"]["address_mode"] == "shipping_addresses"
    assert created(partner.create_order(idempotency_key="b"))["team_order"]["address_mode"] == "claim_links"
    world.advance("1d")
    assert partner.read_order(order_id(order))["recipients"][0]["status"] == "in_production"


def test_that_word_cannot_be_the_one_for_links(world: World) -> None:
    answer = world.control.call("PATCH", f"/worlds/{world.id}/settings", {"partner.address_mode": "claim_links"})
    assert answer.status == 400
