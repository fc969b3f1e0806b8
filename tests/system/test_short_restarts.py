"""A start with a journal file applies few inputs again, wherever the process ended (G77, G184)."""

from __future__ import annotations

import http.client
import json
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from giftsim import Simulator
from giftsim.engine.kernel.serializer import size_of
from giftsim.engine.log.journal_file import JournalFile
from giftsim.engine.worlds.runtime import CHECKPOINT_EVERY
from tests.replay.test_checkpoints_and_inputs import inputs_of
from tests.support.api_clients import WEBHOOK_HOST
from tests.support.journals import rewrite
from tests.support.orders import order_body
from tests.support.served_simulator import PythonProcess, ServedSimulator
from tests.support.waiting import wait_until
from tests.system.test_checkpoints import EVERY, Restarts

KEY = {"Authorization": "Bearer pk_live_default_prepaid"}
COMPANY, ORDERS, WORLD = "/api/external/company", "/api/external/team-orders", "/_sim/v1/worlds/default"
HELD = {**KEY, "X-Sim-Fault": "hold"}
RESUMED, COMPLETE = b'{"t":"resumed",', b'"t":"complete"'
MOST_LINES = 3 * EVERY


@pytest.fixture
def restarts(tmp_path: Path) -> Iterator[Restarts]:
    restarts = Restarts(tmp_path / "journal")
    yield restarts
    restarts.simulator.close()


def started_from(content: bytes, journal: Path) -> Simulator:
    """A start with what a process left that was killed."""
    killed = journal.with_name("killed")
    killed.write_bytes(content)
    return Simulator(fixture="empty", journal=killed, checkpoint_every=EVERY)


def lines_read(simulator: Simulator) -> int:
    file = simulator.registry.runtime.journal_file
    assert isinstance(file, JournalFile)
    return file.lines


def fingerprint(simulator: Simulator) -> Any:
    return simulator.client.call("GET", f"{WORLD}/fingerprint").json()


def order(simulator: Simulator, key: str, headers: dict[str, str] = KEY) -> Any:
    return simulator.client.call("POST", ORDERS, body=order_body(idempotency_key=key), headers=headers)


@contextmanager
def held(simulator: Simulator) -> Iterator[list[Any]]:
    """A held order, whose response gets into the list once it is released at the end."""
    calls, answers = simulator.registry.worlds["default"].calls, list[Any]()
    caller = threading.Thread(target=lambda: answers.append(order(simulator, "held", HELD)), daemon=True)
    caller.start()
    wait_until(lambda: bool(calls.suspended))
    yield answers
    [fault] = simulator.client.call("GET", f"{WORLD}/faults").json()["faults"]
    simulator.client.call("DELETE", f"{WORLD}/faults/{fault['id']}")
    caller.join(60)


def read_often(restarts: Restarts, reads: int = 6 * EVERY) -> None:
    """Calls that change nothing, each after the checkpoints that are due."""
    for _ in range(reads):
        restarts.simulator.client.call("GET", COMPANY, headers=KEY)
        restarts.wait_for_checkpoints()


def call_over_http(port: int, method: str, path: str, headers: dict[str, str], many: int = 1) -> None:
    """Make calls over one connection until the process ends."""
    body = json.dumps(order_body(idempotency_key="held"))
    with closing(http.client.HTTPConnection("127.0.0.1", port)) as connection, suppress(OSError):
        for _ in range(many):
            connection.request(method, path, body if method == "POST" else None, headers)
            connection.getresponse().read()


def test_a_process_that_is_killed_beside_a_held_call_starts_from_the_last_checkpoints(tmp_path: Path) -> None:
    journal, most = tmp_path / "journal", 2.5 * CHECKPOINT_EVERY
    options = ("--clock", "manual", "--fixture", "empty", "--journal", str(journal))
    process = PythonProcess("run_sim.py", "--port", "0", "--json", *options)
    port = ServedSimulator(process).banner["port"]
    held = {**HELD, "Content-Type": "application/json"}
    caller = threading.Thread(target=call_over_http, args=(port, "POST", ORDERS, held), daemon=True)
    caller.start()
    wait_until(lambda: b'"t":"parked"' in journal.read_bytes())
    call_over_http(port, "GET", COMPANY, KEY, many=int(most) + 1_000)
    process.child.kill()
    process.end()
    caller.join(60)
    with closing(Simulator(fixture="empty", journal=journal)) as simulator:
        assert lines_read(simulator) < most
        assert simulator.registry.worlds["default"].state.counter("calls") == 0


def test_checkpoints_of_a_large_world_are_as_close_as_those_of_a_small_one(restarts: Restarts) -> None:
    restarts.control("POST", "/default/simulate/account", {"key": "partner.prepaid", "add_cents": 10**9})
    for _ in range(400):
        restarts.order()
        restarts.wait_for_checkpoints()
    content = restarts.journal.read_bytes()
    ends = [place for place in range(len(content)) if content.startswith(COMPLETE, place)]
    for end in ends[::7]:
        with closing(started_from(content[: end - 30], restarts.journal)) as simulator:
            assert lines_read(simulator) < MOST_LINES


def test_a_held_call_does_not_keep_its_world_from_checkpoints(restarts: Restarts) -> None:
    with held(restarts.simulator) as answers:
        read_often(restarts)
        with closing(started_from(restarts.journal.read_bytes(), restarts.journal)) as simulator:
            assert lines_read(simulator) < MOST_LINES
            assert order(simulator, "held").status == 201  # the call was dropped, and its key is free
    assert answers[0].status == 201
    restarts.wait_for_checkpoints()
    before = fingerprint(restarts.simulator)
    with closing(started_from(restarts.journal.read_bytes(), restarts.journal)) as simulator:
        assert lines_read(simulator) < MOST_LINES  # also before the next checkpoints of all worlds
        assert fingerprint(simulator) == before
        assert order(simulator, "held").headers["idempotent-replayed"] == "true"


def test_an_advance_at_a_held_delivery_does_not_keep_its_world_from_checkpoints(restarts: Restarts) -> None:
    url = {"url": f"https://{WEBHOOK_HOST}/gifts", "events": ["team_order.claimed"]}
    restarts.simulator.client.call("POST", "/api/external/webhooks", body=url, headers=KEY)
    restarts.control("PUT", f"/default/receivers/{WEBHOOK_HOST}", {"mode": "hold"})

    restarts.order()
    order_id = restarts.control("GET", "/default/orders")["orders"][-1]["id"]
    restarts.control("POST", "/default/simulate/claim", {"team_order_id": order_id, "recipient": 0})
    advance = threading.Thread(
        target=restarts.control, args=("POST", "/default/clock/advance", {"by": "9d"}), daemon=True
    )
    advance.start()
    deliveries = restarts.simulator.registry.worlds["default"].deliveries
    wait_until(lambda: bool(deliveries.held.unanswered))
    read_often(restarts)
    inputs = restarts.journal.with_name("inputs")
    inputs.write_bytes(restarts.journal.read_bytes())
    rewrite(inputs, inputs_of)
    with closing(started_from(inputs.read_bytes(), inputs)) as simulator:
        before = fingerprint(simulator)
    with closing(started_from(restarts.journal.read_bytes(), restarts.journal)) as simulator:
        assert lines_read(simulator) < MOST_LINES
        assert fingerprint(simulator) == before


def test_a_call_that_was_about_to_continue_when_the_process_ended_is_dropped(restarts: Restarts) -> None:
    with held(restarts.simulator):
        read_often(restarts)
        before = fingerprint(restarts.simulator)
    content = restarts.journal.read_bytes()
    end = content.index(b"\n", content.index(RESUMED)) + 1
    found = []
    for _ in range(2):  # and the next start takes it as this one did
        with closing(started_from(content[:end], restarts.journal)) as simulator:
            found.append(fingerprint(simulator))
            assert simulator.client.call("GET", f"{WORLD}/orders").json()["orders"] == []
            content = restarts.journal.with_name("killed").read_bytes()
            end = len(content)
    assert found[0] != before  # the fault was deleted
    assert found[0] == found[1]
    with closing(started_from(content, restarts.journal)) as simulator:
        assert order(simulator, "held").status == 201


def test_an_undo_after_a_start_goes_back_over_a_call_that_was_held_across_checkpoints(restarts: Restarts) -> None:
    states = [fingerprint(restarts.simulator)]
    with held(restarts.simulator):
        read_often(restarts)
    for number in range(3):
        states.append(fingerprint(restarts.simulator))
        order(restarts.simulator, f"k{number}")
        read_often(restarts, EVERY)
    restarts.restart()
    for state in reversed(states[1:]):
        restarts.control("POST", "/default/undo")
        assert fingerprint(restarts.simulator) == state
    last = restarts.control("POST", "/default/undo")  # the held call
    assert len(last["undone"]) == 1, last


def test_a_start_reads_little_more_than_the_state_of_a_world_that_changes_again_and_again(tmp_path: Path) -> None:
    journal = tmp_path / "journal"
    with closing(Simulator(fixture="empty", journal=journal, checkpoint_every=8)) as simulator:
        runtime = simulator.registry.runtime
        for number in range(900):
            body = {"key": "partner.prepaid", "add_cents": number}
            simulator.client.call("POST", f"{WORLD}/simulate/account", body=body)
            wait_until(lambda: not runtime.writes_checkpoints and not runtime.writes_whole_states)
        before = fingerprint(simulator)
    assert b'{"t":"whole",' in journal.read_bytes()
    with closing(Simulator(fixture="empty", journal=journal, checkpoint_every=8)) as simulator:
        world = simulator.registry.worlds["default"]
        assert fingerprint(simulator) == before
        assert world.event_log.checkpoints[0].rows < 2 * size_of(world.state) + 500
