"""The options and settings of `pytest --giftsim-coverage` in a project, and its workers."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import pytest

from giftsim.testing.shared_server import ServerProcess
from tests.coverage.test_pytest import content, run, shop, written

__all__ = ["shop"]  # a fixture of theirs


@pytest.fixture
def origin() -> Iterator[str]:
    """The origin of a simulator that no test run started."""
    process = ServerProcess()
    yield process.origin
    process.close()


def test_workers_give_the_same_bytes(shop: pytest.Pytester) -> None:
    run(shop, "--giftsim-coverage")
    alone = content(shop)
    run(shop, "--giftsim-coverage", "-p", "xdist", "-n", "2").assert_outcomes(passed=8)
    assert content(shop) == alone


def test_a_run_without_the_option_writes_nothing(shop: pytest.Pytester) -> None:
    run(shop).assert_outcomes(passed=8)
    assert not Path(shop.path, ".giftsim", "coverage.json").exists()


def test_a_foreign_simulator_counts_with_the_worlds_of_the_run(shop: pytest.Pytester, origin: str) -> None:
    run(shop, "--giftsim-coverage", "--giftsim-url", origin).assert_outcomes(passed=8)
    assert "createWebhook" in written(shop)["areas"]["operations"]["met"]
    assert "listTeamOrders" in written(shop)["areas"]["operations"]["met"]


@pytest.mark.parametrize(("gate", "status"), [("operations=40", 0), ("operations=40.1", 1)])
def test_a_gate_fails_a_run_whose_tests_pass(shop: pytest.Pytester, gate: str, status: int) -> None:
    result = run(shop, "--giftsim-coverage-fail-under", gate)
    result.assert_outcomes(passed=8)
    assert result.ret == status
    if status:
        result.stdout.fnmatch_lines(["coverage of operations is 40.0 %, below 40.1 %"])


def test_a_gate_that_is_none_is_refused(shop: pytest.Pytester) -> None:
    result = run(shop, "--giftsim-coverage-fail-under", "operatoins=4")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    message = "*--giftsim-coverage-fail-under: there is no area 'operatoins'; did you mean operations[?]"
    result.stderr.fnmatch_lines([message])


def test_percentages_are_properties_of_the_suite_in_the_junit_file(shop: pytest.Pytester) -> None:
    run(shop, "--giftsim-coverage", "--junitxml", "out.xml")
    suite = ElementTree.parse(Path(shop.path, "out.xml")).getroot()
    found = {each.get("name"): each.get("value") for each in suite.iter("property")}
    assert found["giftsim.coverage.operations"] == "40.0"
    assert len([name for name in found if name and name.startswith("giftsim.coverage.")]) == 6


@pytest.mark.parametrize(
    ("file", "table"), [("giftsim.toml", "[coverage]"), ("pyproject.toml", "[tool.giftsim.coverage]")]
)
def test_settings_leave_out_names(shop: pytest.Pytester, file: str, table: str) -> None:
    text = f'{table}\noperations = ["*Webhook*", "getTeamOrder*"]\nevents = ["order.*"]\n'
    Path(shop.path, file).write_text(text, encoding="utf-8")
    run(shop, "--giftsim-coverage")
    areas = written(shop)["areas"]
    assert areas["operations"]["met"] == ["createTeamOrder", "listTeamOrders"]
    assert areas["operations"]["missing"] == ["cancelTeamOrder"]
    assert "createWebhook" in areas["operations"]["apart"]
    assert areas["events"]["missing"] == []


def test_settings_that_name_nothing_are_refused(shop: pytest.Pytester) -> None:
    Path(shop.path, "giftsim.toml").write_text('[coverage]\noperations = ["createTeamOder"]\n', encoding="utf-8")
    result = run(shop, "--giftsim-coverage")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    message = "*giftsim.toml: [[]coverage[]] operations: there is no 'createTeamOder'; did you mean createTeamOrder[?]"
    result.stderr.fnmatch_lines([message])
