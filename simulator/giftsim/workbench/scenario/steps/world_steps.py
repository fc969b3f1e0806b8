"""Steps about the world: what happens around it, faults, receivers, settings, copies, control calls, expectations."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from giftsim.engine.client.response import Response
from giftsim.workbench.scenario.compiled_scenario import EMPTY, Step
from giftsim.workbench.scenario.play_report import StepResult
from giftsim.workbench.scenario.run_context import RunContext
from giftsim.workbench.scenario.steps.response_step import ResponseStep, call_and_check, parse_saves
from giftsim.workbench.scenario.steps.step_source import StepSource
from giftsim.workbench.scenario.unused_setup import must_be_met
from giftsim.workbench.scenario.world_client import path_segment


class ValueStep(Step, frozen=True, kw_only=True):
    """A step that consists of the value of its kind: a name, a number or a mapping."""

    value: Any


def parse_value(step: StepSource) -> ValueStep:
    """Parse `KIND: VALUE`."""
    value = step.data[step.kind]
    shown = ", ".join(value) if isinstance(value, Mapping) else value
    return ValueStep(**step.common, title=f"{step.kind} {shown}", value=value)


def run_fork(context: RunContext, step: ValueStep) -> StepResult:
    """Fork the world; its id is not reported, so that the report is the same each time."""
    context.forks[step.value] = fork = context.world.fork()
    context.setup.fork(context.world, fork)
    return StepResult()


def run_restore(context: RunContext, step: ValueStep) -> StepResult:
    """Restore the snapshot."""
    context.world.control("POST", f"/snapshots/{path_segment(step.value)}/restore")
    context.world.reload()
    return StepResult(f"to {context.world.now}")


def run_snapshot(context: RunContext, step: ValueStep) -> StepResult:
    """Take the snapshot."""
    context.world.control("POST", "/snapshots", {"name": step.value})
    return StepResult()


def run_undo(context: RunContext, step: ValueStep) -> StepResult:
    """Undo the latest writes, as many as the step says."""
    result = context.world.control("POST", "/undo", {"count": int(step.value)})
    context.world.reload()
    return StepResult(f"to {result['now']}")


def run_settings(context: RunContext, step: ValueStep) -> StepResult:
    """Change the settings."""
    context.world.control("PATCH", "/settings", context.resolve(step.value))
    return StepResult()


def run_expect(_context: RunContext, _step: ValueStep) -> StepResult:
    """Do nothing: the runner checks the expectations after every step."""
    return StepResult()


class Receiver(Step, frozen=True, kw_only=True):
    """A receiver; the scenario must use up its script unless it is `optional`."""

    host: str
    members: Mapping[str, Any]
    optional: bool


def parse_receiver(step: StepSource) -> Receiver:
    """Parse `receiver`; the mode is `forward` if there is a target, else `capture`."""
    data = step.data["receiver"]
    members = {"mode": "forward" if "to" in data else "capture", **data}
    host, optional = members.pop("host"), members.pop("optional", False)
    return Receiver(**step.common, title=f"receiver {host}", host=host, members=members, optional=optional)


def run_receiver(context: RunContext, step: Receiver) -> StepResult:
    """Set up the receiver."""
    members = context.resolve_part("receiver", {"host": step.host, **step.members})
    host = str(members.pop("host")).lower()
    if "outage" in members:
        members["outage"] = context.with_instants(members["outage"], ("from", "to"))
    context.may_hold |= members.get("mode") == "hold"
    context.may_hold_calls |= context.may_hold
    context.world.control("PUT", f"/receivers/{path_segment(host)}", members)
    if not step.optional and must_be_met(members):
        context.setup.add(step, "receiver", host, context.world)
    else:
        context.setup.replace("receiver", host, context.world)
    return StepResult()


class Fault(Step, frozen=True, kw_only=True):
    """A fault that starts; it must act before the scenario ends unless it is `optional`."""

    members: Mapping[str, Any]
    optional: bool


class ClearFault(Step, frozen=True, kw_only=True):
    """A fault that ends; None for all of them."""

    fault: str | None


def parse_fault(step: StepSource) -> Fault | ClearFault:
    """Parse `fault`."""
    data = step.data["fault"]
    if "clear" in data:
        fault = None if data["clear"] == "all" else data["clear"]
        return ClearFault(**step.common, title=f"clear fault {data['clear']}", fault=fault)
    members = {name: member for name, member in data.items() if name != "optional"}
    title = f"fault {data.get('id', ', '.join(data['effect']))}"
    return Fault(**step.common, title=title, members=members, optional=data.get("optional", False))


def run_fault(context: RunContext, step: Fault | ClearFault) -> StepResult:
    """Start the fault or end it."""
    if isinstance(step, ClearFault):
        path = "/faults" if step.fault is None else f"/faults/{path_segment(context.resolve(step.fault))}"
        context.world.control("DELETE", path)
        return StepResult()
    members = context.resolve_part("fault", step.members)
    if "when" in members:
        members["when"] = context.with_instants(members["when"], ("from", "to"))
    context.may_hold_calls |= "hold" in members["effect"]
    fault = context.world.control("POST", "/faults", members)
    if not step.optional:
        context.setup.add(step, "fault", fault["id"], context.world)
    return StepResult()


CANNOT_HAPPEN: Final = (404, 409, 410)


class Simulate(ResponseStep, frozen=True, kw_only=True):
    """A verb of the outside world and its members."""

    verb: str
    members: Mapping[str, Any]


def parse_simulate(step: StepSource) -> Simulate:
    """Parse `simulate: VERB` and `with`."""
    verb, members = step.data["simulate"], step.data.get("with", EMPTY)
    return Simulate(**step.common, title=f"simulate {verb}", verb=verb, members=members, saves=parse_saves(step))


def run_simulate(context: RunContext, step: Simulate) -> StepResult:
    """Do it."""
    path = context.world.path(f"/simulate/{step.verb}")
    return call_and_check(context, step, lambda: context.world.call("POST", path, context.resolve(step.members), {}))


class Rehearse(ResponseStep, frozen=True, kw_only=True):
    """A rehearsal and what it happens to; one that cannot happen fails unless it is `optional`."""

    name: str
    members: Mapping[str, Any]
    optional: bool


def parse_rehearse(step: StepSource) -> Rehearse:
    """Parse `rehearse: NAME` and `with`."""
    data = step.data
    name, members, optional = data["rehearse"], data.get("with", EMPTY), data.get("optional", False)
    saves = parse_saves(step)
    return Rehearse(**step.common, title=f"rehearse {name}", name=name, members=members, optional=optional, saves=saves)


def run_rehearse(context: RunContext, step: Rehearse) -> StepResult:
    """Let it happen, then read again what it may have changed."""
    body = {"name": step.name, **context.resolve(step.members)}
    responses: list[Response] = []

    def send() -> Response:
        responses.append(context.world.call("POST", context.world.path("/rehearse"), body, {}))
        return responses[-1]

    result = call_and_check(context, step, send)
    if step.optional and responses and responses[-1].status in CANNOT_HAPPEN:
        return StepResult(f"it cannot happen now: {responses[-1].status}")
    context.world.refresh()
    return result


# Calls that move the world to another state, so that its lists must be read again.
STATE_CHANGING_PATHS: Final = ("/reset", "/restore", "/undo", "/redo")
# Calls that may set up what holds later calls.
HOLDING_PATHS: Final = ("/faults", "/receivers")


class Control(ResponseStep, frozen=True, kw_only=True):
    """A call to the test-control API; `path` is the part below the world."""

    method: str
    path: str
    body: Any


def parse_control(step: StepSource) -> Control:
    """Parse `control: METHOD /path`."""
    method, _, path = step.data["control"].partition(" ")
    title, body = f"control {step.data['control']}", step.data.get("body")
    return Control(**step.common, title=title, method=method, path=path, body=body, saves=parse_saves(step))


def run_control(context: RunContext, step: Control) -> StepResult:
    """Make the call, then read again what it may have changed."""
    path = context.world.path(str(context.resolve(step.path)))
    context.may_hold_calls |= step.method != "GET" and any(part in path for part in HOLDING_PATHS)
    result = call_and_check(
        context, step, lambda: context.world.call(step.method, path, context.resolve(step.body), {})
    )
    if path.endswith(STATE_CHANGING_PATHS):
        context.world.reload()
    elif step.method != "GET":
        context.world.refresh()
    return result
