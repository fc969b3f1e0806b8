"""The console on a phone: the time bar is one line, and nothing breaks or covers what it stands on."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.support.browser import PHONE
from tests.support.worlds import World

if TYPE_CHECKING:
    from playwright.sync_api import Page

PAGES = ("", "orders?view=table", "people", "reference", "calls")
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
