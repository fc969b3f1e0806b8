"""A page of another origin on this machine: it gets through only if it is allowed by name."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest

from giftsim import Simulator
from tests.support.browser import PHONE, Visit
from tests.support.listening import listening
from tests.support.orders import order_body

if TYPE_CHECKING:
    from playwright.sync_api import Page


# Orders from the page, as an app in development would; the answer has a header that only an allowed page may read.
ORDER = """async ([origin, body]) => {
  const headers = {"Authorization": "Bearer pk_live_default_prepaid", "Content-Type": "application/json"};
  const options = {method: "POST", headers, body: JSON.stringify(body), credentials: "include"};
  try {
    const answer = await fetch(origin + "/api/external/team-orders", options);
    const advance = {method: "POST", headers: {"Content-Type": "application/json"}, body: '{"by": "1d"}'};
    const clock = await fetch(origin + "/_sim/v1/worlds/default/clock/advance", advance);
    return [answer.status, answer.headers.get("x-request-id") !== null, clock.status];
  } catch (error) {
    return String(error);
  }
}"""


def order_from(visit: Visit, page_origin: str, origin: str) -> Any:
    """What a page of one origin gets when it orders at another."""
    visit.others += [page_origin, origin]
    visit.page.goto(f"{page_origin}/_sim/v1/health")
    return visit.page.evaluate(ORDER, [origin, order_body()])


@pytest.fixture(scope="module")
def other() -> Iterator[Simulator]:
    """A second simulator, on a port of its own, which lets no page of another origin in."""
    simulator = Simulator(fixture="empty")
    with listening(simulator):
        yield simulator


def test_a_page_gets_through_only_if_it_is_allowed(visit: Visit, other: Simulator) -> None:
    page_origin = other.registry.runtime.origin
    simulator = Simulator(fixture="empty")
    with listening(simulator, cors_allow=(page_origin,)):
        assert order_from(visit, page_origin, simulator.registry.runtime.origin) == [201, True, 200]
        assert order_from(visit, visit.origin, simulator.registry.runtime.origin) == "TypeError: Failed to fetch"
        assert len(visit.problems) == 2
        assert all("CORS policy" in problem or "net::ERR_FAILED" in problem for problem in visit.problems)
        visit.problems.clear()


@pytest.mark.parametrize("size", [PHONE], ids=["phone"])
def test_an_address_that_leads_nowhere_leads_to_the_home(page: Page, size: tuple[int, int]) -> None:
    page.goto("/helth")
    assert page.get_by_role("heading", level=1).inner_text() == "There is nothing here"
    assert "did you mean /_sim/v1/health?" in page.get_by_role("main").inner_text()
    page.get_by_role("link", name="Open the console").click()
    assert page.get_by_role("heading", level=1).inner_text() == "default"
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
