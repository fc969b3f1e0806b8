"""A world in the hand, by either way to a simulator."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from giftsim import Simulator
from giftsim.testing import Giftsim, InProcess, OverHttp
from giftsim.testing.shared_server import ServerProcess
from giftsim.testing.world import open_world


@pytest.fixture(scope="session")
def origin() -> Iterator[str]:
    """A simulator that another process serves."""
    server_process = ServerProcess()
    yield server_process.origin
    server_process.close()


@pytest.fixture
def here(simulator: Simulator) -> Iterator[Giftsim]:
    """A fresh world in this process."""
    with open_world(InProcess(simulator)) as handle:
        yield handle


@pytest.fixture
def there(origin: str) -> Iterator[Giftsim]:
    """A fresh world on a server."""
    transport = OverHttp(origin)
    with open_world(transport) as handle:
        yield handle
    transport.close()


@pytest.fixture(params=["here", "there"])
def held(request: pytest.FixtureRequest) -> Giftsim:
    """A fresh world, in process and on a server."""
    handle: Giftsim = request.getfixturevalue(request.param)
    return handle
