"""A HAR file of giftsim is read by another tool: Playwright answers a page's calls from it."""

from __future__ import annotations

from pathlib import Path

from giftsim.workbench.har.writing import in_order, write_har
from tests.support.browser import Visit
from tests.support.worlds import World


def test_playwright_answers_from_a_written_file(visit: Visit, world: World, tmp_path: Path) -> None:
    origin, partner = world.simulator.registry.runtime.origin, world.partner()
    partner.create_order(idempotency_key="one")
    expected = partner.get("/team-orders?limit=5").json()
    file = tmp_path / "app.har"
    file.write_bytes(write_har(in_order(world.rows("calls"), [], origin), "1"))
    visit.page.route_from_har(file, url=f"{origin}/api/**", not_found="abort")
    answer = visit.page.goto(f"{origin}/api/external/team-orders?limit=5")
    assert answer is not None  # the simulator itself would refuse it: the page sends no credential
    assert (answer.status, answer.json()) == (200, expected)
