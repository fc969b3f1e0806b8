"""Redo with a journal file: what came back survives, and a call that was held does not come back (G410)."""

from __future__ import annotations

from typing import Any

from tests.support.restarts import WORLD, RestartableSimulator

PATIENCE_S = 60
LISTS = ("fingerprint", "orders", "calls", "mail", "snapshots", "clock")


def seen(restartable: RestartableSimulator) -> list[Any]:
    """The lists of the default world; after a restart, the calls before it are not in the call log."""
    return [restartable.call_control("GET", f"/{name}") for name in LISTS]


def redo(restartable: RestartableSimulator) -> int:
    """The status of a redo."""
    return restartable.call("POST", f"{WORLD}/redo").status


def undo_last(restartable: RestartableSimulator) -> None:
    """Undo whatever was done last."""
    [last] = restartable.call_control("GET", "/undo?all=true&limit=1")["undo"]
    restartable.call_control("POST", "/undo", {"to": last["to"]})


def test_a_restart_keeps_what_came_back_and_has_nothing_to_redo(restartable: RestartableSimulator) -> None:
    start = restartable.fingerprint
    restartable.order("a")
    restartable.call_control("POST", "/snapshots", {"name": "kept"})
    restartable.call_control("POST", "/clock/advance", {"by": "2d"})
    undo_last(restartable)
    undo_last(restartable)
    undo_last(restartable)
    assert (redo(restartable), redo(restartable)) == (200, 200)
    before, orders = restartable.fingerprint, restartable.call_control("GET", "/orders")
    restartable.restart()
    assert (restartable.fingerprint, restartable.call_control("GET", "/orders")) == (before, orders)
    assert [each["name"] for each in restartable.call_control("GET", "/snapshots")["snapshots"]] == ["kept"]
    assert redo(restartable) == 409
    undo_last(restartable)
    undo_last(restartable)
    assert restartable.fingerprint == start
    assert redo(restartable) == 200
    restartable.restart()
    assert restartable.call_control("GET", "/orders") == orders


def test_undos_and_redos_across_a_checkpoint_recover(restartable: RestartableSimulator) -> None:
    """The checkpoint of the undone stretch is not used again, and the next one has the stretch that came back."""
    for n in range(1_100):
        restartable.call("GET", "/api/external/team-orders") if n % 10 else restartable.order(str(n))
    before = seen(restartable)
    restartable.call_control("POST", "/undo", {"count": 60})
    assert redo(restartable) == 200
    assert seen(restartable) == before
    for _ in range(1_100):
        restartable.call("GET", "/api/external/team-orders")
    fingerprint = restartable.fingerprint
    restartable.restart()
    assert restartable.fingerprint == fingerprint
    restartable.call_control("POST", "/undo", {"count": 100})
    assert redo(restartable) == 200
    restartable.restart()
    assert restartable.fingerprint == fingerprint


def test_a_held_call_that_was_undone_does_not_come_back(restartable: RestartableSimulator) -> None:
    restartable.order("a")
    caller, responses = restartable.held_order("held")
    restartable.call_control("POST", "/undo")
    caller.join(PATIENCE_S)
    assert [response.status for response in responses] == [409]
    assert redo(restartable) == 200
    orders = restartable.call_control("GET", "/orders")
    assert len(orders["orders"]) == 1
    restartable.call_control("DELETE", "/faults/wait")
    assert restartable.order("held").status == 201  # its key is free
    fingerprint = restartable.fingerprint
    restartable.restart()
    assert restartable.fingerprint == fingerprint


def test_a_held_call_that_ended_in_what_was_undone_is_not_brought_back(restartable: RestartableSimulator) -> None:
    caller, responses = restartable.held_order("held")
    last = restartable.call_control("GET", "/changes?from=now")["next"]
    restartable.call_control("DELETE", "/faults/wait")
    caller.join(PATIENCE_S)
    assert [response.status for response in responses] == [201]
    restartable.call_control("POST", "/undo", {"to": last})
    assert redo(restartable) == 409
    fingerprint = restartable.fingerprint
    restartable.restart()
    assert restartable.fingerprint == fingerprint
