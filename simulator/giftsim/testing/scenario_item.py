"""A scenario file as a test: collected by its title, failed by its report."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest


class StoryFailed(Exception):
    """A scenario that did not go as it says; its text is the report's."""


class StoryFile(pytest.File):
    """A file of one scenario; `title` was found without reading it as YAML."""

    title: str

    def collect(self) -> Iterator[Story]:
        """The one scenario in it."""
        yield Story.from_parent(self, name=self.title)


class Story(pytest.Item):
    """One scenario, played in a fresh world of this process's simulator."""

    def runtest(self) -> None:
        """Play it; a file that is refused fails with what is wrong in it."""
        from giftsim.scenario import InvalidScenario, load, play
        from giftsim.testing.session import listening, simulator

        try:
            scenario = load(self.path, app=self.config.getoption("giftsim_app"))
        except (InvalidScenario, ValueError) as refusal:
            raise StoryFailed(str(refusal)) from None
        home = listening(self.config) if scenario.app else simulator(self.config)
        report = play(scenario, home.client)
        self.user_properties.append(("scenario", str(self._shown())))
        self.user_properties.append(("fingerprint", report.fingerprint))
        if report.outcome != "passed":
            failed = next(step.detail for step in report.steps if step.outcome == "failed")
            raise StoryFailed(f"{failed}\n\n{report.timeline.rstrip()}")

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """The report for a scenario that failed, a trace for anything else."""
        if isinstance(excinfo.value, StoryFailed):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int, str]:
        """The file, the line of its title, and the title."""
        return self.path, 0, self.name

    def _shown(self) -> Path:
        root = self.config.rootpath
        return self.path.relative_to(root) if self.path.is_relative_to(root) else self.path
