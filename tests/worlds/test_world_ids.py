"""Ids of worlds in one of several processes that share an address (G136)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner

from giftsim import Simulator
from giftsim.cli.main import main
from tests.support.responses import status_and_code
from tests.support.worlds import World


@pytest.fixture
def process() -> Iterator[Simulator]:
    with closing(Simulator(fixture="bare", worlds_prefix="p2")) as simulator:
        yield simulator


def fork(world: World, **body: str) -> str:
    return str(world.call_control("POST", "/fork", body)["id"])


def test_worlds_without_an_id_begin_with_the_prefix_of_their_process(process: Simulator) -> None:
    assert [World(process, fixture="bare").id for _ in range(2)] == ["p2--w1", "p2--w2"]
    assert World(process, fixture="bare", id="mine").id == "mine"


def test_a_fork_begins_as_its_parent_does(process: Simulator) -> None:
    mine = World(process, fixture="bare", id="mine")
    assert (fork(mine), fork(mine, id="mine--copy")) == ("mine--w1", "mine--copy")
    assert mine.json_of(mine.control.post("/worlds/mine--w1/fork", {}))["id"] == "mine--w2"
    assert World(process, fixture="bare").id == "p2--w3"


def test_a_fork_with_an_id_that_leads_to_another_process_is_refused(process: Simulator) -> None:
    mine = World(process, fixture="bare", id="mine")
    refused = mine.control.post("/worlds/mine/fork", {"id": "copy"})
    assert status_and_code(refused) == (400, "invalid_world")
    assert "its id begins with mine--, like mine--copy" in refused.json()["error"]["message"]
    assert status_and_code(mine.control.get("/worlds/copy")) == (404, "world_not_found")


def test_a_fork_of_an_id_without_space_for_more_is_refused(process: Simulator) -> None:
    long = World(process, fixture="bare", id="x" * 38)
    refused = long.control.post(f"/worlds/{long.id}/fork")
    assert status_and_code(refused) == (400, "invalid_world")
    assert "longer than 40" in refused.json()["error"]["message"]


def test_in_a_process_that_is_alone_ids_are_free(simulator: Simulator) -> None:
    alone = World(simulator, fixture="bare", id="alone-in-its-process")
    assert fork(alone, id="with-another-root") == "with-another-root"
    assert "process" not in alone.json_of(alone.control.get("/worlds"))
    assert "process" not in alone.json_of(alone.control.get("/health"))


def test_the_list_of_worlds_and_the_health_name_the_process_that_they_show(process: Simulator) -> None:
    control = World(process, fixture="bare").control
    assert (control.get("/worlds").json()["process"], control.get("/health").json()["process"]) == ("p2", "p2")


def test_a_scenario_that_forks_plays_in_such_a_process(process: Simulator) -> None:
    scenario = "scenario: Two copies\nfixture: bare\nsteps:\n- fork: copy\n- advance: 1h\n  in: copy\n"
    report = World(process, fixture="bare").control.call(
        "POST", "/scenarios/play", scenario, Content_Type="application/yaml"
    )
    assert (report.status, report.json()["outcome"]) == (200, "passed")


def test_after_a_restart_generated_ids_go_on_and_forks_are_found(tmp_path: Path) -> None:
    journal = tmp_path / "journal"
    with closing(Simulator(fixture="bare", worlds_prefix="p2", journal=journal)) as before:
        fork(World(before, fixture="bare"))
    with closing(Simulator(fixture="bare", worlds_prefix="p3", journal=journal)) as after:
        assert sorted(after.registry.worlds) == ["default", "p2--w1", "p2--w2"]
        assert World(after, fixture="bare").id == "p3--w3"


@pytest.mark.parametrize("prefix", ["", "P2", "a--b", "-a", "a-", "x" * 21, "a_b"])
def test_other_prefixes_are_refused(prefix: str) -> None:
    run = CliRunner().invoke(main, ["--port", "0", "--worlds-prefix", prefix])
    assert run.exit_code == 2
    assert "--worlds-prefix is 1 to 20 of a-z and 0-9" in run.stderr
