"""Inputs that are meant to cost much cost little: a second of the processor at most, and memory within bounds (G85).

The bounds are generous, because a test may run on a busy machine. What is refused for its size is refused at once.
"""

from __future__ import annotations

import re
import sys
import threading
import time
from collections.abc import Iterator
from http.client import HTTPException
from resource import RUSAGE_SELF, getrusage
from typing import Any

import pytest

from giftsim import Simulator
from giftsim.workbench.scenario import load_scenario, play
from tests.support import hostile_inputs
from tests.support.hostile_inputs import HostileInput
from tests.support.orders import order_body
from tests.support.served_simulator import ServedSimulator, serve_simulator
from tests.support.worlds import World

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


FIRST, LAST = "0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z"
CLIENTS = 8


@pytest.mark.parametrize("body", [b'{"a":1', b"\xff\xfe", b"[" * 1_000, b'{"a": 1, "a": 2}'])
def test_a_body_that_a_call_does_not_take_spoils_no_recording(body: bytes) -> None:
    simulator = Simulator(fixture="empty")
    path = "/_sim/v1/worlds/default"
    simulator.client.call("POST", f"{path}/faults", body={"effect": {"status": 503}})
    assert simulator.client.call("DELETE", f"{path}/faults", body=body).status == 200
    assert simulator.client.call("GET", f"{path}/calls").status == 200
    recording = simulator.client.call("GET", f"{path}/calls/scenario")
    assert recording.status == 200, recording.text
    assert play(load_scenario(recording.body), simulator.client).outcome == "passed"
    simulator.close()


@pytest.mark.parametrize("now", [FIRST, LAST])
@pytest.mark.parametrize("fixture", ["bare", "empty", "default"])
def test_at_both_ends_of_time_nothing_fails(fixture: str, now: str) -> None:
    simulator = Simulator(fixture="bare")
    call = simulator.client.call
    created = call("POST", "/_sim/v1/worlds", body={"id": "end", "fixture": fixture, "now": now})
    if (fixture, now) == ("default", LAST):
        assert created.status == 400, "its museum has an event on a day that does not come"
    else:
        assert created.status == 201, created.text
        world = World(simulator, id="copy", fixture=fixture, now=now)
        calls = [
            ("POST", "/fork", {"id": "fork"}),
            ("POST", "/snapshots", {"name": "s"}),
            ("GET", "/fingerprint", None),
        ]
        calls += [("GET", f"/{name}", None) for name in ("timers", "events", "ledger", "catalogue", "journal/scenario")]
        calls += [("POST", "/clock/advance", {"by": "40d"}), ("POST", "/clock/advance", {"to": LAST})][
            : 2 - (now == FIRST)
        ]
        for method, path, body in calls:
            assert call(method, f"/_sim/v1/worlds/copy{path}", body=body).status < 500, path
        order = call("POST", "/api/external/team-orders", body=order_body(), headers=world.partner().headers)
        assert order.status < 500, order.text
        gifts = world.credentials["team.live_approver"]["headers"]
        assert call("GET", "/api/teams/v1/people/upcoming", headers=gifts).status < 500
    simulator.close()


def test_a_server_ends_under_load_without_an_error() -> None:
    statuses: set[int] = set()

    def keep_calling(served: ServedSimulator, ended: threading.Event, number: int) -> None:
        headers = {"Authorization": "Bearer pk_live_default_prepaid"}
        while not ended.is_set():
            try:
                body = order_body(idempotency_key=f"key-{number}-{len(statuses)}")
                made = served.client.call("POST", "/api/external/team-orders", body=body, headers=headers)
                moved = served.client.call("POST", "/_sim/v1/worlds/default/clock/advance", body={"by": "1m"})
                statuses.update((made.status, moved.status))
            except (OSError, HTTPException):
                return

    ended = threading.Event()
    with serve_simulator("--fixture", "empty", "--clock", "running@3600") as served:
        threads = [threading.Thread(target=keep_calling, args=(served, ended, number)) for number in range(CLIENTS)]
        for thread in threads:
            thread.start()
        for _ in range(20):
            assert served.client.call("GET", "/_sim/v1/health").status == 200
    ended.set()  # by now the process has ended with status 0, and printed nothing but its banner
    for thread in threads:
        thread.join()
    assert statuses <= {200, 201, 409, 429, 402}
