"""What *Use the console* tells of time, followed by its reader: the bar, the strip, undo, moments, and a story told."""

from __future__ import annotations

import re

from tests.support.browser import press, wait_until_patched
from tests.support.console_reader import Reader


def move_time(reader: Reader) -> None:
    """The menu of the time bar, and the strip."""
    page, menu = reader.page, reader.page.locator("#time-menu")
    order = reader.partner.create_order().json()["team_order"]["id"]
    reader.open()
    more = menu.get_by_label("More about time")
    more.click()
    menu.get_by_label("Jump by, or to").fill("3d")
    reader.click("Preview", menu)
    reader.says("Nothing has changed, and nothing was sent.")
    page.get_by_role("link", name="Cancel").click()
    more.click()
    menu.get_by_label("Jump by, or to").fill("PT36H")
    reader.click("Jump", menu)
    reader.says("Undo")
    more.click()
    reader.click("Run", menu)
    more.click()
    reader.click("Stop the clock", menu)
    more.click()
    assert menu.get_by_label(reader.meet("Name this moment")).is_visible()
    reader.click("What happened so far", menu)
    page.wait_for_url("**/time/happened*")
    reader.open()
    assert page.get_by_role("region", name=re.compile(reader.meet("time strip"), re.IGNORECASE)).is_visible()
    call = page.locator(".strip .mark.call").first.bounding_box()
    assert call
    page.mouse.click(call["x"] + call["width"] / 2, call["y"] + call["height"] / 2)
    reader.click("Go back")
    reader.says("again.")
    page.get_by_role("button", name=reader.meet("Redo")).first.click()
    reader.says("Back again")
    reader.open(f"orders/order/{order}")
    alone = page.get_by_role("button", name=reader.meet("Only this order"))
    alone.click()
    alone.and_(page.locator("[aria-pressed=true]")).wait_for()


def undo_and_redo(reader: Reader) -> None:
    """Two calls are taken back, one after the other, and come back."""
    for n in range(2):
        reader.partner.create_order(idempotency_key=f"order-{n}")
    reader.open()
    for word, left in (("Undo", 1), ("Undo", 0), ("Redo", 1), ("Redo", 2)):
        reader.page.locator("#bar").get_by_role("button", name=reader.meet(word), exact=True).click()
        wait_until_patched(reader.page)
        assert len(reader.world.rows("orders")) == left


def return_to_a_moment(reader: Reader) -> None:
    """A moment gets a name from the bar, is shared and returned to; then all is undone by the list."""
    page, world = reader.page, reader.world
    reader.open()
    page.locator("#time-menu").get_by_label("More about time").click()
    page.locator("#time-menu").get_by_label(reader.meet("Name this moment")).fill("before the sale")
    page.keyboard.press("Enter")
    wait_until_patched(page)
    reader.partner.create_order()
    reader.go("Moments")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    reader.click("Copy link", reader.main)
    page.goto(page.evaluate("navigator.clipboard.readText()"))
    reader.main.locator("[aria-current]", has_text="before the sale").wait_for()
    with page.expect_download() as download:
        reader.main.get_by_role("button", name=reader.meet("File")).click()
    reader.click("Return", reader.main)
    assert world.rows("orders") == []
    world.advance("1d")
    page.reload()
    reader.main.get_by_role("button", name=reader.meet("Undo to here")).last.click()
    wait_until_patched(page)
    assert world.call_control("GET", "/snapshots")["snapshots"] == []
    reader.open("worlds")
    reader.meet("Worlds")
    reader.main.get_by_label("File").set_input_files(download.value.path())
    press(page, "Open the trace")
    opened = page.url.split("/")[4]
    assert opened != world.id
    page.goto("about:blank")
    world.control.delete(f"/worlds/{opened}")


def present(reader: Reader) -> None:
    """A gift is placed by a key, and by another one it never was."""
    page = reader.page
    reader.open("orders")
    page.locator("#live-state:visible").wait_for()  # its scripts have run
    page.get_by_role("link", name=reader.meet("Present")).click()
    page.locator("body[data-keys]").wait_for()
    page.keyboard.press("Space")
    page.get_by_role("heading", level=1).filter(has_text="Your app placed the order").wait_for()
    page.locator("main:not([aria-busy])").wait_for()
    page.keyboard.press("0")
    page.get_by_role("heading", name="Nothing has happened yet").wait_for()
    page.locator("main:not([aria-busy])").wait_for()
    page.keyboard.press("Escape")
    page.wait_for_url(lambda url: "/present" not in url)
    page.locator("#live-state:visible").wait_for()
    assert page.url.endswith("/orders")
