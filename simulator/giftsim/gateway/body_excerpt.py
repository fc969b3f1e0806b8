"""The beginning of a large body, so that naming what is wrong with it costs no more than with a small one (G85)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from giftsim.gateway.json_body import MAX_VALUES

SIZE = 5_000  # bodies of up to this many values are examined whole


def invalid_part(body: Any, known: frozenset[str], is_valid: Callable[[Any], bool]) -> Any:
    """Of an invalid body, the shortest beginning that is invalid too, to within SIZE values; the rest is cut off.

    `known` are the members that the schema names. They are never cut off, so that none is reported as missing. Of a
    list two entries stay, which is as many as any schema requires.
    """
    part = excerpt(body, SIZE, known)
    if not is_valid(part):
        return part
    valid, invalid = SIZE, MAX_VALUES
    while invalid - valid > SIZE:
        middle = (valid + invalid) // 2
        if is_valid(excerpt(body, middle, known)):
            valid = middle
        else:
            invalid = middle
    return excerpt(body, invalid, known)


def excerpt(body: Any, size: int, known: frozenset[str]) -> Any:
    """The first `size` values of a body, in the order of the text, and all members that are `known`."""
    return _copy(body, [size], known)


def _copy(value: Any, left: list[int], known: frozenset[str]) -> Any:
    left[0] -= 1
    if isinstance(value, Mapping):
        return {name: _copy(member, left, known) for name, member in value.items() if left[0] > 0 or name in known}
    if isinstance(value, list):
        return [_copy(entry, left, known) for i, entry in enumerate(value) if left[0] > 0 or i < 2]
    return value
