"""Receivers that hold deliveries until a call answers them, in process and over HTTP."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import pytest

from giftsim import Simulator
from giftsim.engine.client.response import Response
from tests.support.api_clients import WEBHOOK_HOST
from tests.support.concurrent_calls import ConcurrentCalls
from tests.support.orders import email_recipients
from tests.support.responses import status_and_code
from tests.support.team import webhooks as team_webhooks
from tests.support.team.clients import TeamClients
from tests.support.team.orders import create_gift
from tests.support.worlds import World

pytestmark = pytest.mark.begins("2027-01-04T09:00:00Z")

Make = Callable[..., World]


@pytest.fixture(params=["in process", "over http"])
def world(request: pytest.FixtureRequest) -> World:
    """A fresh world, in process and over HTTP."""
    world: World = request.getfixturevalue("new_world" if request.param == "in process" else "remote_world")()
    return world


def start_and_wait_until_held(world: World, job: Callable[[], Any], count: int = 1) -> ConcurrentCalls[Any]:
    """Run a job in a thread until it waits at a held delivery, or at so many."""
    calls = ConcurrentCalls([job])
    while len(list_held(world)) < count:
        pass
    return calls


def list_held(world: World) -> list[Any]:
    """The held deliveries; none once no advance is running."""
    return list(world.call_control("GET", "/deliveries/held?wait=true")["held"])


def answer(world: World, seq: int, **reaction: Any) -> Any:
    """Answer a held delivery."""
    return world.call_control("POST", f"/deliveries/{seq}/answer", reaction)


def claim_gifts(world: World, count: int = 1, **receiver: Any) -> None:
    """Claim gifts, whose webhooks go to an endpoint that holds them."""
    world.set_receiver(**{"mode": "hold", **receiver})
    partner = world.partner()
    partner.subscribe("team_order.claimed")
    order = partner.create_order(recipients=email_recipients(count)).json()["team_order"]["id"]
    for place in range(count):
        world.simulate("claim", team_order_id=order, recipient=place)


def outcomes(world: World) -> list[Any]:
    """Attempt number, time and result of every delivery."""
    return [(row["attempt"], row["at"][11:16], row["status"] or row["outcome"]) for row in world.deliveries()]


def test_an_advance_waits_at_a_held_delivery_and_calls_are_served_at_that_instant(world: World) -> None:
    claim_gifts(world)
    calls = start_and_wait_until_held(world, lambda: world.advance("2h"))
    [held] = list_held(world)
    assert (held["seq"], held["attempt"], held["type"]) == (1, 1, "team_order.claimed")
    assert held["own"] == {"outcome": "delivered", "status": 200}
    assert held["request"]["headers"]["X-Service-Event"] == "team_order.claimed"
    assert world.now == "2027-01-04T10:00:00Z"
    assert world.partner().create_order(idempotency_key="meanwhile").status == 201
    assert [row["outcome"] for row in world.deliveries()] == [None]
    done = answer(world, 1, status=503)
    assert (done["outcome"], done["status"]) == ("http_status", 503)
    assert [row["attempt"] for row in list_held(world)] == [2]
    answer(world, 2)
    [report] = calls.results()
    assert [row["outcome"] for row in report["deliveries"]] == ["http_status", "delivered"]
    assert outcomes(world) == [(1, "10:00", 503), (2, "10:05", 200)]


def test_the_error_of_another_advance_says_how_to_continue(world: World) -> None:
    claim_gifts(world)
    calls = start_and_wait_until_held(world, lambda: world.advance("1h"))
    for path, body in (
        ("/clock/advance", {"by": "1h"}),
        ("/snapshots", {"name": "now"}),
        ("/fork", {}),
    ):
        busy = world.control.post(f"/worlds/{world.id}{path}", body)
        assert status_and_code(busy) == (409, "clock_busy")
        assert busy.json()["error"]["message"].endswith(
            "waits for a delivery; delivery 1 is held: answer it at deliveries/{seq}/answer, or delete its receiver"
        )
    answer(world, 1)
    calls.results()


def test_responses_without_content_come_from_the_script_in_order(world: World) -> None:
    claim_gifts(world, 3, script=[{"status": 500}, {"timeout": True}], then={"status": 204})
    calls = start_and_wait_until_held(world, lambda: world.advance("1h"))
    held = list_held(world)
    assert [row["own"]["status"] or row["own"]["outcome"] for row in held] == [500, "timeout", 204]
    for seq in (3, 1, 2):
        answer(world, seq)
    calls.results()
    assert outcomes(world) == [(1, "10:00", 500), (1, "10:00", "timeout"), (1, "10:00", 204)]


@pytest.mark.parametrize("how", ["PUT", "DELETE"])
def test_replacing_or_deleting_the_receiver_ends_the_attempt_with_a_time_out(world: World, how: str) -> None:
    claim_gifts(world)
    calls = start_and_wait_until_held(world, lambda: world.advance("1h"))
    world.call_control(how, f"/receivers/{WEBHOOK_HOST}", {"mode": "capture"} if how == "PUT" else None)
    calls.results()
    assert outcomes(world) == [(1, "10:00", "timeout")]


def test_deleting_the_world_ends_its_advance(world: World) -> None:
    claim_gifts(world)
    path = f"/worlds/{world.id}/clock/advance"
    calls: ConcurrentCalls[Response] = start_and_wait_until_held(world, partial(world.control.post, path, {"by": "1h"}))
    world.call_control("DELETE", "")
    assert [status_and_code(ended) for ended in calls.results()] == [(409, "world_gone")]


def test_time_waits_for_a_held_immediate_delivery(world: World) -> None:
    team = TeamClients(world)
    world.set_receiver(team_webhooks.HOST, mode="hold")
    team_webhooks.subscribe(team.live, "approval.requested")
    create_gift(team.live)
    [held] = list_held(world)
    assert held["type"] == "approval.requested"
    busy = world.control.post(f"/worlds/{world.id}/clock/advance", {"by": "1h"})
    assert busy.json()["error"]["message"] == (
        f"delivery 1 of world {world.id} is held: answer it at deliveries/{{seq}}/answer, or delete its receiver"
    )
    answer(world, held["seq"], status=500)
    assert outcomes(world) == [(1, "09:00", 500)]
    calls = start_and_wait_until_held(world, lambda: world.advance("5m"))
    answer(world, 2)
    calls.results()
    assert outcomes(world) == [(1, "09:00", 500), (2, "09:05", 200)]


def test_a_reset_releases_a_held_immediate_delivery(world: World) -> None:
    team = TeamClients(world)
    world.set_receiver(team_webhooks.HOST, mode="hold")
    team_webhooks.subscribe(team.live, "approval.requested")
    create_gift(team.live)
    assert len(list_held(world)) == 1
    world.call_control("POST", "/reset")
    assert list_held(world) == []
    assert world.advance("1h")["to"] == "2027-01-04T10:00:00Z"


def test_a_ping_is_held_within_its_call(world: World) -> None:
    world.set_receiver(mode="hold")
    partner = world.partner()
    partner.subscribe("team_order.claimed")
    calls: ConcurrentCalls[Response] = start_and_wait_until_held(world, lambda: partner.post("/webhooks/1/test"))
    answer(world, 1, status=418)
    [pinged] = calls.results()
    assert pinged.status == 200
    assert outcomes(world) == [(1, "09:00", 418)]


def test_only_a_held_delivery_can_be_answered(world: World) -> None:
    claim_gifts(world)
    path = f"/worlds/{world.id}/deliveries"
    assert status_and_code(world.control.post(f"{path}/7/answer", {})) == (404, "delivery_not_found")
    calls = start_and_wait_until_held(world, lambda: world.advance("1h"))
    assert status_and_code(world.control.post(f"{path}/1/answer", {"timeout": True, "status": 200})) == (
        400,
        "invalid_body",
    )
    answer(world, 1, timeout=True)
    calls.results()
    assert status_and_code(world.control.post(f"{path}/1/answer", {})) == (409, "not_held")


def test_a_dry_run_is_not_held(world: World) -> None:
    claim_gifts(world, script=[{"status": 503}])
    report = world.advance("2h", dry_run=True)
    assert [row["status"] for row in report["deliveries"]] == [503, 200]
    assert world.deliveries() == []


def test_held_attempts_give_the_same_world_as_scripted_ones(world: World) -> None:
    claim_gifts(world, 2)
    calls = start_and_wait_until_held(world, lambda: world.advance("1h"), 2)
    for held in list_held(world):
        answer(world, held["seq"], status=500)
    calls.results()
    prints = {world.fingerprint()}
    world.call_control("POST", "/reset")
    claim_gifts(world, 2)
    calls = start_and_wait_until_held(world, lambda: world.advance("1h"), 2)
    for held in reversed(list_held(world)):
        answer(world, held["seq"], status=500)
    calls.results()
    prints.add(world.fingerprint())
    assert len(prints) == 1


@pytest.fixture
def own_simulator() -> Iterator[Simulator]:
    """A simulator that the test may close."""
    simulator = Simulator(fixture="bare")
    yield simulator
    simulator.close()


def test_closing_the_simulator_releases_held_deliveries(own_simulator: Simulator) -> None:
    world = World(own_simulator, fixture="empty")
    claim_gifts(world)
    path = f"/worlds/{world.id}/clock/advance"
    calls: ConcurrentCalls[Response] = start_and_wait_until_held(world, partial(world.control.post, path, {"by": "1h"}))
    own_simulator.close()
    assert [status_and_code(ended) for ended in calls.results()] == [(409, "world_gone")]
