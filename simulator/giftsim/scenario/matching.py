"""Whether an answer holds what was expected of it, as a subset, and in words where it does not.

Objects may hold more than expected; lists are compared item by item and must be equally long; `1`, `1.0` and `true`
are three things. An object of operators asks more: `$absent: true`, `$matches: REGEX`, `$length: N` and
`$includes: VALUE`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

import msgspec

LONGEST_SHOWN = 300


class _Absent:
    def __repr__(self) -> str:
        return "absent"


ABSENT: Final = _Absent()


class Mismatch(msgspec.Struct, frozen=True, gc=False):
    """One place where what came is not what was expected; both are text, fit for a terminal."""

    path: str
    expected: str
    actual: str

    def __str__(self) -> str:
        return f"{self.path}: expected {self.expected}, actual {self.actual}"


def shown(value: Any, longest: int = LONGEST_SHOWN) -> str:
    """A value as one line of JSON, cut where it is long."""
    text = "absent" if value is ABSENT else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= longest else f"{text[:longest]}... ({len(text):,} characters)"


def is_operator(expected: Any) -> bool:
    """Whether an expected value is an object of operators rather than data."""
    return isinstance(expected, Mapping) and any(name.startswith("$") for name in expected)


def matches(expected: Any, actual: Any) -> bool:
    """Whether the actual value holds the expected one."""
    return next(mismatches(expected, actual, ""), None) is None


def mismatches(expected: Any, actual: Any, path: str) -> Iterator[Mismatch]:
    """Every place below `path` where the actual value does not hold the expected one."""
    if is_operator(expected):
        for name, operand in expected.items():
            yield from OPERATORS[name](operand, actual, path)
    elif isinstance(expected, Mapping) and isinstance(actual, Mapping):
        for name, member in expected.items():
            yield from mismatches(member, actual.get(name, ABSENT), f"{path}.{name}")
    elif isinstance(expected, list) and isinstance(actual, list):
        yield from _list_mismatches(expected, actual, path)
    elif type(expected) is not type(actual) or expected != actual:
        yield Mismatch(path, shown(expected), shown(actual))


def _list_mismatches(expected: list[Any], actual: list[Any], path: str) -> Iterator[Mismatch]:
    if len(expected) != len(actual):
        yield Mismatch(path, f"{len(expected)} items {shown(expected)}", f"{len(actual)} items {shown(actual)}")
        return
    for index, (item, found) in enumerate(zip(expected, actual, strict=True)):
        yield from mismatches(item, found, f"{path}[{index}]")


def _absent(wanted: bool, actual: Any, path: str) -> Iterator[Mismatch]:
    if (actual is ABSENT) is not wanted:
        yield Mismatch(path, "no such member" if wanted else "any value", shown(actual))


def _matched(pattern: str, actual: Any, path: str) -> Iterator[Mismatch]:
    if not isinstance(actual, str) or not re.search(pattern, actual):
        yield Mismatch(path, f"text matching {shown(pattern)}", shown(actual))


def _length(length: int, actual: Any, path: str) -> Iterator[Mismatch]:
    found = len(actual) if isinstance(actual, list | str | Mapping) else None
    if found != length:
        yield Mismatch(path, f"length {length}", shown(actual) if found is None else f"length {found} {shown(actual)}")


def _includes(item: Any, actual: Any, path: str) -> Iterator[Mismatch]:
    if not isinstance(actual, list) or not any(matches(item, found) for found in actual):
        yield Mismatch(path, f"a list that includes {shown(item)}", shown(actual))


OPERATORS: Mapping[str, Callable[[Any, Any, str], Iterator[Mismatch]]] = {
    "$absent": _absent,
    "$matches": _matched,
    "$length": _length,
    "$includes": _includes,
}


def check_operators(expected: Mapping[str, Any]) -> None:
    """ValueError where an object of operators mixes them with data, or gives one an operand it cannot use."""
    if strays := [name for name in expected if not name.startswith("$")]:
        raise ValueError(f'operators stand alone, without members such as "{strays[0]}"')
    if not isinstance(expected.get("$absent", True), bool):
        raise ValueError('"$absent" takes true or false')
    length = expected.get("$length", 0)
    if type(length) is not int or length < 0:
        raise ValueError('"$length" takes a whole number from 0')
    pattern = expected.get("$matches", "")
    if not isinstance(pattern, str):
        raise ValueError('"$matches" takes a regular expression')
    try:
        re.compile(pattern)
    except re.error as error:
        raise ValueError(f'"$matches" takes a regular expression: {error}') from None
