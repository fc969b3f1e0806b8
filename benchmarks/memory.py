"""Memory over a million mixed calls: a curve, which has to be flat once the bounds of the logs are reached."""

from __future__ import annotations

import gc
import os
from collections.abc import Iterator

from benchmarks.figure import Figure
from benchmarks.mixed import MixedCalls
from benchmarks.workload import resident_mb
from giftsim import Simulator

CALLS = int(os.environ.get("CALLS", "1_000_000"))
STEPS = 10
MOST_GROWTH = 1.1


def figures() -> Iterator[Figure]:
    """One figure for each tenth of the calls; the first is what the others are compared with."""
    simulator = Simulator(fixture="empty")
    mixed = MixedCalls(simulator.client)
    mixed.create_worlds()
    first = 0.0
    for _ in range(STEPS):
        mixed.run(CALLS // STEPS)
        gc.collect()
        resident = resident_mb(os.getpid())
        first = first or resident
        growth = resident / first
        name, target = f"memory after {mixed.count:,} mixed calls", f"{MOST_GROWTH} of the first or less"
        yield Figure(name, f"{resident:.0f} MB", target, growth <= MOST_GROWTH, "the first", growth)
    simulator.close()
