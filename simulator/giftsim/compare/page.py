"""Records of a list that cannot be compared one by one, merged: which members they have, and of which types."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

from giftsim.compare.mark import ID, parse_mark


def id_of(row: Any) -> str:
    """The masked id by which a record is known: that of its first member that is one; "" if it has none."""
    if not isinstance(row, dict):
        return ""
    marks = (parse_mark(value) for value in row.values() if isinstance(value, str))
    return next((mark.value for mark in marks if mark.look.startswith(ID)), "")


class ListMerge:
    """What several values at the same position have in common."""

    def __init__(self, values: Sequence[Any]) -> None:
        self._values = values
        self._objects = [value for value in values if isinstance(value, dict)]

    @cached_property
    def types(self) -> frozenset[str]:
        """The types of the values."""
        return frozenset(_type(value) for value in self._values)

    @cached_property
    def names(self) -> frozenset[str]:
        """The members that some object has."""
        return frozenset(name for value in self._objects for name in value)

    @cached_property
    def always(self) -> frozenset[str]:
        """The members that every object has."""
        return frozenset(name for name in self.names if all(name in value for value in self._objects))

    @cached_property
    def items(self) -> list[Any]:
        """The items of all lists."""
        return [item for value in self._values if isinstance(value, list) for item in value]

    def member(self, name: str) -> ListMerge:
        """The values of a member."""
        return ListMerge([value[name] for value in self._objects if name in value])


def _type(value: Any) -> str:
    if isinstance(value, str):
        return parse_mark(value).type
    return "object" if isinstance(value, dict) else "array"
