"""The `simulate` step: something that people, carriers or banks do."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from giftsim.paths import CONTROL
from giftsim.scenario.compiled_scenario import EMPTY
from giftsim.scenario.run_context import RunContext
from giftsim.scenario.steps.response_step import ResponseStep, call_and_check, parse_saves
from giftsim.scenario.steps.step_result import StepResult
from giftsim.scenario.steps.step_source import StepSource


class Simulate(ResponseStep, frozen=True, kw_only=True):
    """A verb of the outside world and its members."""

    verb: str
    members: Mapping[str, Any]


def parse(step: StepSource) -> Simulate:
    """Parse `simulate: VERB` and `with`."""
    verb, members = step.data["simulate"], step.data.get("with", EMPTY)
    return Simulate(**step.common, title=f"simulate {verb}", verb=verb, members=members, saves=parse_saves(step))


def run(context: RunContext, step: Simulate) -> StepResult:
    """Do it."""
    path = CONTROL + context.world.path(f"/simulate/{step.verb}")
    return call_and_check(context, step, lambda: context.world.call("POST", path, context.resolve(step.members), {}))
