"""Held calls, delayed responses and waiting advances do not block other calls; the limit of held calls (G16, G17)."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from giftsim.engine.client.response import Response
from tests.support.api_clients import WEBHOOK_HOST, PartnerClient
from tests.support.concurrent_calls import ConcurrentCalls
from tests.support.http_receiver import OK_RESPONSE, http_receiver
from tests.support.orders import order_body
from tests.support.partner.money import payments
from tests.support.partner.orders import list_orders
from tests.support.responses import created, status_and_code
from tests.support.waiting import wait_until
from tests.support.worlds import World

Make = Callable[..., World]

HELD = 64
CAP = 256
PROMPT_S = 0.1
TRIES = 6  # a machine that is busy with something else may pause for longer than that


@pytest.fixture
def world(remote_world: Make) -> World:
    """A fresh world on a server."""
    return remote_world()


def fault_hits(world: World) -> int:
    """How many calls the faults have affected."""
    return sum(row["hits"] for row in world.call_control("GET", "/faults")["faults"])


def start_held_calls(world: World, jobs: list[Callable[[], Response]]) -> ConcurrentCalls[Response]:
    """Start these calls and wait until all are held."""
    before = fault_hits(world)
    calls = ConcurrentCalls(jobs)
    wait_until(lambda: fault_hits(world) - before == len(jobs))
    return calls


def create_calls(partner: PartnerClient, count: int, prefix: str = "held") -> list[Callable[[], Response]]:
    """Calls that each create an order with its own idempotency key."""
    return [partial(partner.create_order, idempotency_key=f"{prefix} {n}") for n in range(count)]


def duration_s(call: Callable[[], Any]) -> float:
    """The duration of a call."""
    began = time.perf_counter()
    call()
    return time.perf_counter() - began


def test_held_calls_do_not_block_an_advance_its_receiver_or_their_release(world: World) -> None:
    partner, other = world.partner(), world.partner("partner.net_terms")
    other.subscribe("team_order.claimed")
    world.simulate("claim", team_order_id=created(other.create_order())["team_order"]["id"], recipient=0)
    world.add_fault({"hold": True}, match={"credential": "partner.prepaid"})
    calls = start_held_calls(world, create_calls(partner, HELD))
    inner_responses: list[Response] = []

    def behave(connection: Any, receiver: Any) -> None:
        receiver.read(connection)
        inner_responses.append(other.get("/team-orders"))
        inner_responses.append(other.post("/team-orders", order_body(idempotency_key="from inside")))
        inner_responses.append(world.control.post(f"/worlds/{world.id}/clock/advance", {"by": "1h"}))
        connection.sendall(OK_RESPONSE)

    with http_receiver(behave) as machine:
        world.set_receiver(mode="forward", to=f"http://127.0.0.1:{machine.port}")
        report = world.advance("2h")
    assert [response.status for response in inner_responses] == [200, 201, 409]
    assert report["deliveries"][0]["outcome"] == "delivered"
    assert calls.completed == 0
    world.call_control("DELETE", "/faults")
    assert [response.status for response in calls.results()] == [201] * HELD
    assert len(payments(world, "paid")) == HELD + 2


def test_held_calls_are_released_promptly(world: World) -> None:
    durations: list[float] = []
    while not durations or (durations[-1] > PROMPT_S and len(durations) < TRIES):
        world.add_fault({"hold": True})
        calls = start_held_calls(world, create_calls(world.partner(), HELD, str(len(durations))))
        durations.append(duration_s(lambda: world.call_control("DELETE", "/faults")))
        assert [response.status for response in calls.results()] == [201] * HELD
    assert min(durations) < PROMPT_S


def test_delayed_responses_do_not_block_other_calls(world: World) -> None:
    partner = world.partner()
    world.add_fault({"delay_s": 0.5}, match={"operation": "createTeamOrder"})
    calls = start_held_calls(world, create_calls(partner, HELD))
    shortest_s = min(duration_s(lambda: partner.get("/webhooks")) for _ in range(TRIES))
    assert shortest_s < PROMPT_S
    assert [response.status for response in calls.results()] == [201] * HELD


def test_beyond_the_limit_of_held_calls_a_call_gets_503(world: World) -> None:
    beyond = 4
    world.add_fault({"hold": True})
    calls = start_held_calls(world, create_calls(world.partner(), CAP + beyond))
    wait_until(lambda: calls.completed == beyond)
    assert list_orders(world) == []
    assert duration_s(lambda: world.call_control("DELETE", "/faults")) < 10 * PROMPT_S
    responses = calls.results()
    assert sorted(response.status for response in responses) == [201] * CAP + [503] * beyond
    assert {status_and_code(response)[1] for response in responses if response.status == 503} == {"service_unavailable"}
    assert len(list_orders(world)) == CAP


def test_beyond_the_limit_a_delayed_call_has_no_effect(world: World) -> None:
    partner = world.partner()
    world.add_fault({"hold": True}, match={"operation": "listTeamOrders"})
    calls = start_held_calls(world, [partial(partner.get, "/team-orders") for _ in range(CAP)])
    assert status_and_code(partner.post("/team-orders", order_body(), X_Sim_Fault="delay_s=1")) == (
        503,
        "service_unavailable",
    )
    assert status_and_code(partner.post("/team-orders", order_body(), X_Sim_Fault="hold")) == (
        503,
        "service_unavailable",
    )
    assert list_orders(world) == []
    world.call_control("DELETE", "/faults")
    assert [response.status for response in calls.results()] == [200] * CAP
    created(partner.create_order())


def test_a_duplicate_of_a_held_create_is_answered_at_once(world: World) -> None:
    partner = world.partner()
    world.add_fault({"hold": True}, when={"first": 1})
    calls = start_held_calls(world, create_calls(partner, 1))
    duplicate = partner.create_order(idempotency_key="held 0")
    assert status_and_code(duplicate) == (409, "idempotency_outcome_unknown")
    assert duplicate.headers["retry-after"] == "1"
    world.call_control("DELETE", "/faults")
    (response,) = calls.results()
    assert partner.create_order(idempotency_key="held 0").body == response.body


def test_calls_held_while_their_key_is_revoked_get_401(world: World) -> None:
    world.add_fault({"hold": True})
    calls = start_held_calls(world, create_calls(world.partner(), 8))
    world.call_control("DELETE", "/keys/partner.prepaid")
    world.call_control("DELETE", "/faults")
    assert {status_and_code(response) for response in calls.results()} == {(401, "unauthorized")}
    assert list_orders(world) == []


def test_advances_waiting_at_deliveries_do_not_block_calls_of_any_world(remote_world: Make) -> None:
    worlds = [remote_world() for _ in range(12)]
    statuses: list[int] = []

    def behave(connection: Any, receiver: Any) -> None:
        receiver.read(connection)
        statuses.extend(world.partner().get("/team-orders").status for world in worlds[:3])
        connection.sendall(OK_RESPONSE)

    with http_receiver(behave) as machine:
        for world in worlds:
            world.set_receiver(WEBHOOK_HOST, mode="forward", to=f"http://127.0.0.1:{machine.port}")
            partner = world.partner()
            partner.subscribe("team_order.claimed")
            world.simulate("claim", team_order_id=created(partner.create_order())["team_order"]["id"], recipient=0)
        reports = ConcurrentCalls([partial(world.advance, "2h") for world in worlds]).results()
    assert [row["outcome"] for report in reports for row in report["deliveries"]] == ["delivered"] * 12
    assert statuses == [200] * 36
