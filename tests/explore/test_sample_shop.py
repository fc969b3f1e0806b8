"""The sample shop explored: nothing is found where it is right; each of its three mistakes is told in a short story."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import yaml

from giftsim.explore.console_report import data
from tests.explore.shops import BUGS, hunting, run, shop

SEEDS = 30
MOST_STEPS = 8
KINDS = {"duplicates": "earned 200 points", "order": "our books are behind", "new-key": "was placed"}


class Explored(NamedTuple):
    """A shop with all three mistakes, and what exploring it came to."""

    app: str
    folder: Path
    findings: list[dict[str, Any]]


@pytest.fixture(scope="module")
def explored(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Explored]:
    folder = tmp_path_factory.mktemp("explored")
    with shop(*BUGS) as app:
        done = run("explore", "--app", app, "--seeds", SEEDS, "--json", cwd=folder)
        assert done.returncode == 1, done.stderr
        yield Explored(app, folder, json.loads(done.stdout)["findings"])


def test_a_shop_without_a_mistake_holds_in_every_seed(tmp_path: Path) -> None:
    with shop() as app:
        done = run("explore", "--app", app, "--seeds", SEEDS, cwd=tmp_path)
    assert (done.returncode, done.stdout.partition(" (")[0]) == (0, f"all held: nothing is wrong in {SEEDS} seeds")
    assert list(tmp_path.iterdir()) == []


def test_all_three_mistakes_are_found_well_within_two_hundred_seeds(explored: Explored) -> None:
    reasons = [finding["reason"] for finding in explored.findings]
    assert len(reasons) == len(KINDS)
    assert all(any(words in reason for reason in reasons) for words in KINDS.values())


def test_each_is_told_in_eight_steps_at_most(explored: Explored) -> None:
    for finding in explored.findings:
        steps = yaml.safe_load((explored.folder / finding["file"]).read_text())["steps"]
        assert len(steps) == finding["steps"] <= MOST_STEPS


def test_each_file_fails_by_play_for_its_reason_and_passes_with_a_shop_that_is_right(explored: Explored) -> None:
    files = [finding["file"] for finding in explored.findings]
    failed = run("play", *files, "--app", explored.app, "--json", cwd=explored.folder)
    assert failed.returncode == 1
    for finding, report in zip(explored.findings, json.loads(failed.stdout), strict=True):
        assert report["outcome"] == "failed"
        assert finding["reason"] in report["steps"][-1]["detail"]
    with shop() as right:
        assert run("play", *files, "--app", right, cwd=explored.folder).returncode == 0
    assert all(finding["repeats"] for finding in explored.findings)


@pytest.mark.parametrize("bug", BUGS)
def test_one_mistake_alone_is_the_only_one_that_is_seen(bug: str) -> None:
    with shop(bug) as app, hunting(app) as hunt:
        for seed in hunt.explore(range(1, SEEDS + 1)):
            assert seed == hunt.played[-1]
            if hunt.seen:
                break
        [(reason, _)] = hunt.seen
    assert KINDS[bug] in reason


def test_a_seed_repeated_in_another_process_tells_the_same_story(
    explored: Explored, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seed = explored.findings[0]["seeds"][0]
    done = run("explore", "--app", explored.app, "--seed", seed, "--json", cwd=tmp_path, PYTHONHASHSEED="7")
    assert done.returncode == 1, done.stderr
    monkeypatch.chdir(tmp_path)
    with hunting(explored.app) as hunt:
        hunt.probe()
        list(hunt.explore([seed]))
        findings = list(hunt.findings(Path("explored"), lambda *_: None))
        assert json.loads(done.stdout) == data(hunt, findings, None)
