"""The claim page in a panel beside the console's page, filled in on demand; and a mail in a frame."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.support.api_clients import PartnerClient
from tests.support.axe import findings_in_both_schemes
from tests.support.browser import DESKTOP, PHONE
from tests.support.partner.catalogue import TEE_LINE
from tests.support.worlds import World

if TYPE_CHECKING:
    from playwright.sync_api import Page

BO = [{"name": "Bo", "email": "bo@example.com"}]
SIDEWAYS = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_bo_claims_beside_the_order_with_one_button_to_fill_in(
    page: Page, world: World, partner: PartnerClient, size: tuple[int, int]
) -> None:
    partner.create_order(recipients=BO, items=[TEE_LINE], destination_countries=["US", "DE"])
    page.goto(f"/w/{world.id}/orders/order/1001")
    page.get_by_role("link", name="Open the claim page", exact=True).click()
    panel = page.get_by_role("complementary", name="Claim page of Bo")
    frame = page.frame_locator("#panel iframe")
    frame.get_by_role("heading", name="Ada has a gift for you").wait_for()
    assert page.evaluate("document.activeElement.id") == "panel-title"
    assert findings_in_both_schemes(page) == []
    panel.get_by_role("button", name="Fill in for me").click()
    panel.get_by_text("Filled in.").wait_for()  # also over the page on which the country is chosen
    assert frame.get_by_label("City").input_value() == "Reno"
    assert world.rows("orders")[0]["status"] == "collecting_addresses"
    frame.get_by_role("button", name="Send it to me").click()
    panel.get_by_text("Claimed.").wait_for()
    page.locator("#recipients").get_by_text("Claimed").first.wait_for()
    panel.get_by_role("button", name="Back to").click()
    assert not panel.is_visible()
    assert page.url.endswith("/orders/order/1001")
    assert page.evaluate("document.activeElement !== document.body")
    assert page.evaluate(SIDEWAYS) == 0
    assert world.rows("orders")[0]["status"] == "in_progress"


def test_escape_closes_the_panel_and_the_focus_is_where_it_was(
    page: Page, world: World, partner: PartnerClient
) -> None:
    partner.create_order(recipients=BO)
    page.goto(f"/w/{world.id}/orders/order/1001")
    link = page.get_by_role("link", name="Open the claim page of Bo")
    link.focus()
    page.keyboard.press("Enter")
    page.frame_locator("#panel iframe").get_by_role("button", name="Send it to me").first.wait_for(state="attached")
    page.keyboard.press("Escape")
    assert page.locator("#panel").is_hidden()
    assert page.evaluate("document.activeElement.textContent") == "Open the claim page of Bo"


def test_escape_closes_the_dialog_above_the_panel_and_leaves_the_panel(
    page: Page, world: World, partner: PartnerClient
) -> None:
    partner.create_order(recipients=BO)
    page.goto(f"/w/{world.id}/orders/order/1001")
    page.get_by_role("link", name="Open the claim page of Bo").click()
    page.locator("#panel iframe").wait_for()
    page.keyboard.press("p")
    page.locator("dialog[open]").wait_for()
    page.keyboard.press("Escape")
    page.locator("dialog[open]").wait_for(state="hidden")
    assert page.locator("#panel").is_visible()
    page.keyboard.press("Escape")
    assert page.locator("#panel").is_hidden()


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        ("page => page.querySelector('form').remove()", "This page has nothing that could be filled in."),
        ("page => page.querySelector('button.send').remove()", "This page has nothing that could be filled in."),
    ],
    ids=["no form", "no button"],
)
def test_filling_in_a_page_that_has_changed_says_so(
    page: Page, world: World, partner: PartnerClient, spoil: str, said: str
) -> None:
    partner.create_order(recipients=BO)
    page.goto(f"/w/{world.id}/orders/order/1001")
    page.get_by_role("link", name="Open the claim page of Bo").click()
    fill = page.get_by_role("button", name="Fill in for me", disabled=False)
    fill.wait_for()
    page.locator("#panel iframe").evaluate(f"frame => ({spoil})(frame.contentDocument)")
    fill.click()
    page.get_by_text(said).wait_for()


@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_a_mail_is_shown_as_its_reader_sees_it_and_opens_the_panel(
    page: Page, world: World, partner: PartnerClient, size: tuple[int, int]
) -> None:
    partner.create_order(recipients=BO)
    page.goto(f"/w/{world.id}/inbox")
    assert page.locator("#entries .dot.move").count() == 1
    page.locator("#entries").get_by_role("link", name="Ada has a gift for you").click()
    letter = page.frame_locator("#letter")
    letter.get_by_role("link", name="Open the gift").wait_for()
    color = letter.locator("main").evaluate("main => getComputedStyle(main).borderTopWidth")
    assert color == "4px"  # its own style sheet applies
    assert findings_in_both_schemes(page) == []
    page.get_by_role("link", name="Open the claim page").click()
    page.get_by_role("button", name="Fill in for me").click()
    page.frame_locator("#panel iframe").get_by_role("button", name="Send it to me").last.click()
    page.get_by_text("Claimed.").wait_for()
    page.get_by_text("This gift was claimed already.").wait_for()  # the page follows
    page.get_by_role("button", name="Close the claim page").click()
    assert page.evaluate(SIDEWAYS) == 0
    page.goto(f"/w/{world.id}/inbox")
    assert page.locator("#entries .dot.move").count() == 0
