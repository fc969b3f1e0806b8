"""Worlds of the testing package, by both transports."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from giftsim import Simulator
from giftsim.testing import Giftsim, InProcess, OverHttp
from giftsim.testing.shared_server import ServerProcess
from giftsim.testing.world_for_test import open_world


@pytest.fixture(scope="session")
def origin() -> Iterator[str]:
    """The origin of a simulator in another process."""
    process = ServerProcess()
    yield process.origin
    process.close()


@pytest.fixture
def local_sim(simulator: Simulator) -> Iterator[Giftsim]:
    """A fresh world in this process."""
    with open_world(InProcess(simulator)) as sim:
        yield sim


@pytest.fixture
def server_sim(origin: str) -> Iterator[Giftsim]:
    """A fresh world on a server."""
    transport = OverHttp(origin)
    with open_world(transport) as sim:
        yield sim
    transport.close()


@pytest.fixture(params=["local_sim", "server_sim"], ids=["in process", "on a server"])
def sim(request: pytest.FixtureRequest) -> Giftsim:
    """A fresh world, in process and on a server."""
    sim: Giftsim = request.getfixturevalue(request.param)
    return sim
