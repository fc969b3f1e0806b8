"""Values that are made when they are first read."""

from __future__ import annotations

import gc
import subprocess
import sys

import pytest

from giftsim.engine.kernel.first_use import MadeAtFirstUse
from giftsim.engine.kernel.garbage_collection import without_garbage_collection


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


@pytest.mark.parametrize("enabled", [True, False])
def test_collection_is_off_in_the_block_and_then_as_before(enabled: bool) -> None:
    try:
        (gc.enable if enabled else gc.disable)()
        with without_garbage_collection():
            assert not gc.isenabled()
        assert gc.isenabled() == enabled
    finally:
        gc.enable()


def test_what_is_kept_is_not_looked_at_again() -> None:
    program = """
import gc
from giftsim.engine.kernel.garbage_collection import keeping_everything
with keeping_everything():
    kept = [[] for _ in range(100_000)]
assert gc.isenabled() and gc.get_freeze_count() > 100_000 and gc.get_count()[0] < 1_000
"""
    subprocess.run([sys.executable, "-c", program], check=True, timeout=60)
