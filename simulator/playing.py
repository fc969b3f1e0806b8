"""Playing scenario files from the command line: each in a fresh world of one simulator in process."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from simulator.build import Simulator


@dataclass(frozen=True)
class Played:
    """What became of one file; `data` is its report."""

    path: str
    data: dict[str, Any]
    timeline: str

    @property
    def passed(self) -> bool:
        """Whether every expectation held."""
        return bool(self.data["outcome"] == "passed")

    @property
    def line(self) -> str:
        """The file and its outcome."""
        return f"{self.data['outcome']:7} {self.path}"


def play_files(files: tuple[str, ...]) -> Iterator[Played]:
    """Play files and all scenarios in folders, in order."""
    from simulator.scenario import InvalidScenario, load, play

    simulator = Simulator(fixture="bare")
    for path in _files(files):
        try:
            report = play(load(Path(path)), simulator.client)
        except InvalidScenario as refusal:
            data = {"scenario": path, "outcome": "refused", "steps": [], "error": str(refusal)}
            yield Played(path, data, f"refused {refusal}\n")
            continue
        yield Played(path, report.data, report.timeline)


def _files(named: tuple[str, ...]) -> Iterator[str]:
    for name in named:
        path = Path(name)
        yield from sorted(str(found) for found in path.rglob("*.yaml")) if path.is_dir() else [name]
