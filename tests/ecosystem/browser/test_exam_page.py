"""The page of an exam in a browser, with every part, and that of a search."""

from __future__ import annotations

from typing import Any

import pytest

from giftsim.workbench.exam.findings import findings
from giftsim.workbench.exam.page.exam_page import exam_page
from giftsim.workbench.exam.page.finding import Row
from giftsim.workbench.explore.explored_page import explored_page
from tests.support.axe import findings_in_both_schemes
from tests.support.browser import DESKTOP, PHONE, Visit

URL = "https://artifacts.example/exam.html"
HOSTILE = "</style><script>alert(1)</script><img src=x onerror=alert(1)>'\"&amp;"
LONG = "a_very_long_name_without_any_place_to_break_" * 4
AREA = {"met": ["createTeamOrder"], "missing": [f"cancelTeamOrder 409 {LONG}"], "apart": ["ping"], "percent": 50.0}


def rule(name: str, outcome: str, **texts: str) -> dict[str, Any]:
    """A rule of an exam's data."""
    said = {"reason": "", "why": "", "mend": "", "trace": "", **texts}
    return {"id": name, "rule": f"{name} {LONG}", "sources": ["P-4.17"], "outcome": outcome, "probes": 3, **said}


def page_of_all_parts() -> str:
    """An exam with every outcome, beside tests, coverage and assumptions."""
    rules = [
        rule("price_rise", "passed"),
        rule("pays_once", "failed", reason=HOSTILE, why=LONG, mend=HOSTILE, trace="traces/pays_once.html"),
        rule("orders_once", "failed", reason=HOSTILE, why=LONG, trace="traces/orders_once.html"),
        rule("settles", "not_offered", reason="the app does not offer settle"),
        rule("pages", "skipped"),
    ]
    counted = {"passed": 1, "failed": 1, "error": 0, "skipped": 0}
    failed = {"id": f"a {LONG}", "suite": LONG, "outcome": "failed", "message": HOSTILE}
    data = {
        "seed": 7,
        "seed_hash": "9" * 64,
        "passed": False,
        "runs": 3,
        "rules": rules,
        "findings": findings(rules),
        "app": "http://127.0.0.1:9100",
        "receiver": None,
        "only": [HOSTILE],
        "stopped": "Ctrl-C",
        "labels": {"app": LONG},
        "versions": {"giftsim": "0.2.0", "contracts": {"partner": "1.0.0"}},
        "tests": {"counts": counted, "seeds": ["42"], "suites": [{"name": LONG, **counted}], "not_passed": [failed]},
        "coverage": {"areas": {"operations": AREA}},
        "assumptions": [{"text": HOSTILE}],
    }
    return exam_page(data).decode()


@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_it_is_read_at_any_width_and_in_both_schemes(visit: Visit, size: tuple[int, int]) -> None:
    visit.pretend(URL, page_of_all_parts())
    page = visit.page
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.goto(URL)
    for _ in range(page.locator("details:not([open])").count()):
        page.locator("details:not([open]) > summary").first.click()
    assert findings_in_both_schemes(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
    assert page.locator("script, img").count() == 0
    assert page.get_by_role("heading", level=1).inner_text() == "2 of 5 rules are broken. 1 test failed."
    page.set_viewport_size({"width": DESKTOP[0], "height": DESKTOP[1]})


def test_figures_lead_to_their_parts_and_what_failed_comes_first(visit: Visit) -> None:
    visit.pretend(URL, page_of_all_parts())
    page = visit.page
    page.goto(URL)
    cards = page.get_by_role("navigation", name="Parts").get_by_role("link").all_inner_texts()
    assert [card.split("\n")[0].strip() for card in cards] == [
        "Passed",
        "Failed",
        "Not offered",
        "Skipped",
        "Tests",
        "Coverage",
    ]
    page.get_by_role("link", name="Failed 2 broken").click()
    assert page.url.endswith("#findings")
    rules = page.get_by_role("region", name="Rules")
    assert rules.locator(".badge").all_inner_texts() == ["failed", "failed", "skipped", "not offered", "passed"]
    for link in rules.get_by_role("link", name="Finding").all():
        link.click()
        assert page.url.endswith("#finding-pays_once")
    finding = page.locator("#finding-pays_once")
    assert finding.get_by_role("term").all_inner_texts() == ["Why", "Found", "Mend", "Rests on"]
    finding.get_by_text("Breaks 1 more rule in the same way").click()
    other = finding.get_by_role("listitem").filter(has_text="orders_once")
    assert other.get_by_role("link", name="Trace").get_attribute("href") == "traces/orders_once.html"
    assert finding.get_by_role("link", name="Trace").last.get_attribute("href") == "traces/pays_once.html"
    assert finding.locator("pre").inner_text() == ("giftsim exam --app http://127.0.0.1:9100 --seed 7 --only pays_once")


DRAWING = (
    Row("step", "1. order-1 is requested", at="4 January 2027, 09:00"),
    Row("call", "createTeamOrder", "done, but the answer is lost", bad=True),
    Row("person", "bo claims after 2h", at="4 January 2027, 11:00 (+2 h)"),
    Row("webhook", "team_order.claimed", "200"),
    Row("service", "the parcel is handed to the carrier"),
    Row("wrong", HOSTILE, bad=True),
)
WHY, ADVICE = f"The app answered 500 {HOSTILE}", "the app decides what it answers"
FINDING = {
    "reason": HOSTILE,
    "verdicts": [{"kind": "refused_by_app", "sentence": WHY, "marks": [], "mend": {}, "why_not": ADVICE}],
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


def test_a_search_has_the_same_findings_with_a_drawing_of_each(visit: Visit) -> None:
    visit.pretend(URL, explored_page(REPORT, (DRAWING, DRAWING), "seed").decode())
    shown = visit.page
    shown.goto(URL)
    assert shown.get_by_role("heading", level=1).inner_text() == "2 findings in 30 seeds"
    assert shown.get_by_role("heading", level=2).all_inner_texts() == ["Findings 2", "Never reached"]
    assert shown.get_by_role("heading", level=3).all_inner_texts() == ["order-1 is late", WHY]
    assert shown.get_by_role("navigation").get_by_role("link").all_inner_texts() == ["order-1 is late", WHY]
    assert shown.locator("section").nth(1).get_by_role("definition").all_inner_texts() == [HOSTILE, ADVICE]
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


def test_the_page_of_a_search_is_for_everyone_wide_and_on_a_phone(visit: Visit) -> None:
    visit.pretend(URL, explored_page(REPORT, (DRAWING, DRAWING), "seed").decode())
    shown = visit.page
    shown.goto(URL)
    shown.evaluate("for (const each of document.querySelectorAll('details')) each.open = true")
    assert findings_in_both_schemes(shown) == []
    shown.set_viewport_size({"width": 360, "height": 800})
    assert findings_in_both_schemes(shown) == []
    assert shown.evaluate("document.documentElement.scrollWidth <= innerWidth")
