"""A simulator that is killed while clients write, and started again with the same journal file (G5)."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.client import HTTPException
from pathlib import Path
from typing import cast

import pytest

from giftsim import Simulator
from giftsim.engine.client.response import Response
from giftsim.engine.kernel import random_streams
from tests.properties.world_checks import WorldCheck
from tests.support.orders import RENO, order_body
from tests.support.served_simulator import PythonProcess, ServedSimulator
from tests.support.worlds import ExistingWorld, World

KILLS_A_TEST = 6  # `python -m tools soak` kills for as long as you like
WRITERS = 3


class Acknowledged:
    """The responses that clients got, by idempotency key, and the latest instant."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.orders: dict[str, Response] = {}
        self.claimed: dict[int, None] = {}
        self.now = ""
        self.goal = 0
        self.enough = threading.Event()

    def count_response(self) -> None:
        """Count one more response."""
        if len(self.orders) >= self.goal:
            self.enough.set()


@contextmanager
def killable_server(journal: Path) -> Iterator[ServedSimulator]:
    """A server with a journal file, ended by `kill -9`."""
    options = ("--clock", "manual", "--fixture", "empty", "--journal", str(journal))
    process = PythonProcess("run_sim.py", "--port", "0", "--json", *options)
    try:
        yield ServedSimulator(process)
    finally:
        process.child.kill()
        process.end()


def write_until_killed(world: World, known: Acknowledged, name: str) -> None:
    """Create orders, claim gifts and move the clock until the server is killed."""
    with suppress(OSError, HTTPException):
        for number in range(1_000):
            key = f"{name}-{number}"
            response = world.partner().post("/team-orders", order_body(idempotency_key=key))
            assert response.status == 201, response.text
            with known.lock:
                known.orders[key] = response
                known.count_response()
            order_id = response.json()["team_order"]["id"]
            if number % 3 == 1:
                world.simulate("claim", team_order_id=order_id, recipient=0, address=RENO)
                with known.lock:
                    known.claimed[order_id] = None
            if number % 4 == 2:
                now = world.advance("6h")["to"]
                with known.lock:
                    known.now = max(known.now, now)


def check_recovered(world: World, known: Acknowledged) -> None:
    """Check that every acknowledged response is the same to the byte, and that nothing is half done."""
    for key, response in known.orders.items():
        repeated = world.partner().post("/team-orders", order_body(idempotency_key=key))
        assert (repeated.status, repeated.body) == (response.status, response.body)
        assert repeated.headers["idempotent-replayed"] == "true"
    for order_id in known.claimed:
        [row] = world.partner().read_order(order_id)["recipients"]
        assert row["status"] != "awaiting"
    assert world.now >= known.now
    WorldCheck(world).check()


@pytest.mark.parametrize("seed", range(2))
def test_a_killed_process_loses_no_acknowledged_call_and_leaves_none_half_done(seed: int, tmp_path: Path) -> None:
    journal, known = tmp_path / "journal", Acknowledged()
    for kill in range(KILLS_A_TEST):
        with killable_server(journal) as served:
            world = ExistingWorld(cast(Simulator, served), "default")
            world.change_account(wallet_cents=10**9)
            check_recovered(world, known)
            known.enough.clear()
            known.goal = len(known.orders) + 1 + random_streams.draw_number(seed, "kill", kill) % 24
            writers = [
                threading.Thread(target=write_until_killed, args=(world, known, f"{kill}-{w}"), daemon=True)
                for w in range(WRITERS)
            ]
            for writer in writers:
                writer.start()
            assert known.enough.wait(60)
        for writer in writers:
            writer.join(60)
    with killable_server(journal) as served:
        check_recovered(ExistingWorld(cast(Simulator, served), "default"), known)
    assert known.claimed
    assert known.now
