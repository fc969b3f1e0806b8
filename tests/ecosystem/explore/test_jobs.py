"""Explorations by several processes with an app each: they find what one process finds."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from giftsim.workbench.app.protocol import AppProtocol
from giftsim.workbench.explore.engine import FEW, Engine, EngineFailed, processes, run_all
from giftsim.workbench.explore.explorer import EMPTY_PLAN
from giftsim.workbench.explore.failures import RunResult, SeedResult
from giftsim.workbench.explore.plan import Plan
from giftsim.workbench.explore.workplace import Equipment
from tests.explore.sample_apps import deadly_shop, wait_until_ended
from tests.explore.test_jobs import SHOP, explore
from tests.support.free_ports import free_ports


def test_jobs_find_and_write_what_one_process_does(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    app = f"http://127.0.0.1:{free_ports(2)}"
    reports, files = [], []
    for jobs in (1, 2):
        folder = tmp_path / str(jobs)
        folder.mkdir()
        monkeypatch.chdir(folder)
        done = explore("--app", app, "--app-command", SHOP, "--jobs", jobs, "--seeds", 6, "--json")
        assert done.exit_code == 1, done.stderr
        reports.append(json.loads(done.stdout))
        files.append({path.name: path.read_bytes() for path in (folder / "explored").glob("*.yaml")})
    assert reports[0] == reports[1]
    assert len(reports[0]["findings"]) == len(files[0]) == 1
    assert files[0] == files[1]


def test_a_search_makes_the_same_plans_in_one_process_and_in_three(tmp_path: Path) -> None:
    app = f"http://127.0.0.1:{free_ports(1)}"
    reports, corpora = [], []
    for jobs in (1, 3):
        corpus = tmp_path / str(jobs)
        options = ("--jobs", jobs, "--budget", 120, "--corpus", corpus, "--out", tmp_path / "out", "--force")
        done = explore("--app", app, "--app-command", SHOP, *options, "--json")
        reports.append(json.loads(done.stdout))
        corpora.append({path.name for path in corpus.iterdir()})
    assert reports[0] == reports[1]
    assert reports[0]["seeds"] > FEW
    assert corpora[0] == corpora[1]


def test_a_process_that_is_killed_changes_nothing_and_leaves_no_app(tmp_path: Path) -> None:
    app, killed = f"http://127.0.0.1:{free_ports(1)}", tmp_path / "killed"
    reports = []
    for jobs in (2, 1):
        options = ("--jobs", jobs, "--seeds", 12, "--out", tmp_path / "out", "--force")
        done = explore("--app", app, "--app-command", deadly_shop(killed), *options, "--json")
        assert done.exit_code == 1, done.output
        assert killed.exists()
        reports.append(json.loads(done.stdout))
    assert reports[0] == reports[1]
    assert wait_until_ended(str(killed))


def test_a_plan_that_ends_every_process_is_named() -> None:
    engine = Engine(processes(EQUIPMENT, 2).start, end_at_five)
    results = run_all(engine, [(number, EMPTY_PLAN) for number in range(1, 9)], lambda _: 6)
    assert [next(results).seed for _ in range(4)] == [1, 2, 3, 4]
    with pytest.raises(EngineFailed, match="seed 5 ended 3 processes that ran its plan"):
        next(results)


EQUIPMENT = Equipment(AppProtocol(app="http://127.0.0.1:9"), "true {port}")


def end_at_five(seed: int, plan: Plan) -> SeedResult:
    """Run a plan, which ends the process of seed 5."""
    if seed == 5:
        os._exit(1)
    return SeedResult(seed, plan, RunResult())
