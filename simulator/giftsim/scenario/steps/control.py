"""The `control` step: a call to the test-control API, below the world."""

from __future__ import annotations

from typing import Any, Final

from giftsim.paths import CONTROL
from giftsim.scenario.run_context import RunContext
from giftsim.scenario.steps.response_step import ResponseStep, call_and_check, parse_saves
from giftsim.scenario.steps.step_result import StepResult
from giftsim.scenario.steps.step_source import StepSource

# Calls that move the world to another state, so that its lists must be read again.
STATE_CHANGING_PATHS: Final = ("/reset", "/restore", "/undo")
# Calls that may set up what holds later calls.
HOLDING_PATHS: Final = ("/faults", "/receivers")


class Control(ResponseStep, frozen=True, kw_only=True):
    """A call to the test-control API; `path` is the part below the world."""

    method: str
    path: str
    body: Any


def parse(step: StepSource) -> Control:
    """Parse `control: METHOD /path`."""
    method, _, path = step.data["control"].partition(" ")
    title, body = f"control {step.data['control']}", step.data.get("body")
    return Control(**step.common, title=title, method=method, path=path, body=body, saves=parse_saves(step))


def run(context: RunContext, step: Control) -> StepResult:
    """Make the call, then read again what it may have changed."""
    path = CONTROL + context.world.path(str(context.resolve(step.path)))
    context.may_hold_calls |= step.method != "GET" and any(part in path for part in HOLDING_PATHS)
    result = call_and_check(
        context, step, lambda: context.world.call(step.method, path, context.resolve(step.body), {})
    )
    if path.endswith(STATE_CHANGING_PATHS):
        context.world.reload()
    elif step.method != "GET":
        context.world.refresh()
    return result
