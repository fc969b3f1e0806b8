"""The reference in a browser: its search by a key, its copy buttons, and a setting changed and taken back."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.support.browser import PHONE
from tests.support.worlds import World

if TYPE_CHECKING:
    from playwright.sync_api import Page


@pytest.mark.parametrize("size", [PHONE], ids=["phone"])
def test_a_magic_value_is_found_by_key_and_copied(page: Page, world: World, size: tuple[int, int]) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto(f"/w/{world.id}/reference?show=magic")
    page.keyboard.press("/")
    page.keyboard.type("card is declined")
    page.keyboard.press("Enter")
    page.wait_for_url("**q=card*")
    copy = page.get_by_role("button", name="Copy Magic Card Declined")
    copy.click()
    page.get_by_text("Copied").wait_for()
    assert page.evaluate("navigator.clipboard.readText()") == "Magic Card Declined"


def test_a_setting_is_changed_and_taken_back(page: Page, world: World) -> None:
    page.goto(f"/w/{world.id}/reference?show=settings&q=museum.open")
    page.get_by_label("museum.open", exact=True).select_option("true")
    page.get_by_role("button", name="Set museum.open").click()
    assert "museum.open is true now." in page.get_by_role("status").inner_text()
    assert world.call_control("GET", "/settings")["museum.open"] is True
    page.get_by_role("status").get_by_role("button", name="Undo").click()
    assert world.call_control("GET", "/settings")["museum.open"] is False
