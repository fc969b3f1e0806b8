"""What a play came to: as data for programs, and as a timeline for people."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal, TypeAlias

import msgspec

from giftsim.scenario.recorded_response import Difference

Outcome: TypeAlias = Literal["passed", "failed", "skipped"]

SIGNS = {"passed": "ok", "failed": "FAILED", "skipped": "skipped"}
WIDTH = len("2027-01-04T09:00:00Z")


class Event(msgspec.Struct, frozen=True, gc=False):
    """Something the service told of: when it happened, and its kind."""

    at: str
    type: str


class StepReport(msgspec.Struct, frozen=True, kw_only=True):
    """What became of one step; `at` is when it began, None where it never did.

    `unchecked` counts what a skipped step would have looked at; `difference` is how the answer differs from
    the one recorded.
    """

    number: int
    line: int
    title: str
    at: str | None
    outcome: Outcome
    detail: str
    unchecked: int = 0
    events: tuple[Event, ...] = ()
    difference: Difference | None = None


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """What became of a scenario; `world` is its id where it was kept to be looked into."""

    scenario: str
    file: str
    steps: tuple[StepReport, ...]
    fingerprint: str | None
    world: str | None

    @property
    def outcome(self) -> Outcome:
        """`passed` if no step failed."""
        return "failed" if any(step.outcome == "failed" for step in self.steps) else "passed"

    @property
    def events(self) -> tuple[Event, ...]:
        """All that happened, in order."""
        return tuple(event for step in self.steps for event in step.events)

    @property
    def unchecked(self) -> int:
        """How many expectations never ran, since their steps were skipped."""
        return sum(step.unchecked for step in self.steps)

    @property
    def data(self) -> dict[str, Any]:
        """The report as the control plane answers with it."""
        return {
            "scenario": self.scenario,
            "outcome": self.outcome,
            "steps": [_step_object(step) for step in self.steps],
            "events": [{"at": event.at, "type": event.type} for event in self.events],
            "unchecked": self.unchecked,
            "fingerprint": self.fingerprint,
            "world": self.world,
        }

    @property
    def timeline(self) -> str:
        """The report as lines for a terminal: each step at its time, and below it what happened."""
        return "".join(f"{line}\n" for line in _lines(self))


def _step_object(step: StepReport) -> dict[str, Any]:
    return {
        "step": step.number,
        "line": step.line,
        "title": step.title,
        "at": step.at,
        "outcome": step.outcome,
        "detail": step.detail,
    }


def _lines(report: Report) -> Iterator[str]:
    yield f"{SIGNS[report.outcome]}  {report.scenario} ({report.file})"
    for step in report.steps:
        yield from _step_lines(step)
    if report.unchecked:
        skipped = sum(step.outcome == "skipped" for step in report.steps)
        yield f"skipped: {_counted(skipped, 'step')} with {_counted(report.unchecked, 'expectation')} that never ran"
    if report.world is not None:
        yield f"the world {report.world} is kept"


def _counted(number: int, thing: str) -> str:
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"


def _step_lines(step: StepReport) -> Iterator[str]:
    first, *more = step.detail.split("\n")
    said = f": {first}" if first and step.outcome == "passed" else ""
    yield f"  {step.at or '':{WIDTH}}  {SIGNS[step.outcome]:7}  {step.number:>2}  {step.title}{said}"
    for event in step.events:
        yield f"  {event.at:{WIDTH}}               {event.type}"
    if step.outcome == "failed":
        yield from (f"      {line}" for line in (first, *more))
