"""The throughput of several processes behind HAProxy, as a ratio to one process without a proxy."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from itertools import cycle
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.figure import Figure
from benchmarks.http_load import request, send_requests
from benchmarks.workload import order, serving
from giftsim.cli.haproxy.configuration import configuration, processes

WORLDS = 60
CALLS = 6_000
CONNECTIONS = 32
COUNTS = (1, 2, 4)


def figures() -> Iterator[Figure]:
    """Orders per second in sixty worlds: of one process, and of one and more behind the proxy."""
    haproxy = shutil.which("haproxy")
    if haproxy is None:
        yield Figure("orders of 16 worlds", "not measured", "", None, "HAProxy is not installed")
        return
    with serving("--fixture", "bare") as server:
        alone = _measure(server["port"])
    target = f"the machine has {os.cpu_count()} cores"
    yield _figure("one process, no proxy", alone, alone, target)
    for many in COUNTS:
        with _sharded(haproxy, many) as port:
            name = f"{many} process{'es' if many > 1 else ''} behind HAProxy"
            yield _figure(name, _measure(port), alone, target)


def _figure(name: str, measured: tuple[float, float, float], alone: tuple[float, float, float], target: str) -> Figure:
    value = f"{measured[0]:,.0f}/s p99 {measured[2]:.1f} ms"
    return Figure(f"orders of {WORLDS} worlds: {name}", value, target, None, "one process", measured[0] / alone[0])


def _measure(port: int) -> tuple[float, float, float]:
    """Orders per second, p50 and p99 in ms; the load's own process takes a part of the machine too."""
    names = [f"bench-{number}" for number in range(WORLDS)]
    _send(port, [request("POST", "/_sim/v1/worlds", {}, {"id": name, "fixture": "empty"}) for name in names])
    rich = {"key": "partner.prepaid", "add_cents": 10**11}
    _send(port, [request("POST", f"/_sim/v1/worlds/{name}/simulate/account", {}, rich) for name in names])
    headers = cycle([{"Authorization": f"Bearer pk_live_{name}_prepaid"} for name in names])
    _send(port, [_order(next(headers)) for _ in range(CALLS // 10)])
    return _send(port, [_order(next(headers)) for _ in range(CALLS)])


def _order(headers: dict[str, str]) -> bytes:
    return request("POST", "/api/external/team-orders", headers, order())


def _send(port: int, requests: list[bytes]) -> tuple[float, float, float]:
    return send_requests(port, len(requests), iter(requests).__next__, CONNECTIONS)


@contextmanager
def _sharded(haproxy: str, many: int) -> Iterator[int]:
    """Processes behind a proxy; the proxy's port."""
    first = _free_port()
    members = processes(many, first + 1, f"http://127.0.0.1:{first}", None, ("--fixture", "bare"))
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
