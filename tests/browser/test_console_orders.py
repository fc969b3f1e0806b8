"""Orders in the console, in a browser: from the first gift to its delivery, and moves by keyboard."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.support.browser import PHONE
from tests.support.worlds import World

if TYPE_CHECKING:
    from playwright.sync_api import Page


def heading(page: Page) -> str:
    """The heading of the page."""
    return page.get_by_role("heading", level=1).inner_text()


def fits(page: Page) -> bool:
    """Whether nothing has to be scrolled sideways."""
    return bool(page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth"))


@pytest.mark.parametrize("size", [PHONE], ids=["phone"])
def test_a_first_gift_is_sent_claimed_on_a_phone_and_delivered(page: Page, world: World, size: tuple[int, int]) -> None:
    page.goto(f"/w/{world.id}/")
    page.get_by_role("button", name="Send a gift to Bo").click()
    assert "Sent: order 1001" in page.get_by_role("status").inner_text()
    assert heading(page).split() == ["Order", "1001", "collecting", "addresses"]
    assert fits(page)
    order = page.url
    page.get_by_role("link", name="Open the claim page of Bo").click()
    assert heading(page) == "Ada has a gift for you"
    assert fits(page)
    for label, text in {"Street and number": "1 Main St", "City": "Reno", "ZIP code": "89501"}.items():
        page.get_by_label(label).fill(text)
    page.get_by_label("State").select_option(label="Nevada")
    page.get_by_role("button", name="Send it to me").click()
    assert heading(page) == "Thank you, Bo"
    page.goto(order)
    assert heading(page).split() == ["Order", "1001", "in", "progress"]
    page.get_by_role("button", name="+1 d", exact=True).click()
    assert page.locator("svg.machine .lit").text_content() == "in_production"
    page.get_by_role("button", name="Deliver", exact=True).click()
    assert heading(page).split() == ["Order", "1001", "delivered"]
    assert page.locator("svg.machine .lit").text_content() == "delivered"
    timeline = page.locator("#timeline").inner_text()
    assert "the claim page" in timeline
    assert "production starts" in timeline
    assert fits(page)


def test_a_greyed_move_says_why_and_an_undo_brings_it_back(page: Page, world: World) -> None:
    world.partner().create_order()
    page.goto(f"/w/{world.id}/orders/order/1001")
    page.get_by_role("button", name="Ship", exact=True).click()
    claim = page.get_by_role("button", name="Claim", exact=True)
    assert claim.is_disabled()
    assert page.locator(f"#{claim.get_attribute('aria-describedby')}").inner_text() == "This gift was claimed already."
    page.get_by_role("status").get_by_role("button", name="Undo").click()
    assert page.get_by_role("button", name="Claim", exact=True).is_enabled()
    assert page.locator("svg.machine .lit").text_content() == "awaiting"
