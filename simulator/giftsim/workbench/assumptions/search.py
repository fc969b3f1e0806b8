"""Finds which of many variants break a test, with few runs: all at once, then halves of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Generic, TypeVar

import msgspec

T = TypeVar("T")


class Found(msgspec.Struct, Generic[T], frozen=True):
    """A smallest set of variants on which the test fails, and how it fails then."""

    culprits: tuple[T, ...]
    failure: str


def find_culprits(run: Callable[[tuple[T, ...]], str | None], variants: Sequence[T]) -> list[Found[T]]:
    """Every smallest set of variants, one after the other, until the test passes with all that are left.

    `run` runs the test with variants turned on, and returns how it fails, or None if it passes.
    """
    fails = cache(run)  # no set is run twice
    found: list[Found[T]] = []
    left = tuple(variants)
    while left and fails(left) is not None:
        culprits = _smallest(fails, left)
        found.append(Found(culprits, fails(culprits) or ""))
        left = tuple(each for each in left if each not in culprits)
    return found


def _smallest(fails: Callable[[tuple[T, ...]], str | None], variants: tuple[T, ...]) -> tuple[T, ...]:
    """The variants that a failing set needs to fail, each found by halving those before it."""
    needed: tuple[T, ...] = ()
    rest = variants
    while rest and (not needed or fails(needed) is None):
        low, high = 1, len(rest)  # with `high` of the rest it fails
        while low < high:
            middle = (low + high) // 2
            if fails((*rest[:middle], *needed)) is None:
                low = middle + 1
            else:
                high = middle
        needed, rest = (rest[high - 1], *needed), rest[: high - 1]
    return needed
