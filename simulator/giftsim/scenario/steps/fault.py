"""The `fault` step: starts a fault, or ends one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from giftsim.scenario.compiled_scenario import Step
from giftsim.scenario.run_context import RunContext
from giftsim.scenario.steps.step_result import StepResult
from giftsim.scenario.steps.step_source import StepSource
from giftsim.scenario.world_client import path_segment


class Fault(Step, frozen=True, kw_only=True):
    """A fault that starts; it must act before the scenario ends unless it is `optional`."""

    members: Mapping[str, Any]
    optional: bool


class ClearFault(Step, frozen=True, kw_only=True):
    """A fault that ends; None for all of them."""

    fault: str | None


def parse(step: StepSource) -> Fault | ClearFault:
    """Parse `fault`."""
    data = step.data["fault"]
    if "clear" in data:
        fault = None if data["clear"] == "all" else data["clear"]
        return ClearFault(**step.common, title=f"clear fault {data['clear']}", fault=fault)
    members = {name: member for name, member in data.items() if name != "optional"}
    title = f"fault {data.get('id', ', '.join(data['effect']))}"
    return Fault(**step.common, title=title, members=members, optional=data.get("optional", False))


def run(context: RunContext, step: Fault | ClearFault) -> StepResult:
    """Start the fault or end it."""
    if isinstance(step, ClearFault):
        path = "/faults" if step.fault is None else f"/faults/{path_segment(context.resolve(step.fault))}"
        context.world.control("DELETE", path)
        return StepResult()
    members = context.resolve(step.members)
    if "when" in members:
        members["when"] = context.with_instants(members["when"], ("from", "to"))
    context.may_hold_calls |= "hold" in members["effect"]
    fault = context.world.control("POST", "/faults", members)
    if not step.optional:
        context.setup.add(step, "fault", fault["id"], context.world)
    return StepResult()
