"""The plugin fails a full run in which a row of a state machine was never taken, in one process and in several."""

from __future__ import annotations

import pytest

from tests.test_machine_coverage import PLUGINS, TESTS, project

__all__ = ["project"]  # a fixture of theirs


@pytest.mark.parametrize("workers", [(), ("-p", "xdist", "-n", "2")], ids=["one process", "two workers"])
def test_a_full_run_fails_for_an_untaken_row(project: pytest.Pytester, workers: tuple[str, ...]) -> None:
    result = project.runpytest_subprocess(*PLUGINS, *workers)
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.stdout.fnmatch_lines(["*state machine rows*", "  charge: sent --settle--> paid", "*docs/architecture.md*"])


@pytest.mark.parametrize("workers", [(), ("-p", "xdist", "-n", "2")], ids=["one process", "two workers"])
def test_a_full_run_that_takes_every_row_passes(project: pytest.Pytester, workers: tuple[str, ...]) -> None:
    project.makepyfile(test_rows=TESTS.replace("LEFT_OUT", "0"))
    assert project.runpytest_subprocess(*PLUGINS, *workers).ret == pytest.ExitCode.OK
