"""The groups of benchmarks, by name."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from benchmarks import (
    campaign,
    console,
    copies,
    coverage,
    curves,
    in_process,
    large_world,
    memory,
    newcomer,
    over_http,
    processes,
    restart,
    runs_of_tests,
    side_by_side,
    streams,
    time_travel,
    why,
)
from benchmarks.figure import Figure

GROUPS: dict[str, Callable[[], Iterator[Figure]]] = {
    "in-process": in_process.figures,
    "time-travel": time_travel.figures,
    "test-run": runs_of_tests.figures,
    "copies": copies.figures,
    "coverage": coverage.figures,
    "campaign": campaign.figures,
    "console": console.figures,
    "over-http": over_http.figures,
    "streams": streams.figures,
    "side-by-side": side_by_side.figures,
    "processes": processes.figures,
    "curves": curves.figures,
    "memory": memory.figures,
    "restart": restart.figures,
    "why": why.figures,
    "large-world": large_world.figures,
    "newcomer": newcomer.figures,
}
# These run only by their names: one takes minutes and 8 GB of memory, the other needs the index of packages.
ON_REQUEST = frozenset({"large-world", "newcomer"})


def measure(name: str) -> list[Figure]:
    """Print each figure of a group once it is measured, and return them all."""
    measured = []
    for figure in GROUPS[name]():
        print(figure.line(), flush=True)
        measured.append(figure)
    return measured
