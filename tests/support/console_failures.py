"""What *Use the console* tells of failures, followed by its reader: causing, explaining, mending."""

from __future__ import annotations

from tests.support.browser import wait_until_patched
from tests.support.console import claim_order
from tests.support.console_reader import Reader


def break_a_charge(reader: Reader) -> None:
    """A charge that fails and is tried again; a wallet that lacks money and is funded."""
    page, app = reader.page, reader.partner
    reader.open()
    reader.go("Money")
    wallet = page.locator("#account-501")
    wallet.get_by_label("Dollars to add to").fill("10")
    reader.click("Fund", wallet)
    reader.says("The wallet of account 501 has $5,010.00.")
    reader.see("Fail the next charge")
    page.get_by_role("button", name=f"Fail the next charge: {reader.meet('Once')}").click()
    wait_until_patched(page)
    assert app.create_order().status == 402
    reader.says("last by call 1")
    reader.click("Payments")
    reader.main.get_by_role("row", name="failed").get_by_role("link", name="#1001").click()
    reader.click("Retry", reader.main)
    reader.says("Bo’s stoneware mug is paid.")
    reader.open("money")
    wallet.get_by_label("Dollars to add to").fill("0")
    reader.click("Set to", wallet)
    reader.click("Card and limits", wallet)
    reader.click("No card", wallet)
    assert app.create_order(idempotency_key="again").status == 402
    reader.go("Home")
    unpaid = reader.main.get_by_role("listitem").filter(has_text="Unpaid: Bo’s stoneware mug")
    unpaid.get_by_role("link", name="Bo’s stoneware mug").click()
    reader.click("Fund $26 and retry")
    reader.says("Bo’s stoneware mug is paid.")
    reader.open("money")
    reader.click("Ledger")
    rows = [each.lower() for each in page.locator("tbody tr").all_inner_texts()]
    assert ("charge" in rows[0], "adjustment" in rows[1], "outside" in rows[1]) == (True, True, True)


def find_out_why(reader: Reader) -> None:
    """A gift that nobody has claimed says why it waits."""
    order = reader.partner.create_order().json()["team_order"]["id"]
    reader.open(f"orders/order/{order}")
    reader.click("Why?")
    reader.says(f"Bo has not claimed order {order}")


def find_out_why_a_webhook_failed(reader: Reader) -> None:
    """An outage, the attempts of an event, what mends it; then the call that caused it."""
    page, world = reader.page, reader.world
    claim_order(world, reader.partner)
    reader.open()
    reader.go("Break something")
    page.get_by_role("button", name="Webhooks get 503: 1 d").click()
    wait_until_patched(page)
    world.advance("2h")
    reader.go("Webhooks")
    reader.see("Resend all failed")
    reader.main.get_by_role("link", name="team_order.claimed").first.click()
    page.get_by_role("group", name="Retry ladder of endpoint 1").wait_for()
    reader.click("Open the endpoint", reader.main)
    reader.meet("Simulate an outage")
    reader.see("Forward to your machine")
    reader.click("Send a test event", reader.main)
    reader.says("The test event was answered with 503.")
    reader.main.get_by_role("link", name="team_order.claimed").last.click()
    reader.click("End outage and resend", reader.main)
    reader.says("delivered")
    assert reader.main.get_by_role("button", name=reader.meet("Resend"), exact=True).first.is_visible()
    reader.go("Calls")
    reader.main.get_by_role("link", name="createTeamOrder").first.click()
    reader.see("What it changed")
    reader.click("Every member", reader.main)
    reader.click("Copy as", reader.main)
    kinds = " ".join(reader.page.locator("[data-code]:visible").all_inner_texts()).lower()
    assert all(kind in kinds for kind in ("curl", "requests", "fetch", "pytest", "vitest"))
    page.keyboard.press("Escape")
    reader.click("Fail the next one like this", reader.main)
    reader.says("The next call like this fails")


def break_something(reader: Reader) -> None:
    """A preset is begun and ended, and the active faults are below."""
    reader.open()
    reader.go("Break something")
    reader.page.get_by_role("button", name="Fail the next charge: Once").click()
    reader.page.get_by_role("button", name="End: Fail the next charge").click()
    reader.page.get_by_role("button", name="Fail the next charge: Once").wait_for()
