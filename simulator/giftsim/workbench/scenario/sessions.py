"""Stepping sessions: scenarios that are played one step at a time, each in its own world."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import count
from typing import Any, NamedTuple

import msgspec

from giftsim.engine.client.control import Control
from giftsim.engine.client.matching import Failure, Mismatch
from giftsim.engine.client.response import Client
from giftsim.engine.client.world import ClientWorld
from giftsim.engine.problem import Problem
from giftsim.workbench.scenario.compiled_scenario import Scenario, Step
from giftsim.workbench.scenario.compiler import load_scenario
from giftsim.workbench.scenario.library import Library
from giftsim.workbench.scenario.play_report import Report, StepReport
from giftsim.workbench.scenario.runner import ScenarioRun
from giftsim.workbench.scenario.simulator_checks import check_scenario
from giftsim.workbench.scenario.world_client import StepFailed
from giftsim.workbench.scenario.yaml_source import Source, limits_of

MOST_TEXT = 10_000


class PlannedStep(NamedTuple):
    """A step with its text in its file, and the number of the step that it runs within, if any."""

    step: Step
    within: int | None
    text: str


class StepViews:
    """The steps of one scenario in order, each followed by those that run within it; `text` is that of its file."""

    def __init__(self, scenario: Scenario, text: str) -> None:
        self.texts = {scenario.file: text}
        self._lines: dict[str, list[str]] = {}
        self._excerpts: dict[tuple[str, int], str] = {}  # a loop has the same step many times
        self._plan: list[PlannedStep] = []
        for step in scenario.steps:
            self._add(step, None)
            for nested in step.nested:
                self._add(nested, step.number)
        self.by_number = {planned.step.number: planned for planned in self._plan}

    def views(self, reports: Iterable[StepReport], after: int = 0) -> Iterable[tuple[int, dict[str, Any]]]:
        """The steps after number `after` with what is reported of them, each with its number."""
        known = {report.number: report for report in reports}
        for planned in self._plan:
            number = planned.step.number
            if number > after:
                yield number, _step(planned, known.get(number))

    def failure(self, report: StepReport, file: str) -> dict[str, Any]:
        """A report of something that failed; `file` is that of the scenario."""
        planned = self.by_number.get(report.number)
        return {
            "step": report.number if planned else None,
            "file": planned.step.file if planned else file,
            "line": report.line,
            "title": report.title,
            "detail": report.detail,
            "failures": [failure_view(failure) for failure in report.failures],
            "verdicts": list(report.verdicts),
        }

    def _add(self, step: Step, within: int | None) -> None:
        if step.file not in self.texts:
            self.texts[step.file] = _read(step.source)
        if step.file not in self._lines:
            self._lines[step.file] = self.texts[step.file].splitlines()
        place = step.file, step.line
        if place not in self._excerpts:
            self._excerpts[place] = step_text(self._lines[step.file], step.line)
        self._plan.append(PlannedStep(step, within, self._excerpts[place]))


def failure_view(failure: Failure) -> dict[str, Any]:
    """A reason for a failure; `path`, `expected` and `actual` are null where a message says it all."""
    names = ("path", "expected", "actual")
    place = msgspec.structs.asdict(failure) if isinstance(failure, Mismatch) else dict.fromkeys(names)
    return {"message": str(failure), **place}


def step_text(lines: Sequence[str], line: int) -> str:
    """The lines of the step that begins at `line`: that one, and those below that are indented more than its dash.

    An answer has many steps, so what goes beyond MOST_TEXT characters is left out.
    """
    first = lines[line - 1] if line <= len(lines) else ""
    indent = len(first) - len(first.lstrip())
    end = line
    while end < len(lines) and (not lines[end].strip() or len(lines[end]) - len(lines[end].lstrip()) > indent):
        end += 1
    text = "\n".join(each[indent:].rstrip() for each in lines[line - 1 : end]).rstrip()
    return text if len(text) <= MOST_TEXT else f"{text[:MOST_TEXT]}…"


def _step(planned: PlannedStep, report: StepReport | None) -> dict[str, Any]:
    step = planned.step
    return {
        "step": step.number,
        "within": planned.within,
        "kind": step.kind,
        "file": step.file,
        "line": step.line,
        "title": step.full_title,
        "text": planned.text,
        "outcome": report.outcome if report else None,
        "at": report.at if report else None,
        "detail": report.detail if report else None,
        "failures": [failure_view(failure) for failure in report.failures] if report else [],
        "events": [{"at": event.at, "type": event.type} for event in report.events] if report else [],
    }


def _read(source: Source) -> str:
    return source.file_path.read_text(encoding="utf-8", errors="replace") if source.file_path else ""


MAX_SESSIONS = 20


class SessionNotFound(Problem, status=404, code="session_not_found"):
    """There is no such session; it goes away with its world."""


class TooManySessions(Problem, status=409, code="too_many_sessions"):
    """The simulator cannot keep another session."""


class SessionBusy(Problem, status=409, code="session_busy"):
    """A step of the session is being played."""


class SessionOver(Problem, status=409, code="session_over"):
    """All steps of the session were played, or one failed."""


class Session:
    """A scenario that is being played. `name` is its name in the library; `report` is there once it is over.

    `changes_after` is the number of the world's last change before the steps that were played last. Reads need no
    lock: what was played only grows.
    """

    def __init__(self, session_id: str, name: str | None, scenario: Scenario, text: str, client: Client) -> None:
        self.id, self.name = session_id, name
        self.run = ScenarioRun(scenario, client)
        self.steps = StepViews(scenario, text)
        self.report: Report | None = None
        self.changes_after = 0
        self.playing = self.stopped = False
        self._lock = threading.Lock()
        if self.run.over:
            self._end()

    def play(self, steps: int | None) -> int:
        """Play the next steps, all that are left for None; returns how many had been played before.

        SessionOver if there is none, SessionBusy while another call plays, SessionNotFound once it was stopped.
        """
        with self._busy():
            before = self.run.played
            if self.report is not None:
                raise SessionOver(f"session {self.id} has {self.state}; its world is still there to look into")
            self.changes_after = self._last_change()
            while not self.run.over and not self.stopped and (steps is None or self.run.played < before + steps):
                self.run.play_step()
            if self.stopped:
                raise SessionNotFound(f"session {self.id} was stopped")
            if self.run.over:
                self._end()
            return before

    @property
    def state(self) -> str:
        """`ready`, `playing`, `passed` or `failed`."""
        if self.report is not None:
            return self.report.outcome
        return "playing" if self.playing else "ready"

    @contextmanager
    def _busy(self) -> Iterator[None]:
        if not self._lock.acquire(blocking=False):
            raise SessionBusy(f"a step of session {self.id} is being played")
        self.playing = True
        try:
            yield
        finally:
            self.playing = False
            self._lock.release()

    def _last_change(self) -> int:
        """The number of the last change of the world; that of before if the world is gone."""
        if self.run.context is None:
            return 0
        try:
            return int(self.run.context.main_world.control("GET", "/changes?from=now")["next"])
        except StepFailed:
            return self.changes_after

    def _end(self) -> None:
        self.run.explain()
        self.report = self.run.end(keep=True)

    @property
    def worlds(self) -> Mapping[str, str]:
        """The ids of the worlds: that of the scenario under an empty name, forks under theirs."""
        context = self.run.context
        if context is None:
            return {}
        return {"": context.main_world.id, **{name: world.id for name, world in context.forks.items()}}


class Sessions:
    """The stepping sessions of a process, at most 20. A session whose world was deleted is gone too."""

    def __init__(self, client: Client, library: Library, *, large: bool = False) -> None:
        self._client, self._control, self._library = client, Control(client), library
        self._limits = limits_of(large=large)
        self._sessions: dict[str, Session] = {}
        self._numbers = count(1)
        self._lock = threading.Lock()

    def begin(self, text: str | None, name: str | None) -> Session:
        """Begin to play a scenario from its text or its name in the library; no step is played yet.

        InvalidScenario, ScenarioNotFound, TooManySessions.
        """
        if name is not None:
            entry = self._library.find(name)
            scenario = load_scenario(entry.file, entry.path, limits=self._limits)
            text = _read(scenario.source)
        else:
            text = text or ""
            scenario = load_scenario(text, limits=self._limits)
        self._check_room()
        check_scenario(scenario, self._client)
        with self._lock:
            session_id = f"session-{next(self._numbers)}"
        session = Session(session_id, name, scenario, text, self._client)
        self._sessions[session.id] = session
        return session

    def all(self) -> list[Session]:
        """The sessions whose worlds there still are, in order of creation."""
        for session in list(self._sessions.values()):
            if not self._has_world(session):
                self._sessions.pop(session.id, None)
        return list(self._sessions.values())

    def find(self, session_id: str) -> Session:
        """The session with this id. SessionNotFound."""
        session = self._sessions.get(session_id)
        if session is None or not self._has_world(session):
            self._sessions.pop(session_id, None)
            raise SessionNotFound(f"there is no session {session_id[:60]!r}; a session goes away with its world")
        return session

    def stop(self, session_id: str, *, keep: bool) -> None:
        """End a session after the step in progress, and delete its worlds unless `keep` is set. SessionNotFound."""
        session = self.find(session_id)
        session.stopped = True
        self._sessions.pop(session_id, None)
        if not keep:
            for world in session.worlds.values():
                ClientWorld(self._control, world).call("DELETE")

    def _check_room(self) -> None:
        if len(self.all()) >= MAX_SESSIONS:
            raise TooManySessions(f"{MAX_SESSIONS} sessions exist; delete one first")

    def _has_world(self, session: Session) -> bool:
        world = session.worlds.get("")
        return world is None or ClientWorld(self._control, world).call("GET", "/clock").is_success
