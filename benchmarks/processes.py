"""The throughput of several processes behind HAProxy, as a ratio to one process without a proxy."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from itertools import cycle
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.figure import Figure
from benchmarks.http_load import request, send_requests
from benchmarks.workload import order, serving
from giftsim.cli.haproxy import configuration, on_this_machine, processes

WORLDS = 60
CALLS = 6_000
CONNECTIONS = 32
PLAYS = 600
COUNTS = (1, 2, 4)
SCENARIO = """\
scenario: A mug for Bo
steps:
  - call: POST /api/external/team-orders
    as: partner.prepaid
    body: {idempotency_key: first, gift_sender: Ada, items: [{sku_code: MUG-01}],
           recipients: [{name: Bo, email: bo@example.com}]}
    expect: {status: 201}
    save: {order: $.team_order.id}
  - simulate: claim
    with: {team_order_id: "${order}", recipient: 0}
  - advance: 10d
  - call: GET /api/external/team-orders/${order}
    as: partner.prepaid
    expect: {status: 200, body: {team_order: {status: delivered}}}
"""
Speed = tuple[float, float, float]  # per second, p50 and p99 in ms


def figures() -> Iterator[Figure]:
    """Orders, and scenarios of ten days, per second: of one process, and of one and more behind the proxy."""
    haproxy = shutil.which("haproxy")
    if haproxy is None:
        yield Figure("several processes", "not measured", "", None, "HAProxy is not installed")
        return
    with serving("--fixture", "bare") as server:
        alone = [measure(server["port"]) for measure in MEASURES.values()]
    yield from _figures("one process, no proxy", alone, alone)
    for many in COUNTS:
        with _sharded(haproxy, many) as port:
            measured = [measure(port) for measure in MEASURES.values()]
        yield from _figures(f"{many} process{'es' if many > 1 else ''} and HAProxy", measured, alone)


def _figures(name: str, measured: Sequence[Speed], alone: Sequence[Speed]) -> Iterator[Figure]:
    for what, speed, single in zip(MEASURES, measured, alone, strict=True):
        value = f"{speed[0]:,.0f}/s p99 {speed[2]:.0f} ms"
        yield Figure(
            f"{what}: {name}",
            value,
            f"{os.cpu_count()} cores, with the load",
            None,
            "one process",
            speed[0] / single[0],
        )


def _measure_orders(port: int) -> Speed:
    """Orders in sixty worlds; the load's own process takes a part of the machine too."""
    names = [f"bench-{number}" for number in range(WORLDS)]
    _send(port, [request("POST", "/_sim/v1/worlds", {}, {"id": name, "fixture": "empty"}) for name in names])
    rich = {"key": "partner.prepaid", "add_cents": 10**11}
    _send(port, [request("POST", f"/_sim/v1/worlds/{name}/simulate/account", {}, rich) for name in names])
    headers = cycle([{"Authorization": f"Bearer pk_live_{name}_prepaid"} for name in names])
    _send(port, [_order(next(headers)) for _ in range(CALLS // 10)])
    return _send(port, [_order(next(headers)) for _ in range(CALLS)])


def _measure_scenarios(port: int) -> Speed:
    """Scenarios over HTTP, each in a world of its own: as much work as a test is."""
    play = request("POST", "/_sim/v1/scenarios/play", {"Content-Type": "application/yaml"}, body=SCENARIO.encode())
    _send(port, [play] * (PLAYS // 10))
    return _send(port, [play] * PLAYS)


def _order(headers: dict[str, str]) -> bytes:
    return request("POST", "/api/external/team-orders", headers, order())


def _send(port: int, requests: list[bytes]) -> Speed:
    return send_requests(port, len(requests), iter(requests).__next__, CONNECTIONS)


MEASURES: dict[str, Callable[[int], Speed]] = {"orders": _measure_orders, "scenarios": _measure_scenarios}


@contextmanager
def _sharded(haproxy: str, many: int) -> Iterator[int]:
    """Processes behind a proxy; the proxy's port."""
    first = _free_port()
    members = processes(on_this_machine(many, first + 1), f"http://127.0.0.1:{first}", None, ("--fixture", "bare"))
    with ExitStack() as stack, TemporaryDirectory() as folder:
        for member in members:
            stack.enter_context(
                serving("--port", str(member.port), "--worlds-prefix", member.prefix, "--fixture", "bare")
            )
        file = Path(folder, "haproxy.cfg")
        file.write_text(configuration(f"127.0.0.1:{first}", members), encoding="utf-8")
        proxy = subprocess.Popen([haproxy, "-q", "-f", str(file)])
        stack.callback(proxy.wait)
        stack.callback(proxy.terminate)
        _wait_for(first)
        yield first


def _free_port() -> int:
    """A port with free ones behind it, none of which the system gives to outgoing connections."""
    for port in range(20_000, 32_000, 100):
        with suppress(OSError):
            for each in range(port, port + max(COUNTS) + 1):
                socket.create_server(("127.0.0.1", each)).close()
            return port
    sys.exit("no ports are free")


def _wait_for(port: int) -> None:
    for _ in range(100):
        try:
            socket.create_connection(("127.0.0.1", port)).close()
            return
        except OSError:
            time.sleep(0.1)
    sys.exit(f"nothing answers on port {port}")
