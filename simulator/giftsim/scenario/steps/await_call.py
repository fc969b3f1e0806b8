"""The `await` step: the response of a background call."""

from __future__ import annotations

from giftsim.scenario.run_context import RunContext
from giftsim.scenario.steps.response_step import ResponseStep, call_and_check, parse_saves
from giftsim.scenario.steps.step_result import StepResult
from giftsim.scenario.steps.step_source import StepSource


class Await(ResponseStep, frozen=True, kw_only=True):
    """Waits for the background call of this name."""

    name: str


def parse(step: StepSource) -> Await:
    """Parse `await: NAME`."""
    name, recorded = step.data["await"], step.data.get("recorded")
    return Await(**step.common, title=f"await {name}", name=name, saves=parse_saves(step), recorded=recorded)


def run(context: RunContext, step: Await) -> StepResult:
    """Wait for the response and check it; a call that is held fails the step."""
    call = context.background_calls[step.name]
    if not context.wait_for(call):
        message = f"the call {step.name} is still held; first end the fault or answer the delivery that holds it"
        return StepResult(failures=(message,))
    del context.background_calls[step.name]
    return call_and_check(context, step, call.response)
