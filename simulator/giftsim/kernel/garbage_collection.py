"""Garbage collection, while much is allocated and nothing is garbage."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from time import perf_counter

LONG_S, RARER = 0.01, 10


@contextmanager
def without_garbage_collection() -> Iterator[None]:
    """A block without collections, each of which would look through everything allocated so far."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


@contextmanager
def keeping_everything() -> Iterator[None]:
    """The same, and later collections skip what was allocated: a full one takes 1 ms instead of 30.

    Use it for objects that stay until the process ends. Later collections also skip all objects that existed before.
    """
    with without_garbage_collection():
        yield
        gc.freeze()


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
