"""Calls that wait starve nobody: held ones by the dozen, an advance that stands at a delivery, and a cap (G16, G17)."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from giftsim.gateway.in_process_client import Answer
from tests.harness import HOOKS, Face, World, order_body
from tests.interfaces.partner.till import made, orders, payments, refused
from tests.raw_receiver import GOOD, receiving
from tests.system.crowd import Crowd
from tests.system.patience import until

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
    return sum(row["hits"] for row in world.ask("GET", "/faults")["faults"])


def hold(world: World, calls: list[Callable[[], Answer]]) -> Crowd[Answer]:
    """Make these calls, and wait until all are in flight."""
    before = hits(world)
    crowd = Crowd(calls)
    until(lambda: hits(world) - before == len(calls))
    return crowd


def creates(face: Face, count: int, prefix: str = "held") -> list[Callable[[], Answer]]:
    """That many creates, each with a key of its own."""
    return [partial(face.order, idempotency_key=f"{prefix} {n}") for n in range(count)]


def seconds(call: Callable[[], Any]) -> float:
    """How long a call takes."""
    began = time.perf_counter()
    call()
    return time.perf_counter() - began


def test_held_calls_let_an_advance_its_receiver_and_whoever_releases_them_through(world: World) -> None:
    partner, other = world.partner(), world.partner("partner.net_terms")
    other.subscribe("team_order.claimed")
    world.simulate("claim", team_order_id=made(other.order())["team_order"]["id"], recipient=0)
    world.fault({"hold": True}, match={"credential": "partner.prepaid"})
    crowd = hold(world, creates(partner, HELD))
    came_back: list[Answer] = []

    def behave(connection: Any, receiver: Any) -> None:
        receiver.read(connection)
        came_back.append(other.get("/team-orders"))
        came_back.append(other.post("/team-orders", order_body(idempotency_key="from inside")))
        came_back.append(world.control.post(f"/worlds/{world.id}/clock/advance", {"by": "1h"}))
        connection.sendall(GOOD)

    with receiving(behave) as machine:
        world.receiver(mode="forward", to=f"http://127.0.0.1:{machine.port}")
        told = world.advance("2h")
    assert [answer.status for answer in came_back] == [200, 201, 409]
    assert told["deliveries"][0]["outcome"] == "delivered"
    assert crowd.back == 0
    world.ask("DELETE", "/faults")
    assert [answer.status for answer in crowd.results()] == [201] * HELD
    assert len(payments(world, "paid")) == HELD + 2


def test_held_calls_are_let_go_promptly(world: World) -> None:
    took: list[float] = []
    while not took or (took[-1] > PROMPT_S and len(took) < TRIES):
        world.fault({"hold": True})
        crowd = hold(world, creates(world.partner(), HELD, str(len(took))))
        took.append(seconds(lambda: world.ask("DELETE", "/faults")))
        assert [answer.status for answer in crowd.results()] == [201] * HELD
    assert min(took) < PROMPT_S


def test_late_answers_let_everybody_through(world: World) -> None:
    partner = world.partner()
    world.fault({"delay_s": 0.5}, match={"operation": "createTeamOrder"})
    crowd = hold(world, creates(partner, HELD))
    took = min(seconds(lambda: partner.get("/webhooks")) for _ in range(TRIES))
    assert took < PROMPT_S
    assert [answer.status for answer in crowd.results()] == [201] * HELD


def test_beyond_the_cap_a_call_is_told_to_come_back(world: World) -> None:
    beyond = 4
    world.fault({"hold": True})
    crowd = hold(world, creates(world.partner(), CAP + beyond))
    until(lambda: crowd.back == beyond)
    assert orders(world) == []
    assert seconds(lambda: world.ask("DELETE", "/faults")) < 10 * PROMPT_S
    answers = crowd.results()
    assert sorted(answer.status for answer in answers) == [201] * CAP + [503] * beyond
    assert {refused(answer)[1] for answer in answers if answer.status == 503} == {"service_unavailable"}
    assert len(orders(world)) == CAP


def test_beyond_the_cap_a_call_that_was_to_answer_late_does_nothing_at_all(world: World) -> None:
    partner = world.partner()
    world.fault({"hold": True}, match={"operation": "listTeamOrders"})
    crowd = hold(world, [partial(partner.get, "/team-orders") for _ in range(CAP)])
    assert refused(partner.post("/team-orders", order_body(), X_Sim_Fault="delay_s=1")) == (503, "service_unavailable")
    assert refused(partner.post("/team-orders", order_body(), X_Sim_Fault="hold")) == (503, "service_unavailable")
    assert orders(world) == []
    world.ask("DELETE", "/faults")
    assert [answer.status for answer in crowd.results()] == [200] * CAP
    made(partner.order())


def test_a_duplicate_of_a_held_create_is_answered_at_once(world: World) -> None:
    partner = world.partner()
    world.fault({"hold": True}, when={"first": 1})
    crowd = hold(world, creates(partner, 1))
    duplicate = partner.order(idempotency_key="held 0")
    assert refused(duplicate) == (409, "idempotency_outcome_unknown")
    assert duplicate.headers["retry-after"] == "1"
    world.ask("DELETE", "/faults")
    (answer,) = crowd.results()
    assert partner.order(idempotency_key="held 0").body == answer.body


def test_a_key_revoked_while_its_calls_are_held_gets_401_for_each(world: World) -> None:
    world.fault({"hold": True})
    crowd = hold(world, creates(world.partner(), 8))
    world.ask("DELETE", "/keys/partner.prepaid")
    world.ask("DELETE", "/faults")
    assert {refused(answer) for answer in crowd.results()} == {(401, "unauthorized")}
    assert orders(world) == []


def test_advances_that_stand_at_deliveries_let_calls_through_in_every_world(remote_world: Make) -> None:
    worlds = [remote_world() for _ in range(12)]
    came_back: list[int] = []

    def behave(connection: Any, receiver: Any) -> None:
        receiver.read(connection)
        came_back.extend(world.partner().get("/team-orders").status for world in worlds[:3])
        connection.sendall(GOOD)

    with receiving(behave) as machine:
        for world in worlds:
            world.receiver(HOOKS, mode="forward", to=f"http://127.0.0.1:{machine.port}")
            partner = world.partner()
            partner.subscribe("team_order.claimed")
            world.simulate("claim", team_order_id=made(partner.order())["team_order"]["id"], recipient=0)
        told = Crowd([partial(world.advance, "2h") for world in worlds]).results()
    assert [row["outcome"] for answer in told for row in answer["deliveries"]] == ["delivered"] * 12
    assert came_back == [200] * 36
