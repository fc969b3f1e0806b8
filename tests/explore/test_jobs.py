"""Explorations that are shared out: shards, and jobs with an app each, find what one process finds."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from giftsim.cli.main import main
from giftsim.explore.app import AppProtocol
from giftsim.explore.explorer import SeedResult, run_seeds_in_jobs
from giftsim.explore.report import merge
from tests.explore.sample_apps import BUGS, ROOT, exploring, shop
from tests.support.downstream_app import run_app
from tests.support.free_ports import free_ports

SEEDS = range(1, 13)
SHOP = f"{sys.executable} {ROOT / 'examples' / 'shop.py'} {{port}} --bug duplicates"


def explore(*options: object) -> Result:
    return CliRunner().invoke(main, ["explore", *map(str, options)])


@pytest.fixture(scope="module")
def results() -> list[SeedResult]:
    """The result of each seed, with a shop that has all bugs."""
    with shop(*BUGS) as app, exploring(app) as explorer:
        return [explorer.run_seed(seed) for seed in SEEDS]


def report_of(results: Sequence[SeedResult]) -> dict[str, Any]:
    """The report of an exploration that had these results, with unshrunk findings."""
    with exploring("http://127.0.0.1:9") as explorer:
        for done in results:
            explorer.add(done)
        findings = [
            {"reason": reason, "seeds": list(seeds), "steps": len(explorer.seeds_run)}
            for reason, seeds in explorer.failures
        ]
    return {"app": "", "seeds": len(results), "stopped": None, "plays": len(results), "findings": findings}


@pytest.mark.parametrize("shards", [2, 5, 12])
def test_shards_together_find_what_all_seeds_find(results: list[SeedResult], shards: int) -> None:
    whole = report_of(results)
    parts = [report_of(results[number::shards]) for number in range(shards)]
    merged = merge(parts[shards // 2 :] + parts[: shards // 2])
    assert merged["seeds"] == len(results)
    assert sorted(kinds(merged)) == sorted(kinds(whole))


def kinds(report: dict[str, Any]) -> list[tuple[str, list[int]]]:
    """The kinds of failure of a report with their seeds."""
    return [(finding["reason"].translate(DIGITS), finding["seeds"]) for finding in report["findings"]]


DIGITS = dict.fromkeys(map(ord, "0123456789"), "#")


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


def test_shards_are_merged_to_one_report(tmp_path: Path) -> None:
    reports = []
    with shop("duplicates") as app:
        for shard in ("1/2", "2/2"):
            options = ("--app", app, "--seeds", 6, "--shard", shard, "--json", "--out", tmp_path / shard[0])
            reports.append(tmp_path / f"{shard[0]}.json")
            reports[-1].write_text(explore(*options).stdout)
        with exploring(app) as explorer:
            list(explorer.run_seeds(range(1, 7)))
            [(_, seeds)] = explorer.failures
    merged = CliRunner().invoke(main, ["explore-merge", *map(str, reports), "--json"])
    assert merged.exit_code == 1
    found = json.loads(merged.stdout)
    assert found["seeds"] == 6
    assert [finding["seeds"] for finding in found["findings"]] == [seeds]
    text = CliRunner().invoke(main, ["explore-merge", *map(str, reports)]).stdout
    assert text.startswith(f"1 kind of failure in 6 seeds, {len(seeds)} of which failed (")


def test_merging_needs_no_extra(tmp_path: Path) -> None:
    report = tmp_path / "report.json"
    report.write_text(json.dumps({**report_of([]), "outcome": "held"}))
    code = "import sys; sys.modules['hypothesis'] = None; from giftsim.cli.main import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", code, "explore-merge", report], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_what_one_shard_reached_is_missing_in_none() -> None:
    base = {**report_of([]), "outcome": "held"}
    one = {**base, "reached": {"events": ["a"]}, "missing": {"events": ["b", "c"]}}
    two = {**base, "reached": {"events": ["b"]}, "missing": {"events": ["a", "c"]}}
    merged = merge([one, two])
    assert (merged["reached"], merged["missing"]) == ({"events": ["a", "b"]}, {"events": ["c"]})


def test_without_failures_the_merged_report_passes(tmp_path: Path) -> None:
    with run_app(lambda _: (200, {"ok": True})) as app:
        report = tmp_path / "report.json"
        report.write_text(explore("--app", app.url, "--seeds", 1, "--json").stdout)
    merged = CliRunner().invoke(main, ["explore-merge", str(report), str(report)])
    assert (merged.exit_code, merged.stdout.partition(" (")[0]) == (0, "no failures in 2 seeds")


def test_an_app_that_stops_ends_the_exploration_in_jobs_too() -> None:
    with run_app() as gone:
        url = gone.url
    with exploring("http://127.0.0.1:9") as explorer:
        protocols = [AppProtocol(app=url)] * 2
        assert list(run_seeds_in_jobs(explorer, protocols, None, range(3, 9))) == [3]
        assert explorer.stop_reason == "stopped at seed 3: the app stopped answering"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--shard", "0/2"], "--shard is I/N"),
        (["--shard", "3/2"], "--shard is I/N"),
        (["--shard", "half"], "--shard is I/N"),
        (["--shard", "9/9", "--seeds", "3"], "--shard 9/9 has none of the 3 seeds"),
        (["--shard", "1/2", "--seed", "3"], "--shard cannot take effect"),
        (["--jobs", "2"], "--jobs needs an app for each job"),
        (["--jobs", "2", "--app-command", "true"], "neither {port} nor {url}"),
        (["--app-command", "echo no shop here; exit 4"], "the command ended with 4"),
        (["--app-command", "echo no shop here; exit 4"], "no shop here"),
    ],
)
def test_what_cannot_be_shared_out_is_refused(options: list[str], message: str) -> None:
    done = explore("--app", f"http://127.0.0.1:{free_ports(2)}", *options)
    assert done.exit_code == 2
    assert message in done.stderr


def test_a_port_that_is_taken_is_named() -> None:
    with run_app(lambda _: (200, {"ok": True})) as app:
        done = explore("--app", app.url, "--app-command", "sleep 100")
    assert done.exit_code == 2
    assert f"something listens on {app.url} already" in done.stderr


@pytest.mark.parametrize("text", ["", "[]", '{"app": "x"}'])
def test_a_file_that_is_not_a_report_is_refused_by_name(tmp_path: Path, text: str) -> None:
    path = tmp_path / "report.json"
    path.write_text(text)
    done = CliRunner().invoke(main, ["explore-merge", str(path)])
    assert done.exit_code == 2
    assert f"{path} is not a report of `explore --json`" in done.stderr
