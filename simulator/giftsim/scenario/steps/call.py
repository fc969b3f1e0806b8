"""The `call` step: a client's call to one of the interfaces."""

from __future__ import annotations

from typing import Final

from giftsim.scenario.background_call import Send
from giftsim.scenario.run_context import RunContext
from giftsim.scenario.steps.request_step import RequestStep, header_texts, parse_request, request_target, run_request
from giftsim.scenario.steps.step_result import StepResult
from giftsim.scenario.steps.step_source import StepSource

FAULT_HEADER: Final = "x-sim-fault"


class Call(RequestStep, frozen=True, kw_only=True):
    """A call with a credential of the world, or without one."""

    credential: str | None


def parse(step: StepSource) -> Call:
    """Parse `call: METHOD /path`."""
    credential = step.data.get("as")
    title = f"{step.data['call']} as {credential}" if credential else step.data["call"]
    return Call(**step.common, **parse_request(step), title=title, credential=credential)


def run(context: RunContext, step: Call) -> StepResult:
    """Make the call."""

    def prepare() -> Send:
        world, target, body = context.world, request_target(context.resolve(step.path)), context.resolve(step.body)
        headers = {
            **world.credential_headers(context.resolve(step.credential)),
            **header_texts(context.resolve(step.headers)),
        }
        context.may_hold_calls |= any(
            name.lower() == FAULT_HEADER and "hold" in value for name, value in headers.items()
        )
        return lambda: world.call(step.method, target, body, headers)

    return run_request(context, step, prepare)
