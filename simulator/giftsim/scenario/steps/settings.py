"""The `settings` step: changes settings of the world."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from giftsim.scenario.compiled_scenario import Step
from giftsim.scenario.run_context import RunContext
from giftsim.scenario.steps.step_result import StepResult
from giftsim.scenario.steps.step_source import StepSource


class ChangeSettings(Step, frozen=True, kw_only=True):
    """Settings by their dotted names."""

    members: Mapping[str, Any]


def parse(step: StepSource) -> ChangeSettings:
    """Parse `settings`."""
    members = step.data["settings"]
    return ChangeSettings(**step.common, title=f"settings {', '.join(members)}", members=members)


def run(context: RunContext, step: ChangeSettings) -> StepResult:
    """Change the settings."""
    context.world.control("PATCH", "/settings", context.resolve(step.members))
    return StepResult()
