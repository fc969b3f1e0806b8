"""The coverage of a test run: `pytest --giftsim-coverage` in a project."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from giftsim.testing.shared_server import ServerProcess

ROOT = Path(__file__).parents[2]
PLUGINS = ("-p", "giftsim.pytest_plugin", "-p", "no:cacheprovider", "-W", "error")
TESTS = """
import pytest

ORDER = {"gift_sender": "Ada", "items": [{"sku_code": "MUG-01"}],
         "recipients": [{"name": "Bo", "email": "bo@example.com"}]}

def order(world, key, headers={}):
    return world.call("POST", "/api/external/team-orders", {**ORDER, "idempotency_key": key},
                      credential="partner.prepaid", headers=headers)

@pytest.mark.parametrize("n", range(4))
def test_order(giftsim, n):
    assert order(giftsim, f"order-{n}").status == 201

def test_retry(giftsim):
    order(giftsim, "retried", {"X-Sim-Fault": "status=503"})
    assert order(giftsim, "retried").status == 201

def test_on_the_server(giftsim_server):
    giftsim_server.call("GET", "/api/external/team-orders", credential="partner.prepaid")

def test_what_is_undone_was_met(giftsim_server):
    giftsim_server.call("POST", "/api/external/webhooks", {"url": "https://a.example/", "events": ["order.shipped"]},
                        credential="partner.prepaid")
    giftsim_server.control("POST", "/reset")
"""
SCENARIO = """\
scenario: A list of webhooks
steps:
  - call: GET /api/external/webhooks
    as: partner.prepaid
"""


@pytest.fixture
def project(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> pytest.Pytester:
    """A project with tests, whose runs load only the plugin of this tree."""
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    monkeypatch.setenv("PYTHONPATH", str(ROOT / "simulator"))
    monkeypatch.delenv("PYTEST_XDIST_WORKER", raising=False)
    pytester.makepyfile(test_shop=TESTS)
    Path(pytester.path, "webhooks.yaml").write_text(SCENARIO, encoding="utf-8")
    return pytester


@pytest.fixture
def origin() -> Iterator[str]:
    """The origin of a simulator that no test run started."""
    process = ServerProcess()
    yield process.origin
    process.close()


def run(project: pytest.Pytester, *args: str) -> pytest.RunResult:
    """Run the project's tests."""
    return project.runpytest_subprocess(*PLUGINS, *args, "webhooks.yaml", "test_shop.py")


def content(project: pytest.Pytester) -> bytes:
    """What a run wrote."""
    return Path(project.path, ".giftsim", "coverage.json").read_bytes()


def written(project: pytest.Pytester) -> Any:
    """What a run wrote, as data."""
    return json.loads(content(project))


def test_a_run_reports_what_its_worlds_and_scenarios_met(project: pytest.Pytester) -> None:
    result = run(project, "--giftsim-coverage")
    result.assert_outcomes(passed=8)
    areas = written(project)["areas"]
    assert areas["operations"]["met"] == ["createTeamOrder", "createWebhook", "listTeamOrders", "listWebhooks"]
    assert areas["faults"]["met"] == ["5xx, retried"]
    assert (len(areas["operations"]["missing"]), areas["operations"]["percent"]) == (6, 40.0)
    result.stdout.fnmatch_lines(
        ["*giftsim coverage*", "operations * 40.0 %", "clock *", "*wrote .giftsim/coverage.json"]
    )
    assert Path(project.path, ".giftsim", ".gitignore").read_text(encoding="utf-8").endswith("*\n")


def test_workers_give_the_same_bytes(project: pytest.Pytester) -> None:
    run(project, "--giftsim-coverage")
    alone = content(project)
    run(project, "--giftsim-coverage", "-p", "xdist", "-n", "2").assert_outcomes(passed=8)
    assert content(project) == alone


def test_a_run_without_the_option_writes_nothing(project: pytest.Pytester) -> None:
    run(project).assert_outcomes(passed=8)
    assert not Path(project.path, ".giftsim", "coverage.json").exists()


def test_a_foreign_simulator_counts_with_the_worlds_of_the_run(project: pytest.Pytester, origin: str) -> None:
    run(project, "--giftsim-coverage", "--giftsim-url", origin).assert_outcomes(passed=8)
    assert "createWebhook" in written(project)["areas"]["operations"]["met"]
    assert "listTeamOrders" in written(project)["areas"]["operations"]["met"]


@pytest.mark.parametrize(("gate", "status"), [("operations=40", 0), ("operations=40.1", 1)])
def test_a_gate_fails_a_run_whose_tests_pass(project: pytest.Pytester, gate: str, status: int) -> None:
    result = run(project, "--giftsim-coverage-fail-under", gate)
    result.assert_outcomes(passed=8)
    assert result.ret == status
    if status:
        result.stdout.fnmatch_lines(["coverage of operations is 40.0 %, below 40.1 %"])


def test_a_gate_that_is_none_is_refused(project: pytest.Pytester) -> None:
    result = run(project, "--giftsim-coverage-fail-under", "operatoins=4")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    message = "*--giftsim-coverage-fail-under: there is no area 'operatoins'; did you mean operations[?]"
    result.stderr.fnmatch_lines([message])


def test_percentages_are_properties_of_the_suite_in_the_junit_file(project: pytest.Pytester) -> None:
    run(project, "--giftsim-coverage", "--junitxml", "out.xml")
    suite = ElementTree.parse(Path(project.path, "out.xml")).getroot()
    found = {each.get("name"): each.get("value") for each in suite.iter("property")}
    assert found["giftsim.coverage.operations"] == "40.0"
    assert len([name for name in found if name and name.startswith("giftsim.coverage.")]) == 6


@pytest.mark.parametrize(
    ("file", "table"), [("giftsim.toml", "[coverage]"), ("pyproject.toml", "[tool.giftsim.coverage]")]
)
def test_settings_leave_out_names(project: pytest.Pytester, file: str, table: str) -> None:
    text = f'{table}\noperations = ["*Webhook*", "getTeamOrder*"]\nevents = ["order.*"]\n'
    Path(project.path, file).write_text(text, encoding="utf-8")
    run(project, "--giftsim-coverage")
    areas = written(project)["areas"]
    assert areas["operations"]["met"] == ["createTeamOrder", "listTeamOrders"]
    assert areas["operations"]["missing"] == ["cancelTeamOrder"]
    assert "createWebhook" in areas["operations"]["apart"]
    assert areas["events"]["missing"] == []


def test_settings_that_name_nothing_are_refused(project: pytest.Pytester) -> None:
    Path(project.path, "giftsim.toml").write_text('[coverage]\noperations = ["createTeamOder"]\n', encoding="utf-8")
    result = run(project, "--giftsim-coverage")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    message = "*giftsim.toml: [[]coverage[]] operations: there is no 'createTeamOder'; did you mean createTeamOrder[?]"
    result.stderr.fnmatch_lines([message])
