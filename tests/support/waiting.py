"""Waiting for a condition, with a time-out."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

TIMEOUT_S = 60.0
TURN_S = 0.01


def wait_until(condition: Callable[[], bool]) -> None:
    """Poll a condition until it is true; AssertionError after `TIMEOUT_S`."""
    pause, began = threading.Event(), time.perf_counter()
    while not condition():
        assert time.perf_counter() - began < TIMEOUT_S, "the condition did not become true"
        pause.wait(TURN_S)
