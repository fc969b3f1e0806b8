"""People and the catalogue: searched, and changed by real calls and verbs."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.api_clients import PartnerClient
from tests.support.console import Console
from tests.support.orders import email_recipients
from tests.support.worlds import World

HOSTILE = "<script>alert(1)</script>\"'&<b>"


def shows_as_text(console: Console) -> bool:
    return HOSTILE in console.page.text and "<script>alert" not in console.response.text


def test_a_person_is_added_by_a_real_call_and_changed(console: Console, world: World) -> None:
    page = console.open("people")
    assert (page.title, "/api/teams/v1/people" in page.text) == ("People – giftsim", True)
    page = console.press("Write the person", work_email="zoe@example.com", first_name=HOSTILE, country="US")
    assert f"{HOSTILE} was added to the roster." in page.text
    assert shows_as_text(console)
    console.press("Write the person", work_email="zoe@example.com", first_name="Zoe")
    assert "Zoe was changed on the roster." in console.page.text
    (zoe,) = world.call_control("GET", "/people?q=zoe@")["people"]
    assert (zoe["first_name"], zoe["country"]) == ("Zoe", "US")


def test_a_person_that_is_refused_is_said(console: Console, world: World) -> None:
    console.open("people")
    console.press("Write the person", work_email="no address")
    assert "work_email" in console.page.text
    assert world.call_control("GET", "/people?q=no%20address")["people"] == []


def test_a_contact_is_added_to_a_crm_and_found(console: Console, world: World) -> None:
    console.open("people/contacts")
    console.press("Write the contact", provider="hubspot", id="x-1", name=HOSTILE, email="x@client.example")
    assert "hubspot has" in console.page.text
    console.submit(next(form for form in console.page.forms if "q" in form.fields), q="x@client.example")
    assert shows_as_text(console)
    assert world.call_control("GET", "/contacts?q=x-1")["contacts"][0]["name"] == HOSTILE
    assert "Nothing fits" in console.open("people/contacts?q=nobody-at-all").text


def test_a_contact_is_deleted_in_its_crm(console: Console, world: World) -> None:
    contact = {"id": "x-1", "object_type": "lead", "name": HOSTILE, "email": None}
    world.simulate("crm", provider="hubspot", upsert=[contact, {**contact, "id": "x-2", "name": "Cy"}])
    console.open("people/contacts")
    console.follow_row("Cy")
    console.press("Delete it in the CRM")
    assert "Cy is deleted in hubspot" in console.page.text
    assert [row["name"] for row in world.rows("contacts")] == [HOSTILE]
    console.open("people/contacts")
    assert shows_as_text(console)


def test_recipients_lead_to_their_orders(console: Console, world: World, partner: PartnerClient) -> None:
    partner.create_order(recipients=[{"name": HOSTILE, "email": "h@example.com"}], open_seats=1)
    page = console.open("people/recipients")
    assert shows_as_text(console)
    assert "an open seat" in page.text
    assert next(href for text, href in page.links if text.endswith("#1001")) == f"/w/{world.id}/orders/order/1001"


def test_recipients_are_paged(console: Console, partner: PartnerClient) -> None:
    partner.create_order(recipients=email_recipients(60))
    console.open("people/recipients")
    assert "Newest" in console.follow("Older").text


@pytest.mark.parametrize("view", ["people", "contacts", "recipients"])
def test_a_world_without_people_says_why(console: Console, world: World, view: str) -> None:
    console.world = World(world.simulator, fixture="bare").id
    page = console.open("people" if view == "people" else f"people/{view}")
    assert (console.status, "No" in page.text or "empty" in page.text) == (200, True)


def test_the_catalogue_shows_products_and_sets_a_price(console: Console, world: World) -> None:
    page = console.open("catalogue")
    assert (page.heading, "MUG-01" in page.text, "Size" in page.text) == ("Catalogue", True, True)
    console.open("catalogue?q=MUG-01")
    page = console.press("Set price", price="21.50")
    assert "costs $21.50 now." in page.text
    assert world.call_control("GET", "/catalogue?q=mug-01")["catalogue"][0]["price_cents"] == 2150
    console.press("Undo")
    assert world.call_control("GET", "/catalogue?q=mug-01")["catalogue"][0]["price_cents"] == 1800


@pytest.mark.parametrize("price", ["", "-1", "cheap", HOSTILE])
def test_what_is_not_a_price_is_refused(console: Console, world: World, price: str) -> None:
    console.open("catalogue?q=MUG-01")
    console.press("Set price", price=price)
    assert "is not a price" in console.page.text
    assert "<script>alert" not in console.response.text
    assert world.call_control("GET", "/catalogue?q=mug-01")["catalogue"][0]["price_cents"] == 1800


def test_a_personalization_is_reviewed_and_the_review_withdrawn(console: Console, world: World) -> None:
    console.open("catalogue?q=ENGR-01")
    console.press("Review")
    assert world.call_control("GET", "/catalogue?q=engr")["catalogue"][0]["reviewed_for"]
    console.press("Withdraw")
    assert world.call_control("GET", "/catalogue?q=engr")["catalogue"][0]["reviewed_for"] == []


def test_a_product_and_an_option_go_off_sale_and_back(console: Console, world: World) -> None:
    def tee() -> Any:
        return world.call_control("GET", "/catalogue?q=tee-01")["catalogue"][0]

    console.open("catalogue?q=tee-01")
    console.press("Take off sale", option="10212", on_sale="false")
    assert [each["on_sale"] for each in tee()["variations"][0]["options"]] == [True, False, True, True]
    assert "M is off sale" in " ".join(console.open("catalogue?q=tee-01").text.split())
    console.open("catalogue?q=MUG-01")
    console.press("Take off sale Stoneware mug")
    page = console.open("catalogue?q=MUG-01")
    assert "off sale" in page.text
    assert world.call_control("GET", "/catalogue?q=mug-01")["catalogue"][0]["on_sale"] is False
    console.press("Put back on sale Stoneware mug")
    assert world.call_control("GET", "/catalogue?q=mug-01")["catalogue"][0]["on_sale"] is True
    console.press("Undo")
    assert world.call_control("GET", "/catalogue?q=mug-01")["catalogue"][0]["on_sale"] is False


def test_a_catalogue_without_products_says_why(console: Console, world: World) -> None:
    console.world = World(world.simulator, fixture="bare").id
    assert "The catalogue is empty" in console.open("catalogue").text
    assert "No product found" in console.open("catalogue?q=x").text
