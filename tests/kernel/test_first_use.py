"""Values that are made when they are first read."""

from __future__ import annotations

import pytest

from giftsim.kernel.first_use import MadeAtFirstUse


def test_a_value_is_made_when_it_is_first_read_and_then_kept() -> None:
    made: list[str] = []

    def maker(name: str) -> object:
        made.append(name)
        return object()

    table = MadeAtFirstUse({"a": lambda: maker("a"), "b": lambda: maker("b")})
    assert (list(table), len(table), "a" in table, "c" in table) == (["a", "b"], 2, True, False)
    assert made == []
    assert table["b"] is table["b"]
    assert made == ["b"]
    with pytest.raises(KeyError):
        table["c"]


def test_what_was_made_meanwhile_is_kept() -> None:
    first = object()

    def make() -> object:
        table._made["a"] = first  # as another thread would
        return object()

    table = MadeAtFirstUse({"a": make})
    assert table["a"] is table["a"] is first
