"""The `call` step: a client's call to one of the interfaces."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from giftsim.scenario.background_call import Send
from giftsim.scenario.run_context import RunContext
from giftsim.scenario.steps.request_step import RequestStep, header_texts, parse_request, request_target, run_request
from giftsim.scenario.steps.step_result import StepResult
from giftsim.scenario.steps.step_source import StepSource

FAULT_HEADER: Final = "x-sim-fault"


class Call(RequestStep, frozen=True, kw_only=True):
    """A call with a credential of the world, or without one."""

    credential: str | None


class Request(NamedTuple):
    """A request with its variables resolved; `target` is the path with its query."""

    method: str
    target: str
    body: Any
    headers: Mapping[str, str]


def parse(step: StepSource) -> Call:
    """Parse `call: METHOD /path`."""
    credential = step.data.get("as")
    title = f"{step.data['call']} as {credential}" if credential else step.data["call"]
    return Call(**step.common, **parse_request(step), title=title, credential=credential)


def request_of(context: RunContext, step: Call) -> Request:
    """The request of a step with the variables and the credentials that it has now."""
    headers = {
        **context.world.credential_headers(context.resolve(step.credential)),
        **header_texts(context.resolve(step.headers)),
    }
    return Request(step.method, request_target(context.resolve(step.path)), context.resolve(step.body), headers)


def run(context: RunContext, step: Call) -> StepResult:
    """Make the call."""

    def prepare() -> Send:
        world, (method, target, body, headers) = context.world, request_of(context, step)
        context.may_hold_calls |= any(
            name.lower() == FAULT_HEADER and "hold" in value for name, value in headers.items()
        )
        return lambda: world.call(method, target, body, headers)

    return run_request(context, step, prepare)
