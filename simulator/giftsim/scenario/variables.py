"""What `${name}` stands for: saved values, values of the file, and the few names every scenario has.

`${world}` is the world's id, `${origin}` where the simulator is reached, `${app}` the downstream app, `${start}` the
instant the scenario starts at and `${start_date}` its day; these last two take an offset (`${start+3d}`,
`${start_date-1w}`). `${n}` counts a repeated call, or the items of a loop, from 1. `${name.member.0}` goes into a
value. `$${` is a plain `${`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, NamedTuple

from giftsim.kernel.instants import format_instant, utc_date
from giftsim.scenario.scenario_error import meant
from giftsim.scenario.time_values import is_offset, moment

RESERVED = ("world", "origin", "app", "start", "start_date", "n", "delivery")
DATED: Mapping[str, Callable[[int], str]] = {"start": format_instant, "start_date": utc_date}
NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*", re.ASCII)

_HOLE = re.compile(r"(\$\$\{)|\$\{([^{}]*)\}")


class _Unknown:
    def __repr__(self) -> str:
        return "unknown"


# The value of a name that is filled only while the story is played.
UNKNOWN: Final = _Unknown()


class Unfilled(Exception):
    """A hole that goes into a value which has no such member; the message says what there is."""


class _Hole(NamedTuple):
    """What stands inside `${...}`: a name, the members to go into, an offset."""

    name: str
    path: tuple[str, ...] = ()
    offset: str | None = None


def holes(text: str) -> Iterator[str]:
    """What stands inside each `${...}` of a text."""
    return (match[2] for match in _HOLE.finditer(text) if match[1] is None)


def check(hole: str, known: Mapping[str, Any], start_ms: int) -> None:
    """KeyError for a name that nothing fills, Unfilled for a member, ValueError for an offset that cannot be taken."""
    name, path, offset = _read(hole)
    if name not in known:
        raise KeyError(name)
    if offset is not None:
        moment(offset, start_ms)
        if name not in DATED:
            raise ValueError(f"only {' and '.join(DATED)} take an offset, {name!r} does not")
    _member(name, path, known[name])


def known_value(text: str, known: Mapping[str, Any]) -> Any:
    """What a text that is one hole alone stands for, as far as that is known; UNKNOWN otherwise."""
    whole = _HOLE.fullmatch(text)
    if whole is None or whole[1] is not None:
        return UNKNOWN
    name, path, _ = _read(whole[2])
    return _member(name, path, known.get(name, UNKNOWN))


def plain(value: Any) -> Any:
    """The value so written that filling it gives the value itself: data in which `${` means nothing."""
    if isinstance(value, str):
        return value.replace("${", "$${")
    if isinstance(value, Mapping):
        return {name: plain(member) for name, member in value.items()}
    return [plain(item) for item in value] if isinstance(value, list) else value


def fill(value: Any, variables: Mapping[str, Any]) -> Any:
    """The value with every hole filled; a text that is one hole alone becomes the value itself, of whatever type."""
    if isinstance(value, str):
        return _filled(value, variables)
    if isinstance(value, Mapping):
        return {name: fill(member, variables) for name, member in value.items()}
    if isinstance(value, list | tuple):
        return [fill(item, variables) for item in value]
    return value


def _filled(text: str, variables: Mapping[str, Any]) -> Any:
    whole = _HOLE.fullmatch(text)
    if whole is not None and whole[1] is None:
        return _value(whole[2], variables)
    return _HOLE.sub(lambda match: "${" if match[1] else str(_value(match[2], variables)), text)


def _value(hole: str, variables: Mapping[str, Any]) -> Any:
    name, path, offset = _read(hole)
    if name not in DATED:
        return _member(name, path, variables[name])
    start_ms = variables["start"]
    return DATED[name](start_ms if offset is None else moment(offset, start_ms))


def _member(name: str, path: tuple[str, ...], value: Any) -> Any:
    """What stands below a value; UNKNOWN from where on it is only known later."""
    for step in path:
        if value is UNKNOWN or (isinstance(value, str) and any(holes(value))):
            return UNKNOWN
        value = _step(name, value, step)
        name = f"{name}.{step}"
    return value


def _step(name: str, value: Any, step: str) -> Any:
    if isinstance(value, list) and step.isdecimal():
        if int(step) < len(value):
            return value[int(step)]
        raise Unfilled(f"{name} has {len(value)} items, counted from 0")
    if not isinstance(value, Mapping):
        raise Unfilled(f'{name} is no mapping and has no "{step}"')
    if step not in value:
        raise Unfilled(f'{name} has no "{step}"{meant(step, value) if value else ""}')
    return value[step]


def _read(hole: str) -> _Hole:
    match = NAME.match(hole)
    if match is None:
        return _Hole(hole)
    rest = hole[match.end() :]
    if rest.startswith("."):
        return _Hole(match[0], tuple(rest[1:].split(".")))
    return _Hole(match[0], (), rest) if is_offset(rest) else _Hole(hole)
