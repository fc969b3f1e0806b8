"""What the plugin writes about the outcomes of tests, in one process and in several, and for which it fails a run."""

from __future__ import annotations

import pytest

from tests.test_statement_outcomes import FILE, NAME, PLUGINS, project, write_test, written

__all__ = ["project"]  # a fixture of theirs

TWO_WORKERS = ("-p", "xdist", "-n", "2")


@pytest.mark.parametrize("workers", [(), TWO_WORKERS], ids=["one process", "two workers"])
def test_a_run_writes_the_outcome_of_each_test_for_each_statement(
    project: pytest.Pytester, workers: tuple[str, ...]
) -> None:
    assert project.runpytest_subprocess(*PLUGINS, *workers, FILE).ret == pytest.ExitCode.OK
    assert written(project) == {f"{FILE}::{NAME}": {"P-6.18": "passed"}}


def test_a_parameter_that_does_not_name_the_statement_does_not_count(project: pytest.Pytester) -> None:
    write_test(project, broken=2)
    assert project.runpytest_subprocess(*PLUGINS, FILE).ret == pytest.ExitCode.TESTS_FAILED
    assert written(project) == {f"{FILE}::{NAME}": {"P-6.18": "passed"}}
    write_test(project, broken=1)
    project.runpytest_subprocess(*PLUGINS, FILE)
    assert written(project) == {f"{FILE}::{NAME}": {"P-6.18": "failed"}}


@pytest.mark.parametrize("workers", [(), TWO_WORKERS], ids=["one process", "two workers"])
def test_a_full_run_fails_for_statements_without_a_passing_test(
    project: pytest.Pytester, workers: tuple[str, ...]
) -> None:
    result = project.runpytest_subprocess(*PLUGINS, *workers)
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.stdout.fnmatch_lines(
        ["*= statements =*", "  T-1.1 is not shown by a passing test (tests/*", "1 of 539 statements*"]
    )
    result.stdout.no_fnmatch_line("*P-6.18 is not shown*")
