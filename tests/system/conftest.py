"""One server for all tests of this folder that do not need one of their own, and fresh worlds on it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.conftest import start_time
from tests.support.restarts import RestartableSimulator
from tests.support.served_simulator import ServedSimulator, serve_simulator
from tests.support.worlds import World


@pytest.fixture(scope="session")
def shared_server() -> Iterator[ServedSimulator]:
    """A server process on a port of its own; worlds on it do not disturb one another."""
    with serve_simulator("--fixture", "bare") as served:
        yield served


@pytest.fixture
def remote_world(shared_server: ServedSimulator, request: pytest.FixtureRequest) -> Iterator[Callable[..., World]]:
    """Create fresh worlds on the shared server, and delete them after the test."""
    made: list[World] = []
    now = start_time(request)

    def make(**config: object) -> World:
        made.append(shared_server.world(**{**({"now": now} if now else {}), **config}))
        return made[-1]

    yield make
    for world in made:
        shared_server.client.call("DELETE", f"/_sim/v1/worlds/{world.id}")


@pytest.fixture
def restartable(tmp_path: Path) -> Iterator[RestartableSimulator]:
    """A simulator with a journal file, which a test can restart."""
    restartable = RestartableSimulator(tmp_path / "journal")
    yield restartable
    restartable.simulator.close()
