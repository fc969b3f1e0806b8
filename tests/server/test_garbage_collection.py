"""What garbage collections skip, in a process of its own: objects that are skipped once are skipped until it ends."""

from __future__ import annotations

import subprocess
import sys

import pytest

PROGRAM = """
import gc, sys
from giftsim.engine.server import garbage_collection
garbage_collection.LONG_S = float(sys.argv[1])
def added(collect):
    before = gc.get_freeze_count()
    collect()
    return gc.get_freeze_count() > before
with garbage_collection.keeping_what_takes_long():
    print(added(lambda: gc.collect(1)), added(gc.collect))
kept = [[] for _ in range(1000)]
print(added(gc.collect))
"""


@pytest.mark.parametrize(("long_s", "is_long"), [("0", True), ("1000", False)])
def test_what_a_long_full_collection_found_is_skipped_from_then_on(long_s: str, is_long: bool) -> None:
    command = [sys.executable, "-c", PROGRAM, long_s]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout == f"False {is_long}\nFalse\n"
