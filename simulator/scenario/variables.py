"""What `${name}` stands for: saved values, and the few names every scenario has.

`${world}` is the world's id, `${origin}` where the simulator is reached, `${app}` the downstream app, `${start}` the
instant the scenario starts at and `${start_date}` its day; these last two take an offset (`${start+3d}`,
`${start_date-1w}`). `${n}` counts a repeated call from 1. `$${` is a plain `${`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from simulator.kernel.clock import format_instant, utc_date
from simulator.scenario.moment import is_offset, moment

RESERVED = ("world", "origin", "app", "start", "start_date", "n")
DATED: Mapping[str, Callable[[int], str]] = {"start": format_instant, "start_date": utc_date}
NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*", re.ASCII)

_HOLE = re.compile(r"(\$\$\{)|\$\{([^{}]*)\}")


def holes(text: str) -> Iterator[str]:
    """What stands inside each `${...}` of a text."""
    return (match[2] for match in _HOLE.finditer(text) if match[1] is None)


def check(hole: str, known: frozenset[str], start_ms: int) -> None:
    """KeyError for a name that nothing fills, ValueError for an offset that cannot be taken."""
    name, offset = _parts(hole)
    if name not in known:
        raise KeyError(name)
    if offset is not None:
        moment(offset, start_ms)
        if name not in DATED:
            raise ValueError(f"only {' and '.join(DATED)} take an offset, {name!r} does not")


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
    name, offset = _parts(hole)
    if name not in DATED:
        return variables[name]
    start_ms = variables["start"]
    return DATED[name](start_ms if offset is None else moment(offset, start_ms))


def _parts(hole: str) -> tuple[str, str | None]:
    match = NAME.match(hole)
    name = match[0] if match else hole
    rest = hole[len(name) :]
    return (name, rest) if is_offset(rest) else (hole, None)
