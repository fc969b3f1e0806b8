"""Steps that make calls: `call`, `app`, and `await` for a call in the background."""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple
from urllib.parse import urlsplit

from giftsim.workbench.scenario.compiled_scenario import EMPTY
from giftsim.workbench.scenario.play_report import StepResult
from giftsim.workbench.scenario.run_context import RunContext, Send
from giftsim.workbench.scenario.steps.response_step import ResponseStep, call_and_check, parse_saves
from giftsim.workbench.scenario.steps.step_source import StepSource


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
        context.call_in_background(step, step.background, prepare(), of_app=isinstance(step, AppCall))
        return StepResult("in the background")  # whether it is answered by now may depend on how fast the machine is
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
    if str(url).startswith("/"):
        return str(url).partition("#")[0]
    parts = urlsplit(str(url))
    return f"{parts.path or '/'}?{parts.query}" if parts.query else parts.path or "/"


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


def parse_call(step: StepSource) -> Call:
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


def run_call(context: RunContext, step: Call) -> StepResult:
    """Make the call."""

    def prepare() -> Send:
        world, (method, target, body, headers) = context.world, request_of(context, step)
        context.may_hold_calls |= any(
            name.lower() == FAULT_HEADER and "hold" in value for name, value in headers.items()
        )
        return lambda: world.call(method, target, body, headers)

    return run_request(context, step, prepare)


class AppCall(RequestStep, frozen=True, kw_only=True):
    """A call to the app under test, not to the simulator."""


def parse_app(step: StepSource) -> AppCall:
    """Parse `app: METHOD /path`."""
    return AppCall(**step.common, **parse_request(step), title=f"app {step.data['app']}")


def run_app(context: RunContext, step: AppCall) -> StepResult:
    """Make the call."""

    def prepare() -> Send:
        url, target = context.variables["app"], request_target(context.resolve(step.path))
        body, headers = context.resolve(step.body), header_texts(context.resolve(step.headers))
        return lambda: context.app_caller(url, step.method, target, body, headers)

    return run_request(context, step, prepare)


class Await(ResponseStep, frozen=True, kw_only=True):
    """Waits for the background call of this name."""

    name: str


def parse_await_call(step: StepSource) -> Await:
    """Parse `await: NAME`."""
    name, recorded = step.data["await"], step.data.get("recorded")
    return Await(**step.common, title=f"await {name}", name=name, saves=parse_saves(step), recorded=recorded)


def run_await_call(context: RunContext, step: Await) -> StepResult:
    """Wait for the response and check it; a call that is held fails the step."""
    call = context.background_calls[step.name]
    if not context.wait_for(call):
        message = f"the call {step.name} is still held; first end the fault or answer the delivery that holds it"
        return StepResult(failures=(message,))
    del context.background_calls[step.name]
    return call_and_check(context, step, call.result)
