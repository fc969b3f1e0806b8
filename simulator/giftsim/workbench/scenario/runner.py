"""Plays a scenario in a fresh world, step by step, and reports the results."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import msgspec

from giftsim.engine.client.matching import Failure, SlowPattern
from giftsim.engine.client.response import Client
from giftsim.engine.kernel.texts import one_line
from giftsim.workbench.app.app_calls import AppCaller, call_app
from giftsim.workbench.scenario.actors import create_actors, idle_actors
from giftsim.workbench.scenario.compiled_scenario import Scenario, Step
from giftsim.workbench.scenario.play_report import (
    Attempt,
    Event,
    Report,
    StepReport,
    StepResult,
    explained,
    facts_of_failure,
)
from giftsim.workbench.scenario.run_context import RunContext
from giftsim.workbench.scenario.steps.on_delivery import release_held
from giftsim.workbench.scenario.steps.step_kinds import KINDS
from giftsim.workbench.scenario.unused_setup import REMOVING_KINDS, Unused
from giftsim.workbench.scenario.variables import UnresolvedExpression
from giftsim.workbench.scenario.world_client import StepFailed, WorldClient, create_world
from giftsim.workbench.scenario.world_expectations import EXPECTATIONS


def play(scenario: Scenario, client: Client, *, keep: bool = False, app_caller: AppCaller = call_app) -> Report:
    """Play a scenario over a client in a fresh world, which is deleted at the end unless `keep` is set.

    `app_caller` makes the calls to the downstream app. A step that the simulator refuses fails. A ConnectionError
    outside of a call step is raised.
    """
    run = ScenarioRun(scenario, client, app_caller)
    try:
        while not run.over:
            run.play_step()
        run.explain(world_stays=keep)
        return run.end(keep=keep)
    finally:
        if not keep:
            run.delete_worlds()


class ScenarioRun:
    """A scenario that is played in a fresh world, one step at a time.

    `reports` has the results so far, and `played` is how many of the scenario's steps have run. `context` is None if
    the world could not be created. `world` is a fresh one to play in, in place of one that is made for it.
    """

    def __init__(
        self, scenario: Scenario, client: Client, app_caller: AppCaller = call_app, world: WorldClient | None = None
    ) -> None:
        self.scenario = scenario
        self.reports: list[StepReport] = []
        self.played = 0
        self.context: RunContext | None = None
        try:
            world = world or create_world(client, scenario)
        except StepFailed as error:
            self.reports.append(_no_world(scenario, error))
            return
        self.context = RunContext(scenario, world, app_caller)
        refused = create_actors(scenario.actors, world, self.context.variables)
        if refused is not None:
            self.reports.append(refused)

    @property
    def failed(self) -> bool:
        """Whether anything has failed, after which no step is run."""
        return any(report.outcome == "failed" for report in self.reports)

    @property
    def over(self) -> bool:
        """Whether there is nothing left to run."""
        return self.played == len(self.scenario.steps) or self.failed

    def play_step(self) -> None:
        """Run the next step. After the last one, what was set up and never used fails."""
        if self.context is None:
            raise RuntimeError("a scenario without a world has no step to play")
        step = self.scenario.steps[self.played]
        self.reports += _run_with_nested(self.context, step)
        self.played += 1
        if not self.over:
            return
        if not self.failed:
            self.reports += _unused_reports(self.context, max(report.number for report in self.reports))

    def explain(self, *, world_stays: bool = True) -> None:
        """Ask the world why the first step that failed did so. Call it before the end: a skipped step tells nothing.

        Of a world that is deleted at the end, no line calls it.
        """
        number = next((i for i, report in enumerate(self.reports) if report.outcome == "failed"), None)
        if number is None or self.context is None:
            return
        failed = self.reports[number]
        steps = (each for step in self.scenario.steps for each in (step, *step.nested))
        step = next((each for each in steps if each.number == failed.number), None)
        world = self.context.main_world if step is None else self.context.world_of(step)
        facts = facts_of_failure(self.scenario.file, failed, failed.detail)
        with suppress(StepFailed, ConnectionError):  # the world may be gone, or its log too short
            verdicts = world.control("POST", "/why", {"test": facts})["verdicts"]
            for verdict in () if world_stays else verdicts:
                verdict["mend"]["curl"] = None
            self.reports[number] = explained(failed, verdicts)

    def end(self, *, keep: bool) -> Report:
        """Skip the steps that have not run, release what is held, and report; `keep` tells whether the world stays."""
        scenario, context, fingerprint = self.scenario, self.context, None
        for step in scenario.steps[self.played :]:
            self.reports += [_skipped(step)] if context is None else _skipped_with_nested(step)
        if context is not None:
            if context.may_hold:
                for each in (context.main_world, *context.forks.values()):
                    release_held(each)
            fingerprint = context.main_world.fingerprint()
        world = context.main_world.id if context is not None and keep else None
        return Report(
            scenario=scenario.name, file=scenario.file, steps=tuple(self.reports), fingerprint=fingerprint, world=world
        )

    def delete_worlds(self) -> None:
        """Delete the world and its forks."""
        if self.context is not None:
            self.context.delete_worlds()


def _no_world(scenario: Scenario, error: StepFailed) -> StepReport:
    detail = f"{scenario.file}: the world could not be created\n  {error}"
    return StepReport(number=0, line=1, title="create the world", at=None, outcome="failed", detail=detail)


def _unused_reports(context: RunContext, last: int) -> list[StepReport]:
    """What the steps have set up and never used, and the actors that never acted, numbered after the last step."""
    unused = [_unused_report(context, number, one) for number, one in enumerate(context.unused(), start=last + 1)]
    return [*unused, *idle_actors(context.scenario.actors, context.main_world, last + len(unused) + 1)]


def _unused_report(context: RunContext, number: int, unused: Unused) -> StepReport:
    report = _report(context, unused.step, StepResult(failures=(unused.message,)))
    return msgspec.structs.replace(report, number=number, at=context.main_world.now)


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

    def run_nested(nested: Step, skip: bool) -> bool:
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
    attempts: tuple[Attempt, ...] = ()
    with suppress(StepFailed):  # a step may end its world
        attempts = tuple(Attempt(each["at"], each["summary"]) for each in world.new_attempts())
    return msgspec.structs.replace(report, at=at, events=events, attempts=attempts)


def _report(context: RunContext, step: Step, result: StepResult) -> StepReport:
    return StepReport(
        number=step.number,
        line=step.line,
        title=step.full_title,
        at=context.world_of(step).now,
        outcome="failed" if result.failures else "passed",
        detail=_failure_text(step, result) if result.failures else result.text,
        failures=result.failures,
        difference=result.difference,
    )


def _failure_text(step: Step, result: StepResult) -> str:
    place = f"{step.file}:{step.line}: step {step.number}, {step.full_title}"
    response = (f"the response was {result.response}",) if result.response else ()
    return "\n  ".join((one_line(place), *map(str, result.failures), *map(one_line, response)))


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


def _world_failures(context: RunContext, step: Step, before: dict[str, Any]) -> tuple[Failure, ...]:
    expected = context.resolve_part(step.expectation, {name: step.expect[name] for name in before}) if before else {}
    return tuple(
        mismatch
        for name, earlier in before.items()
        for mismatch in EXPECTATIONS[name].mismatches(expected[name], earlier, context.world)
    )
