"""How busy the machine is with other work: a soak's times are those of the server only if it is quiet."""

from __future__ import annotations

import os
import time
from pathlib import Path

BUSY = (0, 1, 2, 5, 6, 7)  # user, nice, system, interrupts and what a host takes; not idle, not waiting for a disk


class OtherLoad:
    """The processor time that others take from now on. That of this process's children counts once they have ended."""

    def __init__(self) -> None:
        self._began_s, self._others_s = time.monotonic(), _machine_s() - _own_s()

    def share(self) -> float:
        """The share of all processors that others took, from 0 to 1."""
        passed_s = time.monotonic() - self._began_s
        return max(0.0, _machine_s() - _own_s() - self._others_s) / (passed_s * (os.cpu_count() or 1))


def _machine_s() -> float:
    ticks = Path("/proc/stat").read_text(encoding="utf-8").split("\n", 1)[0].split()[1:]
    return sum(int(ticks[n]) for n in BUSY) / os.sysconf("SC_CLK_TCK")


def _own_s() -> float:
    return sum(os.times()[:4])
