"""What every test has: the mark by which it answers for claims, one simulator per run, and a fresh world per test."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from hypothesis import settings

from giftsim import Simulator
from giftsim.kernel.instants import parse_instant
from tests.support.api_clients import PartnerClient
from tests.support.worlds import World

pytest_plugins = "pytester"

# A shared machine may pause for longer than Hypothesis allows one example; slowness is the benchmarks' business.
settings.register_profile("giftsim", deadline=None)
settings.load_profile("giftsim")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--world-now", metavar="INSTANT", help="where the clock of every world begins that names no `now`")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "claims(*ids): the claims about the service that this test would see broken")
    config.addinivalue_line(
        "markers", "begins(instant): the instant at which the test's worlds begin, whatever is told"
    )
    if instant := config.getoption("--world-now"):
        parse_instant(instant)


def beginning(request: pytest.FixtureRequest) -> str | None:
    """Where the worlds of a test begin: as its mark says, else as the run was told, else as ever."""
    mark = request.node.get_closest_marker("begins")
    return str(mark.args[0]) if mark else request.config.getoption("--world-now")


@pytest.fixture(scope="session")
def simulator() -> Iterator[Simulator]:
    """One simulator for the whole run; worlds do not disturb one another."""
    simulator = Simulator(fixture="bare")
    yield simulator
    simulator.close()


@pytest.fixture
def new_world(simulator: Simulator, request: pytest.FixtureRequest) -> Iterator[Callable[..., World]]:
    """Makes fresh worlds from a description (fixture `empty` unless told), and lets them go after the test."""
    made: list[World] = []
    now = beginning(request)

    def make(**config: object) -> World:
        made.append(World(simulator, **{"fixture": "empty", **({"now": now} if now else {}), **config}))
        return made[-1]

    yield make
    for world in made:
        simulator.client.call("DELETE", f"/_sim/v1/worlds/{world.id}")


@pytest.fixture
def world(new_world: Callable[..., World]) -> World:
    """A fresh world."""
    return new_world()


@pytest.fixture
def partner(world: World) -> PartnerClient:
    """The partner interface of the fresh world, by its prepaid key: wallet 5,000.00 and a good card."""
    return world.partner()
