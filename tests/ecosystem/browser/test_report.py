"""The page of a report in a browser, made from a report that has every part."""

from __future__ import annotations

import pytest

from giftsim.workbench.report.junit import Case, JunitTests
from giftsim.workbench.report.readiness import Played
from giftsim.workbench.report.report import Parts, report_data
from giftsim.workbench.report.report_page import report_page
from tests.support.axe import findings_in_both_schemes
from tests.support.browser import DESKTOP, PHONE, Visit

URL = "https://artifacts.example/report.html"
HOSTILE = "</style><script>alert(1)</script><img src=x onerror=alert(1)>'\"&amp;"
LONG = "a_very_long_name_without_any_place_to_break_" * 4
AREA = {"met": ["createTeamOrder"], "missing": [f"cancelTeamOrder 409 {LONG}"], "apart": ["ping"], "percent": 50.0}


def page_of_all_parts() -> str:
    """A report with every part, in which something failed everywhere."""
    probes = [
        {"name": name, "outcome": outcome, "reason": HOSTILE, "source": "P-6.13"}
        for name, outcome in (("genuine", "pass"), ("ping", "fail"), (LONG, "warning"), ("burst", "skipped"))
    ]
    played = [
        Played("lost_answer", "An answer is lost", "failed", 1, {"P-4.17": "`key` again"}, HOSTILE, "traces/a.html"),
        Played("settle", "Terms", "not offered", 1, {"P-1.7": HOSTILE}, "POST /giftsim/do settle answered 501"),
        Played("price_rise", "A price rises", "passed", 1, {"P-2.26": LONG}),
    ]
    cases = (Case(f"a {LONG}", LONG, "failed", HOSTILE), Case("b", "b", "passed"), Case("c", "b", "skipped"))
    parts = Parts(
        title=HOSTILE,
        made_at="2027-03-01T09:00:00Z",
        labels={"app": LONG},
        versions={"giftsim": "0.2.0", "contracts": {"partner": "1.0.0"}},
        tests=JunitTests(cases, ("seed 42",)),
        coverage={"areas": {"operations": AREA}},
        receiver={"probes": probes},
        receiver_seed=1,
        readiness=played,
        assumptions=[{"text": HOSTILE}],
    )
    return report_page(report_data(parts)).decode()


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
    assert page.get_by_role("heading", level=1).inner_text() == HOSTILE
    page.set_viewport_size({"width": DESKTOP[0], "height": DESKTOP[1]})


def test_cards_lead_to_their_parts_and_what_failed_comes_first(visit: Visit) -> None:
    visit.pretend(URL, page_of_all_parts())
    page = visit.page
    page.goto(URL)
    cards = page.get_by_role("navigation", name="Parts").get_by_role("link").all_inner_texts()
    assert [card.split("\n")[0].strip() for card in cards] == [
        "Readiness pack",
        "Tests",
        "Coverage",
        "Webhook receiver",
    ]
    page.get_by_role("link", name="Readiness pack").click()
    assert page.url.endswith("#readiness")
    section = page.get_by_role("region", name="Readiness pack")
    assert section.locator(".badge").all_inner_texts() == ["failed", "not offered", "passed"]
    assert section.get_by_role("link").get_attribute("href") == "traces/a.html"
