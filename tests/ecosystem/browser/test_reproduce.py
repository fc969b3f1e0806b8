"""Somebody has a bug before his eyes: two clicks later there is a file that shows it to anybody."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.support.browser import Visit
from tests.support.trace_page import region, show
from tests.support.worlds import World

if TYPE_CHECKING:
    from playwright.sync_api import Locator

MOST_CLICKS = 2


class Clicks:
    """Clicks of a user, which are counted."""

    def __init__(self) -> None:
        self.count = 0

    def on(self, target: Locator) -> None:
        """Click, once more."""
        self.count += 1
        target.click()


@pytest.fixture
def unpaid(world: World) -> World:
    """A world in which an app placed an order that was not paid, and its webhooks failed for a day."""
    world.partner().create_order()
    world.set_receiver(then={"status": 503})
    world.partner("partner.no_funds").create_order()
    world.advance("1d")
    return world


def paths(world: World) -> dict[str, str]:
    """Where the bug is looked at: at the order, or at the call."""
    calls: Any = world.call_control("GET", "/calls?order=newest")["calls"]
    failed = next(call["seq"] for call in calls if call["response"]["status"] == 402)
    return {"order": f"/w/{world.id}/orders/order/1002", "call": f"/w/{world.id}/calls/{failed}"}


def download(visit: Visit, path: str, name: str, folder: Path) -> str:
    """The file of this name, two clicks from a page."""
    page, clicks = visit.page, Clicks()
    page.goto(path)
    clicks.on(page.locator("summary", has_text="Reproduce"))
    with page.expect_download() as download:
        clicks.on(page.get_by_role("link", name=name))
    assert clicks.count <= MOST_CLICKS
    download.value.save_as(folder / "file")
    return (folder / "file").read_text(encoding="utf-8")


@pytest.mark.parametrize("place", ["order", "call"])
def test_a_scenario_file_makes_it_again(visit: Visit, unpaid: World, tmp_path: Path, place: str) -> None:
    text = download(visit, paths(unpaid)[place], "Scenario file", tmp_path)
    report = unpaid.client.call(
        "POST", "/_sim/v1/scenarios/play", body=text, headers={"Content-Type": "application/yaml"}
    ).json()
    assert report["outcome"] == "passed"
    assert "402" in text


@pytest.mark.parametrize("place", ["order", "call"])
def test_a_trace_file_shows_it(visit: Visit, unpaid: World, tmp_path: Path, place: str) -> None:
    trace = download(visit, paths(unpaid)[place], "Trace file", tmp_path)
    page = show(visit, trace)
    page.get_by_role("navigation", name="Entries").get_by_text("402").first.click()
    assert "insufficient_funds" in region(page, "Response").inner_text()
