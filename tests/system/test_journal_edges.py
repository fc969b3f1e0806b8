"""Edge cases of recovery from a journal file (G3, G5)."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

from giftsim.engine.client.response import Response
from giftsim.engine.log.journal_file import NotWritten
from giftsim.engine.worlds.world_errors import WorldGone
from tests.support.orders import order_body
from tests.support.restarts import ORDERS, WORLD, WORLDS, RestartableSimulator
from tests.support.waiting import wait_until

PATIENCE_S = 60


def test_an_undone_held_call_ends_without_effect(restartable: RestartableSimulator) -> None:
    restartable.order("a")
    before = restartable.fingerprint
    restartable.order("b")
    caller, responses = restartable.held_order("held")
    restartable.call_control("POST", "/undo")
    caller.join(PATIENCE_S)
    assert [(response.status, response.json()["error"]["code"]) for response in responses] == [(409, "call_undone")]
    assert restartable.fingerprint == before
    assert restartable.order("held").status == 201  # its key is free again
    restartable.call_control("POST", "/undo")
    assert restartable.fingerprint == before
    restartable.restart()
    assert restartable.fingerprint == before


def test_a_held_call_of_a_world_that_is_deleted_right_after_an_undo_is_undone(
    restartable: RestartableSimulator,
) -> None:
    restartable.call("POST", WORLDS, {"id": "short", "fixture": "empty"})
    registry, responses = restartable.simulator.registry, list[Response]()
    headers = {"Authorization": "Bearer pk_live_short_prepaid"}

    def order(key: str) -> None:
        body = order_body(idempotency_key=key)
        responses.append(restartable.simulator.client.call("POST", ORDERS, body=body, headers=headers))

    order("a")
    fault = {"id": "wait", "effect": {"hold": True}, "when": {"first": 1}}
    assert restartable.call("POST", f"{WORLDS}/short/faults", fault).status == 201
    caller = threading.Thread(target=order, args=("held",), daemon=True)
    caller.start()
    wait_until(lambda: bool(registry.worlds["short"].calls.suspended))
    with registry.runtime.waiters.changed:  # the held call wakes after both
        assert restartable.call("POST", f"{WORLDS}/short/undo").status == 200
        assert restartable.call("DELETE", f"{WORLDS}/short").status < 300
    caller.join(PATIENCE_S)
    assert [response.status for response in responses] == [201, 409]
    assert responses[1].json()["error"]["code"] == "call_undone"


def test_undo_works_after_a_call_held_across_a_restore(restartable: RestartableSimulator) -> None:
    restartable.order("a")
    restartable.call_control("POST", "/snapshots", {"name": "kept"})
    caller, responses = restartable.held_order("held")
    restartable.call_control("POST", "/snapshots/kept/restore")
    caller.join(PATIENCE_S)
    assert responses[0].status == 201
    before = restartable.fingerprint
    restartable.order("b")
    restartable.call_control("POST", "/undo")
    assert restartable.fingerprint == before
    restartable.restart()
    assert restartable.fingerprint == before


def test_undo_works_in_a_fork_of_a_world_reset_during_a_held_call(restartable: RestartableSimulator) -> None:
    restartable.order("a")
    caller, _ = restartable.held_order("held")
    restartable.order("b")
    restartable.call_control("POST", "/reset")
    caller.join(PATIENCE_S)
    before = restartable.fingerprint
    restartable.order("c")
    restartable.call_control("POST", "/fork", {"id": "copy"})
    response = restartable.call("POST", f"{WORLDS}/copy/undo")
    assert response.status == 200, response.text
    assert restartable.call("GET", f"{WORLDS}/copy/fingerprint").json() == before


def test_undo_in_a_world_and_in_its_fork_do_not_touch_each_other(restartable: RestartableSimulator) -> None:
    def fingerprint(world: str) -> Any:
        return restartable.call("GET", f"{WORLDS}/{world}/fingerprint").json()

    restartable.order("a")
    restartable.call_control("POST", "/snapshots", {"name": "kept"})
    before = restartable.fingerprint
    restartable.order("b")
    restartable.call_control("POST", "/snapshots/kept/restore")
    restartable.order("c")
    restartable.call_control("POST", "/fork", {"id": "copy"})
    for world in ("default", "copy"):
        assert restartable.call("POST", f"{WORLDS}/{world}/undo", {"count": 2}).status == 200
        assert fingerprint(world) == before
        restartable.order("d")
    assert fingerprint("copy") == before
    found = fingerprint("default")
    assert found != before
    restartable.restart()
    assert (fingerprint("default"), fingerprint("copy")) == (found, before)


def test_concurrent_deletes_delete_a_world_once(restartable: RestartableSimulator) -> None:
    restartable.call("POST", WORLDS, {"id": "short"})
    world = restartable.simulator.registry.worlds["short"]
    barrier, responses = threading.Barrier(2), list[str]()

    def delete() -> None:
        barrier.wait()
        try:
            restartable.simulator.registry.delete(world)
            responses.append("deleted")
        except WorldGone as refused:
            responses.append(type(refused).__name__)

    callers = [threading.Thread(target=delete) for _ in range(2)]
    for caller in callers:
        caller.start()
    for caller in callers:
        caller.join(PATIENCE_S)
    assert sorted(responses) == ["WorldGone", "deleted"]
    restartable.restart()
    assert list(restartable.simulator.registry.worlds) == ["default"]


def test_an_encoded_question_mark_in_a_path_is_replayed(restartable: RestartableSimulator) -> None:
    url = {"url": "https://hooks.partner.example/gifts", "events": ["team_order.claimed"]}
    endpoint = restartable.call("POST", "/api/external/webhooks", url).json()["endpoint"]["id"]
    assert restartable.call("DELETE", f"/api/external/webhooks/{endpoint}%3Fx").status == 404
    assert restartable.call("DELETE", f"/api/external/webhooks/{endpoint}%253Fx").status == 404
    before = restartable.fingerprint
    restartable.restart()
    assert restartable.fingerprint == before
    assert restartable.call("GET", f"/api/external/webhooks/{endpoint}").status == 200


def test_a_snapshot_of_a_running_world_keeps_its_instant(restartable: RestartableSimulator) -> None:
    restartable.call_control("PUT", "/clock", {"mode": "running", "rate": 1_000_000})
    wait_until(lambda: restartable.call_control("GET", "/clock")["now"] > "2027-01-04T10:00:00Z")
    restartable.call_control("POST", "/snapshots", {"name": "kept"})
    before = restartable.call_control("GET", "/snapshots")
    restartable.restart()
    assert restartable.call_control("GET", "/snapshots") == before


def test_held_calls_of_the_former_process_do_not_count_against_the_limit(restartable: RestartableSimulator) -> None:
    restartable.held_order("held")
    copy = RestartableSimulator(_copied(restartable.journal))
    try:
        assert copy.simulator.registry.runtime.waiters.held_call_count == 0
    finally:
        copy.simulator.close()


def test_calls_have_no_effect_once_the_file_is_closed(restartable: RestartableSimulator) -> None:
    restartable.simulator.close()
    response = restartable.order("late")
    assert (response.status, response.json()["error"]["code"]) == (503, NotWritten.code)
    restartable.restart()
    assert restartable.call("GET", ORDERS).json()["team_orders"] == []


def test_time_that_could_not_be_written_is_written_with_the_next_entry(restartable: RestartableSimulator) -> None:
    inputs = restartable.simulator.registry.worlds["default"].event_log
    write, inputs.write = inputs.write, _full
    restartable.order("a")
    assert restartable.call("POST", f"{WORLD}/clock/advance", {"by": "40d"}).status == 503
    assert restartable.order("b").status == 503
    inputs.write = write
    assert restartable.order("c").status == 201
    assert restartable.call_control("POST", "/clock/advance", {"by": "1h"})["fired_count"]
    before = restartable.fingerprint
    restartable.restart()
    assert restartable.fingerprint == before


def _full(_world_id: str, _word: object) -> None:
    raise NotWritten("the disk is full")


def _copied(journal: Path) -> Path:
    """A copy of the file as `kill -9` would leave it now."""
    copy = journal.with_name("copy")
    copy.write_bytes(journal.read_bytes())
    return copy
