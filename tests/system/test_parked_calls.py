"""Calls that wait starve nobody: held ones by the dozen, an advance that stands at a delivery, and a cap (G16, G17)."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from giftsim.gateway.in_process_client import Response
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


def hits(world: World) -> int:
    """How many calls the faults of the table have struck."""
    return sum(row["hits"] for row in world.call_control("GET", "/faults")["faults"])


def hold(world: World, calls: list[Callable[[], Response]]) -> ConcurrentCalls[Response]:
    """Make these calls, and wait until all are in flight."""
    before = hits(world)
    crowd = ConcurrentCalls(calls)
    wait_until(lambda: hits(world) - before == len(calls))
    return crowd


def creates(face: PartnerClient, count: int, prefix: str = "held") -> list[Callable[[], Response]]:
    """That many creates, each with a key of its own."""
    return [partial(face.create_order, idempotency_key=f"{prefix} {n}") for n in range(count)]


def seconds(call: Callable[[], Any]) -> float:
    """How long a call takes."""
    began = time.perf_counter()
    call()
    return time.perf_counter() - began


def test_held_calls_let_an_advance_its_receiver_and_whoever_releases_them_through(world: World) -> None:
    partner, other = world.partner(), world.partner("partner.net_terms")
    other.subscribe("team_order.claimed")
    world.simulate("claim", team_order_id=created(other.create_order())["team_order"]["id"], recipient=0)
    world.add_fault({"hold": True}, match={"credential": "partner.prepaid"})
    crowd = hold(world, creates(partner, HELD))
    came_back: list[Response] = []

    def behave(connection: Any, receiver: Any) -> None:
        receiver.read(connection)
        came_back.append(other.get("/team-orders"))
        came_back.append(other.post("/team-orders", order_body(idempotency_key="from inside")))
        came_back.append(world.control.post(f"/worlds/{world.id}/clock/advance", {"by": "1h"}))
        connection.sendall(OK_RESPONSE)

    with http_receiver(behave) as machine:
        world.set_receiver(mode="forward", to=f"http://127.0.0.1:{machine.port}")
        told = world.advance("2h")
    assert [answer.status for answer in came_back] == [200, 201, 409]
    assert told["deliveries"][0]["outcome"] == "delivered"
    assert crowd.completed == 0
    world.call_control("DELETE", "/faults")
    assert [answer.status for answer in crowd.results()] == [201] * HELD
    assert len(payments(world, "paid")) == HELD + 2


def test_held_calls_are_let_go_promptly(world: World) -> None:
    took: list[float] = []
    while not took or (took[-1] > PROMPT_S and len(took) < TRIES):
        world.add_fault({"hold": True})
        crowd = hold(world, creates(world.partner(), HELD, str(len(took))))
        took.append(seconds(lambda: world.call_control("DELETE", "/faults")))
        assert [answer.status for answer in crowd.results()] == [201] * HELD
    assert min(took) < PROMPT_S


def test_late_answers_let_everybody_through(world: World) -> None:
    partner = world.partner()
    world.add_fault({"delay_s": 0.5}, match={"operation": "createTeamOrder"})
    crowd = hold(world, creates(partner, HELD))
    took = min(seconds(lambda: partner.get("/webhooks")) for _ in range(TRIES))
    assert took < PROMPT_S
    assert [answer.status for answer in crowd.results()] == [201] * HELD


def test_beyond_the_cap_a_call_is_told_to_come_back(world: World) -> None:
    beyond = 4
    world.add_fault({"hold": True})
    crowd = hold(world, creates(world.partner(), CAP + beyond))
    wait_until(lambda: crowd.completed == beyond)
    assert list_orders(world) == []
    assert seconds(lambda: world.call_control("DELETE", "/faults")) < 10 * PROMPT_S
    answers = crowd.results()
    assert sorted(answer.status for answer in answers) == [201] * CAP + [503] * beyond
    assert {status_and_code(answer)[1] for answer in answers if answer.status == 503} == {"service_unavailable"}
    assert len(list_orders(world)) == CAP


def test_beyond_the_cap_a_call_that_was_to_answer_late_does_nothing_at_all(world: World) -> None:
    partner = world.partner()
    world.add_fault({"hold": True}, match={"operation": "listTeamOrders"})
    crowd = hold(world, [partial(partner.get, "/team-orders") for _ in range(CAP)])
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
    assert [answer.status for answer in crowd.results()] == [200] * CAP
    created(partner.create_order())


def test_a_duplicate_of_a_held_create_is_answered_at_once(world: World) -> None:
    partner = world.partner()
    world.add_fault({"hold": True}, when={"first": 1})
    crowd = hold(world, creates(partner, 1))
    duplicate = partner.create_order(idempotency_key="held 0")
    assert status_and_code(duplicate) == (409, "idempotency_outcome_unknown")
    assert duplicate.headers["retry-after"] == "1"
    world.call_control("DELETE", "/faults")
    (answer,) = crowd.results()
    assert partner.create_order(idempotency_key="held 0").body == answer.body


def test_a_key_revoked_while_its_calls_are_held_gets_401_for_each(world: World) -> None:
    world.add_fault({"hold": True})
    crowd = hold(world, creates(world.partner(), 8))
    world.call_control("DELETE", "/keys/partner.prepaid")
    world.call_control("DELETE", "/faults")
    assert {status_and_code(answer) for answer in crowd.results()} == {(401, "unauthorized")}
    assert list_orders(world) == []


def test_advances_that_stand_at_deliveries_let_calls_through_in_every_world(remote_world: Make) -> None:
    worlds = [remote_world() for _ in range(12)]
    came_back: list[int] = []

    def behave(connection: Any, receiver: Any) -> None:
        receiver.read(connection)
        came_back.extend(world.partner().get("/team-orders").status for world in worlds[:3])
        connection.sendall(OK_RESPONSE)

    with http_receiver(behave) as machine:
        for world in worlds:
            world.set_receiver(WEBHOOK_HOST, mode="forward", to=f"http://127.0.0.1:{machine.port}")
            partner = world.partner()
            partner.subscribe("team_order.claimed")
            world.simulate("claim", team_order_id=created(partner.create_order())["team_order"]["id"], recipient=0)
        told = ConcurrentCalls([partial(world.advance, "2h") for world in worlds]).results()
    assert [row["outcome"] for answer in told for row in answer["deliveries"]] == ["delivered"] * 12
    assert came_back == [200] * 36
