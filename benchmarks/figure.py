"""A measured figure with its target and its baseline, and functions that measure time."""

from __future__ import annotations

import gc
import re
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass

NUMBER = re.compile(r"(?<![a-z\d.])\d[\d,]*(\.\d+)?(?= |/|$)")  # not the 50 of `p50`


@dataclass(frozen=True)
class Figure:
    """One line of the output. `ratio` compares with the baseline `against`; `met` says if the target was reached."""

    name: str
    value: str
    target: str
    met: bool | None = None
    against: str = ""
    ratio: float | None = None

    @property
    def number(self) -> float:
        """The first number of the value; 0 if it has none."""
        found = NUMBER.search(self.value)
        return float(found[0].replace(",", "")) if found else 0.0

    def line(self) -> str:
        """The figure as one line of the table."""
        comparison = f"{self.ratio:.2f} of {self.against}" if self.ratio is not None else self.against
        mark = {True: "met", False: "not met", None: ""}[self.met]
        return f"{self.name:52} {self.value:>22}   {comparison:42} {self.target:34} {mark}"


def seconds(work: Callable[[], object]) -> float:
    """The seconds that `work` takes once."""
    gc.collect()
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def median_seconds(work: Callable[[], object], times: int = 3) -> float:
    """The median seconds of several runs."""
    return statistics.median(seconds(work) for _ in range(times))


def rate(count: int, work: Callable[[], object], times: int = 3) -> float:
    """Operations per second if `work` does `count` of them: the median of several runs."""
    return count / median_seconds(work, times)
