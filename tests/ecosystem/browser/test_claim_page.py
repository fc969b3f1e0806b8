"""The claim page as a person meets it: in a browser, on a phone and on a desktop, without scripts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.support.api_clients import PartnerClient
from tests.support.browser import DESKTOP, PHONE, Visit
from tests.support.orders import email_recipients
from tests.support.partner.catalogue import ADDRESSES, COLOUR, MUG_LINE, TEE_LINE
from tests.support.partner.orders import order_id, shipment_statuses
from tests.support.responses import created
from tests.support.worlds import World

if TYPE_CHECKING:
    from playwright.sync_api import Page


@pytest.fixture
def scripts() -> bool:
    """The claim page needs none."""
    return False


def ordered(partner: PartnerClient, **members: Any) -> tuple[Any, list[str]]:
    """An order by link, and the links of its recipients."""
    order = created(partner.create_order(return_claim_links=True, **members))
    return order, [row["claim"]["link"] for row in order["recipients"]]


def fill_address(page: Page, state: str | None = "Nevada", **fields: str) -> None:
    """Enter the address in Reno, with other texts for the fields whose labels begin so."""
    for label, text in {"Street and number": "1 Main St", "City": "Reno", "ZIP code": "89501", **fields}.items():
        page.get_by_label(label).fill(text)
    if state:
        page.get_by_label("State").select_option(label=state)


def send(page: Page) -> None:
    """Press the button of the form."""
    page.get_by_role("button", name="Send it to me").click()


def heading(page: Page) -> str:
    """The heading of the page."""
    return page.get_by_role("heading", level=1).inner_text()


def fits(page: Page) -> bool:
    """Whether nothing has to be scrolled sideways."""
    return bool(page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth"))


def error_of(page: Page, label: str) -> str | None:
    """The error that a screen reader reads with a field or a choice."""
    field = page.get_by_role("radiogroup", name=label).or_(page.get_by_label(label))
    if field.get_attribute("aria-invalid") != "true":
        return None
    return page.locator(f'[id="{field.get_attribute("aria-describedby")}"]').inner_text()


@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_a_gift_is_claimed_and_then_it_is_claimed_already(
    page: Page, partner: PartnerClient, size: tuple[int, int]
) -> None:
    order, (link,) = ordered(partner, items=[TEE_LINE, MUG_LINE], gift_message="Happy birthday!")
    page.goto(link)
    assert heading(page) == "Ada has a gift for you"
    assert "Happy birthday!" in page.get_by_role("main").inner_text()
    assert fits(page)
    page.get_by_label("Navy").check()
    fill_address(page)
    send(page)
    assert heading(page) == "Thank you, Bo"
    assert page.get_by_role("main").locator("address").inner_text() == "1 Main St\nReno NV 89501\nUnited States"
    assert fits(page)
    (row,) = partner.read_order(order_id(order))["recipients"]
    assert (row["status"], row["address"]) == ("submitted", ADDRESSES["US"])
    page.goto(link)
    assert heading(page) == "This gift was claimed already"
    assert "write to the person who sent you the link" in page.get_by_role("main").inner_text()


@pytest.mark.parametrize("size", [PHONE], ids=["phone"])
def test_errors_are_beside_their_fields_in_words_and_what_was_entered_stays(
    page: Page, partner: PartnerClient, size: tuple[int, int]
) -> None:
    order, (link,) = ordered(partner, items=[TEE_LINE])
    page.goto(link)
    page.get_by_label("City").fill("Reno")
    page.get_by_label("ZIP code").fill("ABC")
    send(page)
    labels = ["Colour", "Street and number", "City", "State", "ZIP code"]
    assert [error_of(page, label) for label in labels] == [
        "Colour is missing", "Street is missing", None, "State is missing",
        "ZIP code is not valid for the United States: write it like 94107 or 94107-1234",
    ]  # fmt: skip
    summary = page.get_by_role("alert")
    assert summary.inner_text().startswith("Please correct these 4 fields:")
    assert page.title() == "Please correct: A gift from Ada"
    assert page.get_by_label("City").input_value() == "Reno"
    assert page.evaluate("document.activeElement.id") == f"selection.{COLOUR}"
    assert fits(page)
    summary.get_by_role("link", name="Street is missing").click()
    assert page.evaluate("document.querySelector(':target').id") == "address.address1"
    page.get_by_label("Navy").check()
    fill_address(page)
    send(page)
    assert heading(page) == "Thank you, Bo"
    assert shipment_statuses(partner, order) == ["submitted"]


@pytest.mark.parametrize("size", [PHONE], ids=["phone"])
def test_a_country_has_its_own_form_and_keeps_what_was_entered(
    page: Page, partner: PartnerClient, size: tuple[int, int]
) -> None:
    order, (link,) = ordered(partner, items=[TEE_LINE], destination_countries=["US", "CA", "GB"])
    page.goto(link)
    assert page.get_by_role("button", name="Send it to me").count() == 0
    page.get_by_label("White").check()
    page.get_by_role("button", name="United Kingdom").click()
    page.locator("[id='address.address1']:focus").wait_for()
    page.get_by_label("Street and number").fill("80 Wellington St")
    page.get_by_text("Another country").click()
    assert fits(page)
    page.get_by_role("button", name="Canada").click()
    page.get_by_label("Province or territory").wait_for()
    assert page.get_by_label("White").is_checked()
    assert page.get_by_label("Street and number").input_value() == "80 Wellington St"
    page.get_by_label("City").fill("Ottawa")
    page.get_by_label("Postal code").fill("K1A 0B1")
    page.get_by_label("Province or territory").select_option(label="Ontario")
    page.get_by_label("City").press("Enter")
    assert heading(page) == "Thank you, Bo"
    assert partner.read_order(order_id(order))["recipients"][0]["address"] == ADDRESSES["CA"]


def test_a_choice_and_a_country_are_made_by_keyboard(page: Page, partner: PartnerClient) -> None:
    _, (link,) = ordered(partner, items=[TEE_LINE], destination_countries=["US", "CA"])
    page.goto(link)
    for key in ("Tab", "Space", "ArrowRight", "Tab"):
        page.keyboard.press(key)
    assert page.get_by_label("Navy").is_checked()
    assert page.evaluate("document.activeElement.textContent") == "United States"
    assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid"
    page.keyboard.press("Enter")
    page.get_by_label("State").wait_for()
    assert page.get_by_label("Navy").is_checked()


def test_every_link_that_does_not_work_has_a_way_on(page: Page, world: World, partner: PartnerClient) -> None:
    order, links = ordered(partner, recipients=email_recipients(2), claim_expiry_days=10)
    canceled = [order["recipients"][0]["recipient_id"]]
    assert partner.post(f"/team-orders/{order_id(order)}/cancel", {"recipient_ids": canceled}).status == 200
    world.advance("10d")
    unpaid = world.partner("partner.no_funds")
    waiting = unpaid.read_order(unpaid.create_order().json()["team_order_id"], "?include=claim_links")
    ways = {
        links[0]: ("This gift was canceled", "Ask the person who sent you the gift"),
        links[1]: ("This link has expired", "Ask the person who sent you the gift for a new link."),
        waiting["recipients"][0]["claim"]["link"]: ("This gift is not ready yet", "Try again later"),
        f"/claim/{world.id}/nonsense": ("This link does not work", "Check that the address is the whole link"),
    }
    for link, (title, way) in ways.items():
        page.goto(link)
        assert heading(page) == title
        assert way in page.get_by_role("main").inner_text()


@pytest.mark.parametrize("url", ["http://gifts.evil.example/", "about:blank"])
def test_the_page_of_another_site_cannot_send_the_form(visit: Visit, partner: PartnerClient, url: str) -> None:
    order, (link,) = ordered(partner)
    fields = "".join(f"<input name='address.{name}' value='{text}'>" for name, text in ADDRESSES["US"].items())
    html = f"<!doctype html><link rel=icon href=data:,><form method=post action='{link}'>{fields}<button>Win</button>"
    page = visit.page
    if url == "about:blank":
        page.set_content(html)  # its origin is null
    else:
        visit.pretend(url, html)
        page.goto(url)
    page.get_by_role("button", name="Win").click()
    assert heading(page) == "This did not come from the gift's own page"
    assert shipment_statuses(partner, order) == ["awaiting"]
    page.get_by_role("link", name="Open the page").click()
    assert heading(page) == "Ada has a gift for you"


def test_the_shared_link_asks_who_it_is(page: Page, partner: PartnerClient) -> None:
    order = created(partner.create_order(open_seats=1, return_claim_links=True))
    page.goto(order["team_order"]["shared_claim_link"])
    fill_address(page)
    page.get_by_label("Your email").fill("cy")
    send(page)
    assert error_of(page, "Your name") == "Your name is missing"
    assert error_of(page, "Your email") == "Your email is not valid: write it like ada@example.com"
    page.get_by_label("Your name").fill("Cy")
    page.get_by_label("Your email").fill("cy@example.com")
    send(page)
    assert heading(page) == "Thank you, Cy"
