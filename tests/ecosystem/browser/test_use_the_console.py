"""Every section of the page *Use the console* is followed as a reader would, with the words that the page has in bold.

A journey clicks or looks for each of them under the name that the page gives it. A section without a journey fails, and
so does a word in bold that its journey never meets.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

import pytest

from tests.support.api_clients import PartnerClient
from tests.support.browser import DESKTOP, PHONE, press, wait_until_patched
from tests.support.console_failures import break_a_charge, break_something, find_out_why, find_out_why_a_webhook_failed
from tests.support.console_home import point_your_app_here, see_what_needs_you
from tests.support.console_reader import Reader, sections
from tests.support.console_story import UNCLAIMED
from tests.support.console_time import move_time, present, return_to_a_moment, undo_and_redo
from tests.support.museum import MuseumClient
from tests.support.orders import email_recipients
from tests.support.team.clients import TeamClients
from tests.support.team.orders import create_gift
from tests.support.worlds import ExistingWorld, World

if TYPE_CHECKING:
    from playwright.sync_api import Page

MOST_STEPS = 30


def see_what_a_gift_does(reader: Reader) -> None:
    """The first gift, claimed and delivered; then the demo."""
    page = reader.page
    reader.open()
    reader.click("Send a gift to Bo")
    page.wait_for_url("**/orders/order/1001")
    page.get_by_role("link", name="Open the claim page of Bo").click()
    reader.click("Fill in for me")
    reader.says("Filled in.")
    frame = page.frame_locator("#panel iframe")
    frame.get_by_role("button", name=reader.meet("Send it to me")).last.click()
    frame.get_by_role("heading", name="Thank you, Bo").wait_for()
    reader.click("Back")
    reader.click("+1 d")
    for _ in range(MOST_STEPS):
        if page.locator("#time-next .brings").inner_text() == "shipped,":
            break
        page.locator("#time-next button").click()
        wait_until_patched(page)
    else:
        pytest.fail(f"the gift was not to be shipped next within {MOST_STEPS} steps")
    page.locator("#time-next button").click()
    wait_until_patched(page)
    for _ in range(MOST_STEPS):
        if "delivered" in page.get_by_role("heading", level=1).inner_text():
            break
        reader.click("+1 d")
    else:
        pytest.fail(f"the gift was not delivered within {MOST_STEPS} days")
    page.goto("/")  # a world that is new
    reader.click("Play the demo")
    page.wait_for_url(lambda url: f"/w/{reader.world.id}/" not in url)
    reader.see("Get to know giftsim")
    page.locator("#guide-steps summary").click()
    for thing in ("See an outage", "Resend what", "Pay for an order", "Undo it", "Branch"):
        reader.says(thing)
    demo = page.url.split("/")[4]
    page.goto("about:blank")
    reader.world.control.delete(f"/worlds/{demo}")


def see_and_move_what_was_sent(reader: Reader) -> None:
    """The list, its groups, keys and help, an order's page, its next step and its other moves."""
    for n in range(5):
        reader.partner.create_order(idempotency_key=f"order-{n}")
    reader.open()
    for word in ("Gifts", "Campaigns", "Orders"):
        reader.go(word)
    reader.says("5 × collecting addresses")
    reader.page.locator("#live-state:visible").wait_for()  # its scripts have run
    reader.page.keyboard.press("j")
    reader.page.locator("#detail h1", has_text="#1004").wait_for()
    reader.click("?", reader.main)
    reader.says("status:unpaid")
    reader.page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
    reader.page.reload()
    reader.click("‹ Orders", reader.main)
    reader.page.wait_for_url("**/orders")
    reader.page.set_viewport_size({"width": DESKTOP[0], "height": DESKTOP[1]})
    reader.page.get_by_role("link", name="Bo’s stoneware mug").first.click()
    reader.click("Claim as Bo")
    reader.click("Other moves", reader.main)
    assert reader.main.get_by_role("button", name=reader.meet("Ship"), exact=True).is_visible()
    reader.click("As curl", reader.main)
    assert "simulate/" in reader.main.inner_text()
    reader.click("Show state machine")
    assert reader.page.locator("svg.machine .lit").first.is_visible()
    for _ in range(MOST_STEPS):
        if reader.main.get_by_role("button", name="Advance to shipped").count():
            break
        reader.main.get_by_role("button", name=re.compile("^Advance to ")).first.click()
        wait_until_patched(reader.page)
    else:
        pytest.fail(f"the order did not come to its shipment within {MOST_STEPS} steps")
    reader.click("Advance to shipped")
    assert "Shipped with" in reader.page.locator("#journey").inner_text()


def decide_what_is_waiting(reader: Reader) -> None:
    """An approval, and a mail with its claim page."""
    create_gift(TeamClients(reader.world).requester)
    reader.partner.create_order()
    reader.open()
    reader.go("Inbox")
    press(reader.page, "Approve")
    reader.open("inbox")
    reader.main.locator("#entries .dot.move").first.wait_for()
    reader.main.locator("#entries").get_by_role("link", name=re.compile("gift for you")).last.click()
    reader.click("Open the claim page", reader.main)
    reader.page.frame_locator("#panel iframe").get_by_role("heading", level=1).wait_for()


def buy_a_museum_ticket(reader: Reader) -> None:
    """A special event, its ticket and the QR code."""
    MuseumClient(reader.world).create_event(name="Night of the whales", dates=["2027-01-08"])
    reader.open()
    reader.go("Museum")
    reader.page.get_by_role("region", name="Calendar").get_by_role("link", name="Night of the whales").click()
    reader.page.get_by_role("button", name="Buy the ticket").click()
    reader.page.get_by_role("img", name="QR code").wait_for()


def watch_it_happen(reader: Reader) -> None:
    """A call appears in the live flow; failures alone are shown."""
    reader.open()
    reader.see("Live flow")
    reader.partner.create_order(items=[])
    reader.page.locator("#flow").get_by_text("400").first.wait_for()
    reader.partner.get("/team-orders")
    flow = reader.page.locator("#flow")
    flow.get_by_text("GET /team-orders").first.wait_for()
    reader.click("Failures")
    flow.get_by_text("GET /team-orders").first.wait_for(state="detached")
    assert "400" in flow.inner_text()


def play_a_scenario(reader: Reader) -> None:
    """A scenario that fails is stepped through, taken back by a step, edited and run again."""
    page = reader.page
    reader.open()
    reader.go("Scenarios")
    page.get_by_label("Scenario, as YAML").fill(UNCLAIMED)
    reader.click("Step through it")
    press(page, "Next step")
    reader.says("1 of 3 steps played")
    reader.click("One step back")
    reader.says("0 of 3 steps played")
    page.get_by_role("button", name="Play to the end").click()
    reader.says("Why.")
    if page.get_by_label("Scenario, as YAML").is_visible():  # open already, if the failure came with the card
        reader.meet("Edit and run again")
    else:
        reader.click("Edit and run again")
    claim = "  - simulate: claim\n    with: {team_order_id: '${order}', recipient: 0}\n  - advance"
    page.get_by_label("Scenario, as YAML").fill(UNCLAIMED.replace("  - advance", claim))
    reader.click("Run again from step 3")
    reader.says("Edited: every step passed.")
    made = page.url.split("/")[4]
    page.goto("about:blank")
    reader.world.control.delete(f"/worlds/{made}")


def compare_two_continuations(reader: Reader) -> None:
    """A fork, and what differs."""
    reader.partner.create_order()
    reader.open()
    reader.go("Compare worlds")
    reader.page.get_by_role("button", name="Fork and compare now").click()
    reader.says("Nothing differs")
    fork = ExistingWorld(reader.world.simulator, reader.page.url.partition("with=")[2])
    fork.advance("3d")
    reader.page.reload()
    assert "Nothing differs" not in reader.main.inner_text()
    reader.page.goto("about:blank")
    fork.call_control("DELETE", "")


def look_something_up(reader: Reader) -> None:
    """A magic value is copied, and the settings stand next to their defaults."""
    reader.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    reader.open()
    reader.go("Reference")
    reader.click("Settings", reader.main)
    reader.main.get_by_text("partner.").first.wait_for()
    reader.open("reference?show=magic")
    reader.main.get_by_role("button", name=reader.meet("Copy")).first.click()
    reader.says("Copied")


def read_the_documentation(reader: Reader) -> None:
    """**Docs** opens these pages, and **Console** leads back to the page that was left."""
    reader.open("calls")
    reader.page.locator("#live-state:visible").wait_for()  # its scripts have run
    reader.page.get_by_role("link", name=reader.meet("Docs"), exact=True).click()
    reader.page.wait_for_url("**/console/docs/")
    reader.page.goto("/console/docs/how-to/move-time")
    reader.page.get_by_role("heading", name="Move time").wait_for()
    reader.page.get_by_role("link", name=reader.meet("Console"), exact=True).click()
    reader.page.wait_for_url("**/calls")


def use_keys(reader: Reader) -> None:
    """Keys open pages, move time, undo, search and walk; the palette finds an order."""
    page = reader.page
    reader.partner.create_order(recipients=email_recipients(1))
    reader.open()
    page.locator("#live-state:visible").wait_for()  # its scripts have run
    page.keyboard.press("?")
    reader.says("Use these keys")
    for switch in ("Look", "Text size"):
        reader.see(switch)
    page.get_by_label(reader.meet("Times are shown in")).wait_for()
    page.keyboard.press("Escape")
    page.keyboard.type("go")
    page.wait_for_url("**/orders/order/1001")
    page.locator("#live-state:visible").wait_for()
    before = reader.world.now
    page.keyboard.type("td")
    page.get_by_role("status").get_by_role("button", name="Undo").wait_for()
    assert reader.world.now > before
    page.keyboard.press("u")
    wait_until_patched(page)
    page.get_by_role("button", name=reader.meet("Search or jump to")).click()
    page.keyboard.type("1001")
    page.get_by_role("option", name="#1001").first.click()
    page.wait_for_url("**/orders/order/1001")


def show_it_to_others(reader: Reader) -> None:
    """A world gets a friendly name; the address of a page has the world and the filters."""
    reader.open("worlds")
    reader.main.get_by_label("Name of this world").fill("Ada’s shop")
    reader.click("Rename", reader.main)
    reader.says("This world is Ada’s shop now.")
    reader.open("webhooks?q=status:dead")
    assert reader.main.get_by_role("searchbox").input_value() == "status:dead"


JOURNEYS: Final[dict[str, Callable[[Reader], None]]] = {
    "See what a gift does": see_what_a_gift_does,
    "Point your app here": point_your_app_here,
    "See what needs you": see_what_needs_you,
    "See and move what was sent": see_and_move_what_was_sent,
    "Decide what is waiting": decide_what_is_waiting,
    "Break a charge, and fund it": break_a_charge,
    "Buy a museum ticket": buy_a_museum_ticket,
    "Move time": move_time,
    "Watch it happen": watch_it_happen,
    "Undo an action, and redo it": undo_and_redo,
    "Return to a moment": return_to_a_moment,
    "Find out why": find_out_why,
    "Find out why a webhook failed": find_out_why_a_webhook_failed,
    "Break something": break_something,
    "Play a scenario step by step": play_a_scenario,
    "Compare two continuations": compare_two_continuations,
    "Look something up": look_something_up,
    "Read the documentation": read_the_documentation,
    "Present": present,
    "Use keys": use_keys,
    "Show it to others": show_it_to_others,
}


@pytest.fixture
def page_of_its_own() -> bool:
    """The clipboard's permission stays with the page."""
    return True


@pytest.mark.begins("2027-01-04T09:00:00Z")
@pytest.mark.parametrize("heading", sections())
def test_a_section_can_be_followed_word_by_word(page: Page, world: World, partner: PartnerClient, heading: str) -> None:
    reader = Reader(page, world, partner, heading)
    JOURNEYS[heading](reader)
    assert reader.unmet == [], "the page has these in bold, and its journey never meets them"
