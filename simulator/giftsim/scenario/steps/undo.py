"""The `undo` step: takes back the last writes of clients."""

from __future__ import annotations

from giftsim.scenario.compiled_scenario import Step
from giftsim.scenario.run_context import RunContext
from giftsim.scenario.steps.step_result import StepResult
from giftsim.scenario.steps.step_source import StepSource


class Undo(Step, frozen=True, kw_only=True):
    """The number of writes to take back."""

    count: int


def parse(step: StepSource) -> Undo:
    """Parse `undo: COUNT`."""
    count = step.data["undo"]
    return Undo(**step.common, title=f"undo {count}", count=int(count))


def run(context: RunContext, step: Undo) -> StepResult:
    """Undo the writes."""
    result = context.world.control("POST", "/undo", {"count": step.count})
    context.world.reload()
    return StepResult(f"to {result['now']}")
