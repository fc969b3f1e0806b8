"""The coverage of a test run: facts of all its simulators and workers, its files, its table and its gate."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from giftsim.engine.client.control import Control
from giftsim.engine.client.world import ClientWorld
from giftsim.services.known import merged_service, read_services
from giftsim.testing.never_failing import at_the_end, never_failing
from giftsim.testing.over_http import OverHttp
from giftsim.testing.shared_server import (
    LISTENING_SIMULATOR_KEY,
    SERVER_PROCESS_KEY,
    SIMULATOR_KEY,
    services_of,
)
from giftsim.testing.tracing import shown
from giftsim.workbench.coverage.coverage_exclusions import InvalidExclusions, find_exclusions
from giftsim.workbench.coverage.coverage_report import (
    FOLDER,
    InvalidGate,
    area_table,
    areas_below_gate,
    facts_of,
    read_gate,
    write_coverage,
)
from giftsim.workbench.coverage.items import items_of
from giftsim.workbench.coverage.judgment import coverage_as_json
from giftsim.workbench.coverage.met import Met
from giftsim.workbench.trace.own_folder import begin_folder

if TYPE_CHECKING:
    from giftsim.testing.world_for_test import Giftsim

FACTS = "giftsim_coverage"  # of a worker, for the controller
PROPERTY = "giftsim.coverage"
NAME = "giftsim-coverage"  # of the plugin


class CoverageRun:
    """Adds up what the tests of a run met. The process that reports the run writes it; a worker sends it there."""

    def __init__(self, config: pytest.Config) -> None:
        self._config, self.met = config, Met()
        self._lines: list[str] = []
        self._failures: list[str] = []
        self._items = items_of(merged_service(read_services(services_of(config))))
        try:
            self._gate = read_gate(config.getoption("giftsim_coverage_fail_under") or [])
            self._exclusions = find_exclusions(config.rootpath, self._items)
        except InvalidGate as error:
            raise pytest.UsageError(f"--giftsim-coverage-fail-under: {error}") from None
        except InvalidExclusions as error:
            raise pytest.UsageError(str(error)) from None

    @contextmanager
    def of_foreign(self, world: Giftsim) -> Iterator[None]:
        """Add what is met in a world of a simulator that the run did not start."""
        if not self._config.getoption("giftsim_url"):
            yield
            return
        uncounted = f"the coverage of world {world.world} is not counted"
        with never_failing(uncounted, at_the_end(self._config)):
            world.control("GET", "/coverage")  # from here on, it keeps what is met
        yield
        with never_failing(uncounted, at_the_end(self._config)):
            self.met.add(facts_of(ClientWorld(Control(world.transport), world.world)))

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        """Add what a worker sent."""
        if facts := getattr(node, "workeroutput", {}).get(FACTS):
            with never_failing("the coverage of a worker is not counted", at_the_end(self._config)):
                self.met.add(msgspec.convert(facts, Met))

    @pytest.hookimpl(tryfirst=True)  # before the JUnit file is written
    def pytest_sessionfinish(self, session: pytest.Session, exitstatus: int) -> None:
        """Send the facts to the controller; there, write them and judge the run."""
        self._read_simulators()
        if hasattr(self._config, "workeroutput"):
            self._config.workeroutput[FACTS] = msgspec.to_builtins(self.met)
        elif self._is_asked_for() and not self._config.option.collectonly:
            self._report()
            if self._failures and exitstatus == pytest.ExitCode.OK:
                session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Show the table of areas, and those that are below the gate."""
        if self._lines:
            terminalreporter.section("giftsim coverage")
            for line in self._lines:
                terminalreporter.write_line(line)
            for line in self._failures:
                terminalreporter.write_line(line, red=True)

    def _read_simulators(self) -> None:
        """Add what was met in the simulators that this process started."""
        stash, say = self._config.stash, at_the_end(self._config)
        for key in (SIMULATOR_KEY, LISTENING_SIMULATOR_KEY):
            if key in stash:
                with never_failing("the coverage of the simulator is not counted", say):
                    self.met.add(stash[key].keep_coverage().met_in_all())
        if SERVER_PROCESS_KEY in stash and (origin := stash[SERVER_PROCESS_KEY].started):
            with never_failing("the coverage of the server is not counted", say), closing(OverHttp(origin)) as client:
                self.met.add(facts_of(Control(client)))

    def _is_asked_for(self) -> bool:
        """Whether the run reports its coverage; else it only finds assumptions."""
        return bool(self._gate or self._config.getoption("giftsim_coverage"))

    def _report(self) -> None:
        say, root = at_the_end(self._config), self._config.rootpath
        self._failures = ["giftsim: the coverage is not known"] if self._gate else []
        with never_failing("the report on coverage was not finished", say):
            data = coverage_as_json(self.met, self._items, self._exclusions)
            self._lines = area_table(data["areas"])
            self._failures = areas_below_gate(self._gate, data["areas"])
            self._add_properties(data["areas"])
            begin_folder(root / FOLDER)
            written = write_coverage(root / FOLDER, data)
            self._lines += ["", *(f"giftsim: wrote {shown(self._config, path)}" for path in written)]

    def _add_properties(self, areas: dict[str, Any]) -> None:
        """Add the percentages to the suite in the JUnit file."""
        from _pytest.junitxml import xml_key  # what pytest's own fixture `record_testsuite_property` uses

        xml = self._config.stash.get(xml_key, None)
        if xml is not None:
            for name, area in areas.items():
                xml.add_global_property(f"{PROPERTY}.{name}", str(area["percent"]))
