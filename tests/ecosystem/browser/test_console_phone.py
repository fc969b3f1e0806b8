"""The console on a phone: the time bar is one line, and nothing breaks or covers what it stands on."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.support.axe import findings_in_both_schemes
from tests.support.browser import PHONE, wait_until_patched
from tests.support.orders import RENO
from tests.support.worlds import World

if TYPE_CHECKING:
    from playwright.sync_api import Page

PAGES = ("", "orders", "people", "reference", "calls")
BAR = 44  # pixels
LINE = 40  # a button with two lines is higher
COVERED = """button => {
  const [copy, pre] = [button, button.parentElement.querySelector("pre")].map(each => each.getBoundingClientRect());
  return copy.bottom > pre.top && copy.top < pre.bottom && copy.right > pre.left && copy.left < pre.right;
}"""


@pytest.mark.parametrize("path", PAGES)
@pytest.mark.parametrize("size", [PHONE], ids=["phone"])
def test_the_bar_is_one_line_and_no_button_breaks_or_covers(
    page: Page, world: World, size: tuple[int, int], path: str
) -> None:
    if path:
        world.partner().create_order()
    page.goto(f"/w/{world.id}/{path}")
    page.locator("#live-state").wait_for(state="attached")
    bar = page.locator("#bar")
    assert bar.evaluate("bar => bar.offsetHeight") <= BAR
    assert bar.evaluate("bar => bar.scrollWidth <= bar.clientWidth")
    assert page.locator(".bar .now").evaluate("now => now.scrollWidth <= now.clientWidth")
    heights = page.locator(".search button").evaluate_all("all => all.map(each => each.offsetHeight)")
    assert all(height <= LINE for height in heights)
    assert not any(button.evaluate(COVERED) for button in page.locator("main .code > .copy:visible").all())


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
    assert findings_in_both_schemes(page) == []
    page.get_by_role("button", name="The time strip").click()
    strip, knob = page.locator("#strip").bounding_box(), page.get_by_role("slider", name="Time").bounding_box()
    assert strip
    assert knob
    assert knob["x"] >= strip["x"]
    with Finger(page) as finger:
        finger.drag(knob["x"] + knob["width"] / 2, knob["y"] + knob["height"] / 2, 150)
        # The bubble may first say what is halfway.
        page.locator("#strip-bubble", has_text="Bo’s stoneware mug").wait_for()
        bubble = page.locator("#strip-bubble").bounding_box()
        assert bubble
        assert (bubble["x"] >= 0, bubble["x"] + bubble["width"] <= PHONE[0]) == (True, True)
        finger.release()
        page.get_by_role("status").get_by_role("button", name="Undo").wait_for()
        wait_until_patched(page)
        assert world.now > "2027-01-04T11:00:00Z"
        call = page.locator(".strip .mark.app").first.bounding_box()
        assert call
        finger.drag(call["x"] + call["width"] / 2, call["y"] + call["height"] / 2, 0)  # where the world began
        finger.release()
        page.locator("#strip-bubble").get_by_role("button", name="Go back").click()
        wait_until_patched(page)
    assert world.now < "2027-01-04T11:00:00Z"
