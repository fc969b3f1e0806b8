"""A Node that the client supports for all of these tests; and say loudly which of them did not run, and why."""

from __future__ import annotations

import os
from collections.abc import Generator, Iterator

import pytest

from tests.support.node_packages import supported_node

FOLDER = "tests/ecosystem/"


@pytest.fixture(scope="session", autouse=True)
def node_on_the_path() -> Iterator[None]:
    """Put a supported Node on the path of this process if the machine's own is older."""
    path, folder = os.environ["PATH"], supported_node()
    if folder is not None:
        os.environ["PATH"] = f"{folder}{os.pathsep}{path}"
    yield
    os.environ["PATH"] = path


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> Generator[None]:
    """Say below all else, before pytest's closing line, how many tests lacked a tool."""
    yield
    skipped = [report for report in terminalreporter.stats.get("skipped", ()) if report.nodeid.startswith(FOLDER)]
    if skipped:
        text = f"NOT RUN: {len(skipped)} tests in {FOLDER}, which lack a tool: see the reasons above"
        terminalreporter.write_line(text, yellow=True, bold=True)
