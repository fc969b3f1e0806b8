"""Actions of the console patch its page: scroll and focus stay, and a notice in the corner says what happened."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from giftsim import Simulator
from tests.support.api_clients import PartnerClient
from tests.support.browser import Visit, press, wait_until_patched
from tests.support.worlds import ExistingWorld, World

if TYPE_CHECKING:
    from playwright.sync_api import Page

PLACE = "[scrollY, document.activeElement.innerText]"


def claimed_order(world: World, partner: PartnerClient) -> None:
    """Create an order whose recipient has claimed it."""
    world.simulate("claim", team_order_id=partner.create_order().json()["team_order"]["id"], recipient=0)


@pytest.mark.begins("2027-01-04T09:00:00Z")
@pytest.mark.parametrize("size", [(1280, 720)], ids=["low"])
def test_an_advance_lists_what_happened_and_is_undone_in_place(
    page: Page, world: World, partner: PartnerClient, size: tuple[int, int]
) -> None:
    claimed_order(world, partner)
    page.goto(f"/w/{world.id}/reference")
    page.get_by_role("button", name="+1 d", exact=True).focus()
    page.evaluate("scrollTo(0, 400)")
    before = page.evaluate(PLACE)
    for _ in range(3):  # one after the other, all of them
        page.keyboard.press("Enter")
    wait_until_patched(page)
    assert world.now == "2027-01-07T09:00:00Z"
    assert page.evaluate(PLACE) == before == [400, "+1 d"]
    toast = page.get_by_role("status")
    assert "It is Thu 7 Jan 2027, 09:00 now." in toast.inner_text()
    assert "labeled → shipped" in toast.inner_text()
    toast.get_by_role("button", name="Undo").click()
    wait_until_patched(page)
    assert world.now == "2027-01-06T09:00:00Z"
    toast.get_by_role("button", name="Close the notice").click()
    assert toast.count() == 0


def test_the_address_without_a_path_is_a_page_that_follows_its_world(page: Page, simulator: Simulator) -> None:
    default = ExistingWorld(simulator, "default")
    page.goto("/")
    before = page.locator("#bar .clock time").get_attribute("datetime")
    page.get_by_role("button", name="+1 h", exact=True).click()
    wait_until_patched(page)
    assert page.locator("#bar .clock time").get_attribute("datetime") == default.now != before
    default.advance("1h")  # elsewhere
    page.locator(f"#bar .clock time[datetime='{default.now}']").wait_for(state="attached")


# Counts the elements that come and go.
COUNT_NODES = """() => {
  window.touched = 0;
  new MutationObserver(list => {
    for (const {addedNodes, removedNodes} of list)
      for (const node of [...addedNodes, ...removedNodes])
        if (node.nodeType === Node.ELEMENT_NODE) window.touched += 1 + node.querySelectorAll("*").length;
  }).observe(document, {subtree: true, childList: true});
}"""


def test_an_action_touches_little_of_a_large_page(page: Page, world: World, partner: PartnerClient) -> None:
    for n in range(30):
        partner.create_order(idempotency_key=f"order-{n}")
    page.goto(f"/w/{world.id}/orders")
    page.evaluate(COUNT_NODES)
    press(page, "+1 h")
    touched, shown = page.evaluate("[window.touched, document.querySelectorAll('*').length]")
    assert shown > 500
    assert touched < 60, "a page that is put in place of the other takes more than a frame"


@pytest.mark.parametrize("page_of_its_own", [True])  # a clock that was installed stays in its page
def test_a_failed_action_keeps_what_was_typed_and_its_notice_stays(page: Page, world: World) -> None:
    page.clock.install()
    page.goto(f"/w/{world.id}/moments")
    page.locator("#time-menu summary").click()
    page.locator("#when").fill("yesterday")
    press(page, "Jump")
    assert "Advance by yesterday" in page.get_by_role("alert").inner_text()
    page.locator("#time-menu summary").click()
    assert page.locator("#when").input_value() == "yesterday"
    page.clock.run_for(60_000)
    assert page.get_by_role("alert").count() == 1
    press(page, "+1 h")
    assert page.get_by_role("status").count() == 1
    words = page.get_by_role("status").locator("p").bounding_box()
    assert words
    page.mouse.move(words["x"] + 5, words["y"] + 5)
    below = "([x, y]) => document.elementFromPoint(x, y).closest('#toasts') === null"
    assert page.evaluate(below, [words["x"] + 5, words["y"] + 5]), "the notice covers what is below it"
    page.clock.run_for(60_000)
    assert page.get_by_role("status").count() == 0


def test_an_action_without_a_simulator_says_so(visit: Visit, page: Page, world: World) -> None:
    page.goto(f"/w/{world.id}/")
    page.route("**/time/advance", lambda route: route.abort())
    press(page, "+1 h")
    assert "The simulator cannot be reached." in page.get_by_role("alert").inner_text()
    visit.problems = [problem for problem in visit.problems if "Failed to load resource" not in problem]


@pytest.mark.begins("2027-01-04T09:00:00Z")
def test_a_call_is_copied_as_code_of_six_kinds(page: Page, world: World, partner: PartnerClient) -> None:
    partner.create_order(recipients=[{"name": 'Bo’s </textarea> "x"', "email": "bo@example.com"}])
    page.goto(f"/w/{world.id}/calls/1")
    page.locator("#copy-as > summary").click()
    code = {}
    for kind in ("curl", "Python, requests", "JavaScript, fetch", "pytest test", "Vitest test", "Scenario"):
        page.locator("#copy-as").get_by_role("button", name=kind, exact=True).click()
        page.locator("#copy-as [role=status]:not(:empty)").wait_for()
        code[kind] = page.get_by_label("Code", exact=True).input_value()
    assert code["curl"].startswith("GIFTSIM_KEY=pk_live_")
    assert f"WORLD={world.id} PARTNER_PREPAID=pk_live_" in code["Python, requests"]
    assert "os.environ['PARTNER_PREPAID']" in code["Python, requests"]
    assert "process.env.PARTNER_PREPAID" in code["JavaScript, fetch"]
    assert 'credential="partner.prepaid"' in code["pytest test"]
    assert ".status).toBe(201)" in code["Vitest test"]
    compile(code["pytest test"], "test.py", "exec")
    compile(code["Python, requests"], "script.py", "exec")
    headers = {"Content-Type": "application/yaml"}
    answer = world.client.call("POST", "/_sim/v1/scenarios/play", body=code["Scenario"].encode(), headers=headers)
    assert answer.json()["outcome"] == "passed"
    page.keyboard.press("Escape")
    assert not page.get_by_label("Code", exact=True).is_visible()
