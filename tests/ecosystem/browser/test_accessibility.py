"""The claim page can be used by everyone: by keyboard, in the dark, on a phone (axe).

The pages of the console are examined in `tests/ecosystem/browser`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.support.axe import findings_in_both_schemes
from tests.support.browser import PHONE
from tests.support.orders import email_recipients
from tests.support.partner.catalogue import TEE_LINE
from tests.support.responses import created
from tests.support.worlds import World

if TYPE_CHECKING:
    from playwright.sync_api import Page


def test_axe_finds_what_keeps_people_out(page: Page) -> None:
    page.set_content("<html lang=en><title>x</title><main><img src='data:,'><p style='color: #aaa'>Too pale</p></main>")
    assert [each.partition(":")[0] for each in findings_in_both_schemes(page)][:2] == ["color-contrast", "image-alt"]


@pytest.mark.parametrize("size", [PHONE], ids=["phone"])
def test_the_claim_page_can_be_used_by_everyone(page: Page, world: World, size: tuple[int, int]) -> None:
    partner = world.partner()
    order = created(
        partner.create_order(
            return_claim_links=True, items=[TEE_LINE], recipients=email_recipients(2),
            destination_countries=["US", "DE"], gift_message="Happy birthday!",
        )
    )  # fmt: skip
    first, second = (row["claim"]["link"] for row in order["recipients"])
    page.goto(first)
    assert findings_in_both_schemes(page) == []
    page.get_by_role("button", name="United States").click()
    page.get_by_role("button", name="Send it to me").click()
    assert page.get_by_role("alert").count() == 1
    assert findings_in_both_schemes(page) == []
    assert fits(page)
    page.get_by_label("White").check()
    fill(page)
    page.get_by_role("button", name="Send it to me").click()
    assert findings_in_both_schemes(page) == []
    world.advance("60d")
    page.goto(second)
    assert findings_in_both_schemes(page) == []


def fill(page: Page) -> None:
    """Enter an address in Reno."""
    for label, text in {"Street and number": "1 Main St", "City": "Reno", "ZIP code": "89501"}.items():
        page.get_by_label(label).fill(text)
    page.get_by_label("State").select_option(label="Nevada")


def fits(page: Page) -> bool:
    """Whether nothing has to be scrolled sideways."""
    return bool(page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth"))
