"""A pytest plugin: a run of the whole suite fails if no test takes some row of a state machine.

Each pytest-xdist worker records the rows that its tests take and sends them to the controller, which judges the run.
Rows taken by a server in another process do not count. Only passing runs of the whole suite are judged.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from giftsim.build import MACHINES
from giftsim.engine.kernel.state import State
from giftsim.engine.kernel.state_machine import Machine
from giftsim.workbench.coverage.items import transition_names

HELP = "docs/architecture.md explains state machines"
SELECTIONS = ("keyword", "markexpr", "deselect", "ignore", "ignore_glob", "lf", "collectonly")


class RowCoverage:
    """The rows of the machines, by the name of their counter, and which of them were taken."""

    def __init__(self, machines: Iterable[Machine[Any]]) -> None:
        self.rows = transition_names(machines)
        self.taken: set[str] = set()

    def untaken(self) -> list[str]:
        """The rows that were never taken, each with its machine."""
        return [row for counter, row in self.rows.items() if counter not in self.taken]

    def report(self) -> Iterator[str]:
        """The lines for a run that is to fail; none if every row was taken."""
        if rows := self.untaken():
            yield f"No test takes these {len(rows)} rows of state machines. Add a test for each, or remove the row:"
            yield from (f"  {row}" for row in rows)
            yield f"({HELP}.)"


def record_rows(coverage: RowCoverage) -> None:
    """Have every state note the rows that its machines take."""
    increase = State.increase

    def recording_increase(self: State, name: str) -> int:
        if name in coverage.rows:
            coverage.taken.add(name)
        return increase(self, name)

    State.increase = recording_increase  # type: ignore[method-assign]


def is_whole_suite(config: pytest.Config) -> bool:
    """Whether neither options nor paths select a part of the suite."""
    paths = {Path(config.invocation_params.dir, argument).resolve() for argument in config.args}
    whole = {Path(config.rootpath, name).resolve() for name in config.getini("testpaths")}
    return paths == whole and not any(config.getoption(name, None) for name in SELECTIONS)


class CoveragePlugin:
    """Records the rows that tests take, and judges the run."""

    def __init__(self, config: pytest.Config) -> None:
        self.config = config
        self.coverage = RowCoverage(MACHINES)
        self.report: list[str] = []
        record_rows(self.coverage)

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        """Take over the rows that a worker recorded."""
        self.coverage.taken.update(getattr(node, "workeroutput", {}).get("machine_rows", ()))

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, session: pytest.Session, exitstatus: int) -> None:
        """Send a worker's rows to the controller; elsewhere, fail a passing run for untaken rows."""
        if hasattr(self.config, "workeroutput"):
            self.config.workeroutput["machine_rows"] = sorted(self.coverage.taken)
        elif exitstatus == pytest.ExitCode.OK and is_whole_suite(self.config):
            self.report = list(self.coverage.report())
            if self.report:
                session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Name the untaken rows."""
        if self.report:
            terminalreporter.section("state machine rows", sep="=", red=True)
            for line in self.report:
                terminalreporter.write_line(line)


def pytest_configure(config: pytest.Config) -> None:
    """Start recording."""
    config.pluginmanager.register(CoveragePlugin(config), "machine coverage")
