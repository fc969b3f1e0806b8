"""What one soak does: how long, with how many worlds and clients, and from which seed."""

from __future__ import annotations

import random
import string
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Plan:
    """The options of a soak. Everything its clients and testers choose follows from `seed`.

    `calls_s` is how many calls a second a client makes at the most. `rate` is how fast the clocks run, 0 for clocks
    that only move when a tester advances them. Kills end after the share `killing` of the time, so that the rest
    shows whether memory grows. In no minute may another client wait longer than `p99_s` for more than one call in a
    hundred; 0 sets no bound.
    """

    folder: Path
    seconds: float = 600.0
    worlds: int = 8
    clients: int = 32
    seed: int = 1
    rate: int = 3600
    calls_s: float = 10.0
    kill_every_s: float = 20.0
    check_every_s: float = 12.0
    killing: float = 0.6
    p99_s: float = 0.05

    def stream(self, *names: object) -> random.Random:
        """The random choices of one part of the soak."""
        return random.Random(" ".join(map(str, (self.seed, *names))))

    @property
    def names(self) -> list[str]:
        """The ids of the worlds."""
        return [f"soak-{letter}" for letter in string.ascii_lowercase[: self.worlds]]

    @property
    def clock(self) -> str:
        return f"running@{self.rate}" if self.rate else "manual"


def short(folder: Path, **changes: object) -> Plan:
    """A soak of some seconds, with everything that the long one has."""
    plan = Plan(folder, seconds=7.0, worlds=3, clients=12, kill_every_s=2.5, check_every_s=2.0, p99_s=0.0)
    return Plan(**{**vars(plan), **changes})
