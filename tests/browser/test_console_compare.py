"""Two forks compared in the console, in a browser."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.support.axe import findings_in_both_schemes
from tests.support.worlds import ExistingWorld, World

if TYPE_CHECKING:
    from playwright.sync_api import Page


def test_two_forks_are_compared_and_one_is_opened(page: Page, world: World) -> None:
    world.partner().create_order()
    page.goto(f"/w/{world.id}/compare")
    page.get_by_role("button", name="Fork and compare now").click()
    page.get_by_text("Nothing differs").wait_for()
    fork = ExistingWorld(world.simulator, page.url.partition("with=")[2])
    fork.simulate("claim", team_order_id=1001, recipient=0)
    world.partner().create_order(idempotency_key="more")
    page.reload()
    main = page.get_by_role("main")
    assert f"team_order.claimed team_order 1001 recipient 200001 only in {fork.id}" in main.inner_text()
    assert f"What the ledger moved: 1 entry only in {world.id}, 0 entries only in {fork.id}" in main.inner_text()
    assert findings_in_both_schemes(page) == []
    page.get_by_role("link", name="parcel 2").click()
    row = page.locator("#diff-parcel-500001-changed")
    assert "awaiting" in row.inner_text()
    page.get_by_role("link", name=f"Open {fork.id}", exact=True).click()
    page.wait_for_url(f"**/w/{fork.id}/")
    page.go_back()
    page.get_by_role("link", name="Look from there").click()
    page.wait_for_url(f"**/w/{fork.id}/compare?with={world.id}*")
    page.goto("about:blank")  # its page follows the world
    fork.call_control("DELETE", "")
