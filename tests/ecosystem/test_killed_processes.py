"""Processes behind HAProxy that are killed while sixty worlds are in use (G136)."""

from __future__ import annotations

from concurrent.futures import Future, ThreadPoolExecutor
from http.client import RemoteDisconnected
from pathlib import Path
from typing import Any

import pytest

from tests.support.responses import created, status_and_code
from tests.support.sharded_simulator import ShardedSimulator, sharded_simulator
from tests.support.tools import require_tool
from tests.support.waiting import TIMEOUT_S, wait_until

MANY = 3
ORDERS = "/api/external/team-orders"


@pytest.fixture(scope="module")
def haproxy() -> str:
    return require_tool("haproxy", "haproxy")


class Load:
    """Sixty worlds behind the proxy, half of them named, with orders, a fork of every other one, and held calls."""

    def __init__(self, sharded: ShardedSimulator, pool: ThreadPoolExecutor) -> None:
        self.sharded = sharded
        named = pool.map(lambda n: sharded.world(id=f"suite-{n}"), range(30))
        unnamed = pool.map(lambda _: sharded.world(), range(30))
        self.worlds = [*named, *unnamed]
        list(pool.map(lambda world: created(world.partner().create_order()), self.worlds))
        self.forks = list(pool.map(lambda world: str(world.call_control("POST", "/fork")["id"]), self.worlds[::2]))
        self.held: dict[str, Future[Any]] = {}
        for world in self.worlds[:12]:
            world.add_fault({"hold": True}, when={"first": 1})
            self.held[world.id] = pool.submit(world.partner().create_order, idempotency_key="held")
        wait_until(lambda: all(world.call_control("GET", "")["counts"]["held"] for world in self.worlds[:12]))

    @property
    def ids(self) -> list[str]:
        """The ids of all worlds and forks."""
        return [*(world.id for world in self.worlds), *self.forks]

    def status(self, world_id: str) -> int:
        """The status of a read of a world's one order; 200 only if it is there."""
        key = {"Authorization": f"Bearer pk_live_{world_id}_prepaid"}
        response = self.sharded.client.call("GET", f"{ORDERS}/1001", headers=key)
        return response.status


def test_of_sixty_worlds_only_those_of_a_killed_process_are_lost(haproxy: str, tmp_path: Path) -> None:
    with sharded_simulator(haproxy, tmp_path, MANY) as sharded, ThreadPoolExecutor(24) as pool:
        load = Load(sharded, pool)
        lost = {world_id for world_id in load.ids if sharded.process_of(world_id) == 2}
        assert 0 < len(lost) < len(load.ids)
        sharded.kill(2)
        assert {world_id for world_id in load.ids if load.status(world_id) != 200} == lost
        down = sharded.client.call("GET", f"/_sim/v1/worlds/{min(lost)}")
        assert status_and_code(down) == (503, "process_down")
        assert "process 2 of 3 is down" in down.json()["error"]["message"]
        for world in load.worlds[:12]:
            if world.id in lost:
                assert isinstance(load.held[world.id].exception(10), RemoteDisconnected)
            else:
                world.call_control("DELETE", "/faults")
                assert load.held[world.id].result(TIMEOUT_S).status == 201
        sharded.restart(2)
        assert {load.status(world_id) for world_id in lost} == {401}
        assert sharded.world().id


def test_with_journals_a_killed_process_comes_back_with_its_worlds(haproxy: str, tmp_path: Path) -> None:
    options = ("--journals", str(tmp_path))
    with sharded_simulator(haproxy, tmp_path, MANY, *options) as sharded, ThreadPoolExecutor(24) as pool:
        load = Load(sharded, pool)
        before = {world.id: world.fingerprint() for world in load.worlds[12:]}
        for number in (1, 2, 3):
            sharded.kill(number)
            sharded.restart(number)
        assert {world.id: world.fingerprint() for world in load.worlds[12:]} == before
        assert {load.status(world_id) for world_id in load.ids} == {200}
