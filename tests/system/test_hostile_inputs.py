"""Inputs that are meant to cost much cost little: a second of the processor at most, and memory within bounds (G85).

The bounds are generous, because a test may run on a busy machine. What is refused for its size is refused at once.
"""

from __future__ import annotations

import re
import sys
import time
from collections.abc import Iterator
from resource import RUSAGE_SELF, getrusage
from typing import Any

import pytest

from giftsim import Simulator
from tests.support import hostile_inputs
from tests.support.hostile_inputs import HostileInput
from tests.support.orders import order_body

MAX_CPU_S = 5.0
MAX_MEBIBYTES = 400
MAX_ANSWER_BYTES = 20_000
CLAIM = "/claim/default/none"


@pytest.fixture(scope="module")
def simulator() -> Iterator[Simulator]:
    """A simulator for all inputs."""
    simulator = Simulator(fixture="empty")
    yield simulator
    simulator.close()


@pytest.fixture(scope="module")
def headers(simulator: Simulator) -> Any:
    """The headers of each credential of its default world."""
    world = simulator.client.call("GET", "/_sim/v1/worlds/default").json()
    return {"": {}, **{name: entry["headers"] for name, entry in world["credentials"].items()}}


@pytest.fixture(scope="module")
def claim_path(simulator: Simulator, headers: Any) -> str:
    """The path of a claim page."""
    order = order_body(return_claim_links=True)
    response = simulator.client.call(
        "POST", "/api/external/team-orders", body=order, headers=headers["partner.prepaid"]
    )
    return str(re.findall(r"/claim/default/[\w-]+", response.text)[0])


def all_inputs() -> Iterator[HostileInput]:
    """The whole table."""
    yield from hostile_inputs.bodies()
    yield from hostile_inputs.claims(CLAIM)
    yield from hostile_inputs.request_lines(CLAIM)
    yield from hostile_inputs.control_bodies()
    yield from hostile_inputs.scenarios()


def peak_mebibytes() -> float:
    """The most memory that this process has had."""
    return getrusage(RUSAGE_SELF).ru_maxrss / (1024 * 1024 if sys.platform == "darwin" else 1024)


@pytest.mark.parametrize("given", list(all_inputs()), ids=lambda given: given.name)
def test_an_input_costs_little_and_is_answered(
    given: HostileInput, simulator: Simulator, headers: Any, claim_path: str
) -> None:
    body, path = given.body(), given.path.replace(CLAIM, claim_path)
    sent = {**headers[given.credential], **given.headers}
    memory, cpu = peak_mebibytes(), time.process_time()
    response = simulator.client.call(given.method, path, body=body, headers=sent)
    assert time.process_time() - cpu < MAX_CPU_S
    assert peak_mebibytes() - memory < MAX_MEBIBYTES
    assert response.status < 500
    assert len(response.body) < MAX_ANSWER_BYTES
