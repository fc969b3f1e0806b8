"""Journeys that take a stranger at most four clicks from Home: what failed is mended, time goes on and back, a trace is
opened. The tests count the clicks.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.support.api_clients import WEBHOOK_HOST, PartnerClient
from tests.support.browser import DESKTOP, BrowserThread, Visit, press, wait_until_patched
from tests.support.console_story import UNCLAIMED
from tests.support.orders import RENO
from tests.support.worlds import World

if TYPE_CHECKING:
    from playwright.sync_api import Page

MOST_CLICKS = 4
COUNT = """addEventListener("click", event => {
  if (event.isTrusted) sessionStorage.setItem("clicks", Number(sessionStorage.getItem("clicks") ?? 0) + 1);
}, true)"""


@pytest.fixture
def page_of_its_own() -> bool:
    """The counter stays in its page."""
    return True


@pytest.fixture
def counted(browser_thread: BrowserThread, visit: Visit) -> Page:
    """A page that counts clicks."""
    browser_thread.run(visit.page.add_init_script, COUNT)
    return visit.page


def clicks(page: Page) -> int:
    """How many clicks there were."""
    return int(page.evaluate("Number(sessionStorage.getItem('clicks'))"))


def test_a_402_becomes_paid_without_leaving_the_order(counted: Page, world: World) -> None:
    world.partner("partner.no_funds").create_order(recipients=[{"name": "Fay", "email": "fay@example.com"}])
    counted.goto(f"/w/{world.id}/")
    counted.locator("#needs").get_by_role("link", name="Fay’s stoneware mug").click()
    counted.wait_for_url("**/orders/order/1001")
    press(counted, "Fund $26 and retry")
    assert "Fay’s stoneware mug is paid." in counted.get_by_role("status").first.inner_text()
    assert counted.url.endswith("/orders/order/1001")
    assert world.rows("orders")[0]["status"] == "collecting_addresses"
    assert counted.evaluate("document.activeElement.innerText") == "Claim as Fay"
    assert clicks(counted) == 2


def test_the_cause_of_a_failed_test_is_one_click_away(counted: Page, world: World, partner: PartnerClient) -> None:
    """The world that a test has left, in which an order was not paid for a reason that the test did not see."""
    for n in range(12):
        partner.create_order(idempotency_key=f"fine-{n}", recipients=[{"name": f"R{n}", "address": RENO}])
    poor = world.partner("partner.no_funds")
    assert poor.create_order(recipients=[{"name": "Fay", "email": "fay@example.com"}]).status == 402
    partner.create_order(idempotency_key="later")
    counted.goto(f"/w/{world.id}/")
    counted.get_by_role("navigation").get_by_role("link", name="Orders").first.click()
    shown = counted.locator("#detail")
    shown.get_by_role("heading", name="Fay’s stoneware mug #1013").wait_for()
    assert "insufficient funds" in shown.inner_text()
    assert "402" in shown.inner_text()
    assert clicks(counted) == 1


def test_what_fails_is_mended_from_home_with_a_click_each(counted: Page, world: World, partner: PartnerClient) -> None:
    partner.subscribe("team_order.shipped")
    world.set_receiver(outage={"from": "+1h", "to": "+30d", "status": 503})
    partner.create_order(recipients=[{"name": "Cy", "address": RENO}])
    world.advance("5d")
    world.partner("partner.no_funds").create_order(recipients=[{"name": "Fay", "email": "fay@example.com"}])
    world.add_fault({"status": 503}, match={"operation": "getStore"})
    counted.goto(f"/w/{world.id}/")
    for button in ("End outage and resend", "Fund $26 and retry", "Claim as Fay"):
        counted.locator("#needs button", has_text=button).click()
        wait_until_patched(counted)
    counted.locator("#health summary").click()
    assert counted.locator("#health summary").inner_text() == "1 fault"
    counted.locator("#health").get_by_role("button", name="End all").click()
    counted.locator("#health").wait_for(state="detached")
    assert "Nothing: no payment has failed" in counted.locator("#needs").inner_text()
    assert [row["status"] for row in world.rows("orders")] == ["delivered", "in_progress"]
    assert clicks(counted) == 5


def test_a_dead_delivery_is_found_and_mended(counted: Page, world: World, partner: PartnerClient) -> None:
    partner.subscribe("team_order.claimed")
    world.set_receiver(then={"status": 500})
    world.simulate("claim", team_order_id=partner.create_order().json()["team_order"]["id"], recipient=0)
    world.advance("5d")
    world.set_receiver(then={"status": 200})
    counted.goto(f"/w/{world.id}/")
    counted.locator("#needs").get_by_role("link", name=WEBHOOK_HOST).click()
    counted.get_by_role("main").get_by_role("link", name="team_order.claimed").click()
    assert "9 of 9 attempts failed with 500." in counted.get_by_role("main").inner_text()
    press(counted, "Send again")
    counted.get_by_text("Delivered by resend after 9 failed attempts.").first.wait_for()
    assert world.deliveries()[-1]["outcome"] == "delivered"
    assert clicks(counted) == 3


def test_a_preset_breaks_a_charge_and_the_retry_of_the_app_is_seen(
    counted: Page, world: World, partner: PartnerClient
) -> None:
    counted.goto(f"/w/{world.id}/")
    counted.get_by_role("navigation").get_by_role("link", name="Break something").first.click()
    counted.get_by_role("button", name="Fail the next charge: Once").click()
    wait_until_patched(counted)
    assert [partner.create_order().status for _ in range(2)] == [402, 201]
    counted.get_by_role("link", name="Used 1 time").click()
    counted.get_by_role("link", name="Open order").click()
    counted.wait_for_url("**/orders/order/1001")
    text = counted.locator("#journey").inner_text()
    assert text.index("failed") < text.index("Paid")
    assert clicks(counted) == MOST_CLICKS


@pytest.mark.begins("2027-01-04T09:00:00Z")
def test_a_week_is_dragged_looked_at_and_taken_back(counted: Page, world: World, partner: PartnerClient) -> None:
    partner.create_order(recipients=[{"name": "Bo", "address": RENO}])
    before = world.now
    counted.goto(f"/w/{world.id}/")
    knob = counted.get_by_role("slider", name="Time").bounding_box()
    assert knob
    x, y = knob["x"] + knob["width"] / 2, knob["y"] + knob["height"] / 2
    counted.mouse.move(x, y)
    counted.mouse.down()
    counted.mouse.move(DESKTOP[0] - 8, y, steps=4)  # the end of the strip, a week from now
    counted.locator("#strip-bubble h2").wait_for()
    counted.mouse.up()
    counted.get_by_role("status").get_by_role("button", name="Undo").wait_for()
    assert world.now > before
    assert world.rows("parcels")[0]["status"] in ("shipped", "delivered")
    counted.locator("#flow").get_by_text("the parcel is handed to the carrier").first.wait_for()
    counted.get_by_role("status").get_by_role("button", name="Undo").click()
    counted.locator(".clock", has_text="Mon 4 Jan, 09:00").wait_for()
    assert world.now == before
    assert clicks(counted) <= MOST_CLICKS


def test_the_trace_of_a_colleague_is_opened_as_a_world(
    counted: Page, world: World, partner: PartnerClient, tmp_path: Path
) -> None:
    partner.create_order(gift_sender="A colleague")
    file = tmp_path / "trace.html"
    file.write_bytes(world.control.get(f"/worlds/{world.id}/trace").body)
    counted.goto(f"/w/{world.id}/")
    counted.get_by_title("The world you look at; choose another").click()
    counted.get_by_label("File").set_input_files(file)
    counted.get_by_role("button", name="Open the trace").click()
    counted.wait_for_url(lambda url: not url.startswith(f"{counted.url.partition('/w/')[0]}/w/{world.id}/"))
    opened = counted.url.split("/")[4]
    counted.get_by_role("navigation").get_by_role("link", name="Orders").first.click()
    counted.get_by_role("link", name="Bo’s stoneware mug").first.wait_for()
    assert clicks(counted) + len(["the file"]) <= MOST_CLICKS
    world.control.delete(f"/worlds/{opened}")


CLAIM = "  - simulate: claim\n    with: {team_order_id: '${order}', recipient: 0}\n"


def test_a_scenario_is_edited_until_it_passes(counted: Page, world: World) -> None:
    counted.goto(f"/w/{world.id}/")
    counted.get_by_role("navigation").get_by_role("link", name="Scenarios").first.click()
    counted.get_by_label("Scenario, as YAML").fill(UNCLAIMED)
    counted.get_by_role("button", name="Play it whole").click()
    counted.get_by_text("Why.").wait_for()
    assert "has not claimed" in counted.get_by_role("main").inner_text()
    counted.get_by_label("Scenario, as YAML").fill(UNCLAIMED.replace("  - advance", f"{CLAIM}  - advance"))
    counted.get_by_role("button", name="Run again from step 3").click()
    counted.get_by_text("Edited: every step passed.").wait_for()
    assert clicks(counted) <= MOST_CLICKS
    world.control.delete(f"/worlds/{counted.url.split('/')[4]}")
