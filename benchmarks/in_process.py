"""Create, read and list without a socket, with few and with many orders, and the memory of an order."""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Iterator
from typing import Any

from benchmarks.figure import Figure, rate
from benchmarks.workload import KEY, funded, place, resident_mb
from giftsim.event_log.log import MAX_EVENTS

MANY, FULL = 2_000, 50_000


def figures() -> Iterator[Figure]:
    """The figures of the in-process client."""
    _, client = funded()
    place(client, 100)
    few = _rates(client)
    place(client, FULL - 100 - 3 * MANY)
    full = _rates(client)
    targets = {"create": 12_000}
    for name, at_few in few.items():
        target = f"{targets[name]:,}/s" if name in targets else ""
        met = at_few >= targets[name] if name in targets else None
        yield Figure(f"{name} in process, at 100 orders", f"{at_few:,.0f}/s", target, met)
        ratio = full[name] / at_few
        yield Figure(f"{name} in process, at {FULL:,} orders", f"{full[name]:,.0f}/s", "within 10 % of that at 100",
                     ratio >= 0.9, "that at 100 orders", ratio)  # fmt: skip
    yield _memory()


def _rates(client: Any) -> dict[str, float]:
    """Calls per second. Before each kind, calls fill the logs: then a call drops the same from them in any world."""

    def read(many: int = MANY) -> None:
        for _ in range(many):
            client.call("GET", "/api/external/team-orders/1050", headers=KEY)

    def list_page(many: int = MANY) -> None:
        for _ in range(many):
            client.call("GET", "/api/external/team-orders?limit=25", headers=KEY)

    read(2 * MAX_EVENTS)
    rates = {"create": rate(MANY, lambda: place(client, MANY))}
    read(2 * MAX_EVENTS)
    rates["read"] = rate(MANY, read)
    list_page(MANY)
    return {**rates, "list of 25": rate(MANY, list_page)}


def _memory() -> Figure:
    receiving, sending = multiprocessing.get_context("spawn").Pipe()
    process = multiprocessing.get_context("spawn").Process(target=_grow, args=(sending,))
    process.start()
    grown_kb = float(receiving.recv())
    process.join()
    return Figure("memory per one-recipient order", f"{grown_kb:.1f} KB", "6 KB or less", grown_kb <= 6)


def _grow(connection: Any) -> None:
    _, client = funded()
    place(client, 12_000)  # fills the call log, which is bounded
    before = resident_mb(os.getpid())
    place(client, 20_000)
    connection.send((resident_mb(os.getpid()) - before) * 1000 / 20_000)
