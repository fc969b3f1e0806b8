"""The page of a webhook endpoint in a browser: copied, switched, tested and mended in place."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.support.api_clients import PartnerClient
from tests.support.axe import findings_in_both_schemes
from tests.support.browser import DESKTOP, PHONE, Visit, press, wait_until_patched
from tests.support.console import claim_order
from tests.support.http_receiver import http_receiver, respond_always
from tests.support.worlds import World

if TYPE_CHECKING:
    from playwright.sync_api import Page

OK = b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"
SIDEWAYS = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
WATCH = """() => { window.shift = 0; new PerformanceObserver(list => {
  for (const each of list.getEntries()) window.shift += each.value;
}).observe({type: "layout-shift"}) }"""


@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_one_switch_sends_webhooks_to_an_app_on_this_machine(
    page: Page, world: World, partner: PartnerClient, size: tuple[int, int]
) -> None:
    partner.subscribe("team_order.claimed")
    with http_receiver(respond_always(OK)) as app:
        page.goto(f"/w/{world.id}/webhooks/endpoints/1")
        switch = page.get_by_role("switch")
        page.get_by_label("Forward to your machine").fill(str(app.port))
        page.evaluate(WATCH)
        switch.focus()
        page.keyboard.press("Enter")
        page.get_by_text(f"go to http://127.0.0.1:{app.port} now.").wait_for()
        wait_until_patched(page)
        assert switch.get_attribute("aria-checked") == "true"
        assert page.evaluate("document.activeElement.getAttribute('role')") == "switch"
        assert page.evaluate("window.shift") <= 0.02
        press(page, "Send a test event")
        page.locator("#every-attempt .badge.good").first.wait_for()
        assert len(app.requests) == 1
        assert page.evaluate(SIDEWAYS) == 0
    switch.click()
    page.get_by_text("stay here again.").wait_for()
    assert world.rows("receivers")[0]["mode"] == "capture"


def test_the_secret_is_shown_on_demand_and_copied(
    page: Page, visit: Visit, world: World, partner: PartnerClient
) -> None:
    secret = partner.subscribe("team_order.claimed")["secret"]
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto(f"/w/{world.id}/webhooks/endpoints/1")
    whole = page.get_by_text(secret, exact=True)
    assert not whole.is_visible()
    page.get_by_text("Show the secret").click(force=True)
    assert whole.is_visible()
    page.get_by_role("button", name="Copy the secret").click()
    page.get_by_text("Copied").wait_for()
    assert page.evaluate("navigator.clipboard.readText()") == secret


@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_an_outage_is_seen_and_mended_in_place_by_everyone(
    page: Page, world: World, partner: PartnerClient, size: tuple[int, int]
) -> None:
    world.set_receiver(outage={"from": world.now, "to": "+9000d", "status": 503})
    claim_order(world, partner)
    world.advance("2h")
    page.goto(f"/w/{world.id}/webhooks/endpoints/1")
    assert page.locator(".attempts-chart rect.band").count() == 2
    assert page.locator(".attempts-chart rect.bad").count() >= 1
    assert findings_in_both_schemes(page) == []
    button = page.get_by_role("button", name="End outage and resend all failed 1")
    button.scroll_into_view_if_needed()
    before = page.evaluate("scrollY")
    button.click()
    wait_until_patched(page)
    assert "Sent again: 1 webhook, all delivered." in page.get_by_role("status").inner_text()
    assert page.evaluate("[scrollY, document.activeElement !== document.body]") == [before, True]
    assert page.evaluate(SIDEWAYS) == 0
