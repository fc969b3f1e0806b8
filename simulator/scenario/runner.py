"""Plays a scenario in a fresh world, step by step, and reports what was seen."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from simulator.scenario.act import ACTS, Done, Play
from simulator.scenario.client import Client
from simulator.scenario.expectation import STREAMS, world_mismatches
from simulator.scenario.report import Event, Report, StepReport
from simulator.scenario.sandbox import Refused, opened
from simulator.scenario.step import Expect, Scenario, Step


def play(scenario: Scenario, client: Client, *, keep: bool = False) -> Report:
    """Plays a scenario over a client; the world goes away at the end unless it is to be kept.

    Whatever the simulator refuses is a failed step. A ConnectionError that no call step meets goes to the caller.
    """
    try:
        sandbox = opened(client, scenario)
    except Refused as error:
        return _unopened(scenario, error)
    run = Play(scenario, sandbox)
    try:
        steps = tuple(_step_reports(run))
        fingerprint: str = sandbox.control("GET", "/fingerprint")["sha256"]
    finally:
        if not keep:
            sandbox.end()
    world = sandbox.id if keep else None
    return Report(scenario=scenario.name, file=scenario.file, steps=steps, fingerprint=fingerprint, world=world)


def _unopened(scenario: Scenario, error: Refused) -> Report:
    detail = f"{scenario.file}: the world could not be made\n  {error}"
    opening = StepReport(number=0, line=1, title="make the world", at=None, outcome="failed", detail=detail)
    steps = (opening, *(_skipped(step) for step in scenario.steps))
    return Report(scenario=scenario.name, file=scenario.file, steps=steps, fingerprint=None, world=None)


def _step_reports(run: Play) -> Iterator[StepReport]:
    """After a step that fails the others would only tell of its consequences: they are skipped."""
    failed = False
    for step in run.scenario.steps:
        report = _skipped(step) if failed else _taken(run, step)
        failed = failed or report.outcome == "failed"
        yield report


def _skipped(step: Step) -> StepReport:
    return StepReport(number=step.number, line=step.line, title=step.title, at=None, outcome="skipped", detail="")


def _taken(run: Play, step: Step) -> StepReport:
    at, events = run.sandbox.now, run.sandbox.streams["events"].items
    seen = len(events)
    done = _done(run, step)
    return StepReport(
        number=step.number,
        line=step.line,
        title=step.title,
        at=at,
        outcome="failed" if done.faults else "passed",
        detail=_failure(run.scenario.file, step, done) if done.faults else done.said,
        events=tuple(Event(event["at"], event["type"]) for event in events[seen:]),
    )


def _failure(file: str, step: Step, done: Done) -> str:
    place = f"{file}:{step.line}: step {step.number}, {step.title}"
    context = (f"the answer was {done.answer}",) if done.answer else ()
    return "\n  ".join((place, *done.faults, *context))


def _done(run: Play, step: Step) -> Done:
    """Acts, and holds what the world did meanwhile against what was expected of it."""
    streams = run.sandbox.streams
    wanted = dict.fromkeys(STREAMS[name] for name in step.expect if name in STREAMS)
    try:
        for name in wanted:
            streams[name].read()
        marks = {name: 0 if isinstance(step, Expect) else len(streams[name].items) for name in wanted}
        done = ACTS[type(step)](run, step)
        for name in {"events": None, **wanted}:
            streams[name].read()
        return done if done.faults else done._replace(faults=_world_faults(run, step, marks))
    except Refused as error:
        return Done(faults=(str(error),))


def _world_faults(run: Play, step: Step, marks: Mapping[str, int]) -> tuple[str, ...]:
    since = {name: run.sandbox.streams[name].items[mark:] for name, mark in marks.items()}
    expect = run.fill({name: value for name, value in step.expect.items() if name in STREAMS})
    return tuple(str(mismatch) for mismatch in world_mismatches(expect, since, run.sandbox.start_ms))
