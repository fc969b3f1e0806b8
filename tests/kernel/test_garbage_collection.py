"""Garbage collection while a start allocates."""

from __future__ import annotations

import gc
import subprocess
import sys

import pytest

from giftsim.kernel.garbage_collection import without_garbage_collection


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
from giftsim.kernel.garbage_collection import keeping_everything
with keeping_everything():
    kept = [[] for _ in range(100_000)]
assert gc.isenabled() and gc.get_freeze_count() > 100_000 and gc.get_count()[0] < 1_000
"""
    subprocess.run([sys.executable, "-c", program], check=True, timeout=60)
