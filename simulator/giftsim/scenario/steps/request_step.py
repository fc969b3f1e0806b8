"""What `call` and `app` steps share: a request, which may be repeated or run in the background."""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import urlsplit

from giftsim.scenario.background_call import Send
from giftsim.scenario.compiled_scenario import EMPTY
from giftsim.scenario.run_context import RunContext
from giftsim.scenario.steps.response_step import ResponseStep, call_and_check, parse_saves
from giftsim.scenario.steps.step_result import StepResult
from giftsim.scenario.steps.step_source import StepSource


class RequestStep(ResponseStep, frozen=True, kw_only=True):
    """A request; `repeat` is how often it is made, `background` the name under which it runs in the background."""

    method: str
    path: str
    headers: Mapping[str, Any]
    body: Any
    repeat: int | None
    background: str | None


def parse_request(step: StepSource) -> dict[str, Any]:
    """The attributes of the request of a step."""
    data = step.data
    method, _, path = data[step.kind].partition(" ")
    return {
        "method": method,
        "path": path,
        "headers": data.get("headers", EMPTY),
        "body": b64decode(data["base64"]) if "base64" in data else data.get("body"),
        "repeat": data.get("repeat"),
        "recorded": data.get("recorded"),
        "background": data.get("background"),
        "saves": parse_saves(step),
    }


def run_request(context: RunContext, step: RequestStep, prepare: Callable[[], Send]) -> StepResult:
    """Make the request in the background, once, or repeatedly; `prepare` resolves its variables each time."""
    if step.background is not None:
        still_open = context.call_in_background(step, step.background, prepare())
        return StepResult("continues in the background" if still_open else "answered in the background")
    if step.repeat is None:
        return _call_and_check(context, step, prepare())
    result = StepResult()
    for number in range(1, step.repeat + 1):
        context.variables["n"] = number
        result = _call_and_check(context, step, prepare())
        if result.failures:
            return result
    return result._replace(text=f"{result.text}, {step.repeat} times") if step.repeat > 1 else result


def _call_and_check(context: RunContext, step: RequestStep, send: Send) -> StepResult:
    return call_and_check(context, step, lambda: context.call_in_foreground(step, send))


def header_texts(headers: Mapping[str, Any]) -> Mapping[str, str]:
    """Headers with their values as text."""
    return {name: str(value) for name, value in headers.items()}


def request_target(url: Any) -> str:
    """The path and query of a URL, so that a link of the service is called on the simulator, whatever its origin."""
    parts = urlsplit(str(url))
    return f"{parts.path or '/'}?{parts.query}" if parts.query else parts.path or "/"
