"""The assumptions of a test run: each test that passes runs again with guesses turned over, until it is known why not.

A repetition has its own worlds, and nothing of it is reported. It happens right after the test and in its process,
so workers of pytest-xdist search side by side.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

import msgspec
import pytest
from _pytest.runner import runtestprotocol

from giftsim.engine.url_paths import CONTROL
from giftsim.engine.worlds import system_clock
from giftsim.services.known import make_definitions, merged_service, read_services
from giftsim.testing.never_failing import at_the_end, never_failing
from giftsim.testing.shared_server import (
    LISTENING_SIMULATOR_KEY,
    SERVER_TRANSPORT_KEY,
    SIMULATOR_KEY,
    TURNED_KEY,
    TURNED_LISTENING_KEY,
    TURNED_SIMULATOR_KEY,
    TURNED_TRANSPORT_KEY,
    services_of,
)
from giftsim.testing.touched_decisions import touched_decisions
from giftsim.testing.tracing import shown
from giftsim.workbench.assumptions.assumptions_report import (
    FOLDER,
    GiftsimFailed,
    Leaning,
    leanings,
    report_data,
    report_lines,
    write_report,
)
from giftsim.workbench.assumptions.search import find_culprits
from giftsim.workbench.assumptions.variants import settings_of, variants_among
from giftsim.workbench.coverage.met import Met
from giftsim.workbench.trace.own_folder import begin_folder

OUTPUT = "giftsim_assumptions"  # of a worker, for the controller
PACKAGE, FOR_TESTS = Path(__file__).parents[1], ("testing", "engine/client", "verify")
LEAST_S, TIMES = 10.0, 20  # a repetition may take so many seconds, and so many times what the test took


class TooLong(BaseException):
    """A repetition takes too long, for example because it waits for something that no longer happens."""


class Result(msgspec.Struct):
    """The results of the tests that this process ran."""

    leaning: list[Leaning] = []
    unsteady: list[str] = []
    failed: str | None = None  # how giftsim itself failed, which ends the search


class AssumptionsRun:
    """Searches after each test, and reports at the end, in the process that reports the run."""

    def __init__(self, config: pytest.Config, met: Met) -> None:
        self._config, self._met, self._result = config, met, Result()
        self._reports: list[pytest.TestReport] | None = None
        self._lines: list[str] = []
        self._service = merged_service(read_services(services_of(config)))
        self._variants = variants_among(make_definitions(service=self._service).settings)

    @pytest.hookimpl(wrapper=True, trylast=True)  # inside what other plugins do around a test
    def pytest_runtest_protocol(self, item: pytest.Item, nextitem: pytest.Item | None) -> Iterator[None]:
        """Run the test as ever; then, if it passed, search."""
        self._reports, began = [], system_clock.monotonic()
        done = yield
        reports, self._reports = self._reports, None
        if len(reports) == 3 and all(_passed(each) for each in reports) and self._result.failed is None:
            took_s = system_clock.monotonic() - began
            with never_failing(f"nothing is known about {item.nodeid}", at_the_end(self._config)):
                self._search(Repetition(item, None if self._has_worlds_left() else nextitem, took_s))
        return done

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Keep the reports of the test that runs now."""
        if self._reports is not None:
            self._reports.append(report)

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        """Add what a worker found."""
        if found := getattr(node, "workeroutput", {}).get(OUTPUT):
            with never_failing("the assumptions of a worker are not known", at_the_end(self._config)):
                result = msgspec.convert(found, Result)
                self._result.leaning += result.leaning
                self._result.unsteady += result.unsteady
                self._result.failed = self._result.failed or result.failed

    def pytest_sessionfinish(self, session: pytest.Session, exitstatus: int) -> None:
        """Send what was found to the controller; there, write it and judge the run."""
        if hasattr(self._config, "workeroutput"):
            self._config.workeroutput[OUTPUT] = msgspec.to_builtins(self._result)
        elif not self._config.option.collectonly:
            self._report()
            if exitstatus == pytest.ExitCode.OK:
                if self._result.failed is not None:
                    session.exitstatus = pytest.ExitCode.INTERRUPTED
                elif self._result.leaning:
                    session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Show the tests that lean on a guess."""
        if self._lines:
            terminalreporter.section("giftsim assumptions")
            for line in self._lines:
                terminalreporter.write_line(line)

    def _search(self, repetition: Repetition) -> None:
        everything, test = self._variants, repetition.item.nodeid
        try:
            if repetition.run(everything) is None:
                return
            if repetition.run(()) is not None:
                self._result.unsteady.append(test)
                return
            for found in find_culprits(repetition.run, everything):
                self._result.leaning += leanings(test, found.culprits, found.failure)
        except GiftsimFailed as failed:
            self._result.failed = f"{test}\n{failed}"

    def _has_worlds_left(self) -> bool:
        """Whether a world outlives the test, such as that of a fixture of the session: it must not be used again."""
        stash = self._config.stash
        keys = [key for key in (SIMULATOR_KEY, LISTENING_SIMULATOR_KEY) if key in stash]
        return any(len(stash[key].registry.worlds) > 1 for key in keys)

    def _report(self) -> None:
        if self._result.failed is not None:
            self._lines = self._result.failed.splitlines()
            return
        with never_failing("the report on assumptions was not finished", at_the_end(self._config)):
            touched = touched_decisions(self._met, self._service)
            data = report_data(touched, self._variants, self._result.leaning, self._result.unsteady)
            self._lines = [*report_lines(data)]
            root = self._config.rootpath
            begin_folder(root / FOLDER)
            self._lines += [f"giftsim: wrote {shown(self._config, write_report(root, data))}"]


class Repetition:
    """A test that runs again and again. `nextitem` says which of its fixtures stay for the next test."""

    def __init__(self, item: pytest.Item, nextitem: pytest.Item | None, took_s: float) -> None:
        self.item, self._nextitem = item, nextitem
        self._limit_s = max(LEAST_S, TIMES * took_s)
        self._failures = own_failures(item.config)[0]
        self._known: dict[tuple[str, ...], str | None] = {}

    def run(self, variants: Sequence[str]) -> str | None:
        """Run it with variants turned on; how it fails, None if it passes. The same variants are run once.

        GiftsimFailed if giftsim itself did.
        """
        key = tuple(variants)
        if key not in self._known:
            self._known[key] = self._run(key)
        return self._known[key]

    def _run(self, variants: tuple[str, ...]) -> str | None:
        if self._nextitem is None:
            self.item.session._setupstate.teardown_exact(None)
        stash = self.item.config.stash
        stash[TURNED_KEY] = settings_of(variants)
        try:
            with limit(self._limit_s):
                if hasattr(self.item, "_initrequest"):
                    self.item._initrequest()
                reports = runtestprotocol(self.item, log=False, nextitem=self._nextitem)
        except TooLong as error:  # outside the parts of the test
            return str(error)
        finally:
            del stash[TURNED_KEY]
        failed = next((each for each in reports if not _passed(each)), None)
        if failed is None:
            return None
        count, latest = own_failures(self.item.config)
        if count > self._failures or is_raised_in_giftsim(failed):
            raise GiftsimFailed(latest or failure_of(failed), variants)
        return failure_of(failed)


def _passed(report: pytest.TestReport) -> bool:
    """Whether a part of a test passed, and not because it was expected to fail."""
    return report.passed and not hasattr(report, "wasxfail")


def own_failures(config: pytest.Config) -> tuple[int, str | None]:
    """How often giftsim itself failed in repetitions, and the latest failure in one line."""
    stash = config.stash
    runtimes = [stash[key].registry.runtime for key in (TURNED_SIMULATOR_KEY, TURNED_LISTENING_KEY) if key in stash]
    found = [(each.failures, each.latest_failure) for each in runtimes]
    key = SERVER_TRANSPORT_KEY if config.getoption("giftsim_url") else TURNED_TRANSPORT_KEY
    if key in stash:
        health = stash[key].call("GET", f"{CONTROL}/health").json()
        found.append((health.get("failures", 0), health.get("latest_failure")))
    return sum(count for count, _ in found), next((latest for _, latest in found if latest), None)


def is_raised_in_giftsim(report: pytest.TestReport) -> bool:
    """Whether a test failed by an error in the simulator, not in what its tests call."""
    file = Path(getattr(getattr(report.longrepr, "reprcrash", None), "path", ""))
    return file.is_relative_to(PACKAGE) and not file.relative_to(PACKAGE).as_posix().startswith(FOR_TESTS)


def failure_of(report: pytest.TestReport) -> str:
    """How a test failed, in a line."""
    crash = getattr(report.longrepr, "reprcrash", None)
    text = str(crash.message if crash else report.longrepr)
    return next((line.strip() for line in text.splitlines() if line.strip()), report.outcome)


@contextmanager
def limit(seconds: float) -> Iterator[None]:
    """Raise TooLong in the block after so many real seconds, where the system can."""
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield
        return

    def stop(_number: int, _frame: FrameType | None) -> None:
        raise TooLong(f"it did not end within {seconds:.0f} s")

    alarm: Any = signal  # whose SIGALRM Windows lacks
    former = signal.signal(alarm.SIGALRM, stop)
    alarm.setitimer(alarm.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        alarm.setitimer(alarm.ITIMER_REAL, 0)
        signal.signal(alarm.SIGALRM, former)
