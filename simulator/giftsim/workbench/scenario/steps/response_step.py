"""What the kinds of steps that get a response share: `expect`, `recorded` and `save`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any

from giftsim.engine.client.matching import ABSENT, Failure, Mismatch, find_mismatches, is_operator, preview_value
from giftsim.engine.client.response import Response
from giftsim.workbench.app.app_calls import AppError
from giftsim.workbench.scenario.compiled_scenario import Step
from giftsim.workbench.scenario.play_report import StepResult
from giftsim.workbench.scenario.recorded_response import compare_recorded, resolve_recorded
from giftsim.workbench.scenario.run_context import RunContext, Send
from giftsim.workbench.scenario.steps.step_source import StepSource
from giftsim.workbench.scenario.variables import SavedValue, parse_saved_value
from giftsim.workbench.scenario.world_client import decode_body
from giftsim.workbench.scenario.world_expectations import EXPECTATIONS

SEE_OTHER = 303  # the answer to a form that was accepted


def response_mismatches(expect: Mapping[str, Any], response: Response | None) -> Iterator[Mismatch]:
    """Where a response differs from what is expected; None is a connection that was lost."""
    if response is None:
        if "connection" not in expect:
            yield Mismatch("connection", "a response", "lost")
        return
    if "connection" in expect:
        yield Mismatch("connection", "lost", f"a response, {response.status}")
        return
    is_expected = response.is_success or response.status == SEE_OTHER
    if response.status != expect.get("status", response.status if is_expected else None):
        yield Mismatch("status", str(expect.get("status", "2xx")), str(response.status))
    yield from _header_mismatches(expect.get("headers", {}), response.headers)
    if "body" in expect:
        yield from find_mismatches(expect["body"], _comparable_body(expect["body"], response), "body")


def _comparable_body(expected: Any, response: Response) -> Any:
    """The body, as JSON if that is expected: many apps do not name the type of their answers to a test."""
    body = decode_body(response)
    if isinstance(body, str) and isinstance(expected, Mapping | list) and not is_operator(expected):
        with suppress(ValueError):
            return response.json()
    return body


def _header_mismatches(expected: Mapping[str, Any], headers: Mapping[str, str]) -> Iterator[Mismatch]:
    for name, value in expected.items():
        expected_value = value if is_operator(value) else str(value)
        yield from find_mismatches(expected_value, headers.get(name.lower(), ABSENT), f"headers.{name}")


class ResponseStep(Step, frozen=True, kw_only=True):
    """A step that gets a response: it may save values of it, or demand that it repeats a recorded one."""

    saves: tuple[SavedValue, ...] = ()
    recorded: Mapping[str, Any] | None = None

    @property
    def expectation_count(self) -> int:
        """How many expectations the step checks, the recorded response included."""
        return len(self.expect) + (self.recorded is not None)


def parse_saves(step: StepSource) -> tuple[SavedValue, ...]:
    """The values that a step saves; InvalidScenario for an invalid JSONPath."""
    saves = []
    for name, text in step.data.get("save", {}).items():
        with step.source.checking((*step.path, "save", name)):
            saves.append(parse_saved_value(name, text))
    return tuple(saves)


def call_and_check(context: RunContext, step: ResponseStep, send: Send) -> StepResult:
    """Make a call and check its response."""
    response: Response | None
    try:
        response = send()
    except AppError as error:
        return StepResult(failures=(str(error),))
    except ConnectionError:
        response = None
    return check_response(context, step, response)


def check_response(context: RunContext, step: ResponseStep, response: Response | None) -> StepResult:
    """Check a response and save its values; None is a connection that was lost.

    A recorded response may contain what the step saves, such as a secret that is compared with nothing.
    """
    failures: tuple[Failure, ...] = ()
    if step.recorded is None or step.expect:
        expect = {name: value for name, value in step.expect.items() if name not in EXPECTATIONS}
        resolved = context.resolve_part(step.expectation, expect) if expect else expect
        failures = tuple(response_mismatches(resolved, response))
    content = ABSENT if response is None else decode_body(response)
    missing = () if failures or response is None else context.save(step.saves, content)
    difference = None
    if step.recorded is not None:
        context.show_unsaved(step.saves)
        difference = compare_recorded(resolve_recorded(step.recorded, context.resolve), response)
    if difference is not None:
        failures += (difference.text,)
    if response is None:
        return StepResult("no response: the connection was lost", failures, difference=difference)
    failures = failures or missing
    return StepResult(str(response.status), failures, f"{response.status} {preview_value(content)}", difference)
