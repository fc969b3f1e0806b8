"""Slow, idle and endless connections give way to new ones, and the test-control API is always reachable (G82)."""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import pytest
from msgspec.structs import replace

from giftsim import Simulator
from giftsim.engine.server import ConnectionLimits, Server
from tests.support.concurrent_calls import ConcurrentCalls
from tests.support.served_simulator import TIMEOUT_S, HttpClient, PythonProcess
from tests.support.waiting import wait_until
from tests.support.worlds import World

FEW = ConnectionLimits(connections=16, reserved=4, patience_s=0.05, check_s=0.05)
HEADER = b"GET /_sim/v1/health HTTP/1.1\r\nHost: localhost\r\n"
Serve = Callable[[ConnectionLimits], Server]


@pytest.fixture
def serve() -> Iterator[Serve]:
    """Start a simulator whose server has these limits."""
    with ExitStack() as stack:

        def start(limits: ConnectionLimits) -> Server:
            simulator = Simulator(fixture="bare")
            server = simulator.listen("127.0.0.1", 0, limits=limits)
            server.start()
            stack.callback(server.stop)
            stack.callback(simulator.close)
            server.simulator = simulator  # type: ignore[attr-defined]
            return server

        yield start


@contextmanager
def connections(server: Server, count: int, sent: bytes = b"") -> Iterator[list[socket.socket]]:
    """Connections that have sent so much of a request."""
    with ExitStack() as stack:
        opened = []
        for _ in range(count):
            connection = stack.enter_context(socket.create_connection((server.host, server.port), timeout=TIMEOUT_S))
            connection.sendall(sent)
            opened.append(connection)
        yield opened


@contextmanager
def dripping(server: Server, count: int) -> Iterator[list[socket.socket]]:
    """Connections that send a byte of a header that never ends every now and then."""
    over = threading.Event()
    with connections(server, count, HEADER + b"X-Long: ") as opened:

        def drip() -> None:
            while not over.wait(0.01):
                for connection in opened:
                    with suppress(OSError):
                        connection.send(b"x")

        thread = threading.Thread(target=drip, daemon=True)
        thread.start()
        try:
            yield opened
        finally:
            over.set()
            thread.join()


def health(server: Server) -> int:
    """The status of a call on a new connection."""
    return HttpClient(server.host, server.port).call("GET", "/_sim/v1/health").status


def rest(connection: socket.socket) -> bytes:
    """What a connection receives until it is closed."""
    received = b""
    with suppress(ConnectionResetError):
        while piece := connection.recv(65536):
            received += piece
    return received


def test_dripping_connections_give_way_to_new_ones(serve: Serve) -> None:
    server = serve(FEW)
    with dripping(server, 3 * FEW.connections) as slow:
        assert [health(server) for _ in range(3 * FEW.connections)] == [200] * 3 * FEW.connections
        rest(slow[0])  # it was closed: this returns


def use(connection: socket.socket) -> None:
    """Make a call on a connection that stays open."""
    connection.sendall(HEADER + b"\r\n")
    answer = b""
    while b'"ready"' not in answer:
        piece = connection.recv(65536)
        assert piece, "it was closed"
        answer += piece


def test_a_connection_in_use_stays_while_slow_ones_give_way(serve: Serve) -> None:
    server = serve(FEW)
    with connections(server, 1) as [used], dripping(server, FEW.connections - 1) as slow:
        deadline = time.perf_counter() + 2 * FEW.patience_s
        while time.perf_counter() < deadline:  # from then on the others are slow
            use(used)
        for _ in range(5):
            use(used)
            with connections(server, 3, HEADER):
                assert health(server) == 200
        rest(slow[0])


@pytest.mark.parametrize(
    ("sent", "limits"),
    [
        (HEADER, {"header_s": 0.1}),
        (b"POST /_sim/v1/worlds HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n{", {"body_s": 0.1}),
        (b"POST /_sim/v1/worlds HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{",
         {"body_s": 0.1}),
    ],
    ids=["header", "body", "chunked body"],
)  # fmt: skip
def test_a_request_that_does_not_arrive_in_time_is_told_so(serve: Serve, sent: bytes, limits: dict[str, float]) -> None:
    server = serve(replace(FEW, **limits))
    with connections(server, 1, sent) as [slow]:
        answer = rest(slow)
    assert answer.startswith(b"HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n")
    assert answer.endswith(b"\r\n\r\nthe request did not arrive in time")


def test_an_idle_connection_is_closed_without_a_word(serve: Serve) -> None:
    server = serve(replace(FEW, idle_s=0.1))
    with connections(server, 2) as [unused, used]:
        used.sendall(HEADER + b"\r\n")
        assert rest(unused) == b""
        assert rest(used).count(b"HTTP/1.1") == 1


def test_a_client_that_sends_on_after_a_refusal_is_cut_off(serve: Serve) -> None:
    server = serve(replace(FEW, drain_s=0.1))
    with connections(server, 1, b"no request\r\n\r\n") as [client]:
        assert rest(client).startswith(b"HTTP/1.1 400 Bad Request\r\n")
        with pytest.raises(ConnectionError):  # noqa: PT012 - one write may still be buffered
            while True:
                client.sendall(b"more")


def test_clients_that_do_not_read_their_responses_do_not_stop_the_server(serve: Serve) -> None:
    server = serve(FEW)
    request = b"GET /openapi/team.json HTTP/1.1\r\nHost: localhost\r\n\r\n"
    with connections(server, 1, request) as [reader]:
        size = len(reader.recv(65536)) and int(_length(server))
    many = 2 + 17 * 1024 * 1024 // size
    with connections(server, 3, request * many):
        deadline = time.perf_counter() + 1
        while time.perf_counter() < deadline:
            assert health(server) == 200


def _length(server: Server) -> str:
    response = HttpClient(server.host, server.port).call("HEAD", "/openapi/team.json")
    return response.headers["content-length"]


def held_calls(server: Server, world: World, count: int) -> ConcurrentCalls[int]:
    """Hold so many calls, each on its own connection."""
    headers = world.credentials["partner.prepaid"]["headers"]
    client = HttpClient(server.host, server.port)

    def call() -> int:
        return client.call("GET", "/api/external/team-orders", headers=headers).status

    calls = ConcurrentCalls([call] * count)
    wait_until(lambda: world.call_control("GET", "")["counts"]["held"] == count)
    return calls


def test_a_control_call_gets_through_when_every_connection_holds_a_call(serve: Serve) -> None:
    server = serve(FEW)
    world = World(server.simulator, fixture="empty")  # type: ignore[attr-defined]
    world.add_fault({"hold": True})
    calls = held_calls(server, world, FEW.connections)
    client = HttpClient(server.host, server.port)
    with dripping(server, 2 * FEW.reserved):
        refused = client.call("GET", "/api/external/webhooks")
        assert (refused.status, b"release held calls" in refused.body) == (503, True)
        assert client.call("DELETE", f"/_sim/v1/worlds/{world.id}/faults").status == 200
        assert calls.results() == [200] * FEW.connections
    assert client.call("GET", "/api/external/webhooks").status == 401


EXHAUSTED = """
import json, os, resource, sys
from giftsim import Simulator
import logging
logging.basicConfig(format="%(message)s")
from giftsim.engine.worlds.waiters import WaitLimits
simulator = Simulator(fixture="bare", waits=WaitLimits(held_call_s=1.0))
server = simulator.listen("127.0.0.1", 0)
simulator.client.call("GET", "/openapi/team.json")
free = os.open("/dev/null", os.O_RDONLY)
os.close(free)
print(json.dumps({"host": server.host, "port": server.port}), flush=True)
resource.setrlimit(resource.RLIMIT_NOFILE, (free + 8, free + 8))
try:
    server.run()
except KeyboardInterrupt:
    pass
"""


def cpu_s(process: PythonProcess) -> float:
    """The processor time that a process has used."""
    fields = Path(f"/proc/{process.child.pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / 100


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="reads the processor time from /proc")
def test_running_out_of_file_descriptors_is_told_without_a_spin() -> None:
    process = PythonProcess("-c", EXHAUSTED)
    try:
        address = json.loads(process.line())
        client = HttpClient(address["host"], address["port"])
        world = client.call("POST", "/_sim/v1/worlds", body={"fixture": "empty"}).json()
        client.call("POST", f"/_sim/v1/worlds/{world['id']}/faults", body={"effect": {"hold": True}})
        headers = world["credentials"]["partner.prepaid"]["headers"]
        lines = [f"{name}: {value}" for name, value in {"Host": "localhost", **headers}.items()]
        request = "\r\n".join(["GET /api/external/team-orders HTTP/1.1", *lines, "", ""]).encode()
        with ExitStack() as stack:
            before = cpu_s(process)
            waiting = [
                stack.enter_context(socket.create_connection((client.host, client.port), timeout=0.7))
                for _ in range(12)
            ]
            for connection in waiting:
                connection.sendall(request)
            with pytest.raises(TimeoutError):
                waiting[-1].recv(1)
            assert cpu_s(process) - before < 0.4, "it spins"
        wait_until(lambda: client.call("GET", "/_sim/v1/health").status == 200)
    finally:
        _, errors = process.end()
    assert errors.count("no file descriptor is left for a new connection: raise the limit (ulimit -n)") == 1
