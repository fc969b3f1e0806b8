"""Control calls as the steps that say the same, or as plain `control` steps where none does."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import quote, unquote

from giftsim.event_log.events import Controlled
from giftsim.recording.body import content
from giftsim.recording.variables import Slots
from giftsim.webhooks.receiver import CAPTURE

Step = dict[str, Any]


def control_step(came: Controlled, slots: Slots, fits: Callable[[Step], bool]) -> Step:
    """The nicest step that `fits` the language for a control call."""
    data = slots.data(content(came.body))
    nice = _nice(came.method, came.path, data)
    return nice if nice is not None and fits(nice) else plain(came.method, slots.sent(came.path), data)


def plain(method: str, path: str, data: Any = None) -> Step:
    """A `control` step."""
    return {"control": f"{method} {quote(path, safe='/${}*:@-._~%')}"} | ({} if data is None else {"body": data})


def _nice(method: str, path: str, data: Any) -> Step | None:
    room, _, rest = path.removeprefix("/").partition("/")
    found = _ROOMS.get((method, room))
    return found(unquote(rest), data) if found else None


def _receiver(host: str, data: Any) -> Step | None:
    if _is_dated(data.get("outage")):
        return None
    told = {name: value for name, value in data.items() if (name, value) != ("mode", CAPTURE)}
    return {"receiver": {"host": host, **told} | ({"optional": True} if data.get("script") else {})}


def _fault(_rest: str, data: Any) -> Step | None:
    return None if _is_dated(data.get("when")) else {"fault": {**data, "optional": True}}


def _clear(fault: str, _data: Any) -> Step:
    return {"fault": {"clear": fault or "all"}}


def _settings(_rest: str, data: Any) -> Step | None:
    return {"settings": data} if data else None


def _simulate(verb: str, data: Any) -> Step:
    return {"simulate": verb} | ({"with": data} if data else {})


def _is_dated(span: Any) -> bool:
    """Whether a span has moments: a step counts them from its world's beginning to the second alone."""
    return isinstance(span, Mapping) and any(isinstance(span.get(name), str) for name in ("from", "to"))


_ROOMS: Mapping[tuple[str, str], Callable[[str, Any], Step | None]] = {
    ("PUT", "receivers"): _receiver,
    ("POST", "faults"): _fault,
    ("DELETE", "faults"): _clear,
    ("PATCH", "settings"): _settings,
    ("POST", "simulate"): _simulate,
}
