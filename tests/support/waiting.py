"""Waiting for something to become so, and not for ever."""

from __future__ import annotations

import time
from collections.abc import Callable

TIMEOUT_S = 30.0


def wait_until(so: Callable[[], bool]) -> None:
    """Ask again and again; AssertionError when it is not so within reason."""
    began = time.perf_counter()
    while not so():
        assert time.perf_counter() - began < TIMEOUT_S, "it did not become so"
