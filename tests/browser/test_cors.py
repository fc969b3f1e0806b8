"""A page of another origin on this machine: it gets through only if it is allowed by name."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from giftsim import Simulator
from tests.support.browser import Visit
from tests.support.listening import listening
from tests.support.orders import order_body

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
