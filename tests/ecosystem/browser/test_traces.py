"""The trace of every scenario of the library and of every kind of test opens in a browser without an error."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from giftsim import Simulator
from giftsim.testing import InProcess
from giftsim.testing.world_for_test import open_world
from giftsim.workbench.scenario import load_scenario, play
from giftsim.workbench.scenario.play_report import facts_for_trace
from tests.support.axe import serious_findings
from tests.support.browser import Visit
from tests.support.library import SCENARIOS
from tests.support.pytest_projects import PLUGINS
from tests.support.trace_page import entry, region, show

STEPS = 12
ROOT = Path(__file__).parents[3]
TESTS = """\
import pytest

def ask(giftsim):
    return giftsim.call("GET", "/api/external/team-orders", credential="partner.prepaid")

def test_passes(giftsim):
    ask(giftsim)

@pytest.mark.xfail(strict=True)
def test_passes_unexpectedly(giftsim):
    ask(giftsim)

@pytest.mark.xfail
def test_fails_as_expected(giftsim):
    assert ask(giftsim).status == 500

def test_fails_without_a_traceback(giftsim):
    ask(giftsim)
    pytest.fail("no", pytrace=False)

def test_fails_with_a_group(giftsim):
    ask(giftsim)
    raise ExceptionGroup("g", [ValueError("a")])

def test_makes_no_call(giftsim):
    assert False
"""
RUNS = (("--giftsim-trace=on",), ("--tb=line", "-k", "call or group"), ("--tb=no", "-k", "call or group"))
FAILING = """\
scenario: It fails
steps:
  - call: GET /api/external/team-orders
    as: partner.prepaid
    expect: {status: 500}
"""


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory, simulator: Simulator) -> dict[str, str]:
    """Traces of tests that ended in every way, of scenarios, and of a test in Node, by a name of each."""
    found: dict[str, str] = {}
    for options in RUNS:
        folder = tmp_path_factory.mktemp("project")
        (folder / "test_it.py").write_text(TESTS)
        environ = {**os.environ, "PYTHONPATH": str(ROOT / "simulator"), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
        command = [sys.executable, "-m", "pytest", *PLUGINS, *options]
        subprocess.run(command, cwd=folder, env=environ, capture_output=True, check=False)
        for file in (folder / ".giftsim" / "traces").glob("test_it.py-*.html"):
            found[f"{options[0]} {file.stem.partition('-')[2]}"] = file.read_text(encoding="utf-8")
    for text in (FAILING, FAILING.replace("500", "200")):
        report = play(load_scenario(text), simulator.client, keep=True)
        path = f"/_sim/v1/worlds/{report.world}"
        facts = {"test": facts_for_trace("it.yaml", report)}
        found[f"a scenario that {report.outcome}"] = simulator.client.call("POST", f"{path}/trace", body=facts).text
        simulator.client.call("DELETE", path)
    with open_world(InProcess(simulator)) as world:
        failure = {"message": "it failed", "text": "Error: it failed\n    at it.test.ts:3:5"}
        facts = {"test": {"id": "it", "outcome": "failed", "seconds": 1, "failure": failure}}
        world.call("GET", "/api/external/team-orders", credential="partner.prepaid")
        found["a test in Node"] = world.trace(facts).decode()
    return found


def test_the_trace_of_every_kind_of_test_is_whole_at_each_entry(visit: Visit, pages: dict[str, str]) -> None:
    assert len(pages) == 6 + 2 + 2 + 2 + 1, list(pages)
    for name, trace in pages.items():
        page = show(visit, trace)
        last = int(page.get_by_role("slider", name="Time").get_attribute("aria-valuemax") or 0)
        for n in range(last, 0, -1):
            page.evaluate("n => { location.hash = `#n=${n}` }", n)
            page.locator(f'[role=slider][aria-valuenow="{n}"]').wait_for()
            page.get_by_role("button", name=f"Continue from {n}", exact=True).wait_for()
            assert "Due next" in region(page, "State").inner_text(), (name, n)
            if name.startswith("--"):
                assert "def test_" in region(page, "Test").inner_text(), (name, n)


@pytest.mark.parametrize("file", SCENARIOS, ids=lambda file: file.stem)
def test_the_trace_of_a_scenario_opens_and_is_walked_back(file: Path, visit: Visit, simulator: Simulator) -> None:
    report = play(load_scenario(file), simulator.client, keep=True)
    path = f"/_sim/v1/worlds/{report.world}"
    trace = simulator.client.call("GET", f"{path}/trace").text
    simulator.client.call("DELETE", path)
    page = show(visit, trace)
    page.keyboard.press("End")
    last = int(page.get_by_role("slider", name="Time").get_attribute("aria-valuemax") or 0)
    page.locator(f'[role=slider][aria-valuenow="{last}"]').wait_for()
    for n in range(last - 1, max(0, last - STEPS), -1):
        page.keyboard.press("ArrowLeft")
        page.locator(f'[role=slider][aria-valuenow="{n}"]').wait_for()
    assert entry(page) >= 1
    if file == SCENARIOS[0]:
        assert serious_findings(page) == []
