"""Control calls as scenario steps: a step of the matching kind if there is one, else a plain `control` step."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import quote, unquote

from giftsim.event_log.events import ControlCall
from giftsim.recording.body import control_data
from giftsim.recording.variables import WorldVariables
from giftsim.webhooks.receiver import CAPTURE

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
    return {"receiver": {"host": host, **members} | ({"optional": True} if data.get("script") else {})}


def _fault(_rest: str, data: Any) -> Step | None:
    return None if _has_moments(data.get("when")) else {"fault": {**data, "optional": True}}


def _clear_faults(fault: str, _data: Any) -> Step:
    return {"fault": {"clear": fault or "all"}}


def _settings(_rest: str, data: Any) -> Step | None:
    return {"settings": data} if data else None


def _simulate(action: str, data: Any) -> Step:
    return {"simulate": action} | ({"with": data} if data else {})


def _has_moments(span: Any) -> bool:
    """Whether a span names instants; a step of its kind counts whole seconds from the world's start instead."""
    return isinstance(span, Mapping) and any(isinstance(span.get(name), str) for name in ("from", "to"))


_CONVERTERS: Mapping[tuple[str, str], Callable[[str, Any], Step | None]] = {
    ("PUT", "receivers"): _receiver,
    ("POST", "faults"): _fault,
    ("DELETE", "faults"): _clear_faults,
    ("PATCH", "settings"): _settings,
    ("POST", "simulate"): _simulate,
}
