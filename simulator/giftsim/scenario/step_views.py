"""The steps of a scenario beside their source, and what has become of each so far, as JSON."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from giftsim.scenario.compiled_scenario import Scenario, Step
from giftsim.scenario.matching import Failure, Mismatch
from giftsim.scenario.report import StepReport
from giftsim.scenario.yaml_source import Source


class PlannedStep(NamedTuple):
    """A step, the number of the step that it runs within if it does, and its text in its file."""

    step: Step
    within: int | None
    text: str


class StepViews:
    """The steps of one scenario in order, each followed by those that run within it; `text` is that of its file."""

    def __init__(self, scenario: Scenario, text: str) -> None:
        self.texts = {scenario.file: text}
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
        }

    def _add(self, step: Step, within: int | None) -> None:
        if step.file not in self.texts:
            self.texts[step.file] = _read(step.source)
        self._plan.append(PlannedStep(step, within, step_text(self.texts[step.file], step.line)))


def failure_view(failure: Failure) -> dict[str, Any]:
    """A reason for a failure; `path`, `expected` and `actual` are null where a message says it all."""
    if isinstance(failure, Mismatch):
        place: Mapping[str, str | None] = {
            "path": failure.path, "expected": failure.expected, "actual": failure.actual,
        }  # fmt: skip
    else:
        place = {"path": None, "expected": None, "actual": None}
    return {"message": str(failure), **place}


def step_text(text: str, line: int) -> str:
    """The lines of the step that begins at `line`: that one, and those below that are indented more than its dash."""
    lines = text.splitlines()
    first = lines[line - 1] if line <= len(lines) else ""
    indent = len(first) - len(first.lstrip())
    end = line
    while end < len(lines) and (not lines[end].strip() or len(lines[end]) - len(lines[end].lstrip()) > indent):
        end += 1
    return "\n".join(each[indent:].rstrip() for each in lines[line - 1 : end]).rstrip()


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
