"""Edge cases of recovery from a journal file (G3, G5)."""

from __future__ import annotations

import threading
from pathlib import Path

from giftsim.event_log.journal_file import NotWritten
from giftsim.worlds.problem import WorldGone
from tests.support.restarts import ORDERS, WORLD, WORLDS, RestartableSimulator
from tests.support.waiting import wait_until

PATIENCE_S = 10


def test_an_undone_held_call_ends_without_effect(life: RestartableSimulator) -> None:
    life.order("a")
    before = life.fingerprint
    life.order("b")
    caller, answers = life.held_order("held")
    life.call_control("POST", "/undo")
    caller.join(PATIENCE_S)
    assert [(answer.status, answer.json()["error"]["code"]) for answer in answers] == [(409, "call_undone")]
    assert life.fingerprint == before
    life.order("c")
    life.call_control("POST", "/undo")
    assert life.fingerprint == before
    life.restart()
    assert life.fingerprint == before


def test_undo_works_after_a_call_held_across_a_restore(life: RestartableSimulator) -> None:
    life.order("a")
    life.call_control("POST", "/snapshots", {"name": "kept"})
    caller, answers = life.held_order("held")
    life.call_control("POST", "/snapshots/kept/restore")
    caller.join(PATIENCE_S)
    assert answers[0].status == 201
    before = life.fingerprint
    life.order("b")
    life.call_control("POST", "/undo")
    assert life.fingerprint == before
    life.restart()
    assert life.fingerprint == before


def test_undo_works_in_a_fork_of_a_world_reset_during_a_held_call(life: RestartableSimulator) -> None:
    life.order("a")
    caller, _ = life.held_order("held")
    life.order("b")
    life.call_control("POST", "/reset")
    caller.join(PATIENCE_S)
    before = life.fingerprint
    life.order("c")
    life.call_control("POST", "/fork", {"id": "copy"})
    answer = life.call("POST", f"{WORLDS}/copy/undo")
    assert answer.status == 200, answer.text
    assert life.call("GET", f"{WORLDS}/copy/fingerprint").json() == before


def test_concurrent_deletes_delete_a_world_once(life: RestartableSimulator) -> None:
    life.call("POST", WORLDS, {"id": "short"})
    world = life.simulator.registry.worlds["short"]
    barrier, answers = threading.Barrier(2), list[str]()

    def delete() -> None:
        barrier.wait()
        try:
            life.simulator.registry.delete(world)
            answers.append("deleted")
        except WorldGone as refused:
            answers.append(type(refused).__name__)

    callers = [threading.Thread(target=delete) for _ in range(2)]
    for caller in callers:
        caller.start()
    for caller in callers:
        caller.join(PATIENCE_S)
    assert sorted(answers) == ["WorldGone", "deleted"]
    life.restart()
    assert list(life.simulator.registry.worlds) == ["default"]


def test_an_encoded_question_mark_in_a_path_is_replayed(life: RestartableSimulator) -> None:
    url = {"url": "https://hooks.partner.example/gifts", "events": ["team_order.claimed"]}
    endpoint = life.call("POST", "/api/external/webhooks", url).json()["endpoint"]["id"]
    assert life.call("DELETE", f"/api/external/webhooks/{endpoint}%3Fx").status == 404
    assert life.call("DELETE", f"/api/external/webhooks/{endpoint}%253Fx").status == 404
    before = life.fingerprint
    life.restart()
    assert life.fingerprint == before
    assert life.call("GET", f"/api/external/webhooks/{endpoint}").status == 200


def test_a_snapshot_of_a_running_world_keeps_its_instant(life: RestartableSimulator) -> None:
    life.call_control("PUT", "/clock", {"mode": "running", "rate": 1_000_000})
    wait_until(lambda: life.call_control("GET", "/clock")["now"] > "2027-01-04T10:00:00Z")
    life.call_control("POST", "/snapshots", {"name": "kept"})
    before = life.call_control("GET", "/snapshots")
    life.restart()
    assert life.call_control("GET", "/snapshots") == before


def test_held_calls_of_the_former_process_do_not_count_against_the_limit(life: RestartableSimulator) -> None:
    life.held_order("held")
    copy = RestartableSimulator(_copied(life.journal))
    try:
        assert copy.simulator.registry.runtime.waiters.held_calls == 0
    finally:
        copy.simulator.close()


def test_calls_have_no_effect_once_the_file_is_closed(life: RestartableSimulator) -> None:
    life.simulator.close()
    answer = life.order("late")
    assert (answer.status, answer.json()["error"]["code"]) == (503, NotWritten.code)
    life.restart()
    assert life.call("GET", ORDERS).json()["team_orders"] == []


def test_time_that_could_not_be_written_is_written_with_the_next_entry(life: RestartableSimulator) -> None:
    inputs = life.simulator.registry.worlds["default"].event_log
    write, inputs.write = inputs.write, _full
    life.order("a")
    assert life.call("POST", f"{WORLD}/clock/advance", {"by": "40d"}).status == 503
    assert life.order("b").status == 503
    inputs.write = write
    assert life.order("c").status == 201
    assert life.call_control("POST", "/clock/advance", {"by": "1h"})["fired_count"]
    before = life.fingerprint
    life.restart()
    assert life.fingerprint == before


def _full(_world_id: str, _word: object) -> None:
    raise NotWritten("the disk is full")


def _copied(journal: Path) -> Path:
    """A copy of the file as `kill -9` would leave it now."""
    copy = journal.with_name("copy")
    copy.write_bytes(journal.read_bytes())
    return copy
