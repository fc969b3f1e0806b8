"""Say loudly which of these tests did not run, and why."""

from __future__ import annotations

from collections.abc import Generator

import pytest

FOLDER = "tests/ecosystem/"


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> Generator[None]:
    """Say below all else, before pytest's closing line, how many tests lacked a tool."""
    yield
    skipped = [report for report in terminalreporter.stats.get("skipped", ()) if report.nodeid.startswith(FOLDER)]
    if skipped:
        text = f"NOT RUN: {len(skipped)} tests in {FOLDER}, which lack a tool: see the reasons above"
        terminalreporter.write_line(text, yellow=True, bold=True)
