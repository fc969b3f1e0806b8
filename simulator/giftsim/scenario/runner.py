"""Plays a scenario in a fresh world, step by step, and reports what was seen."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from giftsim.scenario import actor, on_delivery
from giftsim.scenario.app_client import Dial, call_app
from giftsim.scenario.client_protocol import Client
from giftsim.scenario.expectations import JUDGES
from giftsim.scenario.kind import KINDS
from giftsim.scenario.report import Event, Report, StepReport
from giftsim.scenario.run import Done, Run
from giftsim.scenario.step import Advance, Exchange, Expect, Scenario, Step
from giftsim.scenario.unused_setup import LOSING, Owed
from giftsim.scenario.variables import Unfilled
from giftsim.scenario.world_client import Refused, Sandbox, opened


def play(scenario: Scenario, client: Client, *, keep: bool = False, dial: Dial = call_app) -> Report:
    """Plays a scenario over a client; the world goes away at the end unless it is to be kept.

    `dial` is how its app is called.

    Whatever the simulator refuses is a failed step. A ConnectionError that no call step meets goes to the caller.
    """
    try:
        sandbox = opened(client, scenario)
    except Refused as error:
        return _unopened(scenario, error)
    run = Run(scenario, sandbox, dial)
    try:
        steps = tuple(_step_reports(run))
        if run.holds:
            for world in (sandbox, *run.worlds.values()):
                on_delivery.settle(world)
        fingerprint = sandbox.fingerprint()
    finally:
        if not keep:
            run.end()
    kept = sandbox.id if keep else None
    return Report(scenario=scenario.name, file=scenario.file, steps=steps, fingerprint=fingerprint, world=kept)


def _unopened(scenario: Scenario, error: Refused) -> Report:
    detail = f"{scenario.file}: the world could not be made\n  {error}"
    opening = StepReport(number=0, line=1, title="make the world", at=None, outcome="failed", detail=detail)
    steps = (opening, *(_skipped(step) for step in scenario.steps))
    return Report(scenario=scenario.name, file=scenario.file, steps=steps, fingerprint=None, world=None)


def _step_reports(run: Run) -> Iterator[StepReport]:
    """After a step that fails the others would only tell of its consequences: they are skipped."""
    told, steps = run.scenario.actors, run.scenario.steps
    unmade = actor.enter(told, run.sandbox, run.variables)
    if unmade is not None:
        yield unmade
    failed, last = unmade is not None, 0
    for step in steps:
        reports = _all_skipped(step) if failed else _all_taken(run, step)
        failed = failed or any(report.outcome == "failed" for report in reports)
        last = max(last, *(report.number for report in reports))
        yield from reports
    if not failed:
        owed = [_unfulfilled(run, number, one) for number, one in enumerate(run.owed(), start=last + 1)]
        yield from owed
        yield from actor.idle(told, run.home, last + len(owed) + 1)


def _unfulfilled(run: Run, number: int, owed: Owed) -> StepReport:
    step = owed.step
    detail, at = _failure(step, Done(faults=(owed.fault,))), run.home.now
    return StepReport(number=number, line=step.line, title=_title(step), at=at, outcome="failed", detail=detail)


def _skipped(step: Step) -> StepReport:
    recorded = isinstance(step, Exchange) and step.recorded is not None
    return StepReport(
        number=step.number,
        line=step.line,
        title=_title(step),
        at=None,
        outcome="skipped",
        detail="",
        unchecked=len(step.expect) + recorded,
    )


def _all_skipped(step: Step) -> list[StepReport]:
    """A step that is not taken, and those within it."""
    entries = step.entries if isinstance(step, Advance) else ()
    return [_skipped(step), *(_skipped(within) for entry in entries for within in entry.steps)]


def _all_taken(run: Run, step: Step) -> list[StepReport]:
    """The report of a step, and those of the steps within it; what happened is told of the outer one."""
    inner: list[StepReport] = []

    def take(within: Step, /, *, skip: bool) -> bool:
        inner.append(_skipped(within) if skip else _report(run, within, _done(run, within)))
        return inner[-1].outcome != "failed"

    run.take = take
    return [_taken(run, step), *inner]


def _taken(run: Run, step: Step) -> StepReport:
    sandbox = _sandbox(run, step)
    at, stream = sandbox.now, sandbox.streams["events"]
    stream.news.clear()
    report = _report(run, step, _done(run, step))
    events = tuple(Event(event["at"], event["type"]) for event in stream.news)
    return msgspec.structs.replace(report, at=at, events=events)


def _report(run: Run, step: Step, done: Done) -> StepReport:
    return StepReport(
        number=step.number,
        line=step.line,
        title=_title(step),
        at=_sandbox(run, step).now,
        outcome="failed" if done.faults else "passed",
        detail=_failure(step, done) if done.faults else done.said,
        difference=done.difference,
    )


def _sandbox(run: Run, step: Step) -> Sandbox:
    return run.worlds[step.world] if step.world else run.home


def _title(step: Step) -> str:
    return step.title + (f", in {step.world}" if step.world else "") + (f" ({step.within})" if step.within else "")


def _failure(step: Step, done: Done) -> str:
    place = f"{step.file}:{step.line}: step {step.number}, {_title(step)}"
    context = (f"the answer was {done.answer}",) if done.answer else ()
    return "\n  ".join((place, *done.faults, *context))


def _done(run: Run, step: Step) -> Done:
    try:
        with run.entered(step):
            return _acted(run, step)
    except (Refused, Unfilled) as error:
        return Done(faults=(str(error),))


def _acted(run: Run, step: Step) -> Done:
    """Acts, and holds what the world did meanwhile against what was expected of it."""
    alone = isinstance(step, Expect)
    begun = {name: JUDGES[name].begin(run.sandbox, alone) for name in JUDGES if name in step.expect}
    if step.kind in LOSING:
        run.duties.look()
    done = KINDS[step.kind].act(run, step)
    run.sandbox.streams["events"].read()
    return done if done.faults else done._replace(faults=_world_faults(run, step, begun))


def _world_faults(run: Run, step: Step, begun: dict[str, Any]) -> tuple[str, ...]:
    return tuple(
        str(mismatch)
        for name, mark in begun.items()
        for mismatch in JUDGES[name].mismatches(run.fill(step.expect[name]), mark, run.sandbox)
    )
