"""The switches of the console: light or dark, the size of the text, the time zone; and one Escape closes one thing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.support.browser import DESKTOP, PHONE, wait_until_patched
from tests.support.orders import RENO
from tests.support.page_look import look_faults
from tests.support.worlds import World

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

DARK, LIGHT = "rgb(14, 16, 18)", "rgb(246, 247, 248)"
GROUND = "getComputedStyle(document.body).backgroundColor"
# What the first frame that a reader sees has: dark or light, the size of the text, and the first instant.
FIRST_FRAME = """requestAnimationFrame(() => {
  const {colorScheme, fontSize} = getComputedStyle(document.documentElement);
  window.firstFrame = [colorScheme, fontSize, document.querySelector(".clock time")?.textContent];
})"""


@pytest.fixture
def page_of_its_own() -> bool:
    """A script that looks at the first frame stays with the page."""
    return True


def switches(page: Page) -> Locator:
    """The dialog with the switches, opened by its key."""
    page.locator("#live-state").wait_for(state="attached")
    page.keyboard.press("?")
    dialog = page.get_by_role("dialog", name="Keys and help")
    dialog.wait_for()
    return dialog


@pytest.mark.begins("2027-01-04T09:00:00Z")
def test_what_is_chosen_is_there_in_the_first_frame(page: Page, world: World) -> None:
    page.goto(f"/w/{world.id}/worlds")
    assert page.evaluate(GROUND) == LIGHT
    dialog = switches(page)
    dialog.get_by_label("Dark").check()
    assert page.evaluate(GROUND) == DARK
    dialog.get_by_label("125%").check()
    dialog.get_by_label("Times are shown in").focus()
    dialog.get_by_label("Times are shown in").select_option("Asia/Tokyo")
    assert page.locator("#bar .clock time").inner_text() == "Mon 4 Jan, 18:00"
    page.add_init_script(FIRST_FRAME)
    page.reload()
    assert page.evaluate("window.firstFrame") == ["dark", "20px", "Mon 4 Jan, 18:00"]
    dialog = switches(page)
    assert [dialog.get_by_label(name).is_checked() for name in ("Dark", "125%")] == [True, True]
    for name in ("System", "100%"):
        dialog.get_by_label(name).check()
    dialog.get_by_label("Times are shown in").select_option("")
    assert page.evaluate(GROUND) == LIGHT
    assert page.locator("#bar .clock time").inner_text() == "Mon 4 Jan, 09:00"
    assert page.evaluate("localStorage.length") == 0


@pytest.mark.begins("2027-01-04T22:30:00Z")
def test_every_instant_is_shown_in_the_zone_and_the_world_stays_in_utc(page: Page, world: World) -> None:
    world.partner().create_order(recipients=[{"name": "Bo", "address": RENO}])
    page.goto(f"/w/{world.id}/worlds")
    dialog = switches(page)
    dialog.get_by_label("Times are shown in").focus()
    dialog.get_by_label("Times are shown in").select_option("America/New_York")
    page.goto(f"/w/{world.id}/orders/order/1001")
    page.locator("#live-state", has_text="live").wait_for()
    created = page.locator(f"main time[datetime='{world.now}']").first
    assert "17:30" in created.inner_text() + (created.get_attribute("title") or "")
    page.keyboard.press("t")
    page.keyboard.press("d")
    page.get_by_role("status").get_by_role("button", name="Undo").wait_for()
    wait_until_patched(page)
    clock = page.locator("#bar .clock time")
    assert clock.inner_text() == "Tue 5 Jan, 17:30"
    assert clock.get_attribute("datetime") == world.now == "2027-01-05T22:30:00Z"
    assert clock.get_attribute("title") == "Tue 5 Jan 2027, 17:30 America/New_York"
    assert page.locator("#bar [data-zone]").inner_text() == "New York"


@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_the_largest_text_has_room(page: Page, world: World, size: tuple[int, int]) -> None:
    world.partner().create_order()
    page.goto(f"/w/{world.id}/")
    page.evaluate("giftsim.choose('text', '125')")
    for path in ("", "orders", "orders/order/1001", "money", "webhooks"):
        page.goto(f"/w/{world.id}/{path}")
        assert look_faults(page) == [], path


def test_the_palette_has_the_switches(page: Page, world: World) -> None:
    page.goto(f"/w/{world.id}/worlds")
    page.locator("#live-state").wait_for(state="attached")
    page.keyboard.press("p")
    page.keyboard.type("look: dark")
    page.keyboard.press("Enter")
    assert page.evaluate(GROUND) == DARK


def test_one_escape_closes_one_thing(page: Page, world: World) -> None:
    world.partner().create_order()
    page.goto(f"/w/{world.id}/orders/order/1001")
    page.get_by_role("link", name="Open the claim page of Bo").click()
    panel = page.get_by_role("complementary", name="Claim page of Bo")
    panel.wait_for()
    page.keyboard.press("p")
    page.keyboard.type("some text")
    palette = page.get_by_role("dialog", name="Go to, or do")
    assert palette.is_visible()
    page.keyboard.press("Escape")
    assert (palette.is_visible(), panel.is_visible()) == (False, True)
    page.locator("#time-menu summary").click()
    page.keyboard.press("Escape")
    assert (page.locator("#time-menu .pop").is_visible(), panel.is_visible()) == (False, True)
    page.keyboard.press("Escape")
    assert not panel.is_visible()
