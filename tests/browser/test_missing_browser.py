"""What a run says where no browser is found."""

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
    (pytester.mkdir("tests") / "browser").mkdir()
    (pytester.path / "tests" / "browser" / "test_page.py").write_text(TEST)
    return pytester


def run(project: pytest.Pytester) -> pytest.RunResult:
    """Run the test."""
    return project.runpytest_inprocess("-p", "tests.support.browser", "-p", "no:randomly", "--import-mode=importlib")


def test_the_last_lines_say_that_browser_tests_did_not_run(project: pytest.Pytester) -> None:
    result = run(project)
    result.assert_outcomes(skipped=1)
    assert result.outlines[-2] == f"NOT RUN: 1 browser tests in tests/browser/: {MISSING}"


def test_where_a_browser_is_required_its_absence_is_a_failure(
    project: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(REQUIRED, "1")
    result = run(project)
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines([f"*{MISSING} ({REQUIRED} is set)"])
