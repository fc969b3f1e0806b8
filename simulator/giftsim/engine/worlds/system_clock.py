"""The machine's clocks and entropy, for what does not get them with a System. The rest uses a world's clock."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from threading import Condition

from giftsim.engine.system import SYSTEM


def seconds() -> float:
    """The current time in seconds since the Unix epoch."""
    return time.time()


now_ms: Callable[[], int] = SYSTEM.now_ms
# Seconds on a clock that never goes back, for deadlines.
monotonic: Callable[[], float] = SYSTEM.monotonic


def sleep(span_s: float, changed: Condition, ended: Callable[[], bool]) -> None:
    """Wait in real time, for the fault `delay_s`, or until it has `ended`; `changed` is notified then.

    Tests with virtual time never get here.
    """
    with changed:
        changed.wait_for(ended, span_s)


def pause(span_s: float) -> None:
    """Wait for real seconds, between calls to a service that is not simulated."""
    time.sleep(span_s)


def fresh_id() -> str:
    """An id that nobody can guess."""
    return os.urandom(16).hex()


def fresh_seed() -> int:
    """A random seed, for `seed: fresh` (G11)."""
    return int.from_bytes(os.urandom(4)) >> 1
