"""The same seed and calls give the same state and bytes in any process and under any world id."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from giftsim import Simulator
from tests.support.mixed_workload import MixedWorkload
from tests.support.served_simulator import ROOT
from tests.support.worlds import World

Make = Callable[..., World]

SEED = 20
PATIENCE_S = 60


@pytest.fixture
def instant(request: pytest.FixtureRequest) -> list[str]:
    """The start time of worlds, if the run was given one."""
    now = request.config.getoption("--world-now")
    return [now] if now else []


def run_in_another_process(hash_seed: str, world_id: str, instant: list[str]) -> Any:
    """The workload's transcript from another process with another hash seed."""
    command = [sys.executable, "-m", "tests.support.mixed_workload", world_id, str(SEED), *instant]
    environment = {**os.environ, "PYTHONHASHSEED": hash_seed}
    run = subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=PATIENCE_S, check=False
    )
    assert (run.returncode, run.stderr) == (0, "")
    return json.loads(run.stdout)


def test_a_workload_is_identical_in_two_processes_with_different_hash_seeds(
    new_world: Make, instant: list[str]
) -> None:
    for _ in range(3):
        new_world().partner().create_order()
    # Ids of one length: the world's id is in links, so its length shows in Content-Length.
    world = new_world(id="in-this-process-00", seed=SEED)
    here = MixedWorkload(world, SEED)
    fingerprint = here.play()
    for hash_seed, world_id in (("0", "another-process-00"), ("4242", "another-process-01")):
        there = run_in_another_process(hash_seed, world_id, instant)
        assert there["transcript"] == here.transcript
        assert there["fingerprint"] == fingerprint


def test_the_workload_covers_every_status_and_fault_effect(new_world: Make) -> None:
    world = new_world(seed=SEED)
    workload = MixedWorkload(world, SEED)
    workload.set_up()
    for _ in range(30):
        workload.round()
    partner_calls = [text for text in workload.transcript if text.startswith(("GET ", "POST "))]
    statuses = Counter(text.splitlines()[0].rpartition(" ")[2] for text in partner_calls)
    assert len(partner_calls) >= 100
    assert {"200", "201", "402", "404", "409", "422", "503"} <= set(statuses)
    assert all(row["hits"] for row in world.call_control("GET", "/faults")["faults"])
    assert {row["outcome"] for row in world.deliveries()} >= {"delivered", "http_status", "timeout", "connection_reset"}
    kinds = {row["type"] for row in world.events()}
    assert len(kinds) >= 3


def test_another_seed_gives_other_results_for_the_same_calls(new_world: Make) -> None:
    fingerprints = [MixedWorkload(new_world(seed=seed), SEED).play(5) for seed in (SEED, SEED, SEED + 1)]
    assert fingerprints[0] == fingerprints[1] != fingerprints[2]


def test_one_call_more_changes_the_fingerprint(new_world: Make) -> None:
    worlds = [new_world(seed=SEED) for _ in range(2)]
    assert len({MixedWorkload(world, SEED).play(4) for world in worlds}) == 1
    worlds[0].partner().get("/team-orders")
    assert worlds[0].fingerprint() != worlds[1].fingerprint()


def test_a_fork_halfway_has_the_same_second_half(new_world: Make) -> None:
    world = new_world(id="first-half-of-it", seed=SEED)
    workload = MixedWorkload(world, SEED)
    workload.set_up()
    for _ in range(8):
        workload.round()
    forked = world.call_control("POST", "/fork", {"id": "other-half-of-it"})
    twin = new_world(id="replaced-by-fork")
    twin.id, twin.credentials = forked["id"], forked["credentials"]
    other = MixedWorkload(twin, SEED)
    other.go_on_from(workload)
    calls_before = len(workload.transcript)
    for _ in range(8):
        workload.round()
        other.round()
    assert other.transcript == workload.transcript[calls_before:]
    assert twin.fingerprint() == world.fingerprint()
    world.control.delete(f"/worlds/{twin.id}")


def test_a_second_simulator_gives_the_same_results(new_world: Make, instant: list[str]) -> None:
    simulator = Simulator(fixture="default", seed=99)
    config = {
        "seed": SEED,
        "fixture": "empty",
        "id": "elsewhere-entirely",
        **({"now": instant[0]} if instant else {}),
    }
    workloads = [
        MixedWorkload(new_world(seed=SEED, id="over-here-with-all"), SEED),
        MixedWorkload(World(simulator, **config), SEED),
    ]
    assert workloads[0].play(6) == workloads[1].play(6)
    assert workloads[0].transcript == workloads[1].transcript
    simulator.close()
