"""Changes of a world as server-sent events, over the HTTP server: sent at once, ended at once, and bounded."""

from __future__ import annotations

import socket
import statistics
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack

import pytest

from giftsim import Simulator
from giftsim.engine.server import Server
from giftsim.engine.worlds.waiters import MAX_WATCHERS
from tests.support.event_stream import EventStream, event_stream
from tests.support.listening import listening
from tests.support.orders import order_body
from tests.support.served_simulator import HttpClient, serve_simulator
from tests.support.waiting import wait_until
from tests.support.worlds import World

STREAMS = 20
PROMPT_S = 5.0  # on a machine that does other work too


@pytest.fixture
def simulator() -> Simulator:
    """A simulator of its own, which `server` closes."""
    return Simulator(fixture="bare")


@pytest.fixture
def server(simulator: Simulator) -> Iterator[Server]:
    """The simulator's server."""
    with listening(simulator) as server:
        yield server


@pytest.fixture
def world(simulator: Simulator, server: Server) -> World:
    """A fresh world."""
    return World(simulator, fixture="empty")


def open_stream(server: Server, world: World, query: str = "", **headers: str) -> AbstractContextManager[EventStream]:
    """A stream of the world's changes."""
    path = f"/_sim/v1/worlds/{world.id}/changes{query}"
    return event_stream(server.host, server.port, path, {name.replace("_", "-"): headers[name] for name in headers})


def streams(simulator: Simulator) -> int:
    """How many streams have a place."""
    return simulator.registry.runtime.waiters.watchers


def test_changes_are_sent_as_they_happen(server: Server, world: World) -> None:
    with open_stream(server, world) as stream:
        assert stream.response.headers["Content-Type"] == "text/event-stream"
        for n in (1, 2, 3):
            world.partner().get("/team-orders")
            (event,) = stream.take(1)
            assert (event.id, event.event, event.data["n"]) == (n, "call", n)
            assert event.data["summary"] == "GET /api/external/team-orders: 200"


def test_a_client_that_was_cut_off_goes_on_where_it_was(server: Server, world: World) -> None:
    for _ in range(4):
        world.partner().get("/team-orders")
    with open_stream(server, world, "?from=now", Last_Event_ID="2") as stream:
        assert [event.id for event in stream.take(2)] == [3, 4]


def test_a_stream_from_now_on_has_nothing_older(server: Server, world: World) -> None:
    world.partner().get("/team-orders")
    with open_stream(server, world, "?from=now") as stream:
        world.partner().get("/webhooks")
        assert stream.take(1)[0].data["summary"] == "GET /api/external/webhooks: 200"


def test_a_stream_says_what_was_taken_back(server: Server, world: World) -> None:
    with open_stream(server, world) as stream:
        world.call_control("POST", "/snapshots", {"name": "before"})
        world.partner().create_order()
        assert [event.event for event in stream.take(3)] == ["snapshot", "call", "mail"]
        world.call_control("POST", "/snapshots/before/restore")
        (rewound,) = stream.take(1)
        assert (rewound.id, rewound.event, rewound.data["to"]) == (4, "rewound", 1)


def test_a_stream_ends_with_its_world(server: Server, world: World, simulator: Simulator) -> None:
    with open_stream(server, world) as stream:
        world.partner().get("/team-orders")
        assert stream.take(1)[0].event == "call"
        world.call_control("DELETE", "")
        assert list(stream.events()) == []
    wait_until(lambda: streams(simulator) == 0)


def test_a_client_that_goes_frees_its_place(server: Server, world: World, simulator: Simulator) -> None:
    with ExitStack() as stack:
        for _ in range(STREAMS):
            stack.enter_context(open_stream(server, world))
        wait_until(lambda: streams(simulator) == STREAMS)
    wait_until(lambda: streams(simulator) == 0)


@pytest.mark.parametrize("more", [b"", b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n" * 20])
def test_a_client_that_goes_while_its_call_waits_frees_its_place(
    server: Server, world: World, simulator: Simulator, more: bytes
) -> None:
    path = f"/_sim/v1/worlds/{world.id}/changes?from=now&wait=60"
    with socket.create_connection((server.host, server.port)) as client:
        client.sendall(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode() + more)
        wait_until(lambda: streams(simulator) == 1)
    wait_until(lambda: streams(simulator) == 0)


def test_beyond_the_limit_a_stream_is_refused_and_a_place_that_is_free_is_given(
    server: Server, world: World, simulator: Simulator
) -> None:
    path = f"/_sim/v1/worlds/{world.id}/changes"
    client = HttpClient(server.host, server.port)
    with ExitStack() as stack:
        opened = [stack.enter_context(open_stream(server, world)) for _ in range(MAX_WATCHERS)]
        for headers in ({"Accept": "text/event-stream"}, {}):
            refused = client.call("GET", f"{path}?wait=1", headers=headers)
            assert (refused.status, refused.json()["error"]["code"]) == (503, "service_unavailable")
        assert client.call("GET", path).status == 200
        opened[0].connection.close()
        opened[0].response.close()
        wait_until(lambda: streams(simulator) == MAX_WATCHERS - 1)
        with open_stream(server, world):
            pass


def test_a_head_request_of_a_stream_ends(server: Server, world: World) -> None:
    client = HttpClient(server.host, server.port)
    response = client.call("HEAD", f"/_sim/v1/worlds/{world.id}/changes", headers={"Accept": "text/event-stream"})
    assert (response.status, response.headers["content-type"], response.body) == (200, "text/event-stream", b"")


def test_streams_leave_other_calls_their_time(server: Server, world: World) -> None:
    client = HttpClient(server.host, server.port)
    headers = world.credentials["partner.prepaid"]["headers"]
    durations = []
    with ExitStack() as stack:
        for _ in range(STREAMS):
            stack.enter_context(open_stream(server, world))
        for n in range(50):
            began = time.perf_counter()
            body = order_body(idempotency_key=f"order {n}")
            assert client.call("POST", "/api/external/team-orders", body=body, headers=headers).status == 201
            durations.append(time.perf_counter() - began)
    assert statistics.median(durations) < 0.1


def test_the_end_of_the_server_ends_streams_at_once() -> None:
    with ExitStack() as clients:
        with serve_simulator("--fixture", "bare") as simulator:
            world, client = simulator.world(), simulator.client
            path = f"/_sim/v1/worlds/{world.id}/changes"
            opened = [clients.enter_context(event_stream(client.host, client.port, path)) for _ in range(STREAMS)]
            world.partner().get("/team-orders")
            for stream in opened:
                assert stream.take(1)[0].event == "call"
            began = time.perf_counter()
        assert time.perf_counter() - began < PROMPT_S
        assert [list(stream.events()) for stream in opened] == [[]] * STREAMS
