"""The `app` step: a call to the downstream app."""

from __future__ import annotations

from giftsim.scenario.background_call import Send
from giftsim.scenario.run_context import RunContext
from giftsim.scenario.steps.request_step import RequestStep, header_texts, parse_request, request_target, run_request
from giftsim.scenario.steps.step_result import StepResult
from giftsim.scenario.steps.step_source import StepSource


class AppCall(RequestStep, frozen=True, kw_only=True):
    """A call to the app."""


def parse(step: StepSource) -> AppCall:
    """Parse `app: METHOD /path`."""
    return AppCall(**step.common, **parse_request(step), title=f"app {step.data['app']}")


def run(context: RunContext, step: AppCall) -> StepResult:
    """Make the call."""

    def prepare() -> Send:
        url, target = context.variables["app"], request_target(context.resolve(step.path))
        body, headers = context.resolve(step.body), header_texts(context.resolve(step.headers))
        return lambda: context.app_caller(url, step.method, target, body, headers)

    return run_request(context, step, prepare)
