"""The `fork` step: makes a second world with the same state, in which steps run with `in: NAME`."""

from __future__ import annotations

from giftsim.scenario.compiled_scenario import Step
from giftsim.scenario.run_context import RunContext
from giftsim.scenario.steps.step_result import StepResult
from giftsim.scenario.steps.step_source import StepSource


class Fork(Step, frozen=True, kw_only=True):
    """The name of the fork in the scenario."""

    name: str


def parse(step: StepSource) -> Fork:
    """Parse `fork: NAME`."""
    name = step.data["fork"]
    return Fork(**step.common, title=f"fork {name}", name=name)


def run(context: RunContext, step: Fork) -> StepResult:
    """Fork the world; its id is not reported, so that the report is the same each time."""
    context.forks[step.name] = fork = context.world.fork()
    context.setup.fork(context.world, fork)
    return StepResult()
