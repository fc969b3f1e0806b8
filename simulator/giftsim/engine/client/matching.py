"""Compares an actual value with an expected subset of it, and says where they differ.

Objects may have more members than expected. Lists are compared item by item and must have the same length. `1`, `1.0`
and `true` are three different values. An object may hold operators instead of members: `$absent: true`,
`$matches: REGEX`, `$length: N` and `$includes: VALUE`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, TypeAlias

import msgspec

PREVIEW_LENGTH = 300
PATTERN_TIMEOUT_S = 0.5
MAX_PATTERN_LENGTH = 1_000
WHY_SLOW = "repetitions of alternatives or of repetitions, such as (a|aa)+, are slow"


class SlowPattern(Exception):
    """A regular expression takes too long on a text, most likely because its time doubles with every character."""


class _Absent:
    def __repr__(self) -> str:
        return "absent"


ABSENT: Final = _Absent()


class Mismatch(msgspec.Struct, frozen=True, gc=False):
    """A place where the actual value is not the expected one; both are text for a terminal."""

    path: str
    expected: str
    actual: str

    def __str__(self) -> str:
        return f"{self.path}: expected {self.expected}, actual {self.actual}"


Failure: TypeAlias = str | Mismatch  # why a step failed


def preview_value(value: Any, max_length: int = PREVIEW_LENGTH) -> str:
    """A value as one line of JSON, shortened to `max_length` characters."""
    text = "absent" if value is ABSENT else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= max_length else f"{text[:max_length]}... ({len(text):,} characters)"


def is_operator(expected: Any) -> bool:
    """Whether an expected value is an object of operators."""
    return isinstance(expected, Mapping) and any(name.startswith("$") for name in expected)


def matches_expected(expected: Any, actual: Any) -> bool:
    """Whether the actual value contains the expected one."""
    return next(find_mismatches(expected, actual, ""), None) is None


def find_mismatches(expected: Any, actual: Any, path: str) -> Iterator[Mismatch]:
    """Every place below `path` where the actual value does not contain the expected one."""
    if is_operator(expected):
        for name, operand in expected.items():
            yield from OPERATORS[name](operand, actual, path)
    elif isinstance(expected, Mapping) and isinstance(actual, Mapping):
        for name, member in expected.items():
            yield from find_mismatches(member, actual.get(name, ABSENT), f"{path}.{name}")
    elif isinstance(expected, list) and isinstance(actual, list):
        yield from _list_mismatches(expected, actual, path)
    elif type(expected) is not type(actual) or expected != actual:
        yield Mismatch(path, preview_value(expected), preview_value(actual))


def _list_mismatches(expected: list[Any], actual: list[Any], path: str) -> Iterator[Mismatch]:
    if len(expected) != len(actual):
        yield Mismatch(
            path, f"{len(expected)} items {preview_value(expected)}", f"{len(actual)} items {preview_value(actual)}"
        )
        return
    for index, (item, actual_item) in enumerate(zip(expected, actual, strict=True)):
        yield from find_mismatches(item, actual_item, f"{path}[{index}]")


def _check_absent(must_be_absent: bool, actual: Any, path: str) -> Iterator[Mismatch]:
    if (actual is ABSENT) is not must_be_absent:
        yield Mismatch(path, "no such member" if must_be_absent else "any value", preview_value(actual))


def _check_pattern(pattern: str, actual: Any, path: str) -> Iterator[Mismatch]:
    if not isinstance(actual, str) or not _search(pattern, actual):
        yield Mismatch(path, f"text matching {preview_value(pattern)}", preview_value(actual))


def _search(pattern: str, text: str) -> bool:
    # The module `re` cannot be interrupted, and holds up every other thread for as long as it searches.
    import regex

    try:
        return regex.search(pattern, text, timeout=PATTERN_TIMEOUT_S, concurrent=True) is not None
    except TimeoutError:
        slow = f"takes more than {PATTERN_TIMEOUT_S:g} s on a text of {len(text):,} characters"
        raise SlowPattern(f"$matches: {preview_value(pattern)} {slow}; {WHY_SLOW}") from None


def _check_length(length: int, actual: Any, path: str) -> Iterator[Mismatch]:
    actual_length = len(actual) if isinstance(actual, list | str | Mapping) else None
    if actual_length != length:
        text = preview_value(actual) if actual_length is None else f"length {actual_length} {preview_value(actual)}"
        yield Mismatch(path, f"length {length}", text)


def _check_includes(item: Any, actual: Any, path: str) -> Iterator[Mismatch]:
    if not isinstance(actual, list) or not any(matches_expected(item, actual_item) for actual_item in actual):
        yield Mismatch(path, f"a list that includes {preview_value(item)}", preview_value(actual))


OPERATORS: Mapping[str, Callable[[Any, Any, str], Iterator[Mismatch]]] = {
    "$absent": _check_absent,
    "$matches": _check_pattern,
    "$length": _check_length,
    "$includes": _check_includes,
}


def check_operators(expected: Mapping[str, Any]) -> None:
    """Raise ValueError for an object that mixes operators with members, or for an operand of the wrong type."""
    if members := [name for name in expected if not name.startswith("$")]:
        raise ValueError(f'operators cannot be mixed with members such as "{members[0]}"')
    if not isinstance(expected.get("$absent", True), bool):
        raise ValueError('"$absent" takes true or false')
    length = expected.get("$length", 0)
    if type(length) is not int or length < 0:
        raise ValueError('"$length" takes a whole number of at least 0')
    pattern = expected.get("$matches", "")
    if not isinstance(pattern, str):
        raise ValueError('"$matches" takes a regular expression')
    if len(pattern) > MAX_PATTERN_LENGTH:
        raise ValueError(f'"$matches" takes a regular expression of at most {MAX_PATTERN_LENGTH:,} characters')
    if "$matches" in expected:
        _check_syntax(pattern)


def _check_syntax(pattern: str) -> None:
    import regex

    try:
        regex.compile(pattern)
    except (regex.error, RecursionError) as error:
        raise ValueError(f'"$matches" takes a regular expression: {error}') from None
