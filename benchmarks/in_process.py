"""Creates, reads and lists without a socket, at few and at many orders, with the memory that an order takes."""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Iterator
from typing import Any

from benchmarks.figure import Figure, rate
from benchmarks.scene import KEY, funded, place, resident_mb

MANY, FULL = 2_000, 50_000


def figures() -> Iterator[Figure]:
    """Everything measured through the in-process client."""
    _, client = funded()
    place(client, 100)
    few = _rates(client)
    place(client, FULL - 100 - MANY)
    full = _rates(client)
    wanted = {"create": 12_000}
    for name, at_few in few.items():
        target = f"{wanted[name]:,}/s" if name in wanted else ""
        met = at_few >= wanted[name] if name in wanted else None
        yield Figure(f"{name} in process, at 100 orders", f"{at_few:,.0f}/s", target, met)
        ratio = full[name] / at_few
        yield Figure(f"{name} in process, at {FULL:,} orders", f"{full[name]:,.0f}/s", "within 10 % of that at 100",
                     ratio >= 0.9, "that at 100 orders", ratio)  # fmt: skip
    yield _memory()


def _rates(client: Any) -> dict[str, float]:
    def read() -> None:
        for _ in range(MANY):
            client.call("GET", "/api/external/team-orders/1050", headers=KEY)

    def listed() -> None:
        for _ in range(MANY // 10):
            client.call("GET", "/api/external/team-orders?limit=25", headers=KEY)

    return {
        "create": rate(MANY, lambda: place(client, MANY), times=1),
        "read": rate(MANY, read),
        "list of 25": rate(MANY // 10, listed),
    }


def _memory() -> Figure:
    ours, theirs = multiprocessing.get_context("spawn").Pipe()
    process = multiprocessing.get_context("spawn").Process(target=_grow, args=(theirs,))
    process.start()
    grown = float(ours.recv())
    process.join()
    return Figure("memory per one-recipient order", f"{grown:.1f} KB", "6 KB or less", grown <= 6)


def _grow(told: Any) -> None:
    _, client = funded()
    place(client, 12_000)  # the journal is full by now, and bounded from then on
    before = resident_mb(os.getpid())
    place(client, 20_000)
    told.send((resident_mb(os.getpid()) - before) * 1000 / 20_000)
