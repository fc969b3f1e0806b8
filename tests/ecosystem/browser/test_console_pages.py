"""Orders in the console, in a browser: from the first gift to its delivery, and moves by keyboard."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.support.api_clients import WEBHOOK_HOST, PartnerClient
from tests.support.axe import findings_in_both_schemes
from tests.support.browser import DESKTOP, PHONE, press, wait_until_patched
from tests.support.console import claim_order
from tests.support.worlds import World

if TYPE_CHECKING:
    from playwright.sync_api import Page


def heading(page: Page) -> str:
    """The heading of the page."""
    return page.get_by_role("heading", level=1).inner_text()


def fits(page: Page) -> bool:
    """Whether nothing has to be scrolled sideways."""
    return bool(page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth"))


@pytest.mark.parametrize("size", [PHONE], ids=["phone"])
def test_a_first_gift_is_sent_claimed_on_a_phone_and_delivered(page: Page, world: World, size: tuple[int, int]) -> None:
    page.goto(f"/w/{world.id}/")
    page.get_by_role("button", name="Send a gift to Bo").click()
    assert "Sent: order 1001" in page.get_by_role("status").inner_text()
    assert heading(page).split() == ["Bo’s", "stoneware", "mug", "#1001", "collecting", "addresses"]
    assert fits(page)
    order = page.url
    page.goto(page.get_by_role("link", name="Open the claim page of Bo").get_attribute("href") or "")
    assert heading(page) == "Ada has a gift for you"
    assert fits(page)
    for label, text in {"Street and number": "1 Main St", "City": "Reno", "ZIP code": "89501"}.items():
        page.get_by_label(label).fill(text)
    page.get_by_label("State").select_option(label="Nevada")
    page.get_by_role("button", name="Send it to me").click()
    assert heading(page) == "Thank you, Bo"
    page.goto(order)
    assert heading(page).split()[-2:] == ["in", "progress"]
    page.get_by_role("button", name="Advance to in production").click()
    wait_until_patched(page)
    assert page.locator("svg.machine .lit").text_content() == "in_production"
    page.locator("#moves > summary").click()
    press(page, "Deliver")
    assert heading(page).split()[-1] == "delivered"
    assert page.locator("svg.machine .lit").text_content() == "delivered"
    told = page.locator("#journey").inner_text()
    assert "Bo said where it goes: Reno, NV by the claim page" in told
    assert "Production started" in told
    assert fits(page)


def test_a_move_that_is_not_possible_says_why_and_an_undo_brings_it_back(page: Page, world: World) -> None:
    world.partner().create_order()
    page.goto(f"/w/{world.id}/orders/order/1001")
    page.locator("#moves > summary").click()
    press(page, "Ship")
    assert not page.get_by_role("button", name="Claim", exact=True).count()
    page.locator("#impossible > summary").click()
    assert "Claim: This gift was claimed already." in page.locator("#impossible").inner_text()
    page.get_by_role("status").get_by_role("button", name="Undo").click()
    wait_until_patched(page)
    assert page.get_by_role("button", name="Claim", exact=True).is_enabled()
    assert page.locator("svg.machine .lit").text_content() == "awaiting"


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
    press(page, "Set museum.open")
    assert "museum.open is true now." in page.get_by_role("status").inner_text()
    assert world.call_control("GET", "/settings")["museum.open"] is True
    page.get_by_role("status").get_by_role("button", name="Undo").click()
    wait_until_patched(page)
    assert world.call_control("GET", "/settings")["museum.open"] is False


FAILING = """scenario: A mug for Bo
steps:
  - call: POST /api/external/team-orders
    as: partner.prepaid
    body:
      idempotency_key: first
      gift_sender: Ada
      items: [{sku_code: MUG-01}]
      recipients: [{name: Bo, email: bo@example.com}]
    expect: {status: 201}
    save: {order: $.team_order.id}
  - advance: 1d
  - call: GET /api/external/team-orders/${order}
    as: partner.prepaid
    expect:
      body: {team_order: {status: delivered}}
"""


def test_a_scenario_is_stepped_through_and_its_failing_line_is_shown(page: Page, world: World) -> None:
    page.goto(f"/w/{world.id}/scenarios")
    page.get_by_label("Scenario, as YAML").fill(FAILING)
    page.get_by_role("button", name="Step through it").click()
    page.get_by_role("heading", level=1, name="A mug for Bo").wait_for()
    page.get_by_role("button", name="Next step").click()
    page.get_by_text("1 of 3 steps played").wait_for()
    page.get_by_text("#1001").wait_for()
    assert page.locator("tr.next td").first.inner_text() == "  - advance: 1d"
    row = page.locator("tr.next").first.bounding_box()
    assert row
    assert row["height"] < 30  # a row like the others
    page.get_by_role("button", name="Play to the end").click()
    alert = page.locator(".failure")
    alert.wait_for()
    assert "Step 3 failed: GET /api/external/team-orders/${order}" in alert.inner_text()
    assert '"delivered"' in alert.inner_text()
    assert '"collecting_addresses"' in alert.inner_text()
    failed = page.locator("details.file tr.failed")
    assert failed.first.get_attribute("id") == "scenario.yaml:13"
    assert failed.last.locator("td").inner_text().endswith(" body: {team_order: {status: delivered}}")
    assert page.get_by_role("progressbar").get_attribute("value") == "3"
    assert findings_in_both_schemes(page) == []
    made = page.url.split("/")[4]
    page.get_by_role("button", name="Delete the world").click()
    page.get_by_text("its world deleted").wait_for()
    assert world.control.get(f"/worlds/{made}").status == 404


HOSTILE = "<script>alert(1)</script>\"'&<b>"


@pytest.mark.begins("2027-01-04T09:00:00Z")
@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_a_failed_webhook_is_understood_and_resent(
    page: Page, world: World, partner: PartnerClient, size: tuple[int, int]
) -> None:
    secret = claim_order(world, partner)
    page.goto(f"/w/{world.id}/webhooks")
    page.get_by_role("link", name=WEBHOOK_HOST).first.click()
    page.get_by_text("Simulate an outage").click()
    press(page, "Begin the outage")
    assert f"{WEBHOOK_HOST} answers 503" in page.get_by_role("status").inner_text()
    page.keyboard.press("t")
    page.keyboard.press("h")
    page.get_by_text("1 of 1 webhook failed").wait_for()
    page.get_by_role("list", name="Attempts").get_by_role("link", name="team_order.claimed").click()
    ladder = page.get_by_role("group", name="Retry ladder of endpoint 1")
    assert "1 of 9 attempts made, 1 failed; it is pending" in str(ladder.get_attribute("aria-label"))
    assert page.locator(".ladder .attempt.bad").count() == 1
    assert page.locator(".ladder .attempt.planned").count() == 8
    assert page.locator(".ladder .now").count() == 1
    page.get_by_text("When and why").click()
    assert page.get_by_text("15 minutes after attempt 2, if that fails").is_visible()
    assert page.get_by_text("Your app should accept it.").is_visible()
    page.get_by_label("The secret that your app has").fill(secret)
    press(page, "Verify")
    assert "this is the endpoint's secret" in page.get_by_role("status").inner_text()
    page.get_by_role("button", name="End outage and resend").click()
    page.get_by_role("heading", level=1, name="team_order.claimed delivered").wait_for()
    assert [row["outcome"] for row in world.deliveries()] == ["http_status", "delivered"]
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")


def test_the_next_call_is_made_to_fail_and_the_hit_counted(page: Page, world: World, partner: PartnerClient) -> None:
    partner.create_order(idempotency_key="first")
    page.goto(f"/w/{world.id}/calls")
    page.get_by_role("link", name="POST /api/external/team-orders").click()
    page.get_by_label("How it fails").select_option("charge=card_charge_failed")
    page.get_by_role("button", name="Fail the next one like this").click()
    page.get_by_text("The next call like this fails").wait_for()
    assert partner.create_order(idempotency_key="second").status == 402
    assert partner.create_order(idempotency_key="third").status == 201
    page.goto(f"/w/{world.id}/faults")
    row = page.locator("#fault-fault-1")
    row.get_by_role("link", name="1 hit").click()
    assert page.locator("#entries .entry").count() == 1
    page.go_back()
    row.get_by_role("button", name="End").click()
    page.get_by_text("No fault is active").wait_for()


def test_answers_and_names_with_scripts_are_text(page: Page, world: World, partner: PartnerClient) -> None:
    world.set_receiver(then={"status": 500, "body": HOSTILE})
    claim_order(world, partner, HOSTILE)
    world.advance("1h")
    page.goto(f"/w/{world.id}/webhooks?q=status:pending")
    page.get_by_role("link", name="team_order.claimed").first.click()
    assert page.get_by_label("Answer", exact=True).inner_text() == HOSTILE
    page.goto(f"/w/{world.id}/calls/2")
    assert HOSTILE.replace('"', '\\"') in page.get_by_label("Request body").inner_text()
