"""Tests whose tool is not on a machine are skipped, which the end of the run says, or fail where it is required."""

from __future__ import annotations

import pytest

from tests.support.browser import MISSING, PROGRAM, REQUIRED

TEST = """
from tests.support.browser import require_browser

def test_page():
    require_browser()
"""


@pytest.fixture
def project(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> pytest.Pytester:
    """A project with one browser test, on a machine without a browser."""
    for name in (PROGRAM, REQUIRED):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PATH", "")
    (pytester.mkdir("tests") / "ecosystem").mkdir()
    (pytester.path / "tests" / "ecosystem" / "test_page.py").write_text(TEST)
    return pytester


def run(project: pytest.Pytester) -> pytest.RunResult:
    """Run the test."""
    return project.runpytest_inprocess("-p", "tests.ecosystem.conftest", "-p", "no:randomly", "-ra")


def test_the_last_lines_say_that_tests_did_not_run_and_why(project: pytest.Pytester) -> None:
    result = run(project)
    result.assert_outcomes(skipped=1)
    result.stdout.fnmatch_lines([f"SKIPPED * {MISSING}"])
    assert result.outlines[-2] == "NOT RUN: 1 tests in tests/ecosystem/, which lack a tool: see the reasons above"


def test_where_a_browser_is_required_its_absence_is_a_failure(
    project: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(REQUIRED, "1")
    result = run(project)
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines([f"*{MISSING} ({REQUIRED} is set)"])
