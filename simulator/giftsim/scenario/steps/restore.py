"""The `restore` step: returns the world to a snapshot."""

from __future__ import annotations

from giftsim.scenario.compiled_scenario import Step
from giftsim.scenario.run_context import RunContext
from giftsim.scenario.steps.step_result import StepResult
from giftsim.scenario.steps.step_source import StepSource
from giftsim.scenario.world_client import path_segment


class Restore(Step, frozen=True, kw_only=True):
    """The name of the snapshot."""

    name: str


def parse(step: StepSource) -> Restore:
    """Parse `restore: NAME`."""
    name = step.data["restore"]
    return Restore(**step.common, title=f"restore {name}", name=name)


def run(context: RunContext, step: Restore) -> StepResult:
    """Restore the snapshot."""
    context.world.control("POST", f"/snapshots/{path_segment(step.name)}/restore")
    context.world.reload()
    return StepResult(f"to {context.world.now}")
