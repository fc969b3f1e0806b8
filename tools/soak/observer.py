"""Another client: it makes a call every 50 ms in a world that the soak leaves alone, and notes how long each takes.

It is a process of its own, so that the threads of the soak do not delay what it measures. A call that takes longer than
50 ms also counts for those that would have been made meanwhile.
"""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from http.client import HTTPConnection, HTTPException, HTTPResponse
from itertools import cycle
from pathlib import Path
from typing import NamedTuple

from tests.support.moves import PREPAID
from tests.support.orders import order_body
from tests.support.served_simulator import ROOT
from tools.soak.findings import SLOW, STOPPED, Findings

EVERY_S = 0.05
LIMIT_S = 100.0
MINUTE_S = 60.0
FEWEST = 100  # calls of a minute, below which it has no 99th percentile
KEY = {"Authorization": f"Bearer pk_live_default_{PREPAID}", "Content-Type": "application/json"}
ORDERS = "/api/external/team-orders"
REPEAT = ("POST", ORDERS, json.dumps(order_body(idempotency_key="observer")))
CALLS = (
    REPEAT,
    ("GET", ORDERS, None),
    ("GET", "/_sim/v1/health", None),
    ("GET", "/api/external/team-orders/1001", None),
)


class Span(NamedTuple):
    """One call: when it began, in the seconds of the system's monotonic clock, and how long it took."""

    at_s: float
    took_s: float


class Observer:
    """The process, which ends with the block, and what it noted."""

    def __init__(self, port: int, folder: Path, findings: Findings) -> None:
        self._file, self._findings = folder / "observer.txt", findings
        with self._file.open("wb") as output:
            command = [sys.executable, "-m", "tools.soak.observer", str(port)]
            self._process = subprocess.Popen(command, stdout=output, cwd=ROOT)

    def __enter__(self) -> Observer:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.terminate()
        status = self._process.wait(LIMIT_S)
        if status != -signal.SIGTERM:
            self._findings.fail(STOPPED, f"the observer ended by itself, with status {status}")

    def spans(self, outages: Sequence[tuple[float, float]]) -> list[Span]:
        """The calls that were answered, without those that met a kill."""
        return read_spans(self._file, outages)


def read_spans(file: Path, outages: Sequence[tuple[float, float]]) -> list[Span]:
    """The calls that are noted in a file, without those that were under way in an outage."""
    spans = [Span(*map(float, line.split())) for line in file.read_text(encoding="utf-8").splitlines()]
    return [
        span for span in spans
        if not any(span.at_s < up and span.at_s + span.took_s > down for down, up in outages)
    ]  # fmt: skip


def check_waits(spans: Sequence[Span], p99_s: float, findings: Findings) -> None:
    """Fail if, in some minute, more than one call in a hundred took longer than `p99_s`; 0 sets no bound."""
    slowest_s = slowest_minute_s(spans)
    if p99_s and slowest_s > p99_s:
        findings.fail(SLOW, f"p99 of its slowest minute: {slowest_s * 1000:.0f} ms")


def slowest_minute_s(spans: Sequence[Span]) -> float:
    """The highest 99th percentile of all minutes, in seconds."""
    minutes: dict[int, list[float]] = {}
    for span in spans:
        minutes.setdefault(int((span.at_s - spans[0].at_s) // MINUTE_S), []).append(span.took_s)
    whole = [minute for minute in minutes.values() if len(minute) >= FEWEST]
    return max((percentile(minute, 0.99) for minute in whole), default=0.0)


def percentile(values: Sequence[float], share: float) -> float:
    """The value below which a share of all values is."""
    return sorted(values)[int(len(values) * share)]


def observe(port: int) -> Iterator[Span]:
    """Make calls without an end. Those that a kill of the server cuts are not noted."""
    connection, calls = HTTPConnection("127.0.0.1", port, timeout=LIMIT_S), cycle(CALLS)
    while True:
        call, began = next(calls), time.monotonic()
        try:
            answer = _answer(connection, *call)
        except (OSError, HTTPException):
            connection.close()
            calls = cycle(CALLS)  # the order may not exist yet
            time.sleep(EVERY_S)
            continue
        if answer.status >= 400:
            raise SystemExit(f"{call[:2]}: {answer.status}")
        took = time.monotonic() - began
        yield from waits(began, took)
        time.sleep(max(0.0, EVERY_S - took))


def waits(began: float, took: float) -> Iterator[Span]:
    """A call, and those that would have been made while it lasted: they would have waited for the rest of it."""
    for n in range(int(took / EVERY_S) + 1):
        yield Span(began + n * EVERY_S, took - n * EVERY_S)


def _answer(connection: HTTPConnection, method: str, path: str, body: str | None) -> HTTPResponse:
    connection.request(method, path, body, KEY)
    answer = connection.getresponse()
    answer.read()
    return answer


if __name__ == "__main__":
    for each in observe(int(sys.argv[1])):
        print(f"{each.at_s:.4f} {each.took_s:.5f}", flush=True)
