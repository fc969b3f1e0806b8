"""The report of a played scenario: as data for programs, and as a timeline for people."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from operator import itemgetter
from typing import Any, Literal, NamedTuple, TypeAlias

import msgspec

from giftsim.engine.client.matching import Failure
from giftsim.engine.kernel.texts import one_line
from giftsim.workbench.scenario.recorded_response import ResponseDifference

Outcome: TypeAlias = Literal["passed", "failed", "skipped"]

LABELS = {"passed": "ok", "failed": "FAILED", "skipped": "skipped"}
UNKNOWN = "unknown"  # the kind of a verdict that names no cause
MOST_LINES = 20  # of what happened in a step, before those of all its instants are folded
TIME_WIDTH = len("2027-01-04T09:00:00Z")


class Event(msgspec.Struct, frozen=True, gc=False):
    """An event of the world: when it happened, and its type."""

    at: str
    type: str


class Attempt(msgspec.Struct, frozen=True, gc=False):
    """An attempt to deliver a webhook: when it was made, and what of, where to and with which outcome as text."""

    at: str
    text: str


class StepResult(NamedTuple):
    """A short text for the timeline if the step passed, else its failures and the response that it got.

    `difference` is how that response differs from the recorded one.
    """

    text: str = ""
    failures: tuple[Failure, ...] = ()
    response: str = ""
    difference: ResponseDifference | None = None


class StepReport(msgspec.Struct, frozen=True, kw_only=True):
    """The result of one step; `at` is the world's time when it began, None if it did not run.

    `failures` are the reasons for a failure, which `detail` has as text. `unchecked` counts the expectations of a
    skipped step. `events` and `attempts` are those of the time that it let pass too. `difference` is how the response
    differs from the recorded one. `verdicts` say why it failed, as `GET /worlds/{w}/why` does.
    """

    number: int
    line: int
    title: str
    at: str | None
    outcome: Outcome
    detail: str
    failures: tuple[Failure, ...] = ()
    unchecked: int = 0
    events: tuple[Event, ...] = ()
    attempts: tuple[Attempt, ...] = ()
    difference: ResponseDifference | None = None
    verdicts: tuple[dict[str, Any], ...] = ()


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """The result of a scenario; `world` is the id of its world if that was kept."""

    scenario: str
    file: str
    steps: tuple[StepReport, ...]
    fingerprint: str | None
    world: str | None

    @property
    def outcome(self) -> Outcome:
        """`failed` if a step failed, else `passed`."""
        return "failed" if any(step.outcome == "failed" for step in self.steps) else "passed"

    @property
    def events(self) -> tuple[Event, ...]:
        """The events of all steps, in order."""
        return tuple(event for step in self.steps for event in step.events)

    @property
    def unchecked(self) -> int:
        """How many expectations were not checked because their steps were skipped."""
        return sum(step.unchecked for step in self.steps)

    @property
    def data(self) -> dict[str, Any]:
        """The report as the test-control API returns it."""
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
        """The report as text for a terminal: each step with its time, and below it what it caused: events, attempts."""
        return "".join(f"{one_line(line)}\n" for line in _lines(self))


def _step_object(step: StepReport) -> dict[str, Any]:
    return {
        "step": step.number,
        "line": step.line,
        "title": step.title,
        "at": step.at,
        "outcome": step.outcome,
        "detail": step.detail,
        **({"verdicts": list(step.verdicts)} if step.verdicts else {}),
    }


def _lines(report: Report) -> Iterator[str]:
    yield f"{LABELS[report.outcome]}  {report.scenario} ({report.file})"
    for step in report.steps:
        yield from _step_lines(step)
    if report.unchecked:
        skipped = sum(step.outcome == "skipped" for step in report.steps)
        yield f"skipped: {_count(skipped, 'step')} with {_count(report.unchecked, 'expectation')} that were not checked"
    if report.world is not None:
        yield f"the world {report.world} is kept"


def _count(number: int, thing: str) -> str:
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"


def _step_lines(step: StepReport) -> Iterator[str]:
    first, *more = step.detail.split("\n")
    result = f": {first}" if first and step.outcome == "passed" else ""
    yield f"  {step.at or '':{TIME_WIDTH}}  {LABELS[step.outcome]:7}  {step.number:>2}  {step.title}{result}"
    happened = [*((event.at, event.type) for event in step.events), *((each.at, each.text) for each in step.attempts)]
    for at, text in _folded(sorted(happened, key=itemgetter(0))):  # an event before the attempts of its instant
        yield f"  {at:{TIME_WIDTH}}               {text}"
    if step.outcome == "failed":
        yield from (f"      {line}" for line in (first, *more))


def _folded(happened: Sequence[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """Instants with texts, like ones of an instant as one; of very many, like ones of all instants as one."""
    counts = Counter(happened)
    if len(counts) <= MOST_LINES:
        yield from ((at, text if number == 1 else f"{number} x {text}") for (at, text), number in counts.items())
        return
    times: dict[str, list[str]] = {}
    for at, text in happened:
        times.setdefault(text, []).append(at)
    for text, ats in times.items():
        last = f", the last at {ats[-1]}" if ats[-1] != ats[0] else ""
        yield ats[0], text if len(ats) == 1 else f"{len(ats)} x {text}{last}"


def facts_for_trace(path: str, report: Report) -> dict[str, Any]:
    """The facts of a played file for the trace of its world, which is kept only for the trace."""
    failed = next((step for step in report.steps if step.outcome == "failed"), None)
    if failed is None:
        return {"id": path, "outcome": "passed", "seconds": 0}
    return facts_of_failure(path, failed, msgspec.structs.replace(report, world=None).timeline)


def facts_of_failure(path: str, failed: StepReport, text: str) -> dict[str, Any]:
    """The facts of a failed step of a file, as those of a test."""
    message = failed.title if not failed.failures else f"{failed.title}: {failed.failures[0]}"
    failure = {"message": message.partition("\n")[0], "text": text, "place": {"file": path, "line": failed.line}}
    return {"id": path, "outcome": "failed", "seconds": 0, "failure": failure}


def explained(failed: StepReport, verdicts: Sequence[dict[str, Any]]) -> StepReport:
    """A failed step with why it failed, of which the first sentence is a line of its detail, unless it is unknown."""
    known = [f"why: {each['sentence']}" for each in verdicts[:1] if each["kind"] != UNKNOWN]
    detail = "\n  ".join((failed.detail, *known))
    return msgspec.structs.replace(failed, detail=detail, verdicts=tuple(verdicts))
