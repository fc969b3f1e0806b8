"""Plays a scenario in a fresh world, step by step, and reports the results."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from giftsim.scenario.actors import create_actors, idle_actors
from giftsim.scenario.client_protocol import Client
from giftsim.scenario.compiled_scenario import Scenario, Step
from giftsim.scenario.downstream_app import AppCaller, call_app
from giftsim.scenario.matching import SlowPattern
from giftsim.scenario.report import Event, Report, StepReport
from giftsim.scenario.run_context import RunContext
from giftsim.scenario.steps.kinds import KINDS
from giftsim.scenario.steps.on_delivery import release_held
from giftsim.scenario.steps.step_result import StepResult
from giftsim.scenario.unused_setup import REMOVING_KINDS, Unused
from giftsim.scenario.variables import UnresolvedExpression
from giftsim.scenario.world_client import StepFailed, create_world
from giftsim.scenario.world_expectations import EXPECTATIONS


def play(scenario: Scenario, client: Client, *, keep: bool = False, app_caller: AppCaller = call_app) -> Report:
    """Play a scenario over a client in a fresh world, which is deleted at the end unless `keep` is set.

    `app_caller` makes the calls to the downstream app. A step that the simulator refuses fails. A ConnectionError
    outside of a call step is raised.
    """
    try:
        world = create_world(client, scenario)
    except StepFailed as error:
        return _no_world(scenario, error)
    context = RunContext(scenario, world, app_caller)
    try:
        steps = tuple(_step_reports(context))
        if context.may_hold:
            for each in (world, *context.forks.values()):
                release_held(each)
        fingerprint = world.fingerprint()
    finally:
        if not keep:
            context.delete_worlds()
    kept = world.id if keep else None
    return Report(scenario=scenario.name, file=scenario.file, steps=steps, fingerprint=fingerprint, world=kept)


def _no_world(scenario: Scenario, error: StepFailed) -> Report:
    detail = f"{scenario.file}: the world could not be created\n  {error}"
    failure = StepReport(number=0, line=1, title="create the world", at=None, outcome="failed", detail=detail)
    steps = (failure, *(_skipped(step) for step in scenario.steps))
    return Report(scenario=scenario.name, file=scenario.file, steps=steps, fingerprint=None, world=None)


def _step_reports(context: RunContext) -> Iterator[StepReport]:
    """Run the steps in order; after one that fails the rest is skipped, and unused setup is not reported."""
    actors = context.scenario.actors
    refused = create_actors(actors, context.world, context.variables)
    if refused is not None:
        yield refused
    failed, last = refused is not None, 0
    for step in context.scenario.steps:
        reports = _skipped_with_nested(step) if failed else _run_with_nested(context, step)
        failed = failed or any(report.outcome == "failed" for report in reports)
        last = max(last, *(report.number for report in reports))
        yield from reports
    if not failed:
        unused = [_unused_report(context, number, one) for number, one in enumerate(context.unused(), start=last + 1)]
        yield from unused
        yield from idle_actors(actors, context.main_world, last + len(unused) + 1)


def _unused_report(context: RunContext, number: int, unused: Unused) -> StepReport:
    step, at = unused.step, context.main_world.now
    detail = _failure_text(step, StepResult(failures=(unused.message,)))
    return StepReport(number=number, line=step.line, title=step.full_title, at=at, outcome="failed", detail=detail)


def _skipped(step: Step) -> StepReport:
    return StepReport(
        number=step.number,
        line=step.line,
        title=step.full_title,
        at=None,
        outcome="skipped",
        detail="",
        unchecked=step.expectation_count,
    )


def _skipped_with_nested(step: Step) -> list[StepReport]:
    return [_skipped(step), *(_skipped(nested) for nested in step.nested)]


def _run_with_nested(context: RunContext, step: Step) -> list[StepReport]:
    """Run a step and the steps within it; the events are reported with the outer one."""
    nested_reports: list[StepReport] = []

    def run_nested(nested: Step, /, *, skip: bool) -> bool:
        nested_reports.append(_skipped(nested) if skip else _report(context, nested, _run(context, nested)))
        return nested_reports[-1].outcome != "failed"

    context.run_nested = run_nested
    return [_run_outer(context, step), *nested_reports]


def _run_outer(context: RunContext, step: Step) -> StepReport:
    world = context.world_of(step)
    at, activity = world.now, world.lists["events"]
    activity.unreported.clear()
    report = _report(context, step, _run(context, step))
    events = tuple(Event(event["at"], event["type"]) for event in activity.unreported)
    return msgspec.structs.replace(report, at=at, events=events)


def _report(context: RunContext, step: Step, result: StepResult) -> StepReport:
    return StepReport(
        number=step.number,
        line=step.line,
        title=step.full_title,
        at=context.world_of(step).now,
        outcome="failed" if result.failures else "passed",
        detail=_failure_text(step, result) if result.failures else result.text,
        difference=result.difference,
    )


def _failure_text(step: Step, result: StepResult) -> str:
    place = f"{step.file}:{step.line}: step {step.number}, {step.full_title}"
    response = (f"the response was {result.response}",) if result.response else ()
    return "\n  ".join((place, *result.failures, *response))


def _run(context: RunContext, step: Step) -> StepResult:
    try:
        with context.enter(step):
            return _run_and_check(context, step)
    except (StepFailed, UnresolvedExpression, SlowPattern) as error:
        return StepResult(failures=(str(error),))


def _run_and_check(context: RunContext, step: Step) -> StepResult:
    """Run a step, then check what it expects of the world."""
    expected = [name for name in EXPECTATIONS if name in step.expect]
    before = {name: EXPECTATIONS[name].before(context.world, step.since_start) for name in expected}
    if step.kind in REMOVING_KINDS:
        context.setup.check()
    result = KINDS[step.kind].run(context, step)
    context.world.lists["events"].read()
    return result if result.failures else result._replace(failures=_world_failures(context, step, before))


def _world_failures(context: RunContext, step: Step, before: dict[str, Any]) -> tuple[str, ...]:
    return tuple(
        str(mismatch)
        for name, earlier in before.items()
        for mismatch in EXPECTATIONS[name].mismatches(context.resolve(step.expect[name]), earlier, context.world)
    )
