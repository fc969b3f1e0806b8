"""Cold start, create, read and list over HTTP, compared with a trivial application on the same server."""

from __future__ import annotations

import http.client
import multiprocessing
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from benchmarks.figure import Figure, seconds
from benchmarks.http_load import request, send_requests
from benchmarks.workload import KEY, order, resident_mb, serving

MANY = 4_000


def figures() -> Iterator[Figure]:
    """The figures of a server process."""
    yield _cold_start()
    baseline = _baseline()
    with serving("--fixture", "empty") as server:
        yield Figure(
            "memory at start", f"{resident_mb(server['pid']):.0f} MB", "60 MB or less", resident_mb(server["pid"]) <= 60
        )
        _call(server["port"], "POST", "/_sim/v1/worlds/default/simulate/account",
              {"key": "partner.prepaid", "add_cents": 10**11})  # fmt: skip
        yield from _orders(server["port"], baseline, "100")
        _fill(server["port"], 50_000)
        yield from _orders(server["port"], baseline, "50,000")


def _orders(port: int, baseline: float, at: str) -> Iterator[Figure]:
    created = send_requests(port, MANY, lambda: request("POST", "/api/external/team-orders", KEY, order()))
    yield _row(f"create over HTTP, at {at} orders", created, baseline, "p99 under 10 ms", created[2] < 10)
    read = send_requests(port, MANY, lambda: request("GET", "/api/external/team-orders/1050", KEY))
    yield _row(f"read over HTTP, at {at} orders", read, baseline, "2 x a stateless peer", None)
    listed = send_requests(port, MANY // 2, lambda: request("GET", "/api/external/team-orders?limit=25", KEY))
    yield _row(f"list of 25 over HTTP, at {at} orders", listed, baseline, "the same at 100 and 50,000", None)


def _row(name: str, measured: tuple[float, float, float], baseline: float, target: str, met: bool | None) -> Figure:
    value = f"{measured[0]:,.0f}/s p99 {measured[2]:.1f} ms"
    return Figure(name, value, target, met, "bare waitress", measured[0] / baseline)


def _fill(port: int, many: int) -> None:
    send_requests(port, many, lambda: request("POST", "/api/external/team-orders", KEY, order()))


def _cold_start() -> Figure:
    bare_python = statistics.median(
        seconds(lambda: subprocess.run([sys.executable, "-c", ""], check=True)) for _ in range(5)
    )
    spans = []
    for _ in range(5):
        started = time.perf_counter()
        with serving() as server:
            _call(server["port"], "GET", "/_sim/v1/health")
            spans.append(time.perf_counter() - started)
    span = statistics.median(spans)
    return Figure("cold start to first 200", f"{span * 1000:.0f} ms", "14 bare Python starts", span <= 14 * bare_python,
                  "bare Python", span / bare_python)  # fmt: skip


def _call(port: int, method: str, path: str, body: Any = None) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", port)
    raw = request(method, path, {}, body).partition(b"\r\n\r\n")[2]
    connection.request(method, path, raw)
    response = connection.getresponse()
    assert response.status == 200, response.read()
    connection.close()


def _baseline() -> float:
    """Requests per second of a trivial application on the same server, in a process of its own with two threads."""
    receiving, sending = multiprocessing.Pipe()
    process = multiprocessing.Process(target=_serve_baseline, args=(sending,), daemon=True)
    process.start()
    measured = send_requests(receiving.recv(), MANY, lambda: request("GET", "/", {}))
    process.terminate()
    return measured[0]


def _serve_baseline(connection: Any) -> None:
    import logging

    from waitress.server import create_server

    logging.getLogger("waitress").setLevel(logging.CRITICAL)

    def app(_environ: Any, start: Callable[..., Any]) -> Iterable[bytes]:
        start("200 OK", [("Content-Type", "text/plain"), ("Content-Length", "2")])
        return [b"ok"]

    server = create_server(app, host="127.0.0.1", port=0, threads=2)
    connection.send(server.effective_port)
    server.run()
