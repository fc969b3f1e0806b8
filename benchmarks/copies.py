"""Copies of a world with 10,000 orders: create, fork, snapshot, restore and reset, and the first write after each.

And the memory that a fork of a small world takes.
"""

from __future__ import annotations

import gc
import json
import tempfile
import tracemalloc
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import Any

from benchmarks.figure import Figure, median_seconds
from benchmarks.workload import order
from giftsim import Simulator
from giftsim.engine.client.in_process import InProcessClient
from giftsim.engine.client.response import Response

ORDERS = 10_000
WORLDS = "/_sim/v1/worlds"
TIMES = 7
FORKS = 100


def figures() -> Iterator[Figure]:
    """The figures of copies, on a fixture file with 10,000 orders that is loaded once."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "full.json")
        path.write_text(json.dumps(fixture()), encoding="utf-8")
        client = Simulator(fixture=str(path)).client
        _check(client.call("POST", WORLDS, body={"id": "first", "fixture": "full"}))
        for name, copy in copies(client).items():
            yield from _figures_of(client, name, copy)
    yield from _sizes_of_forks()


def fixture() -> dict[str, Any]:
    """A fixture with 10,000 orders, and the money for them."""
    orders = [{"key": "partner.prepaid", "ago": "1d", "body": _body()} for _ in range(ORDERS)]
    return {"extends": "empty", "accounts": {"prepaid": {"wallet_cents": 10**9}}, "orders": orders}


def copies(client: InProcessClient) -> dict[str, Callable[[], str]]:
    """The ways to copy the world `first`; each returns the id of the world to write to."""
    serial = count()

    def create() -> str:
        name = f"c{next(serial)}"
        _check(client.call("POST", WORLDS, body={"id": name, "fixture": "full"}))
        return name

    def fork() -> str:
        name = f"f{next(serial)}"
        _check(client.call("POST", f"{WORLDS}/first/fork", body={"id": name}))
        return name

    def on_first(path: str, body: Any = None) -> Callable[[], str]:
        def call() -> str:
            _check(client.call("POST", f"{WORLDS}/first/{path}", body=body))
            return "first"

        return call

    snapshot, restore = on_first("snapshots", {"name": "s"}), on_first("snapshots/s/restore")
    return {"create": create, "fork": fork, "snapshot": snapshot, "restore": restore, "reset": on_first("reset")}


def _figures_of(client: InProcessClient, name: str, copy: Callable[[], str]) -> Iterator[Figure]:
    span = median_seconds(copy, TIMES)
    yield Figure(f"{name}, with {ORDERS:,} orders", f"{span * 1000:.2f} ms", "1 ms or less", span <= 0.001)
    write_spans = []
    for _ in range(TIMES):
        world = copy()
        write_spans.append(median_seconds(lambda world=world: write(client, world), 1))  # type: ignore[misc]
    first_write = sorted(write_spans)[TIMES // 2]
    yield Figure(f"first write after {name}", f"{first_write * 1000:.2f} ms", "5 ms or less", first_write <= 0.005)


def _sizes_of_forks() -> Iterator[Figure]:
    """The memory of forks of the default world, before and after each has its first order."""
    client = Simulator(fixture="default").client
    forks = [f"s{number}" for number in range(FORKS + 1)]
    _check(client.call("POST", f"{WORLDS}/default/fork", body={"id": forks[0]}))
    write(client, forks[0])
    tracemalloc.start()
    try:
        before = _traced_bytes()
        for fork in forks[1:]:
            _check(client.call("POST", f"{WORLDS}/default/fork", body={"id": fork}))
        forked = _traced_bytes()
        for fork in forks[1:]:
            write(client, fork)
        written = _traced_bytes()
    finally:
        tracemalloc.stop()
    yield Figure("a fork of the default world", f"{(forked - before) / FORKS / 1000:.0f} KB", "", None)
    size = (written - before) / FORKS / 1000
    yield Figure("a fork of the default world, written to once", f"{size:.0f} KB", "20 KB or less", size <= 20)


def _traced_bytes() -> int:
    gc.collect()
    return tracemalloc.get_traced_memory()[0]


def write(client: InProcessClient, world: str) -> None:
    """Create an order in a world."""
    key = {"Authorization": f"Bearer pk_live_{world}_prepaid"}
    _check(client.call("POST", "/api/external/team-orders", body=order(), headers=key))


def _body() -> dict[str, Any]:
    return {name: value for name, value in order().items() if name != "idempotency_key"}


def _check(response: Response) -> None:
    assert response.status < 300, response.text
