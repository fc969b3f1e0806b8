"""Undo takes back what changed, newest first: the same as replaying the events before, at the cost of the changes."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from copy import deepcopy
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from giftsim import Simulator
from giftsim.engine.kernel.index import Group, PartitionedGroup
from giftsim.engine.kernel.state import State
from giftsim.engine.kernel.table import Table
from giftsim.engine.log import log as event_log
from giftsim.engine.log.inputs import (
    Checkpoint,
    ClientCall,
    InputsUndone,
    WorldConfig,
    WorldCreated,
    WorldDeleted,
    WorldForked,
    WorldReset,
)
from giftsim.engine.replay.recover import Line, ReplayPlan
from tests.support.api_clients import PartnerClient
from tests.support.orders import RENO, order_body
from tests.support.waiting import wait_until
from tests.support.worlds import World

CONFIG = WorldConfig("bare", 1, 0)
CREATED = WorldCreated(CONFIG)


def call(n: int) -> ClientCall:
    return ClientCall(n=n)


def checkpoint(n: int) -> Checkpoint:
    return Checkpoint(n, 1, CONFIG, None, 0, b"", None, {})


def applied(lines: list[Line]) -> list[int]:
    plan = ReplayPlan(lines)
    return [at for at in range(len(lines)) if plan.needs(at)]


def starts(lines: list[Line]) -> dict[int, list[tuple[str, int]]]:
    by_line = ReplayPlan(lines).checkpoints_by_line()
    return {at: [(world_id, kept.n) for world_id, kept in found] for at, found in by_line.items()}


def test_without_a_checkpoint_every_line_is_applied() -> None:
    lines: list[Line] = [("a", CREATED), ("a", call(1)), ("a", call(2))]
    assert (applied(lines), starts(lines)) == ([0, 1, 2], {})


def test_a_world_starts_from_its_last_checkpoint() -> None:
    lines: list[Line] = [
        ("a", CREATED), ("a", call(1)), ("a", checkpoint(2)), ("a", call(2)), ("a", checkpoint(3)), ("a", call(3)),
    ]  # fmt: skip
    assert starts(lines) == {4: [("a", 3)]}
    assert applied(lines) == [4, 5]


def test_a_checkpoint_stands_before_the_calls_that_were_written_ahead_of_it() -> None:
    lines: list[Line] = [("a", CREATED), ("a", call(1)), ("a", call(2)), ("a", checkpoint(2))]
    assert starts(lines) == {2: [("a", 2)]}
    assert applied(lines) == [2, 3]


def test_a_deleted_world_is_left_out() -> None:
    lines: list[Line] = [("a", CREATED), ("b", CREATED), ("b", call(1)), ("b", WorldDeleted()), ("a", call(1))]
    assert applied(lines) == [0, 4]


def test_a_deleted_parent_is_applied_when_its_fork_needs_it() -> None:
    lines: list[Line] = [("a", CREATED), ("a", call(1)), ("b", WorldForked("a")), ("a", WorldDeleted())]
    assert applied(lines) == [0, 1, 2, 3]


def test_a_fork_with_a_checkpoint_does_not_need_its_parent() -> None:
    lines: list[Line] = [
        ("a", CREATED), ("a", call(1)), ("b", WorldForked("a")), ("a", WorldDeleted()), ("b", checkpoint(2)),
    ]  # fmt: skip
    assert applied(lines) == [4]


def test_a_checkpoint_of_what_was_undone_is_not_used() -> None:
    lines: list[Line] = [
        ("a", CREATED), ("a", call(1)), ("a", call(2)), ("a", checkpoint(3)), ("a", InputsUndone(2)), ("a", call(2)),
    ]  # fmt: skip
    assert (applied(lines), starts(lines)) == ([0, 1, 2, 3, 4, 5], {})


def test_numbers_begin_again_after_a_reset() -> None:
    lines: list[Line] = [
        ("a", CREATED), ("a", call(1)), ("a", WorldReset(n=2)), ("a", call(1)), ("a", checkpoint(2)), ("a", call(2)),
    ]  # fmt: skip
    assert starts(lines) == {4: [("a", 2)]}
    assert applied(lines) == [4, 5]


def test_worlds_that_were_created_before_the_lines_start_from_their_checkpoints() -> None:
    lines: list[Line] = [("a", call(7)), ("a", checkpoint(7)), ("b", checkpoint(3)), ("a", call(8)), ("b", call(3))]
    assert starts(lines) == {0: [("a", 7)], 2: [("b", 3)]}
    assert applied(lines) == [0, 1, 2, 3, 4]
    assert ReplayPlan(lines).is_complete


def test_lines_are_not_enough_after_an_undo_of_what_the_checkpoint_has() -> None:
    lines: list[Line] = [("a", checkpoint(7)), ("a", call(7)), ("a", InputsUndone(5)), ("a", call(5))]
    assert not ReplayPlan(lines).is_complete


def test_a_checkpoint_after_a_reset_precedes_the_first_event_of_its_round() -> None:
    lines: list[Line] = [
        ("a", call(3)), ("a", WorldReset(n=4)), ("a", checkpoint(1)), ("b", CREATED), ("a", call(1)),
    ]  # fmt: skip
    assert starts(lines) == {2: [("a", 1)]}
    assert applied(lines) == [2, 3, 4]


def test_a_fork_of_a_world_without_lines_before_it_needs_that_world() -> None:
    lines: list[Line] = [
        ("f2", WorldForked("f1")), ("f1", checkpoint(5)), ("f2", checkpoint(4)), ("f2", InputsUndone(2)),
    ]  # fmt: skip
    assert not ReplayPlan(lines).is_complete


ACTIONS = (
    *("order",) * 3, *("undo",) * 2, "undo of three", *("undo to",) * 2, "refused", "read", "claim", "advance",
    "setting", "fault", "clock", "snapshot", "restore", "reset", "fork",
)  # fmt: skip
DONE = (
    "order", "refused", "read", "claim", "advance", "setting", "fault", "clock", "run", "snapshot", "restore", "forget",
)  # fmt: skip
EVERY = 15  # lines of the journal file between two checkpoints
NEVER = 10**9
FORKS = ("default", "f1", "f2")
CONTROL: dict[str, tuple[Any, ...]] = {
    "advance": ("POST", "/clock/advance", {"by": "40h"}),
    "clock": ("PUT", "/clock", {"mode": "manual"}),
    "run": ("PUT", "/clock", {"mode": "running", "rate": 0.001}),
    "snapshot": ("POST", "/snapshots", {"name": "kept"}),
    "forget": ("DELETE", "/snapshots/kept"),
    "restore": ("POST", "/snapshots/kept/restore"),
    "reset": ("POST", "/reset"),
    "undo": ("POST", "/undo"),
    "undo of three": ("POST", "/undo", {"count": 3}),
}


class Actor:
    """A simulator, and numbered actions on its world `default` and its forks."""

    def __init__(self, journal: Path | None = None, every: int = EVERY) -> None:
        self.journal, self.every, self.orders = journal, every, 0
        self.simulator = self._start()

    def _start(self) -> Simulator:
        return Simulator(fixture="empty", journal=self.journal, checkpoint_every=self.every)

    def call(self, method: str, path: str, body: Any = None, world: str = "default") -> Any:
        headers = {"Authorization": f"Bearer pk_live_{world}_prepaid"}
        return self.simulator.client.call(method, path, body=body, headers=headers)

    def control(self, world: str, method: str, path: str, body: Any = None) -> Any:
        return self.call(method, f"/_sim/v1/worlds/{world}{path}", body)

    def act(self, world: str, action: str) -> None:
        """One action; those that a world refuses have no effect."""
        if action in CONTROL:
            self.control(world, *CONTROL[action])
            return
        match action:
            case "order":
                self.orders += 1
                body = order_body(idempotency_key=f"k{self.orders}")
                self.call("POST", "/api/external/team-orders", body, world)
            case "refused":
                self.call("POST", "/api/external/team-orders", {}, world)
            case "read":
                self.call("GET", "/api/external/team-orders", None, world)
            case "claim":
                orders = self.control(world, "GET", "/orders").json().get("orders", ())
                for order in orders[-1:]:
                    body = {"team_order_id": order["id"], "recipient": 0, "address": RENO}
                    self.control(world, "POST", "/simulate/claim", body)
            case "setting":
                self.control(world, "PATCH", "/settings", {"partner.lead_times.production": f"{self.orders + 1}d"})
            case "fault":
                fault = {"id": f"f{self.orders}", "effect": {"status": 503}, "when": {"every": 3}}
                self.control(world, "POST", "/faults", fault)
            case "fork":
                for name in FORKS[1:]:
                    if self.control(world, "POST", "/fork", {"id": name}).status == 201:
                        break
            case "undo to":
                for row in self.control(world, "GET", "/undo?all=true&after=2&limit=1").json().get("undo", ()):
                    self.control(world, "POST", "/undo", {"to": row["to"]})
            case "wait":  # for the checkpoints that are being written
                runtime = self.simulator.registry.runtime
                wait_until(lambda: not runtime.writes_checkpoints)
            case "restart" if self.journal is not None:
                self.act(world, "wait")
                self.simulator.close()
                self.simulator = self._start()

    def close(self) -> None:
        self.simulator.close()

    def act_all(self, steps: list[tuple[str, int]]) -> Actor:
        """Each action, in the world of its number."""
        for action, number in steps:
            worlds = list(self.simulator.registry.worlds)
            self.act(worlds[number % len(worlds)], action)
        return self

    def observed(self) -> list[Any]:
        """The content of every world with its indexes, and what its logs show."""
        views = ("/fingerprint", "/calls", "/snapshots", "/clock")
        worlds = self.simulator.registry.worlds
        return [
            (name, content(world.state), *(self.control(name, "GET", view).text for view in views))
            for name, world in sorted(worlds.items())
        ]


def indexes(table: Table[Any]) -> Any:
    """What a table's records are found by."""
    unique = {name: index.slots for name, index in table.unique.items()}
    return unique, {name: buckets(index) for name, index in table.groups.items()}


def buckets(index: Group | PartitionedGroup) -> Any:
    """The slots by key, in each partition that has any."""
    parts = index.partitions if isinstance(index, PartitionedGroup) else [index]
    return {number: part.buckets for number, part in enumerate(parts) if part.buckets}


def content(state: State) -> Any:
    """What a fingerprint does not cover: indexes, empty slots, timers by serial number; not the order of keys."""
    tables = {table.name: ([row is None for row in table.rows], indexes(table)) for table in state.tables()}
    timers = sorted(state.timers.live.items())
    owners = {owner: found for owner, found in state.timers.of.items() if found}
    return tables, timers, owners, state.timers.serial, state.counters, state.meters, state.setting_values, state.rate


def observed_after(steps: list[tuple[str, int]]) -> list[Any]:
    with closing(Actor()) as actor:
        return actor.act_all(steps).observed()


@settings(max_examples=15)
@given(st.lists(st.tuples(st.sampled_from(ACTIONS), st.integers(0, 2)), min_size=10, max_size=60))
def test_taking_back_gives_the_same_as_applying_again(steps: list[tuple[str, int]]) -> None:
    taken_back = observed_after(steps)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(event_log, "MAX_UNDO_ENTRIES", 0)  # no undo log is kept
        applied_again = observed_after(steps)
    assert taken_back == applied_again


@settings(max_examples=15)
@given(st.lists(st.sampled_from(DONE), min_size=3, max_size=12), st.integers(0, 11))
def test_an_undo_to_a_change_returns_to_what_was_there_after_it(actions: list[str], place: int) -> None:
    with TemporaryDirectory() as folder:
        journal = Path(folder) / "journal"
        actor, seen = Actor(journal, NEVER), []  # a start lists the calls since the last checkpoint
        for action in actions:
            last = actor.control("default", "GET", "/changes?from=now").json()["next"]
            seen.append((last, deepcopy(actor.observed())))
            actor.act("default", action)
        to, before = seen[place % len(seen)]
        response = actor.control("default", "POST", "/undo", {"to": to})
        assert response.status == 200 or response.json()["error"]["code"] == "nothing_to_undo"
        assert actor.observed() == before
        actor.close()
        with closing(Actor(journal)) as actor:
            assert actor.observed() == before


UNDO_BEFORE_A_FORK = [
    *[("order", 0)] * 3, ("reset", 0), ("fork", 0), *[("order", 0)] * 4, *[("order", 1)] * 2, ("claim", 1), ("undo", 0),
    ("order", 0), ("fork", 1), ("order", 1), ("wait", 0), ("order", 0), ("undo", 2), ("restart", 0),
]  # fmt: skip
UNDO_BEFORE_A_CHECKPOINT_OF_A_PARENT = [
    *[("order", 0)] * 15, ("wait", 0), *[("order", 0)] * 2, ("fork", 0), ("restart", 0), *[("undo", 0)] * 5,
]  # fmt: skip
UNDO_BEFORE_A_SNAPSHOT_OF_A_PARENT = [
    ("snapshot", 0), *[("order", 0), ("wait", 0)] * 5, ("snapshot", 0), ("wait", 0), *[("order", 0), ("wait", 0)] * 4,
    ("fork", 0), ("wait", 0), ("restart", 0), *[("undo", 1)] * 6,
]  # fmt: skip


@settings(max_examples=15)
@given(st.lists(st.tuples(st.sampled_from((*ACTIONS, *("restart",) * 2)), st.integers(0, 2)), min_size=20, max_size=80))
@example(UNDO_BEFORE_A_FORK)
@example(UNDO_BEFORE_A_CHECKPOINT_OF_A_PARENT)
@example(UNDO_BEFORE_A_SNAPSHOT_OF_A_PARENT)
def test_an_undo_after_a_restart_is_that_of_a_process_that_never_ended(steps: list[tuple[str, int]]) -> None:
    with (
        TemporaryDirectory() as folder,
        closing(Actor(Path(folder) / "journal")) as restarted,
        closing(Actor()) as twin,
    ):
        for actor in (restarted, twin):
            actor.act_all(steps)
        for world in twin.simulator.registry.worlds:
            for path in ("/fingerprint", "/snapshots", "/clock"):
                assert restarted.control(world, "GET", path).text == twin.control(world, "GET", path).text


def test_an_undo_of_thousands_of_inputs_costs_what_they_changed(world: World, partner: PartnerClient) -> None:
    before = world.fingerprint()
    partner.create_order(idempotency_key="a")
    read = partner.contract.prefix + "/company"
    for _ in range(3_000):
        world.client.call("GET", read, headers=partner.headers)
    started = perf_counter()
    assert len(world.call_control("POST", "/undo")["undone"]) == 1
    assert perf_counter() - started < 1  # 5 ms on a quiet machine, and a second to apply the calls again
    assert world.fingerprint() == before


def test_writes_can_be_undone_when_the_start_of_the_log_was_dropped(
    monkeypatch: pytest.MonkeyPatch, world: World, partner: PartnerClient
) -> None:
    monkeypatch.setattr(event_log, "MAX_EVENTS", 20)
    states = []
    for number in range(60):
        states.append(world.fingerprint())
        partner.create_order(idempotency_key=f"k{number}")
    for count in (1, 5):
        world.call_control("POST", "/undo", {"count": count})
        del states[len(states) - count + 1 :]
        assert world.fingerprint() == states.pop()
    refused = world.control.post(f"/worlds/{world.id}/undo", {"count": 30})
    assert (refused.status, refused.json()["error"]["code"]) == (409, "nothing_to_undo")


def test_an_undo_goes_back_over_a_restore(world: World, partner: PartnerClient) -> None:
    world.call_control("POST", "/snapshots", {"name": "kept"})
    before = world.fingerprint()
    partner.create_order(idempotency_key="a")
    world.advance("3d")
    world.call_control("POST", "/snapshots/kept/restore")
    assert [call["path"] for call in world.call_control("POST", "/undo")["undone"]] == ["/api/external/team-orders"]
    assert world.fingerprint() == before


def test_former_states_are_kept_for_the_last_restores_only(world: World, partner: PartnerClient) -> None:
    world.call_control("POST", "/snapshots", {"name": "kept"})
    for number in range(30):
        partner.create_order(idempotency_key=f"k{number}")
        world.call_control("POST", "/snapshots/kept/restore")
    log = world.simulator.registry.worlds[world.id].event_log
    entries = [entry for segment in log.segments for undo_log in segment.undo_logs.values() for entry in undo_log]
    assert len([entry for entry in entries if isinstance(entry, State)]) == event_log.MAX_BASES


def test_a_fork_takes_back_its_own_changes_and_leaves_its_parent(new_world: Callable[..., World]) -> None:
    world = new_world()
    before = world.fingerprint()
    world.partner().create_order(idempotency_key="a")
    after = world.fingerprint()
    fork = world.call_control("POST", "/fork", {})["id"]
    world.partner().create_order(idempotency_key="b")
    assert world.json_of(world.control.post(f"/worlds/{fork}/undo"))["undone"]
    assert world.json_of(world.control.get(f"/worlds/{fork}/fingerprint"))["sha256"] == before
    world.call_control("POST", "/undo")
    assert world.fingerprint() == after
    world.control.delete(f"/worlds/{fork}")
