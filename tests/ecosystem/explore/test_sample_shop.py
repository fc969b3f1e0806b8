"""The sample shop: exploring finds nothing without bugs, and writes a short scenario for each of its three bugs."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import yaml

from giftsim import Simulator
from giftsim.workbench.explore.exploration_report import json_report
from giftsim.workbench.scenario import check_scenario, load_scenario, play
from giftsim.workbench.scenario.yaml_source import RECORDING_LIMITS
from giftsim.workbench.trace.file import read_trace_file
from tests.explore.sample_apps import BUGS, exploring, run, shop
from tests.explore.test_sample_shop import REASONS as OWN_REASONS
from tests.explore.test_sample_shop import SEEDS
from tests.support.traces import check_format

TITLE = re.compile(r'<h3 id="title-\d+">(.*)</h3>')
REASONS = {**OWN_REASONS, "new-key": "was made 2 times"}  # explore looks itself: the shop lists its actions
LINK = re.compile(r'href="([^"]+)"')
CODE = re.compile(r"<code>(.*?)</code>")
MAX_STEPS = 8


class Explored(NamedTuple):
    """A shop with all three bugs, and what exploring it found and never reached."""

    app: str
    folder: Path
    findings: list[dict[str, Any]]
    missing: dict[str, list[str]]


@pytest.fixture(scope="module")
def explored(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Explored]:
    folder = tmp_path_factory.mktemp("explored")
    with shop(*BUGS) as app:
        done = run("explore", "--app", app, "--seeds", SEEDS, "--json", cwd=folder)
        assert done.returncode == 1, done.stderr
        report = json.loads(done.stdout)
        yield Explored(app, folder, report["findings"], report["missing"])


def test_a_shop_without_bugs_passes_every_seed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("HYPOTHESIS_STORAGE_DIRECTORY")  # so that it would write where it runs
    with shop() as app:
        done = run("explore", "--app", app, "--seeds", SEEDS, cwd=tmp_path)
    assert (done.returncode, done.stdout.partition(" (")[0]) == (0, f"no findings in {SEEDS} seeds")
    assert [path.relative_to(tmp_path) for path in tmp_path.rglob("*")] == [
        Path("explored"),
        Path("explored/index.html"),
    ]
    assert ">No findings in 30 seeds</h1>" in (tmp_path / "explored" / "index.html").read_text()


def test_all_three_bugs_are_found_in_thirty_seeds(explored: Explored) -> None:
    reasons = [finding["reason"] for finding in explored.findings]
    assert len(reasons) == len(REASONS)
    assert all(any(text in reason for reason in reasons) for text in REASONS.values())


def test_each_scenario_has_eight_steps_or_fewer(explored: Explored) -> None:
    for finding in explored.findings:
        steps = yaml.safe_load((explored.folder / finding["file"]).read_text())["steps"]
        assert len(steps) == finding["steps"] <= MAX_STEPS


def test_each_file_fails_for_its_reason_and_passes_with_a_shop_without_bugs(explored: Explored) -> None:
    files = [finding["file"] for finding in explored.findings]
    failed = run("play", *files, "--app", explored.app, "--json", cwd=explored.folder)
    assert failed.returncode == 1
    for finding, report in zip(explored.findings, json.loads(failed.stdout), strict=True):
        assert report["outcome"] == "failed"
        seen = "GET /recipients" if "was made" in finding["reason"] else finding["reason"]
        assert seen in report["steps"][-1]["detail"]
    with shop() as correct:
        assert run("play", *files, "--app", correct, cwd=explored.folder).returncode == 0
    assert all(finding["repeats"] for finding in explored.findings)


def test_each_mistake_is_told_by_a_sentence_that_names_it(explored: Explored) -> None:
    told = {finding["reason"]: finding["verdicts"] for finding in explored.findings}
    mistakes = {
        REASONS["duplicates"]: ("accepted_twice", "was sent twice because of a fault"),
        REASONS["order"]: ("arrived_out_of_order", "the event that arrives last is not the latest"),
        REASONS["new-key"]: ("charged_twice", "the app sent the same again with another key"),
    }
    for text, (kind, words) in mistakes.items():
        [verdicts] = [verdicts for reason, verdicts in told.items() if text in reason]
        assert verdicts[0]["kind"] == kind
        assert words in verdicts[0]["sentence"]
        assert verdicts[0]["marks"]


def test_each_finding_has_a_trace_with_the_apps_calls_during_its_webhooks(
    explored: Explored, simulator: Simulator
) -> None:
    for finding in explored.findings:
        trace = read_trace_file((explored.folder / finding["trace"]).read_bytes())
        check_format(trace)
        assert trace["test"]["failure"]["message"] == finding["reason"]
        assert trace["verdicts"] == finding["verdicts"]
        recording = load_scenario(trace["recording"], limits=RECORDING_LIMITS)
        check_scenario(recording, simulator.client)
        assert play(recording, simulator.client).outcome == "passed"


def test_the_page_ranks_the_kinds_by_the_plans_that_met_them_and_leads_to_their_files(explored: Explored) -> None:
    page = (explored.folder / "explored" / "index.html").read_text()
    ranked = sorted(explored.findings, key=lambda finding: -len(finding["seeds"]))
    sentences = [finding["verdicts"][0]["sentence"] for finding in ranked]
    assert [unescape(title) for title in TITLE.findall(page)] == sentences
    assert all(finding["reason"] in unescape(page) for finding in ranked)
    for finding in ranked:
        assert f"Met in {len(finding['seeds'])} of {SEEDS} seeds" in page
    links = {link for link in LINK.findall(page) if not link.startswith("#")}
    assert links == {Path(finding[name]).name for finding in ranked for name in ("file", "trace")}
    named = {unescape(code) for code in CODE.findall(page[page.index("Never reached") :])}
    assert named == {each for area in explored.missing.values() for each in area} != set()


def test_a_seed_gives_the_same_findings_in_another_process(
    explored: Explored, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seed = explored.findings[0]["seeds"][0]
    done = run("explore", "--app", explored.app, "--seed", seed, "--json", cwd=tmp_path, PYTHONHASHSEED="7")
    assert done.returncode == 1, done.stderr
    monkeypatch.chdir(tmp_path)
    with exploring(explored.app) as explorer:
        explorer.check_app()
        list(explorer.run_seeds([seed]))
        findings = list(explorer.shrink_failures(Path("explored"), lambda *_: None))
        report = json.loads(done.stdout)
        assert report.pop("report") == "explored/index.html"
        reached, missing = (set(report.pop(name)["operations"]) for name in ("reached", "missing"))
        assert "createTeamOrder" in reached
        assert missing
        assert not reached & missing
        assert report == json_report(explorer, findings, None)
