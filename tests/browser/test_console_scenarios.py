"""A scenario in the console step by step, with a failing line shown, in a browser."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.support.axe import findings_in_both_schemes
from tests.support.worlds import World

if TYPE_CHECKING:
    from playwright.sync_api import Page

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
    assert page.get_by_role("heading", level=1).inner_text() == "A mug for Bo"
    page.get_by_role("button", name="Next step").click()
    page.get_by_text("1 of 3 steps played").wait_for()
    page.get_by_text("Order 1001").wait_for()
    assert page.locator("tr.next td").first.inner_text() == "  - advance: 1d"
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
