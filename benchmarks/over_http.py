"""Cold start, creates and reads over HTTP, beside a trivial application on the same server."""

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
from benchmarks.load import drive, request
from benchmarks.scene import KEY, order, resident_mb, serving

MANY = 4_000


def figures() -> Iterator[Figure]:
    """Everything measured through a socket."""
    yield _cold_start()
    floor = _floor()
    with serving("--fixture", "empty") as told:
        yield Figure(
            "memory at start", f"{resident_mb(told['pid']):.0f} MB", "60 MB or less", resident_mb(told["pid"]) <= 60
        )
        _call(told["port"], "POST", "/_sim/v1/worlds/default/simulate/account",
              {"key": "partner.prepaid", "add_cents": 10**11})  # fmt: skip
        yield from _orders(told["port"], floor, "100")
        _fill(told["port"], 50_000)
        yield from _orders(told["port"], floor, "50,000")


def _orders(port: int, floor: float, at: str) -> Iterator[Figure]:
    made = drive(port, MANY, lambda: request("POST", "/api/external/team-orders", KEY, order()))
    yield _row(f"create over HTTP, at {at} orders", made, floor, "p99 under 10 ms", made[2] < 10)
    read = drive(port, MANY, lambda: request("GET", "/api/external/team-orders/1050", KEY))
    yield _row(f"read over HTTP, at {at} orders", read, floor, "2 x a stateless peer", None)
    listed = drive(port, MANY // 2, lambda: request("GET", "/api/external/team-orders?limit=25", KEY))
    yield _row(f"list of 25 over HTTP, at {at} orders", listed, floor, "the same at 100 and 50,000", None)


def _row(name: str, made: tuple[float, float, float], floor: float, target: str, met: bool | None) -> Figure:
    value = f"{made[0]:,.0f}/s p99 {made[2]:.1f} ms"
    return Figure(name, value, target, met, "bare waitress", made[0] / floor)


def _fill(port: int, many: int) -> None:
    drive(port, many, lambda: request("POST", "/api/external/team-orders", KEY, order()))


def _cold_start() -> Figure:
    bare = statistics.median(seconds(lambda: subprocess.run([sys.executable, "-c", ""], check=True)) for _ in range(5))
    spans = []
    for _ in range(5):
        started = time.perf_counter()
        with serving() as told:
            _call(told["port"], "GET", "/_sim/v1/health")
            spans.append(time.perf_counter() - started)
    span = statistics.median(spans)
    return Figure("cold start to first 200", f"{span * 1000:.0f} ms", "220 ms or less", span <= 0.22,
                  "bare Python", span / bare)  # fmt: skip


def _call(port: int, method: str, path: str, body: Any = None) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", port)
    raw = request(method, path, {}, body).partition(b"\r\n\r\n")[2]
    connection.request(method, path, raw)
    answer = connection.getresponse()
    assert answer.status == 200, answer.read()
    connection.close()


def _floor() -> float:
    """A trivial application on the same server, two threads, in a process of its own."""
    ours, theirs = multiprocessing.Pipe()
    process = multiprocessing.Process(target=_serve_floor, args=(theirs,), daemon=True)
    process.start()
    found = drive(ours.recv(), MANY, lambda: request("GET", "/", {}))
    process.terminate()
    return found[0]


def _serve_floor(told: Any) -> None:
    import logging

    from waitress.server import create_server

    logging.getLogger("waitress").setLevel(logging.CRITICAL)

    def app(_environ: Any, start: Callable[..., Any]) -> Iterable[bytes]:
        start("200 OK", [("Content-Type", "text/plain"), ("Content-Length", "2")])
        return [b"ok"]

    server = create_server(app, host="127.0.0.1", port=0, threads=2)
    told.send(server.effective_port)
    server.run()
