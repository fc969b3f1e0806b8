"""Scenario files as pytest tests."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest


class ScenarioFailed(Exception):
    """A scenario failed; the text is its report."""


class ScenarioFile(pytest.File):
    """A scenario file; its YAML is parsed when it runs."""

    title: str

    def collect(self) -> Iterator[ScenarioItem]:
        """The scenario in the file."""
        yield ScenarioItem.from_parent(self, name=self.title)


class ScenarioItem(pytest.Item):
    """One scenario, run in a fresh world of this process's simulator."""

    def runtest(self) -> None:
        """Run the scenario; an invalid file fails with its errors."""
        from giftsim.testing.shared_server import listening_simulator, simulator
        from giftsim.workbench.app.app_calls import WatchedApp, call_app
        from giftsim.workbench.scenario import InvalidScenario, check_scenario, load_scenario, play

        try:
            scenario = load_scenario(self.path, app=self.config.getoption("giftsim_app"))
            target = listening_simulator(self.config) if scenario.app else simulator(self.config)
            check_scenario(scenario, target.client)
        except (InvalidScenario, ValueError) as refusal:
            raise ScenarioFailed(str(refusal)) from None
        caller = WatchedApp(call_app)
        report = play(scenario, target.client, app_caller=caller)
        self.user_properties.append(("scenario", str(self._relative_path())))
        self.user_properties.append(("fingerprint", report.fingerprint))
        if report.outcome != "passed" and caller.not_offered is not None:
            pytest.skip(f"not offered: {caller.not_offered}")
        if report.outcome != "passed":
            failed = next(step.detail for step in report.steps if step.outcome == "failed")
            raise ScenarioFailed(f"{failed}\n\n{report.timeline.rstrip()}")

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """The report of a failed scenario; a traceback for any other error."""
        if isinstance(excinfo.value, ScenarioFailed):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int, str]:
        """The file, the line of its title, and the title."""
        return self.path, 0, self.name

    def _relative_path(self) -> Path:
        root = self.config.rootpath
        return self.path.relative_to(root) if self.path.is_relative_to(root) else self.path
