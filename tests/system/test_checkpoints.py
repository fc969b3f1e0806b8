"""Checkpoints in the journal file: a start replays only what came after the last ones of all worlds (G77)."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from giftsim import Simulator
from giftsim.engine.worlds import checkpoint
from tests.support.orders import RENO, order_body
from tests.support.waiting import wait_until

EVERY = 40
NEVER = 10**9
PATIENCE_S = 60
WORLDS = "/_sim/v1/worlds"


class Restarts:
    """A simulator that writes checkpoints every 40 lines, and can be restarted."""

    def __init__(self, journal: Path) -> None:
        self.journal, self.orders = journal, 0
        self.simulator = self._start()

    def _start(self) -> Simulator:
        return Simulator(fixture="empty", journal=self.journal, checkpoint_every=EVERY)

    def restart(self) -> None:
        """Start again once no checkpoint is being written."""
        self.wait_for_checkpoints()
        self.simulator.close()
        self.simulator = self._start()

    def restart_unchanged(self) -> None:
        """Start again, and find everything as it was."""
        before = self.observed()
        self.restart()
        assert self.observed() == before

    def wait_for_checkpoints(self) -> None:
        """Until none is being written: a fast machine is far ahead of them."""
        wait_until(lambda: not self.simulator.registry.runtime.writes_checkpoints)

    @property
    def lines(self) -> int:
        """The lines that the last start has read, and those written since."""
        assert self.simulator.registry.runtime.journal_file
        return self.simulator.registry.runtime.journal_file.lines

    def write_no_checkpoints(self) -> None:
        """From now on."""
        runtime = self.simulator.registry.runtime
        wait_until(lambda: not runtime.writes_checkpoints)
        runtime.checkpoint_at = NEVER

    def write_checkpoints(self) -> None:
        """Now, and return once they are written."""
        registry = self.simulator.registry
        assert registry.runtime.journal_file
        registry.runtime.begin_checkpoints()
        checkpoint.write_all(registry, registry.runtime.journal_file, registry.runtime.journal_file.size)

    def control(self, method: str, path: str, body: Any = None) -> Any:
        return self.simulator.client.call(method, WORLDS + path, body=body).json()

    def order(self, world: str = "default") -> None:
        self.orders += 1
        headers = {"Authorization": f"Bearer pk_live_{world}_prepaid"}
        body = order_body(idempotency_key=f"k{self.orders}")
        response = self.simulator.client.call("POST", "/api/external/team-orders", body=body, headers=headers)
        assert response.status == 201, response.text

    def work(self, orders: int, *worlds: str) -> None:
        """Orders in each world, which are claimed and shipped now and then, and reads."""
        for number in range(orders):
            for world in worlds or ("default",):
                self.order(world)
                if number % 7 == 6:
                    order = self.control("GET", f"/{world}/orders?limit=1000")["orders"][-1]["id"]
                    claim = {"team_order_id": order, "recipient": 0, "address": RENO}
                    self.control("POST", f"/{world}/simulate/claim", claim)
                    self.control("POST", f"/{world}/clock/advance", {"by": "30h"})

    def observed(self) -> Any:
        """The worlds in order, with their fingerprints, snapshots and descriptions."""
        names = [world["id"] for world in self.control("GET", "")["worlds"]]
        return [
            (name, *(self.control("GET", f"/{name}{view}") for view in ("", "/fingerprint", "/snapshots")))
            for name in names
        ]


@pytest.fixture
def restarts(tmp_path: Path) -> Iterator[Restarts]:
    """A simulator with two worlds beside the default one."""
    restarts = Restarts(tmp_path / "journal")
    restarts.control("POST", "", {"id": "busy", "fixture": "empty"})
    restarts.control("POST", "", {"id": "idle", "fixture": "empty"})
    yield restarts
    restarts.simulator.close()


@pytest.fixture
def switching_often() -> Iterator[None]:
    """Threads take turns so often that one that waits for a lock has it as soon as it is free."""
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    yield
    sys.setswitchinterval(interval)


def test_a_start_reads_only_the_lines_since_the_last_checkpoints(restarts: Restarts) -> None:
    restarts.order("idle")
    for _ in range(12):
        restarts.work(10, "default", "busy")
        restarts.wait_for_checkpoints()
    before, written = restarts.observed(), restarts.lines
    restarts.restart()
    assert written > 250
    assert restarts.lines < 4 * EVERY
    assert restarts.observed() == before


def test_starts_go_on_from_the_checkpoints_of_former_starts(restarts: Restarts) -> None:
    for _ in range(4):
        restarts.work(30, "default", "busy")
        before = restarts.observed()
        restarts.restart()
        assert restarts.observed() == before


def test_what_checkpoints_have_can_be_undone_before_a_restart(restarts: Restarts) -> None:
    restarts.work(20)
    before = restarts.observed()
    restarts.work(40)
    restarts.write_no_checkpoints()
    for _ in range(40):
        restarts.control("POST", "/default/undo")
    assert restarts.observed() == before
    restarts.restart()
    assert restarts.observed() == before


def test_an_undo_without_a_checkpoint_after_it_is_recovered(restarts: Restarts) -> None:
    restarts.work(20)
    restarts.write_no_checkpoints()
    before = restarts.observed()
    restarts.order()
    restarts.control("POST", "/default/undo")
    restarts.restart()
    assert restarts.observed() == before


def test_what_comes_and_is_undone_while_checkpoints_are_written_does_not_count(restarts: Restarts) -> None:
    restarts.work(20)
    restarts.write_no_checkpoints()
    runtime, file = restarts.simulator.registry.runtime, restarts.simulator.registry.runtime.journal_file
    assert file
    runtime.checkpoint_at = 0
    restarts.order()
    restarts.write_no_checkpoints()  # the world is as it was at its last checkpoint
    restarts.order()
    restarts.order()
    between = file.size
    restarts.order()
    for _ in range(3):
        restarts.control("POST", "/default/undo")
    before = restarts.observed()
    runtime.begin_checkpoints()
    checkpoint.write_all(restarts.simulator.registry, file, between)
    restarts.restart()
    assert restarts.observed() == before


def test_a_call_that_is_held_while_checkpoints_are_written_is_recovered(restarts: Restarts) -> None:
    restarts.work(20)
    restarts.write_no_checkpoints()
    registry = restarts.simulator.registry
    fault = {"id": "wait", "effect": {"hold": True}, "when": {"first": 1}}
    restarts.control("POST", "/default/faults", fault)
    held = threading.Thread(target=restarts.order, daemon=True)
    held.start()
    wait_until(lambda: bool(registry.worlds["default"].calls.suspended))
    restarts.write_checkpoints()
    restarts.control("DELETE", "/default/faults/wait")
    held.join(PATIENCE_S)
    restarts.restart_unchanged()


@pytest.mark.usefixtures("switching_often")
@pytest.mark.parametrize(("way", "count"), [("reset", {}), ("undo", {"count": 3})], ids=["reset", "undo"])
def test_what_is_taken_back_while_its_checkpoint_is_made_does_not_return(
    restarts: Restarts, way: str, count: dict[str, int]
) -> None:
    restarts.work(60)
    restarts.write_no_checkpoints()
    registry, runtime = restarts.simulator.registry, restarts.simulator.registry.runtime
    waiting = threading.Semaphore(0)

    @contextmanager
    def lend(*, for_lock: bool = False) -> Iterator[None]:
        waiting.release()
        yield

    for n in range(20):  # they make the checkpoint take long enough for what is taken back
        restarts.order()
        restarts.control("POST", "/default/snapshots", {"name": f"s{n}"})
    runtime.lend_thread = lend
    jobs = (restarts.write_checkpoints, lambda: restarts.control("POST", f"/default/{way}", count))
    with registry.worlds["default"].lock:  # the checkpoint is first in the queue, and the other second
        threads = [threading.Thread(target=job, daemon=True) for job in jobs]
        for thread in threads:
            thread.start()
            assert waiting.acquire(timeout=PATIENCE_S)
    for thread in threads:
        thread.join(PATIENCE_S)
    for _ in range(5):  # the next checkpoint has what changed since the last one
        restarts.order()
    restarts.write_checkpoints()
    restarts.restart_unchanged()


def test_a_world_whose_state_is_replaced_all_the_time_gets_its_checkpoint(restarts: Restarts) -> None:
    restarts.work(60)
    restarts.write_no_checkpoints()
    for n in range(20):  # they make the checkpoint take longer than it takes to replace the state
        restarts.order()
        restarts.control("POST", "/default/snapshots", {"name": f"s{n}"})
    is_written = threading.Event()

    def replace() -> None:
        while not is_written.is_set():
            restarts.order()
            restarts.control("POST", "/default/undo")

    replacing = threading.Thread(target=replace, daemon=True)
    replacing.start()
    complete = b'"t":"complete"'
    completed = restarts.journal.read_bytes().count(complete)
    restarts.write_checkpoints()
    is_written.set()
    replacing.join(PATIENCE_S)
    assert restarts.journal.read_bytes().count(complete) == completed + 1
    restarts.restart_unchanged()


def test_undo_works_on_what_was_read_again(restarts: Restarts) -> None:
    restarts.work(60)
    restarts.write_no_checkpoints()
    before = restarts.observed()
    restarts.order()
    restarts.restart()
    restarts.control("POST", "/default/undo")
    assert restarts.observed() == before
    restarts.restart()
    assert restarts.observed() == before


def listed(restarts: Restarts, world: str, query: str = "") -> list[Any]:
    """All that can be undone in a world, page by page."""
    rows: list[Any] = []
    while True:
        page = restarts.control("GET", f"/{world}/undo?limit=30&after={len(rows)}{query}")
        rows += page["undo"]
        if page["next"] is None:
            return rows
        assert page["next"] == len(rows)


@pytest.mark.parametrize("at_once", [1, 15, 75])
def test_an_undo_after_a_restart_reaches_as_far_back_as_the_file(restarts: Restarts, at_once: int) -> None:
    restarts.work(5)
    before, next_call = restarts.observed(), restarts.simulator.registry.worlds["default"].calls.log.next_seq
    restarts.work(75)
    restarts.restart()
    assert restarts.simulator.registry.worlds["default"].event_log.dropped > 5
    for _ in range(75 // at_once):
        assert len(restarts.control("POST", "/default/undo", {"count": at_once})["undone"]) == at_once
    assert restarts.observed() == before
    assert restarts.simulator.registry.worlds["default"].calls.log.next_seq == next_call
    restarts.restart()
    assert restarts.observed() == before
    assert len(restarts.control("POST", "/default/undo", {"count": 5})["undone"]) == 5
    assert restarts.control("POST", "/default/undo")["error"]["code"] == "nothing_to_undo"


def test_the_list_of_what_can_be_undone_goes_on_in_the_file(restarts: Restarts) -> None:
    restarts.work(60)
    writes, everything = (listed(restarts, "default", query) for query in ("", "&all=true"))
    restarts.restart()
    assert len(restarts.control("GET", "/default/undo")["undo"]) < 60
    for former, query in ((writes, ""), (everything, "&all=true")):
        found = listed(restarts, "default", query)
        for row in (*former, *found):
            del row["to"], row["call"]
        assert found == former
    assert restarts.control("GET", "/idle/undo") == {"undo": [], "next": None, "redo": None}


def test_each_action_before_a_restart_can_be_undone(restarts: Restarts) -> None:
    seen = []
    for number in range(50):
        seen.append(restarts.control("GET", "/default/fingerprint"))
        if number % 5 == 4:
            restarts.control("POST", "/default/clock/advance", {"by": "30h"})
        elif number % 7 == 6:
            restarts.control("POST", "/default/snapshots", {"name": "kept"})
        elif number % 11 == 10:
            restarts.control("POST", "/default/snapshots/kept/restore")
        else:
            restarts.order()
    restarts.restart()
    rows = listed(restarts, "default", "&all=true")
    assert all(row["to"] < 0 for row in rows)
    assert len(rows) == len(seen)
    for place in (3, 20, 49):  # counted from the newest, before the first undo
        restarts.control("POST", "/default/undo", {"to": rows[place]["to"]})
        assert restarts.control("GET", "/default/fingerprint") == seen[-1 - place]


def test_a_fork_reaches_back_into_what_its_parent_did_before_the_start(restarts: Restarts) -> None:
    before = restarts.control("GET", "/default/fingerprint")
    restarts.work(50)
    restarts.control("POST", "/default/fork", {"id": "early"})
    restarts.work(50, "default", "early")
    restarts.restart()
    restarts.control("POST", "/early/fork", {"id": "late"})
    restarts.order("late")
    after = restarts.control("GET", "/early/fingerprint")
    assert len(restarts.control("POST", "/late/undo", {"count": 101})["undone"]) == 101
    assert restarts.control("GET", "/late/fingerprint") == before
    assert restarts.control("GET", "/early/fingerprint") == after
    assert len(restarts.control("POST", "/early/undo", {"count": 100})["undone"]) == 100
    assert restarts.control("GET", "/early/fingerprint") == before
    restarts.restart()
    assert restarts.control("GET", "/late/fingerprint") == before


def test_an_undo_after_a_restart_ends_at_the_last_reset(restarts: Restarts) -> None:
    restarts.work(50)
    restarts.control("POST", "/default/reset")
    restarts.work(50)
    restarts.restart()
    assert len(listed(restarts, "default")) == 50
    refused = restarts.control("POST", "/default/undo", {"count": 51})
    assert refused["error"]["message"] == "world default has 50 client writes to undo, not 51"


def test_forks_and_snapshots_come_back_with_their_states(restarts: Restarts) -> None:
    restarts.work(10)
    restarts.control("POST", "/default/snapshots", {"name": "early"})
    restarts.control("POST", "/default/fork", {"id": "copy"})
    restarts.write_no_checkpoints()
    at_fork = restarts.control("GET", "/copy/fingerprint")
    restarts.simulator.registry.runtime.checkpoint_at = 0
    restarts.work(30, "default", "copy")
    restarts.control("POST", "/default/snapshots", {"name": "late"})
    at_late = restarts.control("GET", "/default/fingerprint")
    restarts.work(30, "default", "copy")
    restarts.restart_unchanged()
    restarts.control("POST", "/copy/reset")
    restarts.control("POST", "/default/snapshots/late/restore")
    assert restarts.control("GET", "/copy/fingerprint") == at_fork
    assert restarts.control("GET", "/default/fingerprint") == at_late
    restarts.work(30, "default", "copy")
    restarts.restart_unchanged()
    restarts.control("POST", "/default/snapshots/early/restore")
    assert restarts.control("GET", "/default/fingerprint") == at_fork


def test_generated_ids_are_not_given_twice_after_a_start(restarts: Restarts) -> None:
    first = [restarts.control("POST", "")["id"] for _ in range(3)]
    for name in first:
        restarts.control("DELETE", f"/{name}")
    restarts.work(60)
    restarts.restart()
    assert restarts.control("POST", "")["id"] not in first


def test_checkpoints_cost_what_has_changed(restarts: Restarts) -> None:
    restarts.work(150)
    for _ in range(4):
        restarts.write_no_checkpoints()
        restarts.order()
        restarts.simulator.registry.runtime.checkpoint_at = 0
        restarts.order()
    restarts.write_no_checkpoints()
    lines = restarts.journal.read_bytes().split(b"\n")
    sizes = [len(line) for line in lines if b'["default",{"t":"checkpoint"' in line]
    assert min(sizes[-3:]) < max(sizes) / 3
