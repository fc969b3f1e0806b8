"""Tables sorted by their headings, in a browser."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.support.axe import findings_in_both_schemes
from tests.support.worlds import World

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page


def some_orders(world: World) -> None:
    """Orders 1001 to 1003 of one, twelve and two mugs: $26.00, $312.00 and $52.00."""
    for count in (1, 12, 2):
        recipients = [{"name": f"R{n}", "email": f"r{n}@example.com"} for n in range(count)]
        world.partner().create_order(idempotency_key=f"for-{count}", recipients=recipients)


def numbers(page: Page) -> list[str]:
    """The orders' numbers in the order of the table's rows."""
    return [text.removeprefix("#") for text in page.locator("main tbody th a .id").all_inner_texts()]


def heading(page: Page, name: str) -> Locator:
    """A heading of a table."""
    return page.get_by_role("columnheader", name=name)


def test_a_heading_sorts_up_then_down_then_as_it_was(page: Page, world: World) -> None:
    some_orders(world)
    page.goto(f"/w/{world.id}/money?view=payments")
    assert numbers(page) == ["1003", "1002", "1001"]
    total = heading(page, "Amount")
    total.get_by_role("button").click()
    assert (numbers(page), total.get_attribute("aria-sort")) == (["1001", "1003", "1002"], "ascending")
    assert findings_in_both_schemes(page) == []
    total.get_by_role("button").click()
    assert (numbers(page), total.get_attribute("aria-sort")) == (["1002", "1003", "1001"], "descending")
    total.get_by_role("button").click()
    assert (numbers(page), total.get_attribute("aria-sort")) == (["1003", "1002", "1001"], None)


def test_a_sorted_table_stays_sorted_while_its_world_changes_and_when_it_is_opened_again(
    page: Page, world: World
) -> None:
    some_orders(world)
    page.goto(f"/w/{world.id}/money?view=payments")
    button = heading(page, "Amount").get_by_role("button")
    button.focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    assert numbers(page) == ["1002", "1003", "1001"]
    page.locator("#live-state", has_text="live").wait_for()
    people = [{"name": f"R{n}", "email": f"r{n}@example.com"} for n in range(3)]
    world.partner().create_order(idempotency_key="more", recipients=people)
    page.get_by_role("link", name="#1004").wait_for()
    assert numbers(page) == ["1002", "1004", "1003", "1001"]
    assert button.evaluate("button => button === document.activeElement")
    page.reload()
    assert numbers(page) == ["1002", "1004", "1003", "1001"]
    assert heading(page, "Amount").get_attribute("aria-sort") == "descending"


def test_instants_are_sorted_by_what_they_are(page: Page, world: World) -> None:
    for name, days in (("Ann", "3d"), ("Bo", "9d")):
        recipients = [{"name": name, "email": f"{name.lower()}@example.com"}]
        world.partner().create_order(idempotency_key=name, recipients=recipients)
        world.advance(days)
    page.goto(f"/w/{world.id}/money?view=payments")
    at = page.get_by_role("button", name="At", exact=True)
    for order in (["12 d ago", "9 d ago"], ["9 d ago", "12 d ago"]):  # by their numbers it is the other way round
        at.click()
        assert page.locator("main tbody td:nth-last-child(2)").all_inner_texts() == order


def test_empty_cells_come_last(page: Page, world: World) -> None:
    page.goto(f"/w/{world.id}/catalogue")
    button = heading(page, "Personalization").get_by_role("button")
    column = button.evaluate("button => button.parentElement.cellIndex")
    for _ in range(2):
        button.click()
        texts = [text.strip() for text in page.locator(f"main tbody td:nth-child({column + 1})").all_inner_texts()]
        filled = [text for text in texts if text != "–"]
        assert filled
        assert texts == filled + ["–"] * (len(texts) - len(filled))
