"""A system that has no threads left: calls that would wait are refused, all others are answered (G17)."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from functools import partial

import pytest

from giftsim.engine.client.response import Response
from tests.support.concurrent_calls import ConcurrentCalls
from tests.support.responses import status_and_code
from tests.support.served_simulator import PythonProcess, ServedSimulator
from tests.support.waiting import wait_until
from tests.support.worlds import World

CALLS = 40


class FewThreads(PythonProcess):
    """A Python program whose threads need so much of its address space that it can have about five."""

    command = ("prlimit", f"--stack={512 << 20}", f"--as={4 << 30}", sys.executable)


@pytest.fixture
def served() -> Iterator[ServedSimulator]:
    """A simulator with few threads."""
    process = FewThreads("run_sim.py", "--port", "0", "--json", "--fixture", "bare", "--clock", "manual")
    yield ServedSimulator(process)
    status, errors = process.end()
    assert status == 0
    assert errors.count("the system has no thread left") == errors.count("\n") == 1


def test_calls_that_would_wait_are_refused_and_others_answered(served: ServedSimulator) -> None:
    world: World = served.world(fixture="empty")
    partner, answered = world.partner(), list[Response]()
    fault = world.add_fault({"hold": True}, match={"operation": "createTeamOrder"})

    def create(n: int) -> Response:
        response = partner.create_order(idempotency_key=f"held {n}")
        answered.append(response)
        return response

    calls = ConcurrentCalls([partial(create, n) for n in range(CALLS)])
    wait_until(lambda: len(answered) > CALLS / 2)
    assert {response.status for response in answered} == {503}
    assert "no thread left" in answered[0].text
    watched = world.control.get(f"/worlds/{world.id}/changes?from=now&wait=60")
    assert status_and_code(watched) == (503, "service_unavailable")
    world.call_control("DELETE", f"/faults/{fault}")
    held = [response for response in calls.results() if response.status != 503]
    assert 0 < len(held) < CALLS / 2
    assert {response.status for response in held} <= {201, 402}
    assert partner.create_order(idempotency_key="held 0").status in (201, 402)
