"""The command `play`: plays scenario files, each in a fresh world of one in-process simulator."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from giftsim.build import Simulator
from giftsim.paths import CONTROL

if TYPE_CHECKING:
    from giftsim.gateway.http_server import Server
    from giftsim.scenario.report import Outcome, Report


@dataclass(frozen=True)
class PlayedFile:
    """The result of one file; `data` is its report as JSON data, `timeline` as text."""

    path: str
    data: dict[str, Any]
    timeline: str

    @property
    def passed(self) -> bool:
        """Whether every expectation was met."""
        return bool(self.data["outcome"] == "passed")

    @property
    def refused(self) -> bool:
        """Whether the file was refused before anything ran."""
        return bool(self.data["outcome"] == "refused")

    @property
    def line(self) -> str:
        """The outcome and the file in one line."""
        return f"{self.data['outcome']:7} {self.path}"


def play_files(files: tuple[str, ...], app: str | None = None, command: str | None = None) -> Iterator[PlayedFile]:
    """Play files, and all scenarios of folders, in order; ValueError for an `app` that is not on this machine.

    The simulator listens on a free port once a scenario has an app, so that the app can call it. `command` checks each
    world at its end.
    """
    from giftsim.scenario import InvalidScenario, check, load, play

    with _simulator() as (simulator, listen):
        for path in _files(files):
            try:
                scenario = load(Path(path), app=app)
                if scenario.app or command:
                    listen()
                check(scenario, simulator.client)
            except InvalidScenario as error:
                data = {"scenario": path, "outcome": "refused", "steps": [], "error": str(error)}
                yield PlayedFile(path, data, f"refused {error}\n")
                continue
            report = play(scenario, simulator.client, keep=command is not None)
            if command is not None:
                report = _with_check(report, command, simulator, scenario.app)
            yield PlayedFile(path, report.data, report.timeline)


def _with_check(report: Report, command: str, simulator: Simulator, app: str | None) -> Report:
    """Add the result of a check command to the report, then delete the world."""
    from giftsim.scenario.check_command import run_check_command
    from giftsim.scenario.report import StepReport

    world, steps = report.world, report.steps
    if world is not None and report.outcome == "passed":
        reason = run_check_command(command, origin=simulator.registry.runtime.origin, world=world, app=app)
        outcome: Outcome = "failed" if reason else "passed"
        check_step = StepReport(
            number=len(steps) + 1, line=0, title=f"check {command}", at=None, outcome=outcome, detail=reason or ""
        )
        steps = (*steps, check_step)
    if world is not None:
        simulator.client.call("DELETE", f"{CONTROL}/worlds/{world}")
    return msgspec.structs.replace(report, steps=steps, world=None)


@contextmanager
def _simulator() -> Iterator[tuple[Simulator, Callable[[], None]]]:
    """A simulator, and a function that makes it listen on a free port."""
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


def _files(paths: tuple[str, ...]) -> Iterator[str]:
    from giftsim.scenario import find_scenarios

    for name in paths:
        path = Path(name)
        yield from map(str, find_scenarios(path)) if path.is_dir() else [name]
