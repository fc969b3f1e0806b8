"""One server for all tests of this folder that do not need one of their own, and fresh worlds on it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.conftest import beginning
from tests.harness import World
from tests.system.life import Life
from tests.system.served import Served, serving


@pytest.fixture(scope="session")
def shared_server() -> Iterator[Served]:
    """A server process on a port of its own; worlds on it do not disturb one another."""
    with serving("--fixture", "bare") as served:
        yield served


@pytest.fixture
def remote_world(shared_server: Served, request: pytest.FixtureRequest) -> Iterator[Callable[..., World]]:
    """Makes fresh worlds on the shared server, and lets them go after the test."""
    made: list[World] = []
    now = beginning(request)

    def make(**config: object) -> World:
        made.append(shared_server.world(**{**({"now": now} if now else {}), **config}))
        return made[-1]

    yield make
    for world in made:
        shared_server.client.call("DELETE", f"/_sim/v1/worlds/{world.id}")


@pytest.fixture
def life(tmp_path: Path) -> Iterator[Life]:
    """A simulator with a journal, which may end and begin anew."""
    life = Life(tmp_path / "journal")
    yield life
    life.simulator.close()
