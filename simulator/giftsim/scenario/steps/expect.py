"""The `expect` step: checks all that has happened since the scenario began."""

from __future__ import annotations

from typing import ClassVar

from giftsim.scenario.compiled_scenario import Step
from giftsim.scenario.run_context import RunContext
from giftsim.scenario.steps.step_result import StepResult
from giftsim.scenario.steps.step_source import StepSource


class Expect(Step, frozen=True, kw_only=True):
    """A step that only checks."""

    since_start: ClassVar[bool] = True


def parse(step: StepSource) -> Expect:
    """Parse an `expect` without any other kind."""
    return Expect(**step.common, title=f"expect {', '.join(step.data['expect'])}")


def run(_context: RunContext, _step: Expect) -> StepResult:
    """Do nothing: the runner checks the expectations after every step."""
    return StepResult()
