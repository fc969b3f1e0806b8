"""The scenario library and stepping sessions, as the test-control API shows them."""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice
from typing import Any

from giftsim.workbench.scenario.compiler import load_scenario
from giftsim.workbench.scenario.library import Library, LibraryEntry, ScenarioHead
from giftsim.workbench.scenario.scenario_error import InvalidScenario
from giftsim.workbench.scenario.scenario_files import read_beginning
from giftsim.workbench.scenario.sessions import Session, Sessions, StepViews


class ScenarioViews:
    """The library and the sessions as JSON, for the test-control API."""

    def __init__(self, library: Library, sessions: Sessions) -> None:
        self._library, self._sessions = library, sessions

    def entries(self, keep: Callable[[str], bool] | None) -> list[dict[str, Any]]:
        """The scenarios of the library, those with a text that `keep` accepts."""
        heads = [(entry, self._library.head(entry)) for entry in self._library.entries()]
        return [entry_view(entry, head) for entry, head in heads if _has(entry, head, keep)]

    def read(self, name: str) -> dict[str, Any]:
        """A scenario of the library with its text and its steps. ScenarioNotFound."""
        entry = self._library.find(name)
        return source_view(entry, self._library.head(entry))

    def sessions(self) -> list[dict[str, Any]]:
        """The sessions, without their steps."""
        return list(map(session_summary, self._sessions.all()))

    def begin(self, text: str | None, name: str | None, limit: int) -> dict[str, Any]:
        """Begin a session. InvalidScenario, ScenarioNotFound, TooManySessions."""
        return session_view(self._sessions.begin(text, name), 0, limit)

    def show(self, session_id: str, after: int, limit: int) -> dict[str, Any]:
        """A session with its steps. SessionNotFound."""
        return session_view(self._sessions.find(session_id), after, limit)

    def play(self, session_id: str, steps: int | None, limit: int) -> dict[str, Any]:
        """Play steps of a session, all for None; the session with the steps from the first one that was played."""
        session = self._sessions.find(session_id)
        before = session.play(steps)
        return session_view(session, session.run.scenario.steps[before].number - 1, limit)

    def stop(self, session_id: str, *, keep: bool) -> dict[str, Any]:
        """End a session. SessionNotFound."""
        self._sessions.stop(session_id, keep=keep)
        return {"deleted": session_id}


def entry_view(entry: LibraryEntry, head: ScenarioHead) -> dict[str, Any]:
    """A scenario of the library without its text."""
    return {
        "name": entry.name,
        "title": head.title,
        "question": head.question,
        "purpose": head.purpose,
        "folder": entry.folder,
        "own": entry.own,
        "file": entry.path,
        "sandbox": head.sandbox,
        "steps": head.steps,
    }


def source_view(entry: LibraryEntry, head: ScenarioHead) -> dict[str, Any]:
    """A scenario of the library with the text of its files and its steps; `error` if it cannot be played."""
    text = read_beginning(entry.file).decode("utf-8", "replace")
    files, plan, error = {entry.path: text}, [], None
    try:
        steps = StepViews(load_scenario(entry.file, entry.path), text)
        files, plan = steps.texts, [_plan_view(view) for _, view in steps.views(())]
    except InvalidScenario as problem:
        error = {"file": problem.file, "line": problem.line, "column": problem.column, "message": problem.message}
    return {
        **entry_view(entry, head),
        "text": text,
        "files": [{"file": file, "text": content} for file, content in files.items()],
        "plan": plan,
        "error": error,
    }


def session_summary(session: Session) -> dict[str, Any]:
    """A session without its steps."""
    run, worlds = session.run, dict(session.worlds)
    next_step = None if session.report or run.over else run.scenario.steps[run.played].number
    failed = next((report for report in list(run.reports) if report.outcome == "failed"), None)
    return {
        "id": session.id,
        "name": session.name,
        "scenario": run.scenario.name,
        "file": run.scenario.file,
        "state": session.state,
        "world": worlds.pop("", None),
        "forks": worlds,
        "step_count": len(run.scenario.steps),
        "played": run.played,
        "next_step": next_step,
        "changes_after": session.changes_after,
        "failure": session.steps.failure(failed, run.scenario.file) if failed else None,
        "report": session.report.data if session.report else None,
    }


def session_view(session: Session, after: int, limit: int) -> dict[str, Any]:
    """A session with its steps after number `after`, and with the text of its files where it begins there."""
    rows = list(islice(session.steps.views(list(session.run.reports), after), limit + 1))
    page = rows[:limit]
    files = [{"file": file, "text": text} for file, text in session.steps.texts.items()]
    return {
        **session_summary(session),
        "files": [] if after else files,
        "steps": [view for _, view in page],
        "next": page[-1][0] if len(rows) > limit else None,
    }


def _plan_view(view: dict[str, Any]) -> dict[str, Any]:
    return {name: view[name] for name in ("step", "within", "kind", "file", "line", "title", "text")}


def _has(entry: LibraryEntry, head: ScenarioHead, keep: Callable[[str], bool] | None) -> bool:
    return keep is None or any(map(keep, (entry.name, head.title, head.question or "", head.purpose)))
