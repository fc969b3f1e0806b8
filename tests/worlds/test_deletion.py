"""Deleting a world ends at once what waits in it for a receiver that hangs (G7)."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from functools import partial

import pytest

from giftsim import Simulator
from giftsim.client.response import Response
from tests.support.concurrent_calls import ConcurrentCalls
from tests.support.http_receiver import OK_RESPONSE, HttpReceiver, http_receiver, respond_always
from tests.support.orders import address_recipients
from tests.support.responses import created, status_and_code
from tests.support.waiting import wait_until
from tests.support.worlds import World

NewWorld = Callable[..., World]
PATIENCE_S = 5  # half of the time-out of a forwarded delivery


def hang(connection: socket.socket, receiver: HttpReceiver) -> None:
    """Read the request and answer nothing until the test is over."""
    receiver.read(connection)
    receiver.released.wait(60)


@contextmanager
def world_at_a_hanging_receiver(new_world: NewWorld, orders: int = 1) -> Iterator[tuple[World, HttpReceiver]]:
    """A world with so many events to deliver in the next hour, to a receiver that hangs."""
    world = new_world()
    partner = world.partner()
    partner.subscribe("team_order.shipped", "order.shipped", "team_order.claimed")
    for n in range(orders):
        order = created(partner.create_order(idempotency_key=f"order {n}"))
        world.simulate("claim", team_order_id=order["team_order"]["id"], recipient=0)
    with http_receiver(hang) as receiver:
        world.set_receiver(mode="forward", to=f"http://127.0.0.1:{receiver.port}")
        yield world, receiver


def advance_four_days(world: World) -> Response:
    """Advance a world; the response."""
    return world.control.post(f"/worlds/{world.id}/clock/advance", {"by": "4d"})


def in_background(call: Callable[[], Response]) -> tuple[threading.Thread, list[Response]]:
    """Run a call in a thread; the thread and the place for its response."""
    responses: list[Response] = []
    thread = threading.Thread(target=lambda: responses.append(call()), daemon=True)
    thread.start()
    return thread, responses


@pytest.mark.parametrize("orders", [1, 7])
def test_an_advance_that_waits_for_a_hanging_receiver_ends_with_world_gone(new_world: NewWorld, orders: int) -> None:
    with world_at_a_hanging_receiver(new_world, orders) as (world, receiver):
        thread, responses = in_background(lambda: world.control.post(f"/worlds/{world.id}/clock/advance", {"by": "2h"}))
        at_once = min(orders, 4)
        wait_until(lambda: len(receiver.requests) == at_once)
        assert world.control.delete(f"/worlds/{world.id}").status == 200
        thread.join(PATIENCE_S)
        assert not thread.is_alive(), "the advance waits on"
        assert status_and_code(responses[0]) == (409, "world_gone")
        assert "was deleted" in responses[0].json()["error"]["message"]
        assert len(receiver.requests) == at_once, "the rest of the deliveries was sent after all"


def test_a_ping_that_waits_for_a_hanging_receiver_ends_with_world_gone(new_world: NewWorld) -> None:
    with world_at_a_hanging_receiver(new_world, orders=0) as (world, receiver):
        partner = world.partner()
        thread, responses = in_background(lambda: partner.client.call("POST", "/api/external/webhooks/1/test",
                                                                      headers=partner.headers))  # fmt: skip
        wait_until(lambda: len(receiver.requests) == 1)
        world.control.delete(f"/worlds/{world.id}")
        thread.join(PATIENCE_S)
        assert not thread.is_alive()
        assert status_and_code(responses[0]) == (409, "world_gone")


def test_other_worlds_deliveries_to_the_same_receiver_go_on(new_world: NewWorld) -> None:
    gate = threading.Event()

    def answer_when_open(connection: socket.socket, receiver: HttpReceiver) -> None:
        while receiver.read(connection) is not None:
            gate.wait(60)
            connection.sendall(OK_RESPONSE)

    gone, stays = new_world(), new_world()
    with http_receiver(answer_when_open) as receiver:
        for world in (gone, stays):
            partner = world.partner()
            partner.subscribe("team_order.shipped")
            world.set_receiver(mode="forward", to=f"http://127.0.0.1:{receiver.port}")
            created(partner.create_order(recipients=address_recipients()))
        advances = ConcurrentCalls([partial(advance_four_days, world) for world in (gone, stays)])
        wait_until(lambda: len(receiver.requests) == 2)
        gone.control.delete(f"/worlds/{gone.id}")
        wait_until(lambda: advances.completed == 1)
        gate.set()
        ended, done = advances.results()
    assert status_and_code(ended) == (409, "world_gone")
    assert [row["outcome"] for row in done.json()["deliveries"]] == ["delivered"]


def test_a_new_world_of_the_same_name_delivers_again(new_world: NewWorld) -> None:
    old = new_world(id="again")
    old.control.delete("/worlds/again")
    world = new_world(id="again")
    with http_receiver(respond_always(OK_RESPONSE)) as receiver:
        partner = world.partner()
        partner.subscribe("team_order.shipped")
        world.set_receiver(mode="forward", to=f"http://127.0.0.1:{receiver.port}")
        created(partner.create_order(recipients=address_recipients()))
        assert [row["outcome"] for row in world.advance("4d")["deliveries"]] == ["delivered"]


def test_a_call_that_waits_for_a_world_that_is_being_deleted_is_refused() -> None:
    waiting = threading.Semaphore(0)

    @contextmanager
    def lend() -> Iterator[None]:
        waiting.release()
        yield

    with closing(Simulator(fixture="bare")) as simulator:
        world = World(simulator, fixture="empty")
        partner, run_time_world = world.partner(), simulator.registry.worlds[world.id]
        simulator.registry.runtime.lend_thread = lend
        responses: list[Response] = []
        calls = (partial(world.control.delete, f"/worlds/{world.id}"), partner.create_order)
        with run_time_world.lock:  # the deletion is first in the queue, and the order second
            threads = [threading.Thread(target=lambda call=call: responses.append(call())) for call in calls]
            for thread in threads:
                thread.start()
                assert waiting.acquire(timeout=PATIENCE_S)
        for thread in threads:
            thread.join(PATIENCE_S)
    assert [status_and_code(response) for response in responses if response.status >= 300] == [(409, "world_gone")]
