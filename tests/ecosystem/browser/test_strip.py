"""The time strip of the console: dragged, clicked, and moved by keys."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.support.axe import findings_in_both_schemes
from tests.support.browser import Visit
from tests.support.orders import RENO, email_recipients
from tests.support.responses import created
from tests.support.worlds import World

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page


@pytest.fixture
def lived(world: World) -> World:
    """A world in which an order was made, claimed after five hours, and went into production a day later."""
    partner = world.partner()
    partner.subscribe("team_order.claimed", "team_order.shipped")
    order = created(partner.create_order(recipients=email_recipients(1)))["team_order"]["id"]
    world.advance("5h")
    world.simulate("claim", team_order_id=order, recipient=0, address=RENO)
    world.advance("30h")
    return world


def opened(visit: Visit, world: World) -> Page:
    """The first page of a world."""
    visit.page.goto(f"/w/{world.id}/")
    return visit.page


def knob(page: Page) -> Locator:
    """The slider."""
    return page.get_by_role("slider", name="Time")


def drag(page: Page, by: float, *, release: bool = True) -> None:
    """Drag the knob by pixels, and wait until the strip says what that means."""
    box = knob(page).bounding_box()
    assert box
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + by, y, steps=4)
    page.locator("#strip-bubble h2").wait_for()
    if release:
        page.mouse.up()


def test_time_dragged_ahead_is_previewed_and_goes_on_when_it_is_released(visit: Visit, lived: World) -> None:
    page, before = opened(visit, lived), lived.now
    drag(page, 600, release=False)
    assert "shipped" in page.locator("#strip-bubble").inner_text()
    assert lived.now == before
    page.keyboard.press("Escape")
    page.mouse.up()
    page.locator("#strip-bubble").wait_for(state="hidden")
    assert lived.now == before
    drag(page, 600)
    page.get_by_role("button", name="Undo").nth(1).wait_for()
    assert lived.now > before
    assert lived.rows("parcels")[0]["shipped_at"]


def test_a_click_on_the_past_asks_and_then_goes_back_also_into_an_advance(visit: Visit, lived: World) -> None:
    page, before = opened(visit, lived), lived.now
    produced = page.locator(".strip .mark.timer").last
    assert produced.get_attribute("data-at") == "1799157600000"  # 2027-01-05T14:00:00Z
    box = produced.bounding_box()
    assert box
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    assert "7 h ago" not in page.locator("#strip-bubble h2").inner_text()
    assert lived.now == before
    page.get_by_role("button", name="Go back").click()
    page.get_by_text("It is Tue 5 Jan, 14:00 again").wait_for()
    assert lived.now == "2027-01-05T14:00:00Z"
    [parcel] = lived.rows("parcels")
    assert parcel["produced_at"] == lived.now


def test_keys_move_from_mark_to_mark_and_go_there(visit: Visit, lived: World) -> None:
    page, before = opened(visit, lived), lived.now
    slider = knob(page)
    slider.focus()
    page.keyboard.press("ArrowRight")
    page.locator("#strip-bubble h2").wait_for()
    page.keyboard.press("Escape")
    page.locator("#strip-bubble").wait_for(state="hidden")
    page.keyboard.press("Home")
    page.get_by_role("button", name="Go back").wait_for()
    assert slider.inner_text() == "Mon 4 Jan, 09:00"
    page.keyboard.press("Enter")
    page.get_by_text("It is Mon 4 Jan, 09:00 again").wait_for()
    assert lived.now == "2027-01-04T09:00:00Z" < before
    assert findings_in_both_schemes(page) == []
