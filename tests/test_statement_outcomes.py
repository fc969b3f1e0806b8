"""The plugin that writes the outcomes of tests, and fails a full run that leaves a statement unshown."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from giftsim.services.statements.statement import showing_tests

ROOT = Path(__file__).parents[1]
PLUGINS = ("-p", "tests.support.statement_outcomes", "-p", "no:cacheprovider")
FILE, _, NAME = showing_tests()["P-6.18"][0].partition("::")

CONFTEST = """
    def pytest_configure(config):
        config.addinivalue_line("markers", "shows(*ids): the statements that this test checks")
"""
TESTS = f"""
    import pytest

    @pytest.mark.parametrize("case", [pytest.param(1, marks=pytest.mark.shows("P-6.18")), 2])
    def {NAME}(case):
        assert case != BROKEN
"""


@pytest.fixture
def project(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> pytest.Pytester:
    """A project with one test, which names one statement for one of its parameters."""
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    monkeypatch.setenv("PYTHONPATH", f"{ROOT / 'simulator'}:{ROOT}")
    monkeypatch.delenv("PYTEST_XDIST_WORKER", raising=False)
    pytester.makeini(f"[pytest]\ntestpaths = {FILE.partition('/')[0]}\naddopts = --import-mode=importlib\n")
    pytester.makeconftest(CONFTEST)
    write_test(pytester, broken=0)
    return pytester


def write_test(project: pytest.Pytester, *, broken: int) -> None:
    path = project.path / FILE
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = (line.removeprefix("    ") for line in TESTS.replace("BROKEN", str(broken)).splitlines())
    path.write_text("\n".join(lines), encoding="utf-8")


def written(project: pytest.Pytester) -> Any:
    return json.loads((project.path / "build" / "statements.json").read_text(encoding="utf-8"))


def test_a_run_keeps_tests_that_it_did_not_run_and_drops_those_that_are_gone(project: pytest.Pytester) -> None:
    other = showing_tests()["M-9.1"][0]
    earlier = {other: {"M-9.1": "skipped", "M-9.9": "passed"}, "tests/gone.py::test_x": {"P-6.18": "passed"}}
    (project.path / "build").mkdir()
    (project.path / "build" / "statements.json").write_text(json.dumps(earlier), encoding="utf-8")
    project.runpytest_subprocess(*PLUGINS, FILE)
    assert written(project) == {other: {"M-9.1": "skipped"}, f"{FILE}::{NAME}": {"P-6.18": "passed"}}


def test_a_full_run_passes_if_all_statements_are_shown(project: pytest.Pytester) -> None:
    everything: dict[str, dict[str, str]] = {}
    for statement, tests in showing_tests().items():
        everything.setdefault(tests[0], {})[statement] = "passed"
    (project.path / "build").mkdir()
    (project.path / "build" / "statements.json").write_text(json.dumps(everything), encoding="utf-8")
    result = project.runpytest_subprocess(*PLUGINS)
    assert result.ret == pytest.ExitCode.OK
    result.stdout.fnmatch_lines(["539 of 539 statements shown by passing tests"])


def test_a_full_run_fails_for_a_statement_that_the_search_for_tests_does_not_find(project: pytest.Pytester) -> None:
    (project.path / FILE).with_name("test_other.py").write_text(
        "import pytest\n@pytest.mark.shows('P-6.18')\ndef test_hidden(): ...\n", encoding="utf-8"
    )
    result = project.runpytest_subprocess(*PLUGINS)
    result.stdout.fnmatch_lines(["*test_other.py::test_hidden P-6.18 is not in statement_tests.txt: run *docgen`"])
