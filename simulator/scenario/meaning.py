"""What no schema can hold: that every time can be read, every name is filled by then, every operator can be used."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from simulator.kernel.clock import parse_duration, parse_instant
from simulator.scenario import variables
from simulator.scenario.match import OPERATORS, check_operators, is_operator
from simulator.scenario.moment import moment
from simulator.scenario.refusal import meant
from simulator.scenario.source import Source, Trail

# Offsets are tried from here where the file names no start; the world's own may differ by years and they still fit.
_USUAL_START = "2027-01-04T09:00:00Z"
_EVERYWHERE = frozenset({"world", "start", "start_date"})
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


class _Reading(NamedTuple):
    """One file under examination, and the instant its offsets count from."""

    source: Source
    start_ms: int

    def time(self, trail: Trail, text: str) -> None:
        _time(self.source, trail, lambda text: moment(text, self.start_ms), text)


def check(source: Source) -> None:
    """InvalidScenario for the first thing that has the right shape and yet cannot be meant."""
    reading = _Reading(source, _time(source, ("now",), parse_instant, source.data.get("now", _USUAL_START)))
    known = _EVERYWHERE
    for index, step in enumerate(source.data["steps"]):
        _check_step(reading, ("steps", index), step, known | {"n"} if "repeat" in step else known)
        known |= step.get("save", {}).keys()


def _time(source: Source, trail: Trail, parse: Callable[[str], int], text: str) -> int:
    try:
        return parse(text)
    except ValueError as error:
        raise source.refuse(trail, str(error)) from None


def _check_step(reading: _Reading, trail: Trail, step: Mapping[str, Any], known: frozenset[str]) -> None:
    for name, member in step.items():
        if name == "save":
            _check_saves(reading.source, (*trail, name), member)
        else:
            _check_holes(reading, (*trail, name), member, known)
    _check_times(reading, trail, step)
    _check_fault(reading.source, (*trail, "fault"), step.get("fault"))
    _check_expectation(reading, (*trail, "expect"), step.get("expect", {}))


def _check_holes(reading: _Reading, trail: Trail, value: Any, known: frozenset[str]) -> None:
    for at, text in _texts(value, trail):
        for hole in variables.holes(text):
            try:
                variables.check(hole, known, reading.start_ms)
            except KeyError as error:
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
