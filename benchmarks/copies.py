"""Worlds of 10,000 orders made, forked, kept, put back and reset, each with the first write after it."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import Any

from benchmarks.figure import Figure, median_seconds
from benchmarks.scene import order
from giftsim import Simulator
from giftsim.gateway.in_process_client import Answer, InProcessClient

ORDERS = 10_000
WORLDS = "/_sim/v1/worlds"
TIMES = 7


def figures() -> Iterator[Figure]:
    """Everything measured on a fixture file that holds 10,000 orders, loaded once."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "full.json")
        path.write_text(json.dumps(fixture()))
        client = Simulator(fixture=str(path)).client
        _done(client.call("POST", WORLDS, body={"id": "first", "fixture": "full"}))
        for name, act in acts(client).items():
            yield from _act(client, name, act)


def fixture() -> dict[str, Any]:
    """A past of 10,000 orders, and the money for it."""
    orders = [{"key": "partner.prepaid", "ago": "1d", "body": _body()} for _ in range(ORDERS)]
    return {"extends": "empty", "accounts": {"prepaid": {"wallet_cents": 10**9}}, "orders": orders}


def acts(client: InProcessClient) -> dict[str, Callable[[], str]]:
    """What is done to the world `first`; each answers with the world to write to next."""
    serial = count()

    def create() -> str:
        name = f"c{next(serial)}"
        _done(client.call("POST", WORLDS, body={"id": name, "fixture": "full"}))
        return name

    def fork() -> str:
        name = f"f{next(serial)}"
        _done(client.call("POST", f"{WORLDS}/first/fork", body={"id": name}))
        return name

    def on_first(path: str, body: Any = None) -> Callable[[], str]:
        def act() -> str:
            _done(client.call("POST", f"{WORLDS}/first/{path}", body=body))
            return "first"

        return act

    snapshot, restore = on_first("snapshots", {"name": "s"}), on_first("snapshots/s/restore")
    return {"create": create, "fork": fork, "snapshot": snapshot, "restore": restore, "reset": on_first("reset")}


def _act(client: InProcessClient, name: str, act: Callable[[], str]) -> Iterator[Figure]:
    found = ["first"]
    span = median_seconds(lambda: found.append(act()), TIMES)
    yield Figure(f"{name}, with {ORDERS:,} orders", f"{span * 1000:.2f} ms", "1 ms or less", span <= 0.001)
    spans = []
    for _ in range(TIMES):
        world = act()
        spans.append(median_seconds(lambda world=world: write(client, world), 1))  # type: ignore[misc]
    first = sorted(spans)[TIMES // 2]
    yield Figure(f"first write after {name}", f"{first * 1000:.2f} ms", "5 ms or less", first <= 0.005)


def write(client: InProcessClient, world: str) -> None:
    """Create an order in a world."""
    key = {"Authorization": f"Bearer pk_live_{world}_prepaid"}
    _done(client.call("POST", "/api/external/team-orders", body=order(), headers=key))


def _body() -> dict[str, Any]:
    return {name: value for name, value in order().items() if name != "idempotency_key"}


def _done(answer: Answer) -> None:
    assert answer.status < 300, answer.text
