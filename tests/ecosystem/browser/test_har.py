"""A HAR file of giftsim is read by another tool: Playwright answers a page's calls from it."""

from __future__ import annotations

from pathlib import Path

from giftsim.workbench.har.writing import in_order, write_har
from tests.support.browser import Visit
from tests.support.worlds import World

ORIGIN = "http://recorded.example"


def test_playwright_answers_from_a_written_file(visit: Visit, world: World, tmp_path: Path) -> None:
    partner = world.partner()
    partner.create_order(idempotency_key="one")
    expected = partner.get("/team-orders?limit=5").json()
    file = tmp_path / "app.har"
    file.write_bytes(write_har(in_order(world.rows("calls"), [], ORIGIN), "1"))
    visit.page.route("**/favicon.ico", lambda route: route.fulfill(status=204))
    visit.page.route_from_har(file, url=f"{ORIGIN}/api/**", not_found="abort")
    answer = visit.page.goto(f"{ORIGIN}/api/external/team-orders?limit=5")
    assert answer is not None
    assert (answer.status, answer.json()) == (200, expected)
