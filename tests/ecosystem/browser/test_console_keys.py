"""The console's keys, palette and copy buttons, and time previewed, taken and undone, in a browser."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.support.axe import findings_in_both_schemes
from tests.support.worlds import World

if TYPE_CHECKING:
    from playwright.sync_api import Page


def heading(page: Page) -> str:
    """The heading of the page."""
    return page.get_by_role("heading", level=1).inner_text()


def test_a_week_is_previewed_taken_and_undone(page: Page, world: World) -> None:
    before = world.now
    page.goto(f"/w/{world.id}/")
    page.get_by_role("button", name="Send a gift to Bo").click()
    assert "Sent: order 1001." in page.get_by_role("status").inner_text()
    page.locator("#time-menu summary").click()
    page.get_by_role("link", name="+1 w").click()
    assert heading(page) == "Advance by 1 week: a preview"
    assert world.now == before
    page.get_by_role("button", name="Advance by 1 week").click()
    page.get_by_role("heading", name="#1001").wait_for()
    assert "It is " in page.get_by_role("status").inner_text()
    assert world.now != before
    page.get_by_role("status").get_by_role("button", name="Undo").click()
    page.get_by_text("Undone: Advance by 1 week.").wait_for()
    assert world.now == before
    assert len(world.rows("orders")) == 1


def test_keys_move_time_and_undo_it(page: Page, world: World) -> None:
    before = world.now
    page.goto(f"/w/{world.id}/")
    page.keyboard.press("t")
    page.keyboard.press("d")
    page.get_by_role("status").wait_for()
    page.wait_for_load_state()  # its scripts have run
    assert world.now != before
    page.keyboard.press("u")
    page.get_by_text("Undone: Advance by 1 day.").wait_for()
    assert world.now == before


def test_keys_are_off_in_fields_and_can_be_switched_off(page: Page, world: World) -> None:
    page.goto(f"/w/{world.id}/worlds")
    page.get_by_label("Name", exact=True).focus()
    page.keyboard.type("ghj?p")
    assert page.get_by_label("Name", exact=True).input_value() == "ghj?p"
    assert page.get_by_role("dialog").count() == 0
    page.get_by_label("Name", exact=True).blur()
    page.keyboard.press("?")
    dialog = page.get_by_role("dialog", name="Keys")
    dialog.get_by_label("Use these keys").uncheck()
    page.keyboard.press("Escape")
    dialog.wait_for(state="hidden")
    page.keyboard.press("g")
    page.keyboard.press("h")
    page.keyboard.press("p")
    assert heading(page) == "Worlds"
    assert page.get_by_role("dialog").count() == 0
    page.keyboard.press("?")
    dialog.get_by_label("Use these keys").check()
    page.keyboard.press("Escape")
    dialog.wait_for(state="hidden")
    page.keyboard.press("g")
    page.keyboard.press("h")
    page.wait_for_url(f"**/w/{world.id}/")
    assert heading(page) == world.id


def test_the_palette_finds_pages_and_actions(page: Page, world: World) -> None:
    page.goto(f"/w/{world.id}/worlds")
    page.keyboard.press("p")
    page.keyboard.type("home")
    assert page.locator("#palette-list li").first.inner_text().split("\n") == ["Go to Home", "g h"]
    page.keyboard.press("Enter")
    page.wait_for_url(f"**/w/{world.id}/")  # waits until its scripts have run
    page.keyboard.press("p")
    page.keyboard.type("send a gift")
    page.keyboard.press("Enter")
    page.get_by_role("status").wait_for()
    assert len(world.rows("orders")) == 1


def test_the_palette_finds_what_the_world_has(page: Page, world: World) -> None:
    world.partner().create_order(recipients=[{"name": "Fay", "email": "fay@example.com"}])
    page.goto(f"/w/{world.id}/worlds")
    page.get_by_role("button", name="Search or jump to").click()
    page.keyboard.type("xyzzy plugh")
    page.get_by_text("Nothing found.").wait_for()
    for text in ("fay", "1001"):
        page.get_by_role("searchbox", name="Page, action, order or event").fill(text)
        page.get_by_role("option", name="Fay’s stoneware mug #1001").wait_for()
    page.get_by_role("option", name="Fay’s stoneware mug #1001").click()
    page.wait_for_url("**/orders/order/1001")


def test_the_palette_finds_pages_of_the_documentation_and_marks_what_was_typed(page: Page, world: World) -> None:
    page.goto(f"/w/{world.id}/worlds")
    page.keyboard.press("Control+k")
    page.keyboard.type("hold a delivery")
    option = page.get_by_role("option", name="Hold a delivery")
    option.wait_for()
    assert option.locator("mark").inner_text() == "Hold a delivery"
    assert "In the mode hold a receiver does not respond until you answer for it" in option.inner_text()
    assert option.get_attribute("data-group") == "Docs"
    assert findings_in_both_schemes(page) == []
    option.click()
    page.wait_for_url("**/console/docs/how-to/receive-webhooks#hold-a-delivery")
    assert heading(page) == "Receive webhooks, and make a receiver fail"


def test_the_documentation_leads_on_and_back_to_the_page_that_was_left(page: Page, world: World) -> None:
    page.goto(f"/w/{world.id}/orders?q=mug")
    page.get_by_role("link", name="Docs", exact=True).click()
    page.wait_for_url("**/console/docs/")  # waits until its scripts have run
    assert heading(page) == "giftsim"
    page.keyboard.press("p")
    page.keyboard.type("xyzzy plugh")
    page.get_by_text("Nothing found.").wait_for()
    page.get_by_role("searchbox", name="Page, action").fill("undo calls")
    page.get_by_role("option").filter(has_text="Worlds, snapshots and undo").first.click()
    page.wait_for_url("**/console/docs/how-to/worlds-and-undo#undo")
    assert findings_in_both_schemes(page) == []
    page.get_by_role("link", name="Console", exact=True).click()
    page.wait_for_url(f"**/w/{world.id}/orders?q=mug")


def test_the_palette_says_when_nothing_is_found_and_how_it_is_used(page: Page, world: World) -> None:
    page.goto(f"/w/{world.id}/worlds")
    page.get_by_role("button", name="Search or jump to").click()
    page.keyboard.type("xyzzy")
    palette = page.get_by_role("dialog", name="Go to, or do")
    palette.get_by_text("Nothing found.").wait_for()
    assert palette.locator("footer").inner_text().split() == ["↑", "↓", "choose", "Enter", "open", "Esc", "close"]
    page.keyboard.press("Escape")
    assert page.locator(".find kbd").inner_text() == "p"


def test_keys_are_shown_beside_what_they_do(page: Page, world: World) -> None:
    page.goto(f"/w/{world.id}/worlds")
    page.keyboard.press("p")
    for typed, keys in (("go to webhooks", "g w"), ("+1 d", "t d")):
        page.get_by_role("searchbox", name="Page, action").fill(typed)
        assert page.locator("#palette-list li").first.locator("kbd").inner_text() == keys
    page.keyboard.press("Escape")
    world.partner().create_order()
    page.goto(f"/w/{world.id}/worlds")
    shown = "button => getComputedStyle(button, '::after').content"
    assert '"u"' in page.locator(".bar [data-undo]").evaluate(shown)
    assert '"t n"' in page.locator("#time-next button").evaluate(shown)


@pytest.mark.parametrize("size", [(1280, 500)], ids=["low"])
def test_help_opens_at_its_title(page: Page, world: World, size: tuple[int, int]) -> None:
    page.goto(f"/w/{world.id}/worlds")
    page.keyboard.press("?")
    dialog = page.get_by_role("dialog", name="Keys")
    assert dialog.evaluate("dialog => dialog.scrollHeight > dialog.clientHeight && dialog.scrollTop === 0")
    assert dialog.get_by_role("heading").evaluate("title => title === document.activeElement")
    page.keyboard.press("Escape")


def test_a_list_is_walked_by_keys(page: Page, world: World) -> None:
    page.goto(f"/w/{world.id}/worlds")
    for key in ("j", "j", "k", "j"):
        page.keyboard.press(key)
    link = page.locator("[data-selected] a").first
    target = link.evaluate("link => link.href")
    assert target != page.url
    assert link.evaluate("link => link === document.activeElement")
    page.keyboard.press("Enter")
    page.wait_for_url(target)
