"""A simulator that is killed while clients write, and started again with the same journal file (G5)."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.client import HTTPException
from pathlib import Path
from typing import Any, cast

import pytest

from giftsim import Simulator
from giftsim.gateway.in_process_client import Response
from giftsim.kernel import random_streams
from tests.properties.books import Books
from tests.support.orders import RENO, order_body
from tests.support.served_simulator import PythonProcess, ServedSimulator
from tests.support.worlds import World

KILLS_A_TEST = 10
WRITERS = 3
WALLET = "partner.prepaid"


class Known:
    """What the clients were told: the answers by idempotency key, and the latest instant."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.orders: dict[str, Response] = {}
        self.claimed: dict[int, None] = {}
        self.now = ""
        self.goal = 0
        self.enough = threading.Event()

    def told(self) -> None:
        """One more answer came."""
        if len(self.orders) >= self.goal:
            self.enough.set()


class Standing(World):
    """A world that is there already."""

    def __init__(self, served: ServedSimulator, world_id: str) -> None:
        self.simulator, self.client, self.id = cast(Simulator, served), cast(Any, served.client), world_id
        self.description = self.json_of(self.client.call("GET", f"/_sim/v1/worlds/{world_id}"))
        self.credentials = self.description["credentials"]


@contextmanager
def killed_at_will(journal: Path) -> Iterator[ServedSimulator]:
    """A server with a journal, which ends by `kill -9` whatever it is doing."""
    options = ("--clock", "manual", "--fixture", "empty", "--journal", str(journal))
    process = PythonProcess("run_sim.py", "--port", "0", "--json", *options)
    try:
        yield ServedSimulator(process)
    finally:
        process.child.kill()
        process.end()


def write(world: World, known: Known, name: str) -> None:
    """Order, let people claim and move the clock, until the server is gone."""
    with suppress(OSError, HTTPException):
        for number in range(1_000):
            key = f"{name}-{number}"
            answer = world.partner().post("/team-orders", order_body(idempotency_key=key))
            assert answer.status == 201, answer.text
            with known.lock:
                known.orders[key] = answer
                known.told()
            order_id = answer.json()["team_order"]["id"]
            if number % 3 == 1:
                world.simulate("claim", team_order_id=order_id, recipient=0, address=RENO)
                with known.lock:
                    known.claimed[order_id] = None
            if number % 4 == 2:
                now = world.advance("6h")["to"]
                with known.lock:
                    known.now = max(known.now, now)


def hold(world: World, known: Known) -> None:
    """All that was acknowledged is there, to the byte, and nothing is half done."""
    for key, answer in known.orders.items():
        again = world.partner().post("/team-orders", order_body(idempotency_key=key))
        assert (again.status, again.body) == (answer.status, answer.body)
        assert again.headers["idempotent-replayed"] == "true"
    for order_id in known.claimed:
        [row] = world.partner().read_order(order_id)["recipients"]
        assert row["status"] != "awaiting"
    assert world.now >= known.now
    Books(world).check()


@pytest.mark.parametrize("seed", range(5))
def test_nothing_acknowledged_is_lost_and_nothing_is_half_done_when_the_process_is_killed(
    seed: int, tmp_path: Path
) -> None:
    journal, known = tmp_path / "journal", Known()
    for kill in range(KILLS_A_TEST):
        with killed_at_will(journal) as served:
            world = Standing(served, "default")
            world.change_account(wallet_cents=10**9)
            hold(world, known)
            known.enough.clear()
            known.goal = len(known.orders) + 1 + random_streams.draw(seed, "kill", kill) % 24
            writers = [
                threading.Thread(target=write, args=(world, known, f"{kill}-{w}"), daemon=True) for w in range(WRITERS)
            ]
            for writer in writers:
                writer.start()
            assert known.enough.wait(30)
        for writer in writers:
            writer.join(30)
    with killed_at_will(journal) as served:
        hold(Standing(served, "default"), known)
    assert known.claimed
    assert known.now
