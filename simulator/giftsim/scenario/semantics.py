"""What no schema can hold: that every time can be read, every name is filled by then, every operator can be used."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from giftsim.kernel.instants import parse_duration, parse_instant
from giftsim.scenario.app_client import check_app
from giftsim.scenario.draft import Draft
from giftsim.scenario.matching import OPERATORS, check_operators, is_operator
from giftsim.scenario.names import NO_APP, check_holes, check_names, has_holes, members
from giftsim.scenario.recorded_response import decoded
from giftsim.scenario.scenario_error import meant
from giftsim.scenario.state_expectations import check_owners, check_times
from giftsim.scenario.time_values import moment
from giftsim.scenario.variables import UNKNOWN
from giftsim.scenario.yaml_source import Source, Trail

# Offsets are tried from here where the file names no start; the world's own may differ by years and they still fit.
_USUAL_START = "2027-01-04T09:00:00Z"
_EXPECTED = ("body", "headers", "events", "events_exactly", "mail", "money", "state")

METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS")

# Where a step holds a time, by the names that lead there.
_MOMENTS: tuple[Trail, ...] = (
    ("advance", "to"),
    ("receiver", "outage", "from"),
    ("receiver", "outage", "to"),
    ("fault", "when", "from"),
    ("fault", "when", "to"),
)
_DURATIONS: tuple[Trail, ...] = (("advance",), ("advance", "by"))


class Head(NamedTuple):
    """What the head settles for every step: the instant that offsets count from, the app."""

    start_ms: int
    app: str | None


class _Reading(NamedTuple):
    """One file under examination, and the head of the story it belongs to."""

    source: Source
    head: Head

    def time(self, trail: Trail, text: str) -> None:
        if not has_holes(text):
            _time(self.source, trail, lambda text: moment(text, self.head.start_ms), text)


def check_head(source: Source, app: str | None) -> Head:
    """What the head says; InvalidScenario where it cannot be meant. ValueError for an `app` that is not here."""
    start_ms = _time(source, ("now",), parse_instant, source.data.get("now", _USUAL_START))
    if app is None and "app" in source.data:
        app = source.data["app"]
        try:
            check_app(app)
        except ValueError as error:
            raise source.refuse(("app",), str(error)) from None
    elif app is not None:
        check_app(app)
    return Head(start_ms, app)


def check_step(draft: Draft, head: Head, known: Mapping[str, Any]) -> None:
    """InvalidScenario for the first thing that has the right shape and yet cannot be meant; `known` are the names."""
    reading, trail, step = _Reading(draft.source, head), draft.trail, draft.data
    if draft.kind == "app" and head.app is None:
        raise draft.source.refuse((*trail, "app"), NO_APP, name=True)
    names = _check_around(draft, head, known)
    if "repeat" in step:
        names = {**names, "n": UNKNOWN}
    for name, member in step.items():
        if name == "save":
            _check_saves(draft, (*trail, name), member)
        elif name != "on_delivery":  # whose steps are checked one by one
            check_holes(draft.source, (*trail, name), member, names, head.start_ms)
    _check_method(draft.source, trail, step)
    _check_recorded(draft.source, (*trail, "recorded", "body"), step.get("recorded", {}).get("body"))
    _check_times(reading, trail, step)
    _check_fault(draft.source, (*trail, "fault"), step.get("fault"))
    _check_expectation(reading, (*trail, "expect"), step.get("expect", {}))


def _check_around(draft: Draft, head: Head, known: Mapping[str, Any]) -> Mapping[str, Any]:
    """The names there are within the loops and includes around a step, each of which can be filled."""
    names = known
    for layer in draft.around.layers:
        for name, place in layer.places.items():
            check_names(layer.source, place[:-1] if place[-1] == name else place[:-2], (name,))
            check_holes(layer.source, place, layer.values[name], names, head.start_ms)
        names = {**names, **layer.values}
    return names


def _time(source: Source, trail: Trail, parse: Callable[[str], int], text: str) -> int:
    try:
        return parse(text)
    except ValueError as error:
        raise source.refuse(trail, str(error)) from None


def _check_saves(draft: Draft, trail: Trail, saves: Mapping[str, str]) -> None:
    check_names(draft.source, trail, saves)
    for name in saves:
        if name in draft.around.names:
            told = f'"{name}" is given by the loop or include around this; save under another name'
            raise draft.source.refuse((*trail, name), told, name=True)


def _check_method(source: Source, trail: Trail, step: Mapping[str, Any]) -> None:
    """A method that nobody knows is a slip, but for a client's that was recorded."""
    method = str(step.get("call", "GET")).partition(" ")[0]
    lost = "connection" in step.get("expect", {})
    if method not in METHODS and not (lost or "recorded" in step or "background" in step):
        raise source.refuse((*trail, "call"), f'"{method}" is no method{meant(method, METHODS)}')


def _check_recorded(source: Source, trail: Trail, body: Any) -> None:
    if isinstance(body, dict):
        try:
            decoded(body["base64"])
        except ValueError as error:
            raise source.refuse((*trail, "base64"), str(error)) from None


def _check_times(reading: _Reading, trail: Trail, step: Mapping[str, Any]) -> None:
    for names in _MOMENTS:
        text = _found(step, names)
        if text is not None:
            reading.time((*trail, *names), text)
    for names in _DURATIONS:
        text = _found(step, names)
        if isinstance(text, str) and not has_holes(text):
            _time(reading.source, (*trail, *names), parse_duration, text)


def _found(value: Any, names: Trail) -> Any:
    for name in names:
        value = value.get(name) if isinstance(value, dict) else None
    return value


def _check_fault(source: Source, trail: Trail, fault: Mapping[str, Any] | None) -> None:
    if fault is None:
        return
    if "clear" in fault and len(fault) > 1:
        raise source.refuse((*trail, "clear"), '"clear" stands alone: it ends a fault by its id', name=True)
    if "clear" not in fault and "effect" not in fault:
        raise source.refuse(trail, 'a fault needs "effect" or "clear"')


def _check_expectation(reading: _Reading, trail: Trail, expect: Mapping[str, Any]) -> None:
    if "connection" in expect and not expect.keys().isdisjoint({"status", "headers", "body"}):
        raise reading.source.refuse((*trail, "connection"), "a lost connection has no answer to expect", name=True)
    for name in _EXPECTED:
        _check_operators(reading.source, (*trail, name), expect.get(name))
    check_owners(reading.source, (*trail, "money"), expect.get("money", {}))
    check_times(reading.source, (*trail, "state"), expect.get("state", {}), reading.head.start_ms)
    for name in ("events", "events_exactly", "mail"):
        for index, item in enumerate(expect.get(name, [])):
            if isinstance(item, dict) and isinstance(item.get("at"), str):
                reading.time((*trail, name, index, "at"), item["at"])


def _check_operators(source: Source, trail: Trail, expected: Any) -> None:
    if is_operator(expected):
        for name in expected:
            if name.startswith("$") and name not in OPERATORS:
                raise source.refuse((*trail, name), f'"{name}" is no operator{meant(name, OPERATORS)}', name=True)
        try:
            check_operators(expected)
        except ValueError as error:
            raise source.refuse(trail, str(error)) from None
    for step, member in members(expected):
        _check_operators(source, (*trail, step), member)
