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
    memory,
    newcomer,
    over_http,
    processes,
    restart,
    runs_of_tests,
    side_by_side,
    streams,
    time_travel,
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
    "newcomer": newcomer.figures,
}
ON_REQUEST = frozenset({"newcomer"})  # runs only by its name, because it needs the index of packages


def measure(name: str) -> list[Figure]:
    """Print each figure of a group once it is measured, and return them all."""
    measured = []
    for figure in GROUPS[name]():
        print(figure.line(), flush=True)
        measured.append(figure)
    return measured
