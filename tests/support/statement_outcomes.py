"""A pytest plugin: writes outcomes of tests that name statements to build/statements.json, for `giftsim statements`.

A run of a part of the suite updates the tests that it ran and keeps the rest. A passing run of the whole suite fails if
no passing test shows some statement; tests of `tests/ecosystem`, which such a run leaves out, count as they last ran.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from giftsim.engine.gateway.documents import PASSED, count_entries
from giftsim.services.statements.entry import statement_entries
from giftsim.services.statements.statement import (
    FAILED,
    SKIPPED,
    Outcomes,
    UnreadableOutcomes,
    read_outcomes,
    showing_tests,
    worst,
    write_outcomes,
)
from tests.support.machine_coverage import is_whole_suite

PROPERTY = "statements"
FILE = Path("build", "statements.json")


class StatementRecord:
    """The outcomes of the tests that ran, for each of the statements that they name."""

    def __init__(self) -> None:
        self.seen: dict[str, dict[str, list[str]]] = {}

    def add(self, report: pytest.TestReport) -> None:
        """Note what one phase of a test says about its statements. Only the call tells that it passed."""
        outcome = {"failed": FAILED, "skipped": SKIPPED}.get(report.outcome, PASSED if report.when == "call" else None)
        properties: dict[str, Any] = dict(report.user_properties)
        for statement in properties.get(PROPERTY, ()) if outcome else ():
            self.seen.setdefault(report.nodeid.partition("[")[0], {}).setdefault(statement, []).append(str(outcome))

    def merged_into(self, earlier: Outcomes, known: Mapping[str, tuple[str, ...]]) -> Outcomes:
        """Earlier outcomes with those of this run in their place, without tests that no longer name the statement."""
        merged = {test: dict(outcomes) for test, outcomes in earlier.items()}
        for test, outcomes in self.seen.items():
            merged.setdefault(test, {}).update({statement: str(worst(found)) for statement, found in outcomes.items()})
        named = {(test, statement) for statement, tests in known.items() for test in tests}
        kept = {test: {c: outcome for c, outcome in row.items() if (test, c) in named} for test, row in merged.items()}
        return {test: row for test, row in kept.items() if row}

    def unlisted(self, known: Mapping[str, tuple[str, ...]]) -> Iterator[str]:
        """The tests that name a statement in a way that the search for such tests does not find."""
        for test, outcomes in self.seen.items():
            yield from (f"{test} {statement}" for statement in outcomes if test not in known.get(statement, ()))


def problems(outcomes: Outcomes, unlisted: Iterable[str]) -> Iterator[str]:
    """The lines for a run that is to fail; none if a passing test shows every statement."""
    for entry in statement_entries(outcomes):
        if entry.outcome != PASSED:
            tests = ", ".join(row.test for row in entry.tests) or "no test names it"
            yield f"  {entry.id} is not shown by a passing test ({tests})"
    yield from (f"  {row} is not in statement_tests.txt: run `python -m tools docgen`" for row in unlisted)


class StatementOutcomes:
    """Records outcomes, writes them, and judges runs of the whole suite."""

    def __init__(self, config: pytest.Config) -> None:
        self.config = config
        self.record = StatementRecord()
        self.report: list[str] = []
        self.failed = False

    def pytest_itemcollected(self, item: pytest.Item) -> None:
        """Attach the statements of a test to its reports, which also reach the controller of several workers."""
        if statements := sorted({statement for mark in item.iter_markers("shows") for statement in mark.args}):
            item.user_properties.append((PROPERTY, statements))

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Record one phase of a test."""
        self.record.add(report)

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, session: pytest.Session, exitstatus: int) -> None:
        """Write the outcomes, except in a worker; fail a passing run of the whole suite that leaves one unshown."""
        if hasattr(self.config, "workerinput") or not self.record.seen:
            return
        path = self.config.rootpath / FILE
        outcomes = self.record.merged_into(_earlier(path), showing_tests())
        write_outcomes(path, outcomes)
        if exitstatus == pytest.ExitCode.OK and is_whole_suite(self.config):
            found = list(problems(outcomes, self.record.unlisted(showing_tests())))
            self.report = [*found, str(count_entries(statement_entries(outcomes)))]
            if found:
                self.failed = True
                session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Say how many statements are shown, and name those that are not."""
        if self.report:
            terminalreporter.section("statements", sep="=", red=self.failed, green=not self.failed)
            for line in self.report:
                terminalreporter.write_line(line)


def _earlier(path: Path) -> Outcomes:
    try:
        return read_outcomes(path)
    except UnreadableOutcomes:
        return {}


def pytest_configure(config: pytest.Config) -> None:
    """Start recording."""
    config.pluginmanager.register(StatementOutcomes(config), "statement outcomes")
