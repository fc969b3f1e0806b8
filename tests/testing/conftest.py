"""A world in the hand, by either way to a simulator."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from giftsim import Simulator
from giftsim.testing import Giftsim, InProcess, OverHttp
from giftsim.testing.shared_server import Hosting
from giftsim.testing.world import world


@pytest.fixture(scope="session")
def origin() -> Iterator[str]:
    """A simulator that another process serves."""
    hosting = Hosting()
    yield hosting.origin
    hosting.close()


@pytest.fixture
def here(simulator: Simulator) -> Iterator[Giftsim]:
    """A fresh world in this process."""
    with world(InProcess(simulator)) as handle:
        yield handle


@pytest.fixture
def there(origin: str) -> Iterator[Giftsim]:
    """A fresh world on a server."""
    passage = OverHttp(origin)
    with world(passage) as handle:
        yield handle
    passage.close()


@pytest.fixture(params=["here", "there"])
def held(request: pytest.FixtureRequest) -> Giftsim:
    """A fresh world, in process and on a server."""
    handle: Giftsim = request.getfixturevalue(request.param)
    return handle
