"""Calls, control calls and the passing of time as steps of a scenario."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import quote, unquote

import msgspec

from giftsim.engine.client.control import sent_path
from giftsim.engine.gateway.json_body import lossless_data
from giftsim.engine.log.inputs import ClientCall, ControlCall
from giftsim.engine.log.log import NO_RESPONSE
from giftsim.engine.log.segment import CallOutcome
from giftsim.engine.webhooks.receiver import CAPTURE
from giftsim.workbench.recording.world_text import WorldVariables
from giftsim.workbench.recording.yaml_writer import OneLine
from giftsim.workbench.scenario.unused_setup import must_be_met
from giftsim.workbench.scenario.variables import escape_variables


def request_members(raw: bytes) -> dict[str, Any]:
    """The members of a call step for its body: `body` or `base64`, or none for an empty body.

    A world id or an origin in a body is the client's own text, which the world stores unchanged, so no variable
    replaces it.
    """
    if not raw:
        return {}
    data = lossless_data(raw)
    if data is not None:
        return {"body": escape_variables(data)}
    try:
        return {"body": escape_variables(raw.decode())}
    except UnicodeDecodeError:
        return {"base64": b64encode(raw).decode()}


def response_members(raw: bytes, variables: WorldVariables, *, opaque: bool) -> dict[str, Any]:
    """The members of a recorded response for its body; an `opaque` body has no placeholders."""
    if not raw:
        return {}
    encoded = {"body": {"base64": b64encode(raw).decode()}}
    try:
        return encoded if opaque else {"body": variables.stored_text(raw.decode())}
    except UnicodeDecodeError:
        return encoded


def control_data(raw: bytes) -> Any:
    """The JSON data of a control call's body; None for an empty body."""
    return msgspec.json.decode(raw) if raw.strip() else None


# The request headers that a response can depend on. Whatever else a client sends is its own, and may be a secret.
READ_HEADERS = (
    *("accept", "authorization", "content-type", "cookie", "idempotency-key", "traceparent", "tracestate"),
    *("x-api-key", "x-sim-fault"),
)
MCP = "/mcp"
MUSEUM = "/v1.1/"
CredentialNames = Mapping[str, str]


def call_step(
    call: ClientCall, outcome: CallOutcome | None, credential_names: CredentialNames, variables: WorldVariables
) -> dict[str, Any]:
    """A `call` step without its expectation; `credential_names` maps Authorization headers to named credentials."""
    if call.assistant is not None:
        step: dict[str, Any] = {"call": f"POST {MCP}"}
    else:
        step = {"call": f"{call.method} {variables.request_text(sent_path(call.path))}"}
    headers = dict(call.headers)
    name = _take_credential(call.path, headers, outcome, credential_names)
    if name is not None:
        step["as"] = name
    kept = {each: variables.request_text(value) for each, value in headers.items() if _is_read(each, value)}
    if kept:
        step["headers"] = kept
    return step | request_members(call.body if call.assistant is None else call.assistant)


def response_check(call: ClientCall, outcome: CallOutcome | None, variables: WorldVariables) -> dict[str, Any]:
    """The `recorded` response of a call, or `expect` with a status or a lost connection if no more is known."""
    entry = outcome.entry if outcome else None
    if outcome is None or call.assistant is not None:
        return {}
    if outcome.status == NO_RESPONSE or (entry is not None and entry.status is None):
        return {"expect": {"connection": "lost"}}
    if entry is None:
        return {"expect": {"status": outcome.status}} if outcome.status else {}
    response: dict[str, Any] = {"status": entry.status}
    headers = {name: variables.request_text(value) for name, value in entry.answer_headers.items()}
    if entry.status == 204:
        return {"recorded": response | {"headers": OneLine(headers)}}
    headers["Content-Type"] = outcome.kind
    body = response_members(entry.answer, variables, opaque=outcome.opaque)
    return {"recorded": response | {"headers": OneLine(headers)} | body}


def _take_credential(
    path: str, headers: dict[str, str], outcome: CallOutcome | None, credential_names: CredentialNames
) -> str | None:
    """The name of the credential in the headers, which is removed from them; None leaves the header as text."""
    name = credential_names.get(headers.get("Authorization", ""))
    refused = outcome is not None and outcome.entry is not None and outcome.entry.status == 401
    if path.startswith(MUSEUM):
        # A museum credential holds the world's id in Base64. The world `default` also accepts other pairs, or none
        # (G10), and a wrong pair gets the same response as none, so the header is never needed.
        headers.pop("Authorization", None)
        return name or (None if refused else "museum")
    if name is None or refused:  # a key that was already revoked has no name when the scenario runs
        return None
    del headers["Authorization"]
    return name


def _is_read(name: str, value: str) -> bool:
    return name.lower() in READ_HEADERS and (name.lower(), value) != ("accept", "*/*")


Step = dict[str, Any]


def control_step(call: ControlCall, variables: WorldVariables, is_valid: Callable[[Step], bool]) -> Step:
    """The step for a control call: the most readable one that `is_valid` accepts."""
    data = variables.request_data(control_data(call.body))
    step = _readable_step(call.method, call.path, data)
    if step is not None and is_valid(step):
        return step
    return plain_step(call.method, variables.request_text(call.path), data)


def plain_step(method: str, path: str, data: Any = None) -> Step:
    """A `control` step."""
    return {"control": f"{method} {quote(path, safe='/${}*:@-._~%')}"} | ({} if data is None else {"body": data})


def _readable_step(method: str, path: str, data: Any) -> Step | None:
    resource, _, rest = path.removeprefix("/").partition("/")
    convert = _CONVERTERS.get((method, resource))
    return convert(unquote(rest), data) if convert else None


def _receiver(host: str, data: Any) -> Step | None:
    if _has_moments(data.get("outage")):
        return None
    members = {name: value for name, value in data.items() if (name, value) != ("mode", CAPTURE)}
    return {"receiver": {"host": host, **members} | ({"optional": True} if must_be_met(data) else {})}


def _fault(_rest: str, data: Any) -> Step | None:
    return None if _has_moments(data.get("when")) else {"fault": {**data, "optional": True}}


def _clear_faults(fault: str, _data: Any) -> Step:
    return {"fault": {"clear": fault or "all"}}


def _settings(_rest: str, data: Any) -> Step | None:
    return {"settings": data} if data else None


def _simulate(action: str, data: Any) -> Step:
    return {"simulate": action} | ({"with": data} if data else {})


def _rehearse(_rest: str, data: Any) -> Step:
    members = {name: value for name, value in data.items() if name != "name"}
    return {"rehearse": data["name"]} | ({"with": members} if members else {})


def _has_moments(span: Any) -> bool:
    """Whether a span names instants; a step of its kind counts whole seconds from the world's start instead."""
    return isinstance(span, Mapping) and any(isinstance(span.get(name), str) for name in ("from", "to"))


_CONVERTERS: Mapping[tuple[str, str], Callable[[str, Any], Step | None]] = {
    ("PUT", "receivers"): _receiver,
    ("POST", "faults"): _fault,
    ("DELETE", "faults"): _clear_faults,
    ("PATCH", "settings"): _settings,
    ("POST", "simulate"): _simulate,
    ("POST", "rehearse"): _rehearse,
}


Attempt = tuple[str, int]


class Advance:
    """One `advance` step under construction.

    `to_ms` is the instant it advances to, None while no time passes. `in_delivery` says that steps were added during a
    delivery whose result has not been recorded yet. An `Attempt` is the event id and the number of a delivery attempt.
    """

    def __init__(self) -> None:
        self.to_ms: int | None = None
        self.in_delivery = False
        self._previous_to_ms: int | None = None
        self._deliveries: list[tuple[Attempt, list[Step]]] = []

    def extend(self, to_ms: int) -> None:
        """Advance to a later instant."""
        self._previous_to_ms, self.to_ms = self.to_ms, to_ms

    def split_before(self, attempt: Attempt) -> int | None:
        """The instant at which the step must end so that another begins with this attempt; None if one step will do."""
        if self._deliveries and self._deliveries[-1][0] == attempt:
            return None
        split_ms, self._previous_to_ms = self._previous_to_ms, None
        return split_ms

    def add_step(self, attempt: Attempt, step: Step) -> None:
        """Add a step that is taken during a delivery attempt."""
        self.in_delivery = True
        if not self._deliveries or self._deliveries[-1][0] != attempt:
            self._deliveries.append((attempt, []))
        self._deliveries[-1][1].append(step)

    def remove_last_delivery(self) -> list[Step]:
        """Remove the last delivery and return its steps."""
        return self._deliveries.pop()[1] if self._deliveries else []

    def on_delivery(self) -> list[Step]:
        """The `on_delivery` member of the step."""
        return [{"event": event, "attempt": number, "steps": steps} for (event, number), steps in self._deliveries]
