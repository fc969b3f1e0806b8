"""From the trace of a failed test alone a person finds why it failed, goes back, mends it and runs on."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import msgspec
import pytest

from giftsim import Simulator
from giftsim.workbench.trace.file import pack_page, read_trace_file
from tests.support.axe import findings_in_both_schemes
from tests.support.browser import Visit
from tests.support.failing_tests import traces_of_failing_tests
from tests.support.orders import RENO
from tests.support.responses import created
from tests.support.trace_page import entry, follow, link_of, region, show
from tests.support.worlds import World

Traces = dict[str, str]


@pytest.fixture(scope="module")
def traces(tmp_path_factory: pytest.TempPathFactory) -> Traces:
    """The files of the traces that failing tests leave, by the names of the tests."""
    return traces_of_failing_tests(tmp_path_factory.mktemp("project"))


@pytest.fixture
def continued(simulator: Simulator) -> Iterator[Callable[[str, int], World]]:
    """Open a world as it was after an entry of a trace."""
    worlds: list[World] = []

    def make(trace: str, at: int) -> World:
        worlds.append(World(simulator, trace=trace, at=at))
        return worlds[-1]

    yield make
    for world in worlds:
        world.control.delete(f"/worlds/{world.id}")


def test_why_an_order_was_charged_twice(visit: Visit, traces: Traces, continued: Callable[[str, int], World]) -> None:
    trace = traces["test_charged_once"]
    page = show(visit, trace)
    assert "assert 2 == 1" in region(page, "Failure").first.inner_text()
    assert "sent the same again with another key" in region(page, "Failure").first.locator("b").first.inner_text()
    assert entry(page) == 3
    follow(page, region(page, "Failure").first.get_by_role("link", name="5 the same again, with another key"))
    assert "test_shop.py:" in page.locator("main").inner_text()
    follow(page, page.locator(".hint").get_by_role("link"))
    assert "No answer: the connection was closed." in page.locator("main").inner_text()
    page.keyboard.press("ArrowLeft")
    page.locator('[role=slider][aria-valuenow="2"]').wait_for()
    world = continued(trace, entry(page))
    partner = world.partner()
    with pytest.raises(ConnectionError):
        partner.create_order(idempotency_key="A-1")
    created(partner.create_order(idempotency_key="A-1"))
    assert len(world.call_control("GET", "/payments")["payments"]) == 1


def test_why_a_webhook_never_came(visit: Visit, traces: Traces, continued: Callable[[str, int], World]) -> None:
    trace = traces["test_told"]
    page = show(visit, trace)
    assert "answered 503 to 9 attempts" in region(page, "Failure").first.locator("b").first.inner_text()
    follow(page, link_of(page, "team_order.claimed, attempt 1"))
    attempts = region(page, "Attempts").get_by_role("listitem")
    assert attempts.count() > 5
    assert all("503" in row for row in attempts.all_inner_texts())
    follow(page, region(page, "Caused by").get_by_role("link", name="team_order.claimed", exact=True))
    follow(page, region(page, "Caused by").get_by_role("link", name="Claim a gift"))
    world = continued(trace, entry(page))
    world.set_receiver("shop.example", then={"status": 200})
    world.advance("5d")
    assert [row["status"] for row in world.deliveries()] == [200]


def test_why_a_claim_was_refused(visit: Visit, traces: Traces, continued: Callable[[str, int], World]) -> None:
    trace = traces["test_claimed_at_last"]
    page = show(visit, trace)
    follow(page, link_of(page, "claim link expires"))
    assert "expired" in region(page, "Changes").inner_text()
    follow(page, region(page, "Caused by").get_by_role("link", name="order"))
    world = continued(trace, entry(page))
    order: Any = world.call_control("GET", "/orders")["orders"][0]
    world.simulate("claim", team_order_id=order["id"], recipient=0, address=RENO)
    assert world.call_control("GET", "/parcels")["parcels"][0]["status"] != "expired"


SENTENCE = "No endpoint was subscribed to team_order.claimed when it happened."
NO_LINE = dict.fromkeys(("pytest", "vitest", "curl", "scenario"))
MEND = {
    "pytest": 'giftsim.subscribe("team_order.claimed")',
    "vitest": "await world.subscribe('team_order.claimed')",
    "curl": 'curl -s "$GIFTSIM/api/external/webhooks"',
    "scenario": "- subscribe: [team_order.claimed]",
}


def with_verdicts(trace: str, *verdicts: dict[str, Any]) -> str:
    """The file of a trace with other verdicts."""
    data = read_trace_file(trace.encode()) | {"verdicts": list(verdicts)}
    return pack_page(msgspec.json.encode(data), "a trace").decode()


def test_the_page_opens_at_the_first_mark_with_the_sentence_and_the_line_that_mends_it(
    visit: Visit, traces: Traces
) -> None:
    marks = [{"entry": 6, "what": "the claim"}, {"entry": 3, "what": "the order"}]
    verdict = {"kind": "not_subscribed", "sentence": SENTENCE, "marks": marks, "mend": MEND}
    also = {
        "kind": "not_due",
        "sentence": "It is due later.",
        "marks": marks[:1],
        "mend": NO_LINE,
        "why_not": "No line.",
    }
    page = show(visit, with_verdicts(traces["test_told"], verdict, also))
    assert entry(page) == 6
    banner = region(page, "Failure").first
    assert banner.locator("b").first.inner_text() == SENTENCE
    assert "test_shop.py:" in banner.inner_text()
    assert page.locator(".hint").first.inner_text() == "the claim"
    shown = banner.get_by_label("The line that mends it")
    assert shown.inner_text() == MEND["pytest"]
    for kind in ("curl", "Vitest", "scenario"):
        banner.get_by_role("button", name=kind, exact=True).click()
        assert shown.inner_text() == MEND[kind.lower()]
    banner.get_by_text("Also true: 1").click()
    assert "It is due later." in banner.inner_text()
    assert findings_in_both_schemes(page) == []
    for _ in range(3):
        assert page.locator("line.bad").count() == 1, "a red line connects the marks, whatever entry is shown"
        page.keyboard.press("ArrowRight")


def test_without_a_verdict_nothing_is_blamed_and_without_a_line_the_page_says_why(visit: Visit, traces: Traces) -> None:
    page = show(visit, with_verdicts(traces["test_told"]))
    assert "assert 503 == 200" in region(page, "Failure").first.locator("b").inner_text()
    assert page.get_by_role("slider", name="Time").get_attribute("aria-valuemax") == str(entry(page))
    assert page.locator("line.bad").count() == 0
    assert "Nothing in this trace" in region(page, "Caused by").inner_text()
    alone: dict[str, Any] = {
        "kind": "x",
        "sentence": SENTENCE,
        "marks": [],
        "mend": NO_LINE,
        "why_not": "It was lost outside.",
    }
    page = show(visit, with_verdicts(traces["test_told"], alone))
    assert "It was lost outside." in region(page, "Failure").first.inner_text()
