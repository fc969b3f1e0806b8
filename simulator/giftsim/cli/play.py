"""The command `play`: plays scenario files, each in a fresh world of one in-process simulator."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from itertools import chain, count
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any, Self

import msgspec

from giftsim.build import Simulator
from giftsim.engine.client.control import Control
from giftsim.engine.client.world import ClientWorld
from giftsim.engine.kernel.garbage_collection import keeping_everything
from giftsim.engine.kernel.texts import one_line, suggest_name

if TYPE_CHECKING:
    from giftsim.workbench.app.instances import Instances
    from giftsim.workbench.coverage.met import Met
    from giftsim.workbench.scenario import Scenario
    from giftsim.workbench.scenario.play_report import Outcome, Report
    from giftsim.workbench.trace.index_page import Summary


NOT_OFFERED = "not offered"
OUTCOMES = ("passed", "failed", "refused", NOT_OFFERED)


WITHOUT_SCENARIO = "has no scenario: a YAML file with a text `scenario:` and `steps:`"


class NoScenario(Exception):
    """A folder has no scenario, or there is no such file and no such name in the library; the message names it."""


@dataclass(frozen=True)
class PlayedFile:
    """The result of one file; `data` is its report as JSON data, `timeline` as text, `reason` why it did not pass.

    `trace` is the page of its world, if one was asked for.
    """

    path: str
    data: dict[str, Any]
    timeline: str
    reason: str = ""
    trace: bytes = b""

    @classmethod
    def of_refused(cls, path: str, error: str) -> Self:
        """A file that can never be played."""
        data = {"scenario": path, "outcome": "refused", "steps": [], "error": error}
        return cls(path, data, f"refused {one_line(error)}\n", one_line(error))

    @property
    def passed(self) -> bool:
        """Whether every expectation was met."""
        return bool(self.data["outcome"] == "passed")

    @property
    def skipped(self) -> bool:
        """Whether it shows nothing: the app does not offer what it is asked for."""
        return bool(self.data["outcome"] == NOT_OFFERED)

    @property
    def refused(self) -> bool:
        """Whether the file was refused before anything ran."""
        return bool(self.data["outcome"] == "refused")

    @property
    def summary(self) -> str:
        """The outcome and the file in one line, and below it the reason if it did not pass."""
        name = self.path if self.refused else f"{self.data['scenario']} ({self.path})"
        reason = [f"  {line}" for line in self.reason.splitlines()]
        return "\n".join(map(one_line, [f"{self.data['outcome']:7} {name}", *reason]))


def junit(reports: Sequence[PlayedFile]) -> bytes:
    """The text of a JUnit file with a test case for each scenario file."""
    from giftsim.workbench.exam.junit_file import WrittenCase, junit_file

    return junit_file(
        [
            WrittenCase(
                suite=PurePath(report.path).as_posix(),
                name=PurePath(report.path).name if report.refused else report.data["scenario"],
                kind="" if report.passed else "error" if report.refused else "skipped" if report.skipped else "failure",
                type=report.data["outcome"],
                text=report.reason,
                output=report.timeline,
            )
            for report in reports
        ]
    )


def totals(reports: Sequence[PlayedFile]) -> str:
    """A sentence that says how many files had each outcome."""
    counts = Counter(report.data["outcome"] for report in reports)
    return ", ".join(f"{counts[outcome]} {outcome}" for outcome in OUTCOMES if counts[outcome])


def scenario_paths(paths: tuple[str, ...]) -> list[str]:
    """The files among `paths`, and the scenarios in the folders among them. NoScenario.

    What is neither may be a folder of the library, such as `museum`, or a name in it.
    """
    from giftsim.workbench.scenario import find_scenarios
    from giftsim.workbench.scenario.library import library_files

    files: list[str] = []
    for path in map(Path, paths):
        if path.exists():
            found = find_scenarios(path) if path.is_dir() else [path]
            lacks = WITHOUT_SCENARIO
        else:
            found = library_files(str(path))
            lacks = "" if found else _unknown(str(path))
        if not found:
            raise NoScenario(f"{path} {lacks}")
        files += map(str, found)
    return files


def _unknown(name: str) -> str:
    """That there is no file and no scenario of a name, and which was meant."""
    from giftsim.workbench.scenario.library import Library

    names = [entry.name for entry in Library().entries()]
    hint = suggest_name(name.replace("/", "."), names, "`giftsim play --help` says what else it plays")
    return f"does not exist, and the library has nothing of that name; {hint}"


@dataclass(frozen=True)
class PlayOptions:
    """How files are played. `app` replaces that of the files, `command` checks each world at its end.

    `instances` are the processes of the app, if a command started it.
    """

    app: str | None = None
    command: str | None = None
    with_traces: bool = False
    instances: Instances | None = None
    large_files: bool = False


def play_files(
    files: Sequence[str], options: PlayOptions, add_coverage: Callable[[Met], object] | None
) -> Iterator[PlayedFile]:
    """Play files in order, lazily; ValueError for an `app` that is not on this machine.

    The simulator listens on a free port once a scenario has an app, so that the app can call it. At the end,
    `add_coverage` gets what was met in all worlds, if it is given.
    """
    from giftsim.workbench.app.protocol import AppProtocol
    from giftsim.workbench.coverage.coverage_report import facts_of
    from giftsim.workbench.scenario import InvalidScenario, check_scenario, limits_of, load_scenario

    with keeping_everything():
        made = Simulator(fixture="bare")
    with closing(made) as simulator:
        if options.instances is not None:
            listed = AppProtocol(app=options.instances.url, actions=("clock",))  # a file does not say
            options.instances.follow(simulator.registry.runtime, lambda: listed)
        if add_coverage is not None:
            simulator.keep_coverage(all_worlds=True)
        for path in files:
            try:
                scenario = load_scenario(Path(path), app=options.app, limits=limits_of(large=options.large_files))
                if scenario.app or options.command:
                    simulator.serve_locally()
                check_scenario(scenario, simulator.client)
            except InvalidScenario as error:
                yield PlayedFile.of_refused(path, f"{error} (see docs/reference/scenario-language.md)")
                continue
            yield _play(path, scenario, simulator, options)
        if add_coverage is not None:
            add_coverage(facts_of(Control(simulator.client)))


def _play(path: str, scenario: Scenario, simulator: Simulator, options: PlayOptions) -> PlayedFile:
    from giftsim.workbench.app.app_calls import WatchedApp, call_app
    from giftsim.workbench.scenario import play
    from giftsim.workbench.scenario.play_report import facts_for_trace

    keep = bool(options.command or options.with_traces)
    app = WatchedApp(call_app if options.instances is None else options.instances.call)
    if options.instances is not None:
        options.instances.begin_run()
    report, trace = play(scenario, simulator.client, keep=keep, app_caller=app), b""
    world, played = report.world, report
    if options.command is not None:
        played = _with_check(report, options.command, simulator, scenario.app)
    if world is not None:
        control = ClientWorld(Control(simulator.client), world)
        if options.with_traces:
            trace = control.trace({"test": facts_for_trace(path, played)})
        control.call("DELETE")
    played = msgspec.structs.replace(played, world=None)
    failed = next((step.detail for step in played.steps if step.outcome == "failed"), "")
    if app.not_offered is not None and report.outcome == "failed":
        data = {**played.data, "outcome": NOT_OFFERED, "reason": app.not_offered}
        return PlayedFile(path, data, played.timeline, app.not_offered, trace)
    return PlayedFile(path, played.data, played.timeline, failed, trace)


class TraceFolder:
    """A folder for the traces of played files, with their index."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._summaries: list[Summary] = []

    @classmethod
    def at(cls, folder: Path | None) -> Self | None:
        """The traces in a folder, or None without one."""
        return None if folder is None else cls(folder)

    def written(self, played: PlayedFile) -> PlayedFile:
        """Write the trace of a played file, if it has one, then the index; the file without it. OSError."""
        from giftsim.workbench.trace.file import read_trace_file
        from giftsim.workbench.trace.index_page import NAME, index_page, summarize_trace

        if not played.trace:
            return played
        stem = re.sub(r"[^\w.]+", "-", played.path.removesuffix(".yaml"), flags=re.ASCII).strip("-.")
        taken = {summary.file for summary in self._summaries}
        names = (f"{stem}{end}.html" for end in chain([""], (f"-{n}" for n in count(2))))
        name = next(name for name in names if name not in taken)
        self.folder.mkdir(parents=True, exist_ok=True)
        (self.folder / name).write_bytes(played.trace)
        self._summaries.append(summarize_trace(name, read_trace_file(played.trace)))
        (self.folder / NAME).write_bytes(index_page(self._summaries))
        return replace(played, trace=b"")


def _with_check(report: Report, command: str, simulator: Simulator, app: str | None) -> Report:
    """Add the result of a check command to the report."""
    from giftsim.workbench.app.app_calls import run_check_command
    from giftsim.workbench.scenario.play_report import StepReport

    world, steps = report.world, report.steps
    if world is not None and report.outcome == "passed":
        reason = run_check_command(command, origin=simulator.registry.runtime.origin, world=world, app=app)
        outcome: Outcome = "failed" if reason else "passed"
        check_step = StepReport(
            number=len(steps) + 1, line=0, title=f"check {command}", at=None, outcome=outcome, detail=reason or ""
        )
        steps = (*steps, check_step)
    return msgspec.structs.replace(report, steps=steps)
