"""What was met stays met: undone, reset, restored, deleted, dropped from a log, forked, and after a restart."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from giftsim import Simulator
from giftsim.engine.worlds.call_log import MAX_ENTRIES
from tests.support.app_answers import take_webhooks
from tests.support.orders import RENO, address_recipients
from tests.support.worlds import World

CLAIMED = "shipment: awaiting --claim--> submitted"


@pytest.fixture
def keeping() -> Iterator[Simulator]:
    """A simulator that keeps the coverage of all worlds."""
    simulator = Simulator(fixture="empty")
    simulator.keep_coverage(all_worlds=True)
    yield simulator
    simulator.close()


def areas(world: World) -> Any:
    """The areas of a world's coverage."""
    return world.call_control("GET", "/coverage?next=false")["areas"]


def whole(simulator: Simulator) -> Any:
    """The areas of the coverage of all worlds."""
    return simulator.client.call("GET", "/_sim/v1/coverage?next=false").json()["areas"]


def claim(world: World) -> None:
    """Order a mug, and claim it."""
    order = world.partner().create_order().json()["team_order"]["id"]
    world.simulate("claim", team_order_id=order, recipient=0, address=RENO)


def undo(world: World) -> None:
    """Undo the order."""
    world.call_control("POST", "/undo", {"count": 1})


def reset(world: World) -> None:
    """Start over."""
    world.call_control("POST", "/reset")


def restore(world: World) -> None:
    """Return to the snapshot `before`."""
    world.call_control("POST", "/snapshots/before/restore")


LOSSES = (undo, reset, restore)


@pytest.mark.parametrize("lose", LOSSES)
def test_what_is_taken_back_was_met(keeping: Simulator, lose: Callable[[World], None]) -> None:
    world = World(keeping, fixture="empty")
    world.call_control("POST", "/snapshots", {"name": "before"})
    claim(world)
    lose(world)
    found = areas(world)
    assert CLAIMED in found["transitions"]["met"]
    assert found["operations"]["met"] == ["createTeamOrder"]


@pytest.mark.parametrize("lose", LOSSES)
def test_what_comes_after_it_is_met_too(keeping: Simulator, lose: Callable[[World], None]) -> None:
    world = World(keeping, fixture="empty")
    world.call_control("POST", "/snapshots", {"name": "before"})
    world.partner().subscribe("team_order.claimed")
    claim(world)
    world.advance("2h")
    take_webhooks(world.call_control)
    lose(world)
    taken = len(world.deliveries())
    world.partner().get("/team-orders")
    world.partner().subscribe("team_order.shipped")
    world.partner().create_order(idempotency_key="second", recipients=address_recipients())
    world.advance("5d")
    take_webhooks(world.call_control, taken)
    found = areas(world)
    assert found["operations"]["met"] == ["createTeamOrder", "createWebhook", "listTeamOrders"]
    assert found["events"]["met"] == ["team_order.claimed", "team_order.shipped"]


@pytest.mark.parametrize("lose", LOSSES)
def test_from_the_first_question_on_nothing_is_lost(world: World, lose: Callable[[World], None]) -> None:
    areas(world)
    world.call_control("POST", "/snapshots", {"name": "before"})
    claim(world)
    lose(world)
    assert CLAIMED in areas(world)["transitions"]["met"]


def test_before_the_first_question_only_what_the_logs_hold_counts(world: World) -> None:
    claim(world)
    reset(world)
    world.partner().get("/team-orders")
    assert areas(world)["operations"]["met"] == ["listTeamOrders"]


def test_worlds_that_were_deleted_count_in_the_whole(keeping: Simulator) -> None:
    world = World(keeping, fixture="empty")
    claim(world)
    keeping.client.call("DELETE", f"/_sim/v1/worlds/{world.id}")
    other = World(keeping, fixture="empty")
    other.partner().get("/team-orders")
    found = whole(keeping)
    assert found["operations"]["met"] == ["createTeamOrder", "listTeamOrders"]
    assert CLAIMED in found["transitions"]["met"]


def test_a_retry_is_counted_once_however_often_one_asks(world: World) -> None:
    partner = world.partner()
    for _ in range(3):
        partner.get("/team-orders", X_Sim_Fault="status=500")
        areas(world)
    [retries] = world.call_control("GET", "/coverage?next=false")["details"]["retries"].values()
    assert (retries["met"], retries["retried"]) == (3, 2)


def test_a_fork_counts_what_happens_in_it(keeping: Simulator) -> None:
    world = World(keeping, fixture="empty")
    claim(world)
    fork = keeping.client.call("POST", f"/_sim/v1/worlds/{world.id}/fork", body={}).json()["id"]
    found = keeping.client.call("GET", f"/_sim/v1/worlds/{fork}/coverage?next=false").json()["areas"]
    assert (found["operations"]["met"], found["transitions"]["met"]) == ([], [])
    keeping.client.call("POST", f"/_sim/v1/worlds/{fork}/clock/advance", body={"by": "5d"})
    found = keeping.client.call("GET", f"/_sim/v1/worlds/{fork}/coverage?next=false").json()["areas"]
    assert "shipment: labeled --ship--> shipped" in found["transitions"]["met"]
    assert CLAIMED not in found["transitions"]["met"]


@pytest.mark.parametrize("asked_before", [True, False])
def test_calls_that_the_log_drops_count_from_the_first_question_on(world: World, asked_before: bool) -> None:
    if asked_before:
        areas(world)
    partner = world.partner()
    partner.get("/webhooks")
    for _ in range(MAX_ENTRIES + 5):
        partner.get("/team-orders?limit=1")
    assert ("listWebhooks" in areas(world)["operations"]["met"]) == asked_before


def test_a_restart_counts_what_the_journal_file_plays_again(tmp_path: Path) -> None:
    journal = tmp_path / "journal"
    first = Simulator(fixture="empty", journal=journal)
    claim(World(first, fixture="empty", id="kept"))
    first.close()
    second = Simulator(fixture="empty", journal=journal)
    second.keep_coverage(all_worlds=True)
    found = second.client.call("GET", "/_sim/v1/worlds/kept/coverage?next=false").json()["areas"]
    second.close()
    assert CLAIMED in found["transitions"]["met"]
    assert found["operations"]["met"] == ["createTeamOrder"]
