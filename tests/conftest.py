"""Fixtures for every test: one simulator per run, a fresh world per test; markers and options."""

from __future__ import annotations

import gc
import os
import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from giftsim import Simulator
from giftsim.engine.kernel.instants import parse_instant
from tests.support.api_clients import PartnerClient
from tests.support.worlds import World

pytest_plugins = (
    "pytester",
    "tests.support.loopback_only",
    "tests.support.answers",
    "tests.support.machine_coverage",
    "tests.support.statement_outcomes",
    "tests.support.pytest_projects",
)

gc.disable()  # until all tests are collected: what is made until then stays to the end of the run

# Processes that tests start find here what Hypothesis knows of giftsim's modules: reading them anew takes 0.5 s.
os.environ.setdefault("HYPOTHESIS_STORAGE_DIRECTORY", str(Path(__file__).parents[1] / ".hypothesis"))

ECOSYSTEM = Path(__file__).parent / "ecosystem"
CORPUS = Path(__file__).parent / "corpus"

# Their tests take longest: a run that came to them late would wait for them alone.
FIRST = ("ecosystem/docs/test_sessions.py", "system/test_crash.py")

# A busy machine may pause for longer than Hypothesis allows one example or the first ten; the benchmarks measure speed.
settings.register_profile("giftsim", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("giftsim")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--world-now", metavar="INSTANT", help="start time of the worlds' clocks, by default")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "shows(*ids): the statements about the service that this test checks")
    config.addinivalue_line("markers", "begins(instant): start time of the test's worlds, overriding --world-now")
    if instant := config.getoption("--world-now"):
        parse_instant(instant)
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # a shell does that to what it runs in its background
        signal.signal(signal.SIGINT, signal.default_int_handler)  # or the programs that tests start would ignore it too


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop() -> None:
    """Start the garbage collector, which passes over all that was made before, and comes seldom."""
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)
    gc.enable()


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Collect `tests/ecosystem` only if it, or something in it, is asked for by path, and no old recordings."""
    if collection_path == CORPUS:
        return True
    if collection_path != ECOSYSTEM:
        return None
    asked = (Path(config.invocation_params.dir, argument.partition("::")[0]).resolve() for argument in config.args)
    return None if any(path.is_relative_to(ECOSYSTEM) for path in asked) else True


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the tests that take longest."""
    first = {Path(__file__).parent / name for name in FIRST}
    items.sort(key=lambda item: item.path not in first)


def start_time(request: pytest.FixtureRequest) -> str | None:
    """The start time of a test's worlds: from its marker, else from the command line, else the default."""
    marker = request.node.get_closest_marker("begins")
    return str(marker.args[0]) if marker else request.config.getoption("--world-now")


@pytest.fixture(scope="session")
def simulator() -> Iterator[Simulator]:
    """One simulator for the whole run; its worlds are independent."""
    simulator = Simulator(fixture="bare")
    yield simulator
    simulator.close()


@pytest.fixture
def new_world(simulator: Simulator, request: pytest.FixtureRequest) -> Iterator[Callable[..., World]]:
    """Create worlds from a configuration (default: fixture `empty`); they are deleted after the test."""
    worlds: list[World] = []
    now, origin = start_time(request), simulator.registry.runtime.origin

    def make(**config: object) -> World:
        worlds.append(World(simulator, **{"fixture": "empty", **({"now": now} if now else {}), **config}))
        return worlds[-1]

    yield make
    for world in worlds:
        simulator.client.call("DELETE", f"/_sim/v1/worlds/{world.id}")
    assert simulator.registry.runtime.origin == origin, "the simulator that tests share may not listen: use another"


@pytest.fixture
def world(new_world: Callable[..., World]) -> World:
    """A fresh world."""
    return new_world()


@pytest.fixture
def partner(world: World) -> PartnerClient:
    """The partner interface of the fresh world with its prepaid key: wallet 5,000.00 and a valid card."""
    return world.partner()
