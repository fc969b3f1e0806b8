"""Present, by keys: f, Space, 0 and Escape."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.support.axe import findings_in_both_schemes
from tests.support.worlds import World

if TYPE_CHECKING:
    from playwright.sync_api import Page

SIZES = [(1280, 720), (1440, 900)]
FITS = "document.documentElement.scrollHeight <= innerHeight && document.documentElement.scrollWidth <= innerWidth"


def goes_on(page: Page, key: str, heading: str) -> None:
    """Press a key, and wait for the large words."""
    page.keyboard.press(key)
    page.get_by_role("heading", level=1).filter(has_text=heading).wait_for()
    page.locator("main:not([aria-busy])").wait_for()


@pytest.mark.parametrize("size", SIZES, ids=["1280", "1440"])
def test_a_story_is_told_by_four_keys(page: Page, world: World, size: tuple[int, int]) -> None:
    before = world.fingerprint()
    page.goto(f"/w/{world.id}/orders")
    page.locator("#live-state:visible").wait_for()  # its scripts have run
    page.keyboard.press("f")
    page.locator("body[data-keys]").wait_for()
    assert page.get_by_role("navigation").count() == 0
    assert page.evaluate("getComputedStyle(document.documentElement).fontSize") == "20px"
    goes_on(page, "Space", "Your app placed the order")
    assert page.frame_locator("#phone-page").get_by_role("heading", name="Ada has a gift for you").is_visible()
    for heading in ("Bo said where it goes", "Shipped with", "Delivered"):
        goes_on(page, "Space", heading)
        assert page.evaluate(FITS), heading
    assert findings_in_both_schemes(page) == []
    assert size[0] == page.viewport_size["width"]  # type: ignore[index]
    goes_on(page, "0", "Nothing has happened yet")
    assert world.fingerprint() == before
    page.keyboard.press("Escape")
    page.get_by_role("heading", name="Orders", level=1).wait_for()


def test_the_page_follows_its_world_and_the_phone_is_for_typing(page: Page, world: World) -> None:
    world.partner().create_order(recipients=[{"name": "Bo", "email": "bo@example.com"}])
    page.goto(f"/w/{world.id}/present")
    street = page.frame_locator("#phone-page").get_by_label("Street and number")
    street.press_sequentially("10 Main St")
    assert street.input_value() == "10 Main St"
    assert "Your app placed the order" in page.locator("h1").inner_text()
    world.simulate("claim", team_order_id=1001, recipient=0)
    page.get_by_role("heading", level=1).filter(has_text="Bo said where it goes").wait_for()
    page.get_by_text("A gift is coming").wait_for()


def test_u_undoes_and_shift_u_brings_it_back(page: Page, world: World) -> None:
    world.partner().create_order()
    world.advance("1d")
    later = world.now
    page.goto(f"/w/{world.id}/moments")
    page.locator("#live-state:visible").wait_for()  # its scripts have run
    page.keyboard.press("u")
    page.get_by_text("Undone: the clock was advanced").first.wait_for()
    assert world.now != later
    page.keyboard.press("Shift+U")
    page.get_by_text("Back again: the clock was advanced").wait_for()
    assert world.now == later
