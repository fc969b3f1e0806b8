"""The console follows its world: one stream for all tabs, taken over, resumed, or replaced by asking now and then."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import ExitStack
from typing import TYPE_CHECKING

import pytest

from giftsim import Simulator
from tests.support.api_clients import PartnerClient
from tests.support.browser import DESKTOP, TIMEOUT_MS, BrowserThread, Visit, open_visit
from tests.support.worlds import World

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page, Request, Route

WATCH_SHIFTS = """() => {
  window.shift = 0;
  new PerformanceObserver(list => { for (const { value } of list.getEntries()) window.shift += value; })
    .observe({type: "layout-shift"});
}"""
LOST = "Failed to load resource"


class Restarting:
    """A simulator whose server is stopped and started again at the same address, and a page of it."""

    def __init__(self, stack: ExitStack, browser_thread: BrowserThread) -> None:
        self.simulator = Simulator(fixture="bare")
        stack.callback(self.simulator.close)
        self._listen(0)
        stack.callback(self.stop)
        origin = self.simulator.registry.runtime.origin
        self.visit = stack.enter_context(open_visit(browser_thread, origin, DESKTOP, scripts=True))

    def _listen(self, port: int) -> None:
        self.server = self.simulator.listen("127.0.0.1", port)
        self.server.start()

    def stop(self) -> None:
        """Stop listening, and close every connection."""
        self.server.stop()

    def start_again(self) -> None:
        """Listen at the same address."""
        self._listen(self.server.port)


@pytest.fixture
def page_of_its_own() -> bool:
    """An installed clock stays in its page."""
    return True


@pytest.fixture
def restarting(browser_thread: BrowserThread) -> Iterator[Restarting]:
    """A simulator whose server can be restarted, and a page of it."""
    with ExitStack() as stack:
        yield Restarting(stack, browser_thread)


@pytest.fixture
def streams(browser_thread: BrowserThread, page: Page) -> list[str]:
    """The streams that the tabs of this visit have opened, by their URLs."""
    opened: list[str] = []

    def note(request: Request) -> None:
        if request.resource_type == "eventsource":
            opened.append(request.url)

    browser_thread.run(page.context.on, "request", note)
    return opened


def open_home(page: Page, world: World) -> Page:
    """Open the home of a world, and wait until it is live."""
    page.goto(f"/w/{world.id}/")
    wait_for_state(page, "live")
    return page


def wait_for_state(page: Page, state: str) -> None:
    """Wait until the time bar says so."""
    page.locator("#live-state", has_text=re.compile(f"^{state}$")).wait_for()


def calls(page: Page) -> Locator:
    """The calls of the app that the live flow of the home shows."""
    return page.locator("#flow .msg.app")


def wait_for_calls(page: Page, count: int) -> None:
    """Wait until the home shows so many calls."""
    from playwright.sync_api import expect

    expect(calls(page)).to_have_count(count, timeout=TIMEOUT_MS)


@pytest.mark.begins("2027-01-04T09:00:00Z")
def test_a_page_follows_its_world(page: Page, world: World, partner: PartnerClient) -> None:
    open_home(page, world)
    assert calls(page).count() == 0
    partner.get("/team-orders")
    wait_for_calls(page, 1)
    world.advance("1d")
    page.locator(".clock", has_text="Tue 5 Jan, 09:00").wait_for()


def test_the_live_flow_grows_while_calls_and_webhooks_happen_and_nothing_shifts(
    page: Page, world: World, partner: PartnerClient
) -> None:
    partner.subscribe("team_order.claimed")
    open_home(page, world)
    page.evaluate("document.fonts.ready")
    page.evaluate(WATCH_SHIFTS)
    flow = page.locator("#flow")
    order = partner.create_order().json()["team_order"]["id"]
    flow.get_by_text("POST /team-orders").wait_for()
    flow.get_by_text("Ada has a gift for you, to bo@example.com").wait_for()
    world.simulate("claim", team_order_id=order, recipient=0)
    world.advance(until="next")
    flow.get_by_text("team_order.claimed").wait_for()
    assert page.evaluate("window.shift") <= 0.02
    flow.get_by_text("team_order.claimed").click()
    page.get_by_role("heading", name="team_order.claimed").wait_for()


def test_two_tabs_share_one_stream_and_the_second_takes_over(
    page: Page, world: World, partner: PartnerClient, streams: list[str]
) -> None:
    first = open_home(page, world)
    second = open_home(page.context.new_page(), world)
    partner.get("/team-orders")
    for tab in (first, second):
        wait_for_calls(tab, 1)
    assert len(streams) == 1
    first.close()
    partner.get("/team-orders")
    wait_for_calls(second, 2)
    assert len(streams) == 2
    assert re.search(r"/changes\?after=[1-9]", streams[1])


def test_a_stream_that_was_cut_off_goes_on_where_it_was(browser_thread: BrowserThread, restarting: Restarting) -> None:
    del browser_thread  # the test runs in its thread
    world, page = World(restarting.simulator, fixture="empty"), restarting.visit.page
    world.partner().get("/team-orders")
    open_home(page, world)
    restarting.stop()
    wait_for_state(page, "reconnecting")
    world.partner().get("/team-orders")
    with page.expect_request(lambda request: request.resource_type == "eventsource") as reconnect:
        restarting.start_again()
    wait_for_state(page, "live")
    wait_for_calls(page, 2)
    assert reconnect.value.url.endswith("/changes?after=1")
    restarting.visit.problems = [each for each in restarting.visit.problems if LOST not in each]


def test_without_a_stream_the_page_asks_again_and_again(
    visit: Visit, page: Page, world: World, partner: PartnerClient
) -> None:
    def refuse(route: Route) -> None:
        if route.request.resource_type == "eventsource":
            route.fulfill(status=503, body="too many")
        else:
            route.continue_()

    page.clock.install()
    page.route("**/changes?*", refuse)
    page.goto(f"/w/{world.id}/")
    wait_for_state(page, "polling")
    partner.get("/team-orders")
    with page.expect_response("**/changes?*"):
        page.clock.run_for(5_000)
    with page.expect_request("**/"):
        page.clock.run_for(5_000)
    wait_for_calls(page, 1)
    assert visit.problems
    assert all(LOST in problem for problem in visit.problems)
    visit.problems.clear()


def test_an_open_detail_the_focus_and_typed_text_survive_an_update(
    page: Page, world: World, partner: PartnerClient
) -> None:
    open_home(page, world)
    page.locator("#time-menu summary").click()
    page.locator("#when").fill("3d and a ha")
    page.evaluate("document.getElementById('when').setSelectionRange(2, 4)")
    partner.get("/team-orders")
    wait_for_calls(page, 1)
    page.keyboard.type("!")
    assert page.locator("#when").input_value() == "3d!nd a ha"
    assert page.locator("#time-menu").get_attribute("open") is not None


def test_text_that_was_left_in_a_form_survives_an_update(page: Page, world: World, partner: PartnerClient) -> None:
    open_home(page, world)
    page.locator("#time-menu summary").click()
    page.locator("#when").fill("3d")
    page.locator("h1").click()
    partner.get("/team-orders")
    wait_for_calls(page, 1)
    assert page.locator("#when").input_value() == "3d"


HEAR = """kind => new Promise(resolve => {
  const channel = new BroadcastChannel(`giftsim-live-${document.getElementById("live").dataset.world}`);
  window.heard = new Promise(done => channel.addEventListener("message", ({data}) => {
    if (data.changes?.some(change => change.kind === kind)) done();
  }));
  resolve();
})"""


def test_only_pages_that_a_change_concerns_are_fetched_again(page: Page, world: World, partner: PartnerClient) -> None:
    page.clock.install()
    open_home(page, world)
    fetched: list[str] = []
    page.on("request", lambda request: fetched.append(request.url))
    page.evaluate("document.getElementById('live').dataset.kinds = 'mail fault'")
    other = open_home(page.context.new_page(), world)  # hears what the first tab passes on
    other.evaluate(HEAR, "call")
    partner.get("/team-orders")
    other.evaluate("window.heard")
    page.clock.run_for(5_000)
    assert fetched == []
    other.evaluate(HEAR, "mail")
    partner.create_order()
    other.evaluate("window.heard")
    with page.expect_request("**/"):
        page.clock.run_for(5_000)


def test_an_undo_elsewhere_is_shown(page: Page, world: World, partner: PartnerClient) -> None:
    partner.create_order()
    open_home(page, world)
    wait_for_calls(page, 1)
    world.call_control("POST", "/undo", {})
    wait_for_calls(page, 0)


def test_a_world_that_is_deleted_is_said_to_be_gone(visit: Visit, page: Page, world: World) -> None:
    open_home(page, world)
    world.call_control("DELETE", "")
    wait_for_state(page, "world gone")
    visit.problems = [problem for problem in visit.problems if LOST not in problem]


def test_a_form_that_cannot_be_found_again_is_waited_for(page: Page, world: World, partner: PartnerClient) -> None:
    page.clock.install()
    open_home(page, world)
    page.locator("#time-menu summary").click()
    page.evaluate("document.getElementById('time-jump').removeAttribute('id')")
    page.locator("#when").fill("3d")
    other = open_home(page.context.new_page(), world)
    other.evaluate(HEAR, "call")
    partner.get("/team-orders")
    other.evaluate("window.heard")
    page.clock.run_for(5_000)
    assert (calls(page).count(), page.locator("#when").input_value()) == (0, "3d")
    page.locator("#when").fill("")
    page.locator("h1").click()
    page.clock.run_for(5_000)
    wait_for_calls(page, 1)
