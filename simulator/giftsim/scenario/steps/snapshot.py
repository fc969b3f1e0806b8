"""The `snapshot` step: keeps the present state of the world under a name."""

from __future__ import annotations

from giftsim.scenario.compiled_scenario import Step
from giftsim.scenario.run_context import RunContext
from giftsim.scenario.steps.step_result import StepResult
from giftsim.scenario.steps.step_source import StepSource


class Snapshot(Step, frozen=True, kw_only=True):
    """A snapshot to take."""

    name: str


def parse(step: StepSource) -> Snapshot:
    """Parse `snapshot: NAME`."""
    name = step.data["snapshot"]
    return Snapshot(**step.common, title=f"snapshot {name}", name=name)


def run(context: RunContext, step: Snapshot) -> StepResult:
    """Take the snapshot."""
    context.world.control("POST", "/snapshots", {"name": step.name})
    return StepResult()
