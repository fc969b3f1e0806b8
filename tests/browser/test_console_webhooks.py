"""Journeys in a browser: a failed webhook understood and resent, and the next call made to fail."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.support.api_clients import WEBHOOK_HOST, PartnerClient
from tests.support.browser import DESKTOP, PHONE
from tests.support.worlds import World

if TYPE_CHECKING:
    from playwright.sync_api import Page

HOSTILE = "<script>alert(1)</script>\"'&<b>"


def claim_order(world: World, partner: PartnerClient, name: str = "Bo") -> str:
    """An order that is claimed; the secret of the endpoint that is told."""
    secret = str(partner.subscribe("team_order.claimed")["secret"])
    recipients = [{"name": name, "email": "bo@example.com"}]
    order = partner.create_order(recipients=recipients).json()["team_order"]["id"]
    world.simulate("claim", team_order_id=order, recipient=0)
    return secret


@pytest.mark.begins("2027-01-04T09:00:00Z")
@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_a_failed_webhook_is_understood_and_resent(
    page: Page, world: World, partner: PartnerClient, size: tuple[int, int]
) -> None:
    secret = claim_order(world, partner)
    page.goto(f"/w/{world.id}/webhooks")
    page.get_by_text("Click an outage together").click()
    page.get_by_role("button", name="Begin the outage").click()
    assert f"{WEBHOOK_HOST} answers 503" in page.get_by_role("status").inner_text()
    page.locator("[data-time=h]").first.click()
    page.get_by_text("1 of them failed").wait_for()
    page.get_by_role("link", name="team_order.claimed").click()
    ladder = page.get_by_role("group", name="Retry ladder of endpoint 1")
    assert "1 of 9 rungs tried, 1 failed; it is pending" in str(ladder.get_attribute("aria-label"))
    assert page.locator(".rung.bad").count() == 1
    assert page.locator(".rung.planned").count() == 8
    assert page.locator(".ladder .now").count() == 1
    page.get_by_text("When and why").click()
    assert page.get_by_text("15 minutes after rung 2, if that fails").is_visible()
    assert page.get_by_text("Your app takes it.").is_visible()
    page.get_by_label("The secret that your app has").fill(secret)
    page.get_by_role("button", name="Verify").click()
    assert "this is the endpoint's secret" in page.get_by_role("status").inner_text()
    page.get_by_role("button", name="End the outage").click()
    page.get_by_text(f"{WEBHOOK_HOST} answers again.").wait_for()
    page.get_by_role("button", name="Resend").click()
    page.get_by_text("Sent again: delivery 2 got HTTP 200.").wait_for()
    assert page.get_by_role("heading", level=1).inner_text() == "team_order.claimed delivered"
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
    assert row.locator("td").first.inner_text() == "1"
    row.get_by_role("link", name="Calls").click()
    assert page.get_by_role("region", name="Calls").get_by_role("link").count() == 1
    page.go_back()
    row.get_by_role("button", name="End").click()
    page.get_by_text("No fault is active").wait_for()


def test_answers_and_names_with_scripts_are_text(page: Page, world: World, partner: PartnerClient) -> None:
    world.set_receiver(then={"status": 500, "body": HOSTILE})
    claim_order(world, partner, HOSTILE)
    world.advance("1h")
    page.goto(f"/w/{world.id}/webhooks?status=pending")
    page.get_by_role("link", name="team_order.claimed").click()
    assert page.get_by_label("Answer", exact=True).inner_text() == HOSTILE
    page.goto(f"/w/{world.id}/calls/2")
    assert HOSTILE.replace('"', '\\"') in page.get_by_label("Request body").inner_text()
