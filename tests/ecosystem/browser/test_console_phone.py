"""The console on a phone: one bar, sheets, rows of two lines, and time dragged by a finger."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from tests.support.axe import findings_in_both_schemes
from tests.support.browser import PHONE, wait_until_patched
from tests.support.orders import RENO
from tests.support.worlds import World

if TYPE_CHECKING:
    from playwright.sync_api import Page

ROWS = """all => all.map(each => {
  const range = document.createRange(), lines = [], texts = document.createTreeWalker(each, NodeFilter.SHOW_TEXT);
  for (let node; (node = texts.nextNode());) {
    range.selectNodeContents(node);
    for (const {top, bottom} of range.getClientRects())
      if (!lines.some(line => Math.abs(line - (top + bottom) / 2) < 8)) lines.push((top + bottom) / 2);
  }
  return [lines.length, each.offsetHeight];
})"""


@pytest.mark.begins("2027-01-04T09:00:00Z")
@pytest.mark.parametrize("size", [PHONE], ids=["phone"])
def test_one_bar_leads_to_all_worlds_and_pages_to_the_search_and_on(
    page: Page, new_world: Callable[..., World], size: tuple[int, int]
) -> None:
    world, other = new_world(name="Shop"), new_world(name="The other shop")
    world.partner().create_order(recipients=[{"name": "Bo", "address": RENO}])
    page.goto(f"/w/{world.id}/money")
    page.locator("#live-state").wait_for(state="attached")
    bar = page.locator("#bar")
    assert bar.locator(":scope > button:visible").first.inner_text() == "Shop"
    bar.get_by_role("button", name="Shop").click()
    sheet = page.get_by_role("complementary", name="World and pages")
    sheet.get_by_role("link", name="The other shop").wait_for()
    assert findings_in_both_schemes(page) == []
    page.keyboard.press("Escape")
    assert not sheet.is_visible()
    bar.get_by_role("button", name="Shop").click()
    sheet.get_by_role("link", name="Calls", exact=True).click()
    page.wait_for_url(f"**/w/{world.id}/calls")
    page.locator("#live-state").wait_for(state="attached")
    bar.get_by_role("button", name="Search or jump to").click()
    page.keyboard.type("1001")
    page.get_by_role("option", name="#1001").first.click()
    page.wait_for_url("**/orders/order/1001")
    page.locator("#live-state").wait_for(state="attached")
    page.locator("#time-next button").click()
    wait_until_patched(page)
    assert world.now > "2027-01-04T09:00:00Z"
    page.locator("#bar").get_by_role("button", name="Shop").click()
    sheet.get_by_role("link", name="The other shop").click()
    page.wait_for_url(f"**/w/{other.id}/")


@pytest.mark.begins("2027-01-04T09:00:00Z")
@pytest.mark.parametrize("size", [PHONE], ids=["phone"])
def test_the_sheet_of_time_has_its_tools_and_ends_beside_it(page: Page, world: World, size: tuple[int, int]) -> None:
    world.partner().create_order()
    page.goto(f"/w/{world.id}/worlds")
    page.locator("#live-state").wait_for(state="attached")
    clock = page.get_by_role("button", name="The time strip")
    clock.click()
    page.get_by_role("slider", name="Time").wait_for()
    page.get_by_role("button", name="+1 d").click()
    wait_until_patched(page)
    assert world.now == "2027-01-05T09:00:00Z"
    clock.click()
    page.locator("#time-menu summary").click()
    page.get_by_label("Jump by, or to").fill("2d")
    page.get_by_role("button", name="Jump", exact=True).click()
    wait_until_patched(page)
    assert world.now == "2027-01-07T09:00:00Z"
    clock.click()
    page.mouse.click(PHONE[0] / 2, 200)
    assert page.get_by_role("slider", name="Time").is_hidden()
    assert page.url.endswith("/worlds"), "what lies behind a sheet is not pressed"


@pytest.mark.parametrize("size", [PHONE], ids=["phone"])
def test_a_table_is_rows_of_two_lines(page: Page, world: World, size: tuple[int, int]) -> None:
    world.partner().create_order()
    page.goto(f"/w/{world.id}/worlds")
    rows = page.locator(".scroll > table tbody tr")
    for lines, height in rows.evaluate_all(ROWS):
        assert (lines, height >= 44) == (2, True)


class Finger:
    """A finger on the screen of a page, until the end of the block."""

    def __init__(self, page: Page) -> None:
        self._session = page.context.new_cdp_session(page)

    def __enter__(self) -> Finger:
        self._session.send("Emulation.setTouchEmulationEnabled", {"enabled": True})
        return self

    def __exit__(self, *_: object) -> None:
        self._session.send("Emulation.setTouchEmulationEnabled", {"enabled": False})
        self._session.detach()

    def drag(self, x: float, y: float, by: float) -> None:
        """Touch a point, and move to the right without a release."""
        self._touch("touchStart", x, y)
        for part in (0.25, 0.5, 0.75, 1):
            self._touch("touchMove", x + by * part, y)

    def release(self) -> None:
        """Take the finger away."""
        self._session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})

    def _touch(self, kind: str, x: float, y: float) -> None:
        self._session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y}]})


@pytest.mark.begins("2027-01-04T09:00:00Z")
@pytest.mark.parametrize("size", [PHONE], ids=["phone"])
def test_time_is_dragged_ahead_and_tapped_back_by_a_finger(page: Page, world: World, size: tuple[int, int]) -> None:
    world.partner().create_order(recipients=[{"name": "Bo", "address": RENO}])
    world.advance("2h")
    page.goto(f"/w/{world.id}/")
    page.locator("#live-state").wait_for(state="attached")
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    page.get_by_role("button", name="The time strip").click()
    assert findings_in_both_schemes(page) == []
    strip, knob = page.locator("#strip").bounding_box(), page.get_by_role("slider", name="Time").bounding_box()
    assert strip
    assert knob
    assert knob["x"] >= strip["x"]
    with Finger(page) as finger:
        finger.drag(knob["x"] + knob["width"] / 2, knob["y"] + knob["height"] / 2, 230)
        # The bubble may first say what is halfway.
        page.locator("#strip-bubble", has_text="Bo’s stoneware mug").wait_for()
        bubble = page.locator("#strip-bubble").bounding_box()
        assert bubble
        assert (bubble["x"] >= 0, bubble["x"] + bubble["width"] <= PHONE[0]) == (True, True)
        finger.release()
        page.get_by_role("status").get_by_role("button", name="Undo").wait_for()
        wait_until_patched(page)
        ahead = world.now
        assert ahead > "2027-01-04T11:00:00Z"
        call = page.locator(".strip .mark.app").first.bounding_box()
        assert call
        finger.drag(call["x"] + call["width"] / 2, call["y"] + call["height"] / 2, 0)  # where the world began
        finger.release()
        page.locator("#strip-bubble").get_by_role("button", name="Go back").click()
        wait_until_patched(page)
    assert world.now < ahead
