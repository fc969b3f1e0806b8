"""The page of an exploration, in a browser."""

from __future__ import annotations

from typing import TYPE_CHECKING

from giftsim.workbench.explore.drawing import Row
from giftsim.workbench.explore.exploration_page import render_exploration_page as explore_page
from tests.support.axe import findings_in_both_schemes
from tests.support.browser import Visit

if TYPE_CHECKING:
    from playwright.sync_api import Page

URL = "https://artifacts.example/index.html"
HOSTILE = "</style><img src=x onerror=alert(1)>"
DRAWING = (
    Row("step", "1. order-1 is requested", at="4 January 2027, 09:00"),
    Row("call", "createTeamOrder", "done, but the answer is lost", bad=True),
    Row("person", "bo claims after 2h", at="4 January 2027, 11:00 (+2 h)"),
    Row("webhook", "team_order.claimed", "200"),
    Row("service", "the parcel is handed to the carrier"),
    Row("wrong", HOSTILE, bad=True),
)
NO_LINE = dict.fromkeys(("pytest", "vitest", "curl", "scenario"))
WHY = f"The app answered 500 {HOSTILE}"
FINDING = {
    "reason": HOSTILE,
    "verdicts": [{"kind": "refused_by_app", "sentence": WHY, "marks": [], "mend": NO_LINE, "why_not": None}],
    "seeds": [3],
    "file": "explored/a.yaml",
    "trace": "explored/a.html",
    "steps": 7,
    "wrong_after": None,
    "repeats": True,
    "story": ["order-1 is requested"],
    "again": "giftsim play explored/a.yaml --app http://127.0.0.1:9100",
}
REPORT = {
    "app": "http://127.0.0.1:9100",
    "seeds": 30,
    "stopped": None,
    "plays": 40,
    "findings": [FINDING, {**FINDING, "verdicts": [], "reason": "order-1 is late", "seeds": [1, 2], "repeats": False}],
    "reached": {"events": ["team_order.claimed"]},
    "missing": {"events": ["team_order.delivered", "team_order.needs_attention"]},
}


def show(visit: Visit) -> Page:
    """Open the page of an exploration with two kinds of failure."""
    content = explore_page(REPORT, (DRAWING, DRAWING), "seed")
    visit.pretend(URL, content.decode())
    visit.page.goto(URL)
    return visit.page


def test_arrows_run_between_the_lifelines_and_texts_are_only_text(visit: Visit) -> None:
    shown = show(visit)
    assert shown.get_by_role("heading", level=2).all_inner_texts() == ["order-1 is late", WHY, "Never reached"]
    assert shown.get_by_role("navigation").get_by_role("link").all_inner_texts() == ["order-1 is late", WHY]
    assert shown.locator("section").nth(1).locator("p").first.inner_text() == HOSTILE
    first = shown.locator("section").first
    edges = first.evaluate(
        "(it) => ['call', 'webhook', 'person'].map((kind) => it.querySelector(`li.${kind}`).getBoundingClientRect())"
        ".map((box) => [Math.round(box.left), Math.round(box.right)])"
    )
    assert edges[0] == edges[1]
    assert edges[0][1] == edges[2][0]
    assert first.locator("li.call").inner_text().split("\n")[-1] == "done, but the answer is lost"
    assert HOSTILE in first.locator("li.wrong").inner_text()
    assert "The app calls giftsim:" in (first.locator("li.call").text_content() or "")


def test_the_page_is_for_everyone_wide_and_on_a_phone(visit: Visit) -> None:
    shown = show(visit)
    shown.evaluate("for (const each of document.querySelectorAll('details')) each.open = true")
    assert findings_in_both_schemes(shown) == []
    shown.set_viewport_size({"width": 360, "height": 800})
    assert findings_in_both_schemes(shown) == []
    assert shown.evaluate("document.documentElement.scrollWidth <= innerWidth")
