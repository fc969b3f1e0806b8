"""Cold start, and create, read and list over HTTP: beside a trivial application on waitress, and with many orders."""

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
from giftsim.engine.log.log import MAX_EVENTS

Load = tuple[float, float, float]  # calls per second, and ms at the median and the 99th percentile
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
        few = _measure(server["port"])
        _create(server["port"], 50_000)
        full = _measure(server["port"])
    for name, measured in few.items():
        yield _figure(f"{name} over HTTP, at 100 orders", measured, "bare waitress", measured[0] / baseline)
        ratio = full[name][0] / measured[0]
        yield _figure(f"{name} over HTTP, at 50,000 orders", full[name], "that at 100 orders", ratio)


def _measure(port: int) -> dict[str, Load]:
    """What is measured with one size of the world. Reads and lists come after as many as fill the logs (in_process)."""
    measured = {"create": _create(port, MANY)}
    for name, path, fill in ("read", "/1050", 2 * MAX_EVENTS), ("list of 25", "?limit=25", MANY):
        content = request("GET", f"/api/external/team-orders{path}", KEY)
        send_requests(port, fill, lambda content=content: content)  # type: ignore[misc]
        measured[name] = send_requests(port, MANY, lambda content=content: content)  # type: ignore[misc]
    return measured


def _figure(name: str, measured: Load, against: str, ratio: float) -> Figure:
    value, is_create = f"{measured[0]:,.0f}/s p99 {measured[2]:.1f} ms", name.startswith("create")
    target, met = ("p99 5 ms or less", measured[2] <= 5) if is_create else ("", None)
    return Figure(name, value, target, met, against, ratio)


def _create(port: int, many: int) -> Load:
    return send_requests(port, many, lambda: request("POST", "/api/external/team-orders", KEY, order()))


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
