"""From the trace of a failed test alone a person finds why it failed, goes back, mends it and runs on."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from giftsim import Simulator
from tests.support.browser import Visit
from tests.support.orders import RENO
from tests.support.responses import created
from tests.support.trace_page import entry, follow, link_of, region, show
from tests.support.worlds import World

ROOT = Path(__file__).parents[2]
HOST = "http://gifts.vendor.example"
TESTS = f"""
import pytest
from shop import Shop

BO = {{"name": "Bo", "email": "bo@example.com"}}


def open_shop(giftsim, bugs=()):
    shop = Shop(bugs)
    shop.start("{HOST}", giftsim.credentials["partner.prepaid"]["value"], "")
    return shop


def test_charged_once(giftsim):
    giftsim.fault(drop="after", match={{"operation": "createTeamOrder"}}, when={{"first": 1}})
    with giftsim.route("{HOST}", "partner.prepaid"):
        open_shop(giftsim, ["new-key"]).order("A-1", BO)
    assert len(giftsim.listed("payments")) == 1


def test_told(giftsim):
    giftsim.subscribe("team_order.claimed", url="https://shop.example/hooks")
    giftsim.receiver("shop.example", then={{"status": 503}})
    with giftsim.route("{HOST}", "partner.prepaid"):
        open_shop(giftsim).order("A-2", BO)
    giftsim.claim(giftsim.listed("orders")[0])
    giftsim.advance("5d")
    assert giftsim.listed("deliveries")[-1]["status"] == 200


def test_claimed_at_last(giftsim):
    with giftsim.route("{HOST}", "partner.prepaid"):
        open_shop(giftsim).order("A-3", BO)
    giftsim.advance("31d")
    assert giftsim.listed("parcels")[0]["status"] != "expired"
"""


@pytest.fixture(scope="module")
def traces(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], str]:
    """The files of the traces that a run of failing tests leaves, by the names of the tests."""
    folder = tmp_path_factory.mktemp("project")
    (folder / "test_shop.py").write_text(TESTS)
    paths = os.pathsep.join([str(ROOT / "simulator"), str(ROOT / "examples")])
    command = [sys.executable, "-m", "pytest", "-q", "-p", "giftsim", "-p", "no:cacheprovider", str(folder)]
    environ = {**os.environ, "PYTHONPATH": paths, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    done = subprocess.run(command, cwd=folder, env=environ, capture_output=True, text=True, check=False)
    assert "3 failed" in done.stdout, done.stdout

    def trace(name: str) -> str:
        return (folder / ".giftsim" / "traces" / f"test_shop.py-{name}.html").read_text(encoding="utf-8")

    return trace


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


def test_why_an_order_was_charged_twice(
    visit: Visit, traces: Callable[[str], str], continued: Callable[[str, int], World]
) -> None:
    trace = traces("test_charged_once")
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


def test_why_a_webhook_never_came(
    visit: Visit, traces: Callable[[str], str], continued: Callable[[str, int], World]
) -> None:
    trace = traces("test_told")
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


def test_why_a_claim_was_refused(
    visit: Visit, traces: Callable[[str], str], continued: Callable[[str, int], World]
) -> None:
    trace = traces("test_claimed_at_last")
    page = show(visit, trace)
    follow(page, link_of(page, "claim link expires"))
    assert "expired" in region(page, "Changes").inner_text()
    follow(page, region(page, "Caused by").get_by_role("link", name="order"))
    world = continued(trace, entry(page))
    order: Any = world.call_control("GET", "/orders")["orders"][0]
    world.simulate("claim", team_order_id=order["id"], recipient=0, address=RENO)
    assert world.call_control("GET", "/parcels")["parcels"][0]["status"] != "expired"
