"""What no schema can hold: that every time can be read, every name is filled by then, every operator can be used."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from simulator.kernel.clock import parse_duration, parse_instant
from simulator.scenario import variables
from simulator.scenario.app import check_app
from simulator.scenario.draft import Draft
from simulator.scenario.match import OPERATORS, check_operators, is_operator
from simulator.scenario.moment import moment
from simulator.scenario.refusal import meant
from simulator.scenario.source import Source, Trail

# Offsets are tried from here where the file names no start; the world's own may differ by years and they still fit.
_USUAL_START = "2027-01-04T09:00:00Z"
_EVERYWHERE = frozenset({"world", "origin", "start", "start_date"})
_NO_APP = "the file names no app; add `app: http://127.0.0.1:PORT`, or play it with --app URL"
_EXPECTED = ("body", "headers", "events", "events_exactly", "mail")

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
    """What the head settles for every step: the instant that offsets count from, the app, the names there are."""

    start_ms: int
    app: str | None
    names: frozenset[str]


class _Reading(NamedTuple):
    """One file under examination, and the head of the story it belongs to."""

    source: Source
    head: Head

    def time(self, trail: Trail, text: str) -> None:
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
    return Head(start_ms, app, _EVERYWHERE | {"app"} if app else _EVERYWHERE)


def check_step(draft: Draft, head: Head, known: frozenset[str]) -> None:
    """InvalidScenario for the first thing that has the right shape and yet cannot be meant; `known` are the names."""
    reading, trail, step = _Reading(draft.source, head), draft.trail, draft.data
    if draft.kind == "app" and head.app is None:
        raise draft.source.refuse((*trail, "app"), _NO_APP, name=True)
    names = known | {"n"} if "repeat" in step else known
    for name, member in step.items():
        if name == "save":
            _check_saves(draft.source, (*trail, name), member)
        else:
            _check_holes(reading, (*trail, name), member, names)
    _check_times(reading, trail, step)
    _check_fault(draft.source, (*trail, "fault"), step.get("fault"))
    _check_expectation(reading, (*trail, "expect"), step.get("expect", {}))


def check_names(source: Source, trail: Trail, value: Any, head: Head) -> None:
    """InvalidScenario for a hole in a value of the head that nothing fills."""
    _check_holes(_Reading(source, head), trail, value, head.names)


def _time(source: Source, trail: Trail, parse: Callable[[str], int], text: str) -> int:
    try:
        return parse(text)
    except ValueError as error:
        raise source.refuse(trail, str(error)) from None


def _check_holes(reading: _Reading, trail: Trail, value: Any, known: frozenset[str]) -> None:
    for at, text in _texts(value, trail):
        for hole in variables.holes(text):
            try:
                variables.check(hole, known, reading.head.start_ms)
            except KeyError as error:
                if error.args[0] == "app":
                    raise reading.source.refuse(at, f"${{app}}: {_NO_APP}") from None
                message = f"${{{hole}}} is filled by nothing before it{meant(error.args[0], sorted(known))}"
                raise reading.source.refuse(at, message) from None
            except ValueError as error:
                raise reading.source.refuse(at, f"${{{hole}}} cannot be filled: {error}") from None


def _texts(value: Any, trail: Trail) -> Iterator[tuple[Trail, str]]:
    if isinstance(value, str):
        yield trail, value
    for step, member in _members(value):
        yield from _texts(member, (*trail, step))


def _members(value: Any) -> Iterator[tuple[str | int, Any]]:
    if isinstance(value, dict):
        yield from value.items()
    elif isinstance(value, list):
        yield from enumerate(value)


def _check_saves(source: Source, trail: Trail, saves: Mapping[str, str]) -> None:
    for name in saves:
        if name in variables.RESERVED:
            raise source.refuse((*trail, name), f'"{name}" is filled by the scenario itself', name=True)
        if not variables.NAME.fullmatch(name):
            raise source.refuse((*trail, name), f'"{name}" is no name for a value: letters, digits and _', name=True)


def _check_times(reading: _Reading, trail: Trail, step: Mapping[str, Any]) -> None:
    for names in _MOMENTS:
        text = _found(step, names)
        if text is not None:
            reading.time((*trail, *names), text)
    for names in _DURATIONS:
        text = _found(step, names)
        if isinstance(text, str):
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
    for step, member in _members(expected):
        _check_operators(source, (*trail, step), member)
