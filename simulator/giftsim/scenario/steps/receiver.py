"""The `receiver` step: sets up who answers the webhooks to a public host."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from giftsim.scenario.compiled_scenario import Step
from giftsim.scenario.run_context import RunContext
from giftsim.scenario.steps.step_result import StepResult
from giftsim.scenario.steps.step_source import StepSource
from giftsim.scenario.world_client import path_segment


class Receiver(Step, frozen=True, kw_only=True):
    """A receiver; the scenario must use up its script unless it is `optional`."""

    host: str
    members: Mapping[str, Any]
    optional: bool


def parse(step: StepSource) -> Receiver:
    """Parse `receiver`; the mode is `forward` if there is a target, else `capture`."""
    data = step.data["receiver"]
    members = {"mode": "forward" if "to" in data else "capture", **data}
    host, optional = members.pop("host"), members.pop("optional", False)
    return Receiver(**step.common, title=f"receiver {host}", host=host, members=members, optional=optional)


def run(context: RunContext, step: Receiver) -> StepResult:
    """Set up the receiver."""
    members = context.resolve(step.members)
    if "outage" in members:
        members["outage"] = context.with_instants(members["outage"], ("from", "to"))
    context.may_hold |= members.get("mode") == "hold"
    context.may_hold_calls |= context.may_hold
    host = str(context.resolve(step.host)).lower()
    context.world.control("PUT", f"/receivers/{path_segment(host)}", members)
    if members.get("script") and not step.optional:
        context.setup.add(step, "receiver", host, context.world)
    else:
        context.setup.replace("receiver", host, context.world)
    return StepResult()
