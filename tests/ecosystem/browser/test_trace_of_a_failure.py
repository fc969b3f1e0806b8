"""From the trace of a failed test alone a person finds why it failed, goes back, mends it and runs on."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from giftsim import Simulator
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
    follow(page, region(page, "Caused by").get_by_role("link"))
    assert "A new idempotency_key" in page.locator(".hint").inner_text()
    assert "test_shop.py:" in page.locator("main").inner_text()
    follow(page, page.locator(".hint").get_by_role("link"))
    assert "closed without an answer" in page.locator("main").inner_text()
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
    follow(page, link_of(page, "team_order.claimed, attempt 1"))
    attempts = region(page, "Attempts").get_by_role("listitem")
    assert attempts.count() > 5
    assert all("503" in row for row in attempts.all_inner_texts())
    follow(page, region(page, "Caused by").get_by_role("link", name="team_order.claimed"))
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
