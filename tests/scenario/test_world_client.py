"""The client of a world: its lists, its credentials and its errors."""

from __future__ import annotations

import pytest

from giftsim.scenario import load
from giftsim.scenario.world_client import StepFailed, WorldClient, create_world
from tests.scenario.builders import HEAD, WORLD, FakeSimulator, response


def world_of(simulator: FakeSimulator) -> WorldClient:
    return create_world(simulator, load(f"{HEAD}steps: [advance: 1d]\n"))


def test_a_list_is_read_over_all_pages_and_then_from_its_last_entry() -> None:
    simulator = FakeSimulator()
    for number in range(5):
        simulator.add_at(f"2027-01-04T09:00:0{number}Z", "events", type=f"event.{number}")
    world = world_of(simulator)
    world.control("POST", "/clock/advance", {"by": "2s"})
    events = world.lists["events"]
    events.read()
    world.control("POST", "/clock/advance", {"by": "2s"})
    events.read()
    assert [event["seq"] for event in events.items] == [1, 2, 3, 4, 5]
    assert events.unreported == events.items
    reads = [made.call for made in simulator.calls if made.call.startswith(f"GET {WORLD}/events")]
    assert reads == [f"GET {WORLD}/events", *(f"GET {WORLD}/events?after={seq}" for seq in (2, 3))]


def test_a_reloaded_list_has_all_entries_and_none_counts_as_new() -> None:
    simulator = FakeSimulator()
    simulator.add_at("2027-01-04T09:00:00Z", "events", type="team_order.shipped")
    world = world_of(simulator)
    world.control("POST", "/clock/advance", {"by": "1s"})
    events = world.lists["events"]
    events.reload()
    assert len(events.items) == 1
    assert events.unreported == []


def test_a_credential_is_found_by_name_and_by_value() -> None:
    world = world_of(FakeSimulator())
    assert world.credential_headers("partner.prepaid") == {"Authorization": "Bearer pk_1"}
    assert world.credential_headers("pk_1") == {"Authorization": "Bearer pk_1"}
    assert world.credential_headers(None) == {"X-Sim-World": "w1"}


def test_a_control_call_that_does_not_succeed_fails_the_step() -> None:
    simulator = FakeSimulator()
    simulator.respond(f"POST {WORLD}/undo", response(409, {"error": {"code": "nothing_to_undo"}}))
    with pytest.raises(StepFailed) as failed:
        world_of(simulator).control("POST", "/undo", {"count": 1})
    assert str(failed.value) == f'POST {WORLD}/undo answered 409 {{"error": {{"code": "nothing_to_undo"}}}}'
