"""The time strip of the console: dragged, clicked, and moved by keys."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.support.axe import findings_in_both_schemes
from tests.support.browser import PHONE, Visit
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


def titles(page: Page, selector: str) -> list[str]:
    """What parts of the drawing say when they are pointed at."""
    return page.locator(f".strip {selector} title").all_text_contents()


def test_calls_that_failed_are_counted_apart_from_those_that_did_not(visit: Visit, world: World) -> None:
    partner = world.partner()
    for _ in range(12):
        partner.get("/team-orders")
    partner.get("/team-orders/99999")
    partner.get("/team-orders/99998")
    page = opened(visit, world)
    calls = page.locator(".strip .mark.app")
    assert calls.locator(".pill").all_text_contents() == ["12", "2"]
    assert calls.locator(".part.bad").count() == 1
    assert titles(page, ".mark.app")[0].startswith("14 things, 2 failed; the last on ")


def test_an_outage_and_a_fault_are_bands_in_their_lanes(visit: Visit, lived: World) -> None:
    lived.set_receiver(outage={"from": "+0d", "to": "+2d", "status": 503})
    lived.add_fault({"status": 503}, id="store-down")
    page = opened(visit, lived)
    assert titles(page, ".band.outage") == ["Outage of hooks.partner.example: answered 503"]
    assert titles(page, ".band.fault") == ["Fault: 503"]


def test_the_strip_is_zoomed_by_a_choice_by_keys_and_by_the_wheel_and_stays_so(visit: Visit, lived: World) -> None:
    page = opened(visit, lived)
    seen = page.get_by_role("combobox", name="How much time is seen")
    marks = page.locator(".strip .mark")
    everything = marks.count()
    seen.select_option("Hour")
    page.wait_for_function("n => document.querySelectorAll('.strip .mark').length < n", arg=everything)
    page.reload()
    page.wait_for_function("document.querySelector('.strip-zoom').value === '3600000'")
    seen.select_option("All")
    page.wait_for_function("n => document.querySelectorAll('.strip .mark').length === n", arg=everything)
    page.locator("body").press("+")
    assert seen.input_value() == "-1"
    for _ in range(12):
        page.locator("body").press("-")
    assert seen.input_value() == "0"
    box = page.locator(".strip-drawing").bounding_box()
    assert box
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + 50)
    page.mouse.wheel(0, -100)
    page.wait_for_function("document.querySelector('.strip-zoom').value === '-1'")
    assert findings_in_both_schemes(page) == []


def test_a_lane_is_folded_by_its_name_and_stays_so(visit: Visit, lived: World) -> None:
    page = opened(visit, lived)
    height = page.locator(".strip-drawing").get_attribute("height")
    page.get_by_role("button", name="Clock").click()
    page.get_by_role("button", name="People").click()
    page.reload()
    unfold = page.get_by_role("button", name="2 folded")
    assert unfold.get_attribute("aria-expanded") == "false"
    assert int(page.locator(".strip-drawing").get_attribute("height") or 0) < int(height or 0)
    assert page.locator(".strip .mark.clock").count()
    unfold.press("Enter")
    page.get_by_role("button", name="Clock").wait_for()


def test_on_the_page_of_an_order_all_else_can_be_left_out_also_on_the_next_page(visit: Visit, lived: World) -> None:
    for _ in range(30):
        lived.partner().get("/team-orders")
    page = visit.page
    page.goto(f"/w/{lived.id}/orders/order/1001")
    only = page.get_by_role("button", name="Only this order")
    only.wait_for()
    assert page.locator(".strip .mark.app .pill").all_text_contents() == ["2", "30"]
    only.click()
    assert only.get_attribute("aria-pressed") == "true"
    assert "30" not in page.locator(".strip .mark.app .pill").all_text_contents()
    assert page.locator(".strip .mark").count()
    page.reload()
    page.wait_for_function("document.querySelector('.strip-only').ariaPressed === 'true'")
    opened(visit, lived)
    assert not only.is_visible()


def test_a_named_moment_is_a_flag_to_return_to(visit: Visit, lived: World) -> None:
    lived.call_control("POST", "/snapshots", {"name": "before-the-sale"})
    named = lived.now
    lived.advance("3d")
    page = opened(visit, lived)
    assert titles(page, ".flag")[0].startswith("before-the-sale, ")
    box = page.locator(".strip .flag path").bounding_box()
    assert box
    page.mouse.click(box["x"] + 4, box["y"] + 4)
    page.get_by_role("button", name="Return to it").click()
    page.wait_for_function(
        "document.querySelector('.strip .flag title')?.textContent && document.querySelector('#strip-bubble').hidden"
    )
    assert lived.now == named


def test_on_a_phone_the_strip_is_a_sheet_that_the_clock_opens(visit: Visit, lived: World) -> None:
    visit.resize(PHONE)
    page = opened(visit, lived)
    assert not page.locator("#strip").is_visible()
    page.get_by_role("button", name="The time strip").click()
    knob(page).wait_for()
    assert findings_in_both_schemes(page) == []
    page.keyboard.press("Escape")
    page.locator("#strip").wait_for(state="hidden")
    page.get_by_role("button", name="The time strip").click()
    page.mouse.click(100, 100)  # beside it
    page.locator("#strip").wait_for(state="hidden")
    page.get_by_role("button", name="The time strip").click()
    page.locator("#strip").get_by_role("button", name="Close").click()
    page.locator("#strip").wait_for(state="hidden")


def test_instants_are_named_in_the_time_zone_that_was_chosen(visit: Visit, lived: World) -> None:
    page = opened(visit, lived)
    assert knob(page).inner_text() == "Tue 5 Jan, 20:00"
    page.evaluate("giftsim.choose('zone', 'Asia/Tokyo')")
    assert knob(page).inner_text() == "Wed 6 Jan, 05:00"
