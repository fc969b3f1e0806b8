"""The home in a browser, and the pages for addresses that lead nowhere."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.support.browser import PHONE

if TYPE_CHECKING:
    from playwright.sync_api import Page


@pytest.mark.parametrize("size", [PHONE], ids=["phone"])
def test_an_address_that_leads_nowhere_leads_to_the_home(page: Page, size: tuple[int, int]) -> None:
    page.goto("/helth")
    assert page.get_by_role("heading", level=1).inner_text() == "There is nothing here"
    assert "did you mean /_sim/v1/health?" in page.get_by_role("main").inner_text()
    page.get_by_role("link", name="Open the console").click()
    assert page.get_by_role("heading", level=1).inner_text() == "Home"
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
