"""A measured figure: what it is, what it stands against in the same run, and what it should be."""

from __future__ import annotations

import gc
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Figure:
    """`against` names the floor or peer of `ratio`; `target` says what is wanted, `met` whether it was seen."""

    name: str
    value: str
    target: str
    met: bool | None = None
    against: str = ""
    ratio: float | None = None

    def line(self) -> str:
        """The figure as one line of the table."""
        beside = f"{self.ratio:.2f} of {self.against}" if self.ratio is not None else self.against
        mark = {True: "met", False: "not met", None: ""}[self.met]
        return f"{self.name:52} {self.value:>22}   {beside:42} {self.target:34} {mark}"


def seconds(work: Callable[[], object]) -> float:
    """How long some work takes, once."""
    gc.collect()
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def median_seconds(work: Callable[[], object], times: int = 3) -> float:
    """The median of a few runs."""
    return statistics.median(seconds(work) for _ in range(times))


def rate(count: int, work: Callable[[], object], times: int = 3) -> float:
    """How many a second, by the median of a few runs."""
    return count / median_seconds(work, times)
