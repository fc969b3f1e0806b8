"""The page of a coverage, in a browser."""

from __future__ import annotations

from typing import TYPE_CHECKING

from giftsim.workbench.coverage.coverage_page import render_coverage_page as coverage_page
from tests.support.axe import findings_in_both_schemes
from tests.support.browser import Visit
from tests.support.worlds import World

if TYPE_CHECKING:
    from playwright.sync_api import Page

URL = "https://artifacts.example/coverage.html"
HOSTILE = "</script><img src=x onerror=alert(1)>"


def show(visit: Visit, world: World) -> Page:
    """Open the page of a world in which an order was made, read after an error, and shipped."""
    partner = world.partner()
    order = partner.create_order().json()["team_order"]["id"]
    world.add_fault({"status": 503}, when={"first": 1})
    partner.get(f"/team-orders/{order}")
    partner.get(f"/team-orders/{order}")
    data = world.call_control("GET", "/coverage")
    step = {"gap": "cancelTeamOrder", "why": HOSTILE, "fault": {"status": 503}, "pytest": "def test_it(): ...\n"}
    data = {**data, "next": [{**step, "vitest": "test('it', () => {})"}]}
    assert coverage_page(data) == coverage_page(data)
    visit.pretend(URL, coverage_page(data).decode())
    visit.page.goto(URL)
    return visit.page


def test_a_gap_opens_to_its_next_step_which_can_be_copied(visit: Visit, world: World) -> None:
    shown = show(visit, world)
    assert "2 met, 3 missing" in shown.get_by_role("link", name="Operations").inner_text()
    shown.get_by_role("link", name="Cancel a team order or some of its recipients: not called").click()
    assert shown.evaluate("location.hash") == "#gap-cancelTeamOrder"
    assert shown.get_by_role("img", name="shipment: ").count() == 1
    shown.locator("#operations").get_by_text("cancelTeamOrder", exact=True).click()
    gap = shown.get_by_role("listitem").filter(has_text="cancelTeamOrder")
    assert HOSTILE in gap.inner_text()
    assert '"status": 503' in gap.locator("pre").first.inner_text()
    gap.get_by_role("button", name="Copy").nth(1).click()
    gap.get_by_role("button", name="Copied").wait_for()
    row = shown.get_by_role("row").filter(has_text="getTeamOrder 503")
    assert row.get_by_role("cell").all_inner_texts()[1:3] == ["1", "1"]


def test_the_page_is_for_everyone_wide_and_on_a_phone(visit: Visit, world: World) -> None:
    shown = show(visit, world)
    shown.evaluate("for (const each of document.querySelectorAll('details')) each.open = true")
    assert findings_in_both_schemes(shown) == []
    shown.set_viewport_size({"width": 390, "height": 844})
    assert findings_in_both_schemes(shown) == []
    assert shown.evaluate("document.documentElement.scrollWidth <= innerWidth")
