"""The one place that reads the machine's clocks and its entropy; everything else lives on a world's clock."""

from __future__ import annotations

import secrets
import time


def now_ms() -> int:
    """The real present, in milliseconds since the Unix epoch."""
    return time.time_ns() // 1_000_000


def seconds() -> float:
    """The real present, in seconds since the Unix epoch (signature times of real sends, B46)."""
    return time.time()


def monotonic() -> float:
    """Seconds on a clock that only goes forward, for deadlines and running clocks."""
    return time.monotonic()


def sleep(span_s: float) -> None:
    """Wait in real time (the fault `delay_s`); never on the path of a test with virtual time."""
    time.sleep(span_s)


def fresh_seed() -> int:
    """A seed nobody has chosen (`seed: fresh`, G11)."""
    return secrets.randbits(31)
