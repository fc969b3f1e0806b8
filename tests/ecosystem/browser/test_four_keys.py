"""A demo by keys alone: from nothing to a gift that was delivered, and back, in four keys."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.support.browser import wait_until_patched
from tests.support.worlds import World

if TYPE_CHECKING:
    from playwright.sync_api import Page


class Keyboard:
    """The keys that were pressed on a page, one at a time, each after the page has answered the one before."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.pressed: list[str] = []

    def press(self, key: str, then: str) -> str:
        """Press a key, and wait for a heading with these words; the text of the notice."""
        self.pressed.append(key)
        self.page.locator("[data-palette]:not([hidden])").wait_for()  # the scripts run
        self.page.keyboard.press(key)
        self.page.get_by_role("heading", level=1).filter(has_text=then).wait_for()
        wait_until_patched(self.page)
        return self.page.get_by_role("status").first.inner_text()


@pytest.mark.begins("2027-01-04T09:00:00Z")
def test_a_demo_goes_from_nothing_to_delivered_and_back_in_four_keys(page: Page, world: World) -> None:
    keys = Keyboard(page)
    page.goto(f"/w/{world.id}/")
    keys.press("n", "#1001 collecting addresses")
    assert "Arrives Sat 9 Jan, if claimed by 23:59 today." in page.locator("#standing").inner_text()
    keys.press("n", "#1001 in progress")
    said = keys.press("N", "#1001 delivered")
    assert said.startswith("Bo’s stoneware mug is delivered.")
    assert parcel(world)["delivered_at"] == "2027-01-09T09:00:00Z"
    keys.press("u", "#1001 in progress")
    assert keys.pressed == ["n", "n", "N", "u"]
    assert parcel(world)["delivered_at"] is None
    assert world.now == "2027-01-04T09:00:00Z"
    page.goto(f"/w/{world.id}/")
    page.keyboard.press("n")  # Home has nothing of its own to do: the next event of the world
    page.get_by_role("status").filter(has_text="It is ").wait_for()
    assert world.now == "2027-01-05T09:00:00Z"


@pytest.mark.begins("2027-01-04T09:00:00Z")
def test_what_was_taken_back_comes_again_by_its_key_down_to_nothing_and_up(page: Page, world: World) -> None:
    keys = Keyboard(page)
    page.goto(f"/w/{world.id}/")
    for key, then in (("n", "collecting addresses"), ("n", "in progress"), ("N", "delivered")):
        keys.press(key, f"#1001 {then}")
    delivered = world.fingerprint()
    keys.press("u", "#1001 in progress")
    keys.press("U", "#1001 delivered")
    assert world.fingerprint() == delivered
    for then in ("#1001 in progress", "#1001 collecting addresses", "Orders"):
        keys.press("u", then)
    assert world.rows("orders") == []
    assert "".join(keys.pressed) == "nnNuUuuu"


def parcel(world: World) -> Any:
    """The one parcel of the world."""
    [row] = world.rows("parcels")
    return row
