"""Playing scenario files from the command line: each in a fresh world of one simulator in process."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from giftsim.build import Simulator

if TYPE_CHECKING:
    from giftsim.gateway.http_server import Server
    from giftsim.scenario.report import Outcome, Report


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


def play_files(files: tuple[str, ...], app: str | None = None, check: str | None = None) -> Iterator[Played]:
    """Play files and all scenarios in folders, in order; ValueError for an `app` that is not on this machine.

    The simulator listens on a free port as soon as a scenario has a downstream app, which may call it there. `check`
    is a command that judges each world at its end.
    """
    from giftsim.scenario import InvalidScenario, load, play

    with _opened() as (simulator, listen):
        for path in _files(files):
            try:
                scenario = load(Path(path), app=app)
            except InvalidScenario as refusal:
                data = {"scenario": path, "outcome": "refused", "steps": [], "error": str(refusal)}
                yield Played(path, data, f"refused {refusal}\n")
                continue
            if scenario.app or check:
                listen()
            report = play(scenario, simulator.client, keep=check is not None)
            if check is not None:
                report = _checked(report, check, simulator, scenario.app)
            yield Played(path, report.data, report.timeline)


def _checked(report: Report, command: str, simulator: Simulator, app: str | None) -> Report:
    """The report with what a command says of the world, which then goes away."""
    from giftsim.scenario.check_command import commanded
    from giftsim.scenario.report import StepReport

    world, steps = report.world, report.steps
    if world is not None and report.outcome == "passed":
        reason = commanded(command, origin=simulator.registry.origin, world=world, app=app)
        outcome: Outcome = "failed" if reason else "passed"
        last = StepReport(
            number=len(steps) + 1, line=0, title=f"check {command}", at=None, outcome=outcome, detail=reason or ""
        )
        steps = (*steps, last)
    if world is not None:
        simulator.client.call("DELETE", f"/_sim/v1/worlds/{world}")
    return msgspec.structs.replace(report, steps=steps, world=None)


@contextmanager
def _opened() -> Iterator[tuple[Simulator, Callable[[], None]]]:
    """A simulator, and what has it served for others than the player."""
    simulator = Simulator(fixture="bare")
    servers: list[Server] = []

    def listen() -> None:
        if not servers:
            servers.append(simulator.listen("127.0.0.1", 0))
            servers[0].start()

    try:
        yield simulator, listen
    finally:
        simulator.close()
        for server in servers:
            server.stop()


def _files(named: tuple[str, ...]) -> Iterator[str]:
    from giftsim.scenario import stories

    for name in named:
        path = Path(name)
        yield from map(str, stories(path)) if path.is_dir() else [name]
