"""Worlds do not wait for each other's receivers; threads are bounded and given back; a reset ends what waits (G80)."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from functools import partial

import pytest

from giftsim import Simulator
from giftsim.engine.client.response import Response
from giftsim.engine.worlds.waiters import WaitLimits
from tests.support.concurrent_calls import ConcurrentCalls
from tests.support.http_receiver import OK_RESPONSE, HttpReceiver, http_receiver, respond_always
from tests.support.orders import address_recipients
from tests.support.responses import created, status_and_code
from tests.support.waiting import wait_until
from tests.support.worlds import World

NewWorld = Callable[..., World]

HANGING = 100
PROMPT_S = 0.1
TRIES = 6  # a machine that is busy with something else may pause for longer than that
PER_RECEIVER = 1


def hang(connection: object, receiver: HttpReceiver) -> None:
    """Read the request and answer nothing until the test is over."""
    receiver.read(connection)  # type: ignore[arg-type]
    receiver.released.wait(60)


def world_with_a_delivery(new_world: NewWorld) -> World:
    """A world with one captured delivery, which can be sent again."""
    world = new_world()
    partner = world.partner()
    partner.subscribe("team_order.claimed")
    created(partner.create_order(recipients=address_recipients()))
    order = created(partner.create_order(idempotency_key="to be claimed"))
    world.simulate("claim", team_order_id=order["team_order"]["id"], recipient=0)
    world.advance("1h")
    assert len(world.deliveries()) == 1
    return world


def forward_to(world: World, receiver: HttpReceiver) -> None:
    """Send the world's webhooks to a receiver."""
    world.set_receiver(mode="forward", to=f"http://127.0.0.1:{receiver.port}")


def send_again(world: World, times: int = 1) -> None:
    """Send the first delivery again, in the background."""
    for _ in range(times):
        assert world.control.post(f"/worlds/{world.id}/deliveries/1/resend").status == 201


def courier_threads() -> int:
    """How many threads the courier has."""
    return sum(thread.name.startswith("courier") for thread in threading.enumerate())


def arrival_s(world: World, receiver: HttpReceiver) -> float:
    """How long one delivery of a world takes to arrive."""
    before, began = len(receiver.requests), time.perf_counter()
    send_again(world)
    wait_until(lambda: len(receiver.requests) > before)
    return time.perf_counter() - began


def test_a_webhook_arrives_promptly_beside_a_hundred_hanging_ones_of_another_world(new_world: NewWorld) -> None:
    with http_receiver(hang) as hanging, http_receiver(respond_always(OK_RESPONSE)) as prompt:
        busy, other = world_with_a_delivery(new_world), world_with_a_delivery(new_world)
        forward_to(busy, hanging)
        forward_to(other, prompt)
        send_again(busy, HANGING)
        wait_until(lambda: len(hanging.requests) == PER_RECEIVER)
        assert min(arrival_s(other, prompt) for _ in range(TRIES)) < PROMPT_S
        assert len(hanging.requests) == PER_RECEIVER, "one receiver gets one request at a time, whoever caused them"


def test_a_webhook_arrives_promptly_beside_a_hundred_worlds_with_a_hanging_one(new_world: NewWorld) -> None:
    with http_receiver(hang) as hanging, http_receiver(respond_always(OK_RESPONSE)) as prompt:
        first, other = world_with_a_delivery(new_world), world_with_a_delivery(new_world)
        forward_to(first, hanging)
        forward_to(other, prompt)
        before = courier_threads()
        names = [first.call_control("POST", "/fork", {})["id"] for _ in range(HANGING)]
        for name in names:
            for _ in range(PER_RECEIVER):
                assert first.control.post(f"/worlds/{name}/deliveries/1/resend").status == 201
        wait_until(lambda: len(hanging.requests) >= HANGING)
        assert min(arrival_s(other, prompt) for _ in range(TRIES)) < PROMPT_S
        assert courier_threads() - before < 2 * HANGING
        for name in names:
            first.control.delete(f"/worlds/{name}")
        wait_until(lambda: courier_threads() <= before)


def test_deliveries_to_a_receiver_arrive_one_at_a_time_in_the_order_of_their_calls(
    new_world: NewWorld,
) -> None:
    world = world_with_a_delivery(new_world)

    def count(connection: object, receiver: HttpReceiver) -> None:
        while receiver.read(connection) is not None:  # type: ignore[arg-type]
            with receiver.lock:
                receiver.in_flight += 1
                receiver.peak = max(receiver.peak, receiver.in_flight)
            connection.sendall(OK_RESPONSE)  # type: ignore[attr-defined]
            with receiver.lock:
                receiver.in_flight -= 1

    with http_receiver(count) as receiver:
        forward_to(world, receiver)
        send_again(world, 20)
        assert [row["outcome"] for row in world.deliveries()] == ["delivered"] * 21
        assert receiver.peak == 1


def test_a_reset_ends_the_deliveries_that_hang(new_world: NewWorld) -> None:
    with http_receiver(hang) as hanging:
        world = world_with_a_delivery(new_world)
        forward_to(world, hanging)
        send_again(world, 20)
        wait_until(lambda: len(hanging.requests) == PER_RECEIVER)
        world.call_control("POST", "/reset")
        assert world.deliveries() == []
        assert world.advance("1h")["deliveries"] == []
        assert len(hanging.requests) == PER_RECEIVER, "the rest was sent after all"


def test_a_reset_ends_an_advance_that_waits_for_a_hanging_receiver(new_world: NewWorld) -> None:
    with http_receiver(hang) as hanging:
        world = new_world()
        partner = world.partner()
        partner.subscribe("team_order.shipped")
        created(partner.create_order(recipients=address_recipients()))
        forward_to(world, hanging)
        path = f"/worlds/{world.id}/clock/advance"
        calls: ConcurrentCalls[Response] = ConcurrentCalls([partial(world.control.post, path, {"by": "4d"})])
        wait_until(lambda: len(hanging.requests) == 1)
        world.call_control("POST", "/reset")
        [ended] = calls.results()
        assert status_and_code(ended) == (409, "clock_busy")
        assert "was reset" in ended.json()["error"]["message"]
        assert world.now == world.description["now"]
        assert world.advance("1h")["deliveries"] == []


def test_a_reset_ends_an_advance_at_a_held_delivery_and_the_world_holds_again(new_world: NewWorld) -> None:
    world = new_world()

    def hold_an_advance() -> ConcurrentCalls[Response]:
        world.set_receiver(mode="hold")
        partner = world.partner()
        partner.subscribe("team_order.shipped")
        created(partner.create_order(recipients=address_recipients()))
        path = f"/worlds/{world.id}/clock/advance"
        calls: ConcurrentCalls[Response] = ConcurrentCalls([partial(world.control.post, path, {"by": "4d"})])
        wait_until(lambda: len(world.call_control("GET", "/deliveries/held")["held"]) == 1)
        return calls

    calls = hold_an_advance()
    world.call_control("POST", "/reset")
    assert [status_and_code(ended) for ended in calls.results()] == [(409, "clock_busy")]
    assert world.call_control("GET", "/deliveries/held")["held"] == []
    calls = hold_an_advance()
    assert world.call_control("POST", "/deliveries/1/answer", {})["outcome"] == "delivered"
    assert [ended.status for ended in calls.results()] == [200]


def test_a_reset_ends_a_ping_that_waits_for_a_hanging_receiver(new_world: NewWorld) -> None:
    with http_receiver(hang) as hanging:
        world = new_world()
        partner = world.partner()
        partner.subscribe("team_order.shipped")
        forward_to(world, hanging)
        calls: ConcurrentCalls[Response] = ConcurrentCalls([partial(partner.post, "/webhooks/1/test")])
        wait_until(lambda: len(hanging.requests) == 1)
        world.call_control("POST", "/reset")
        [ended] = calls.results()
        assert status_and_code(ended) == (503, "service_unavailable")
        assert "was reset" in ended.json()["error"]["message"]


@pytest.fixture
def impatient() -> Iterator[Simulator]:
    """A simulator whose calls wait for deliveries in flight for a moment only."""
    simulator = Simulator(fixture="bare", waits=WaitLimits(settle_s=0.2))
    yield simulator
    simulator.close()


def test_a_call_that_waits_too_long_for_deliveries_in_flight_gets_503_with_the_reason(impatient: Simulator) -> None:
    with http_receiver(hang) as hanging:
        world = world_with_a_delivery(partial(World, impatient, fixture="empty"))
        forward_to(world, hanging)
        send_again(world, 6)
        for method, path, body in (
            ("GET", "/deliveries", None),
            ("GET", "/fingerprint", None),
            ("POST", "/clock/advance", {"by": "1h"}),
            ("POST", "/fork", {}),
        ):
            refused = world.control.call(method, f"/worlds/{world.id}{path}", body)
            assert status_and_code(refused) == (503, "deliveries_in_flight"), path
            assert refused.json()["error"]["message"] == (
                f"6 deliveries of world {world.id} are still on their way after 0.2 s, to hooks.partner.example: "
                "their receiver hangs or is slow; let it answer, or reset the world"
            )
        assert world.now == "2027-01-04T10:00:00Z"
        world.call_control("POST", "/reset")
        assert world.deliveries() == []


def test_a_delayed_response_ends_with_its_world(new_world: NewWorld) -> None:
    for path, method in (("", "DELETE"), ("/reset", "POST")):
        world = new_world()
        partner = world.partner()
        world.add_fault({"delay_s": 60})
        calls: ConcurrentCalls[Response] = ConcurrentCalls([partner.create_order])
        wait_until(lambda world=world: world.call_control("GET", "")["counts"]["late"] == 1)  # type: ignore[misc]
        world.call_control(method, path)
        assert [response.status for response in calls.results()] == [201]
