"""A list with its detail in a browser: keys and clicks show a row in place, a narrow window has one of the two."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.support.axe import findings_in_both_schemes
from tests.support.browser import PHONE, press, wait_until_patched
from tests.support.orders import RENO
from tests.support.worlds import World

if TYPE_CHECKING:
    from playwright.sync_api import Page

SIZES = [(1280, 720), (1440, 900)]


def place_orders(world: World, count: int = 4, *, waiting: bool = False) -> None:
    """Orders 1001, 1002 and so on, for Bo, Cy, Di and others; all are in progress, or wait for an address."""
    for n in range(count):
        name = ("Bo", "Cy", "Di", "Ed")[n % 4]
        person = {"name": name, "email": f"{name.lower()}@example.com"} if waiting else {"name": name, "address": RENO}
        assert world.partner().create_order(idempotency_key=f"order-{n}", recipients=[person]).status == 201


def detail(page: Page) -> str:
    """The number of the order that stands beside the list."""
    return page.locator("#detail h1 .id").inner_text()


def wait_for_detail(page: Page, number: str) -> None:
    """Wait until an order stands beside the list."""
    page.locator("#detail h1 .id", has_text=number).wait_for()


def test_keys_walk_the_list_and_the_detail_follows_in_place(page: Page, world: World) -> None:
    place_orders(world)
    page.goto(f"/w/{world.id}/orders")
    page.evaluate("document.getElementById('list').seen = true")
    assert detail(page) == "#1004"
    for key, number in (("j", "#1003"), ("ArrowDown", "#1002"), ("k", "#1003"), ("ArrowUp", "#1004")):
        page.keyboard.press(key)
        wait_for_detail(page, number)
        assert page.url.endswith(f"/orders/order/{number[1:]}")
        assert page.locator("#entries [aria-current]").locator(".id").inner_text() == number
        assert page.evaluate("document.activeElement.getAttribute('aria-current')") == "true"
    assert page.evaluate("document.getElementById('list').seen"), "the page was loaded again"


def test_of_rows_that_are_walked_quickly_the_last_is_shown(page: Page, world: World) -> None:
    place_orders(world, 12)
    page.goto(f"/w/{world.id}/orders")
    for _ in range(20):
        page.keyboard.press("j")
    wait_for_detail(page, "#1001")
    page.locator("#detail:not([aria-busy])").wait_for()
    assert detail(page) == "#1001"


def test_an_action_after_another_row_was_chosen_acts_on_it_and_stays_there(page: Page, world: World) -> None:
    place_orders(world, waiting=True)
    page.goto(f"/w/{world.id}/orders?q=mug")
    page.get_by_role("link", name="Di’s stoneware mug").click()
    wait_for_detail(page, "#1003")
    page.evaluate("document.getElementById('list').seen = true")
    press(page, "Claim as Di")
    page.locator("#detail h1", has_text="in progress").wait_for()
    press(page, "+1 h")  # whose form has been on the page from the start
    wait_until_patched(page)
    assert page.url.endswith("/orders/order/1003?q=mug")
    assert page.evaluate("document.getElementById('list').seen"), "the page was loaded again"
    assert [row["status"] for row in world.rows("orders")] == ["collecting_addresses"] * 2 + [
        "in_progress",
        "collecting_addresses",
    ]


def test_back_shows_the_row_that_was_shown_before(page: Page, world: World) -> None:
    place_orders(world)
    page.goto(f"/w/{world.id}/orders")
    page.get_by_role("link", name="Bo’s stoneware mug").click()
    wait_for_detail(page, "#1001")
    page.get_by_role("link", name="Cy’s stoneware mug").click()
    wait_for_detail(page, "#1002")
    page.go_back()
    wait_for_detail(page, "#1001")
    assert page.locator("#entries [aria-current] .id").inner_text() == "#1001"


def test_what_happens_later_does_not_take_the_detail_away(page: Page, world: World) -> None:
    place_orders(world, 2)
    page.goto(f"/w/{world.id}/orders")
    page.locator("#live-state", has_text="live").wait_for()
    assert detail(page) == "#1002"
    world.partner("partner.no_funds").create_order(idempotency_key="later")
    page.locator("#entries .failed .id", has_text="#1003").wait_for()  # it is the first row now
    assert detail(page) == "#1002"


@pytest.mark.parametrize("size", SIZES, ids=["laptop", "desktop"])
def test_list_and_detail_scroll_by_themselves(page: Page, world: World, size: tuple[int, int]) -> None:
    place_orders(world, 30)
    page.goto(f"/w/{world.id}/orders")
    assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")
    for part in ("entries", "detail"):
        scrolls = "id => { const e = document.getElementById(id); return e.scrollHeight > e.clientHeight; }"
        assert page.evaluate(scrolls, part), part
    for _ in range(25):
        page.keyboard.press("j")
    wait_for_detail(page, "#1005")
    row = page.locator("#entries [aria-current]").bounding_box()
    assert row
    assert 0 < row["y"] < size[1] - row["height"]
    page.reload()
    row = page.locator("#entries [aria-current]").bounding_box()
    assert row
    assert 0 < row["y"] < size[1] - row["height"], "the chosen row is not seen after a reload"


@pytest.mark.parametrize("size", [PHONE, (768, 1024)], ids=["phone", "tablet"])
def test_a_narrow_window_has_the_list_or_the_detail(page: Page, world: World, size: tuple[int, int]) -> None:
    place_orders(world)
    page.goto(f"/w/{world.id}/orders?q=mug")
    assert not page.locator("#detail").is_visible()
    assert findings_in_both_schemes(page) == []
    page.get_by_role("link", name="Cy’s stoneware mug").click()
    page.wait_for_url("**/orders/order/1002?q=mug")
    assert not page.locator("#list").is_visible()
    page.keyboard.press("k")
    wait_for_detail(page, "#1003")
    page.get_by_role("link", name="‹ Orders").click()
    page.wait_for_url("**/orders?q=mug")
    assert page.locator("#list").is_visible()


def test_the_field_is_focused_by_a_key_and_searches_without_a_button(page: Page, world: World) -> None:
    place_orders(world)
    page.goto(f"/w/{world.id}/orders")
    page.keyboard.press("/")
    page.keyboard.type("cy")
    page.keyboard.press("Enter")
    page.wait_for_url("**/orders/order/1002?q=cy")
    assert page.locator("#entries .id").all_inner_texts() == ["#1002"]
    assert page.locator("#list button").count() == 0
    assert findings_in_both_schemes(page) == []


def test_a_group_is_opened_by_a_press_and_walked_into(page: Page, world: World) -> None:
    place_orders(world, 6, waiting=True)
    world.partner("partner.no_funds").create_order(idempotency_key="poor")
    page.goto(f"/w/{world.id}/orders")
    assert detail(page) == "#1007"
    page.keyboard.press("j")
    assert page.evaluate("document.activeElement.textContent.trim()") == "6 × collecting addresses"
    page.keyboard.press("Enter")
    page.keyboard.press("j")
    wait_for_detail(page, "#1006")
    page.locator("#entries").get_by_role("link", name="All 6").click()
    page.wait_for_url("**is%3Awaiting*")
    assert page.locator("#entries .entry").count() == 6


def test_what_the_search_does_not_understand_is_said_and_the_list_stays(page: Page, world: World) -> None:
    place_orders(world)
    page.goto(f"/w/{world.id}/orders")
    page.keyboard.press("/")
    page.keyboard.type("status:lost")
    page.keyboard.press("Enter")
    page.get_by_text("status:lost: an order has no such status").wait_for()
    assert page.locator("#search").get_attribute("aria-invalid") == "true"
    assert page.locator("#entries .entry").count() == 4
    assert findings_in_both_schemes(page) == []
    page.locator("#search-help > summary").click()
    page.get_by_role("link", name="status:unpaid").wait_for()
    assert findings_in_both_schemes(page) == []
