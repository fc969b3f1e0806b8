"""A client for scenarios, in process and over HTTP."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from giftsim import Simulator
from giftsim.engine.client.response import Client
from tests.support.listening import listening
from tests.support.served_simulator import HttpClient


@pytest.fixture(scope="module")
def served() -> Iterator[Simulator]:
    """A simulator that also listens on a port."""
    simulator = Simulator(fixture="bare")
    with listening(simulator):
        yield simulator


@pytest.fixture(params=["in process", "over HTTP"])
def client(request: pytest.FixtureRequest, served: Simulator) -> Client:
    """A client of the simulator, in process or over HTTP."""
    if request.param == "in process":
        return served.client
    return HttpClient("127.0.0.1", int(served.registry.runtime.origin.rpartition(":")[2]))
