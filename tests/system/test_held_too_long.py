"""A held call has a bound: it ends with 503 and the way on, and leaves nothing behind (G81)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from giftsim import Simulator
from giftsim.engine.worlds.waiters import WaitLimits
from tests.support.concurrent_calls import ConcurrentCalls
from tests.support.orders import address_recipients
from tests.support.partner.orders import list_orders
from tests.support.responses import created, status_and_code
from tests.support.restarts import RestartableSimulator
from tests.support.served_simulator import serve_simulator
from tests.support.waiting import wait_until
from tests.support.worlds import World

BRIEF = WaitLimits(held_call_s=0.2)


@pytest.fixture
def simulator() -> Iterator[Simulator]:
    """A simulator that holds calls for a moment only."""
    simulator = Simulator(fixture="bare", waits=BRIEF)
    yield simulator
    simulator.close()


@pytest.fixture
def world(simulator: Simulator) -> World:
    """A fresh world in it."""
    return World(simulator, fixture="empty")


def test_a_call_held_for_too_long_ends_with_503_and_can_be_made_again(world: World) -> None:
    partner = world.partner()
    world.add_fault({"hold": True}, id="slow", when={"first": 1})
    refused = partner.create_order()
    assert status_and_code(refused) == (503, "service_unavailable")
    assert refused.json()["error"]["message"] == (
        "the fault slow held this call for 0.2 s, the longest that a call is held, and nothing was done; delete the "
        f"fault (DELETE /_sim/v1/worlds/{world.id}/faults/slow) and make the call again, or start the simulator with a "
        "longer --hold-timeout"
    )
    assert list_orders(world) == []
    assert world.call_control("GET", "")["counts"]["held"] == 0
    created(partner.create_order())
    assert [call["response"]["status"] for call in world.call_control("GET", "/calls")["calls"]] == [503, 201]


def test_undo_and_a_restart_end_in_the_same_state_after_a_call_was_held_for_too_long(tmp_path: Path) -> None:
    restartable = RestartableSimulator(tmp_path / "journal", waits=BRIEF)
    restartable.call_control("POST", "/faults", {"id": "slow", "effect": {"hold": True}, "when": {"first": 1}})
    assert restartable.order("first").status == 503
    assert restartable.order("first").status == 201
    before = restartable.fingerprint
    assert restartable.order("second").status == 201
    restartable.call_control("POST", "/undo", {})
    assert restartable.fingerprint == before
    restartable.restart()
    assert restartable.fingerprint == before
    restartable.simulator.close()


def test_a_fault_that_takes_the_id_of_a_deleted_one_does_not_hold_its_calls(tmp_path: Path) -> None:
    restartable = RestartableSimulator(tmp_path / "journal")
    caller, answers = restartable.held_order("first")
    restartable.call_control("DELETE", "/faults/wait")
    restartable.call_control("POST", "/faults", {"id": "wait", "effect": {"hold": True}})
    caller.join(60)
    assert [answer.status for answer in answers] == [201]
    restartable.simulator.close()


def test_a_ping_and_an_advance_at_a_held_delivery_go_on_with_a_time_out(world: World) -> None:
    partner = world.partner()
    partner.subscribe("team_order.shipped")
    world.set_receiver(mode="hold")
    assert partner.post("/webhooks/1/test").status == 200
    created(partner.create_order(recipients=address_recipients()))
    report = world.advance("4d")
    assert {row["outcome"] for row in world.deliveries()} == {"timeout"}
    assert len(report["deliveries"]) > 1


def test_calls_that_are_held_when_the_simulator_stops_end_with_503() -> None:
    world = World(Simulator(fixture="bare"), fixture="empty")
    world.add_fault({"hold": True})
    calls = ConcurrentCalls([world.partner().create_order])
    wait_until(lambda: world.call_control("GET", "")["counts"]["held"] == 1)
    world.simulator.close()
    [ended] = calls.results()
    assert status_and_code(ended) == (503, "service_unavailable")
    assert "the simulator is stopping" in ended.json()["error"]["message"]


def test_the_bound_is_an_option_of_serve() -> None:
    with serve_simulator("--hold-timeout", "0.3", "--fixture", "bare") as served:
        world = served.world()
        world.add_fault({"hold": True})
        partner = world.partner()
        responses = ConcurrentCalls([partial(partner.create_order, idempotency_key=str(n)) for n in range(3)]).results()
        assert {response.status for response in responses} == {503}
        assert "held this call for 0.3 s" in responses[0].text
