"""Full garbage collections in a process that serves: those of a world with many orders take long and find nothing."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from time import perf_counter

LONG_S, RARER = 0.01, 10


@contextmanager
def keeping_what_takes_long() -> Iterator[None]:
    """A block in which a full collection that took longer than LONG_S excludes what it looked through from later ones.

    Later ones are also RARER, because they still look through the copies of a large world: each list of its records,
    entry by entry. Only for a process with no other purpose: an object that becomes garbage in a cycle after that is
    never freed.
    """
    started, (young, middle, full) = perf_counter(), gc.get_threshold()

    def note(phase: str, info: dict[str, int]) -> None:
        nonlocal started
        if phase == "start":
            started = perf_counter()
        elif info["generation"] == 2 and perf_counter() - started > LONG_S:
            gc.freeze()
            gc.set_threshold(young, middle, full * RARER)

    gc.callbacks.append(note)
    try:
        yield
    finally:
        gc.callbacks.remove(note)
        gc.set_threshold(young, middle, full)
