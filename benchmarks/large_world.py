"""A world of a million orders: their memory, calls beside those in a small world, pages of the console, ten days."""

from __future__ import annotations

import os
import statistics
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

from benchmarks.figure import Figure, median_seconds
from benchmarks.workload import KEY, advance, funded, place, resident_mb
from giftsim.engine.client.in_process import InProcessClient
from giftsim.engine.log.log import MAX_EVENTS
from giftsim.engine.server.garbage_collection import keeping_what_takes_long
from tests.support.console import Console
from tests.support.console_pages import console_pages

ORDERS = int(os.environ.get("ORDERS", "1_000_000"))
SMALL, LOGGED = 1_000, 12_000  # orders of a small world; those that fill the bounded logs
MANY, ROUNDS = 2_000, 5
MOST_KB, LEAST, MOST_MS, MOST_S = 3.0, 0.9, 150.0, 60.0


def figures() -> Iterator[Figure]:
    """The figures of one world without addresses, and of one in which all orders are made and delivered."""
    simulator, client = funded()
    place(client, SMALL)
    few = _rates(client)
    place(client, LOGGED)
    before_mb = resident_mb(os.getpid())
    place(client, ORDERS - LOGGED)
    each_kb = (resident_mb(os.getpid()) - before_mb) * 1000 / (ORDERS - LOGGED)
    yield Figure(f"memory of each of {ORDERS:,} orders", f"{each_kb:.1f} KB", f"{MOST_KB:g} KB", each_kb <= MOST_KB)
    for name, many in _rates(client).items():
        ratio = many / few[name]
        yield Figure(f"{name} in process, at {ORDERS:,} orders", f"{many:,.0f}/s", f"{LEAST} of that at {SMALL:,}",
                     ratio >= LEAST, f"that at {SMALL:,} orders", ratio)  # fmt: skip
    console = Console(simulator)
    with keeping_what_takes_long():  # as the server does
        console.open()
        spans = {name: _page_s(console, path) for name, path in console_pages(console).items() if path}
    slowest = max(spans, key=lambda name: spans[name])
    yield Figure(f"slowest page of the console, at {ORDERS:,} orders", f"{spans[slowest] * 1000:.0f} ms",
                 f"{MOST_MS:.0f} ms or less", spans[slowest] * 1000 <= MOST_MS, slowest)  # fmt: skip
    simulator.close()
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as process:
        span = process.submit(ten_days).result()
    yield Figure(f"ten days of {ORDERS:,} orders", f"{span:.0f} s", f"{MOST_S:.0f} s or less", span <= MOST_S)


def ten_days() -> float:
    """The seconds of ten days in which every order is made and delivered."""
    _, client = funded()
    place(client, ORDERS, addressed=True)
    started = time.perf_counter()
    advance(client, "10d")
    return time.perf_counter() - started


def _page_s(console: Console, path: str) -> float:
    console.open(path)
    return median_seconds(lambda: console.open(path), times=3)


def _rates(client: InProcessClient) -> dict[str, float]:
    """Calls a second of processor time, with full logs: the medians of rounds in which each has its turn."""

    def read(many: int = MANY) -> None:
        for _ in range(many):
            client.call("GET", "/api/external/team-orders/1050", headers=KEY)

    read(2 * MAX_EVENTS)
    works: dict[str, Callable[[], None]] = {"create": lambda: place(client, MANY), "read": read}
    spans: dict[str, list[float]] = {name: [] for name in works}
    for _ in range(ROUNDS):
        for name, work in works.items():
            started = time.process_time()
            work()
            spans[name].append(time.process_time() - started)
    return {name: MANY / statistics.median(each) for name, each in spans.items()}
