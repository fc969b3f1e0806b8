"""Much waits at once: held calls, streams and an advance that calls back, or a thousand slow clients."""

from __future__ import annotations

import socket
import statistics
import threading
import time
from collections.abc import Callable
from contextlib import ExitStack
from functools import partial
from typing import Any

import pytest

from giftsim.engine.client.response import Response
from giftsim.engine.server.listener import GIVE_WAY
from giftsim.engine.system import descriptor_limit, raise_descriptor_limit
from tests.support.concurrent_calls import ConcurrentCalls
from tests.support.event_stream import EventStream, event_stream
from tests.support.http_receiver import OK_RESPONSE, http_receiver
from tests.support.responses import created
from tests.support.served_simulator import HttpClient, PythonProcess, ServedSimulator
from tests.support.waiting import wait_until
from tests.support.worlds import World

HELD, STREAMS = 64, 16
SLOW, CALLS = 1_000, 50
WAIT_S = 30.0
# Ten times what a quiet machine takes at most: others may work on this one.
RELEASE_S, HEALTH_S = 1.0, 0.5
PART = b"GET /_sim/v1/health HTTP/1.1\r\nHost: localhost\r\nX-Slow: "


class CallingBack:
    """A receiver that calls the simulator while it is called, and answers when it is told to."""

    def __init__(self, world: World) -> None:
        self.partner = world.partner("partner.net_terms")
        self.was_called, self.may_answer = threading.Event(), threading.Event()
        self.calls: list[Response] = []

    def __call__(self, connection: Any, receiver: Any) -> None:
        receiver.read(connection)
        self.calls.append(self.partner.get("/team-orders"))
        self.calls.append(self.partner.create_order(idempotency_key="from inside"))
        self.was_called.set()
        self.may_answer.wait(WAIT_S)
        connection.sendall(OK_RESPONSE)


def told_until(streams: list[EventStream], kind: str) -> list[int]:
    """Read each stream up to its first change of a kind; the numbers of those."""
    return [next(event.id for event in stream.events() if event.event == kind) for stream in streams]


def test_faults_are_deleted_at_once_beside_held_calls_streams_and_an_advance_that_calls_back(
    remote_world: Callable[..., World],
) -> None:
    world = remote_world()
    client: HttpClient = world.client  # type: ignore[assignment]
    back = CallingBack(world)
    back.partner.subscribe("team_order.claimed")
    order = created(back.partner.create_order())["team_order"]["id"]
    world.simulate("claim", team_order_id=order, recipient=0)
    world.add_fault({"hold": True}, match={"credential": "partner.prepaid"})
    path = f"/_sim/v1/worlds/{world.id}/changes?from=now"
    with ExitStack() as stack:
        streams = [stack.enter_context(event_stream(client.host, client.port, path)) for _ in range(STREAMS)]
        creates = [partial(world.partner().create_order, idempotency_key=f"held {n}") for n in range(HELD)]
        held = ConcurrentCalls(creates)
        wait_until(lambda: world.call_control("GET", "")["counts"]["held"] == HELD)
        receiver = stack.enter_context(http_receiver(back))
        world.set_receiver(mode="forward", to=f"http://127.0.0.1:{receiver.port}")
        advance = ConcurrentCalls([partial(world.advance, "2h")])
        assert back.was_called.wait(WAIT_S)
        began = time.perf_counter()
        world.call_control("DELETE", "/faults")
        took_s = time.perf_counter() - began
        assert [response.status for response in held.results()] == [201] * HELD
        assert advance.completed == 0
        back.may_answer.set()
        (report,) = advance.results()
        assert len(set(told_until(streams, "clock"))) == 1
    assert took_s < RELEASE_S
    assert [response.status for response in back.calls] == [200, 201]
    assert report["deliveries"][0]["outcome"] == "delivered"


def test_a_thousand_slow_clients_shut_nobody_out() -> None:
    raise_descriptor_limit()
    if descriptor_limit() < 2 * SLOW:
        pytest.skip("this machine does not let a process open so many connections")
    process = PythonProcess("run_sim.py", "--port", "0", "--json", "--fixture", "bare")
    try:
        with ExitStack() as stack:
            durations = answered_beside_slow_clients(ServedSimulator(process).client, stack)
    finally:
        status, errors = process.end()
    assert statistics.median(durations) < HEALTH_S
    assert (status, errors) == (0, f"WARNING giftsim: {GIVE_WAY.format(SLOW)}\n")


def answered_beside_slow_clients(client: HttpClient, stack: ExitStack) -> list[float]:
    """How long calls of others take, while many clients are in the middle of a request."""
    slow, durations = [], []
    for _ in range(SLOW):
        connection = socket.create_connection((client.host, client.port), timeout=WAIT_S)
        slow.append(stack.enter_context(connection))
        connection.sendall(PART)
    for n in range(CALLS):
        slow[n * SLOW // CALLS].sendall(b"x")
        began = time.perf_counter()
        assert client.call("GET", "/_sim/v1/health").status == 200
        durations.append(time.perf_counter() - began)
    return durations
