"""How much of each kind happened in a world, and when: counts that are kept also of changes that the feed has dropped.

The counts of a kind are bins in order of time. A new bin is as narrow as an instant. When a kind has too many, the
older half of them is merged: the older, the coarser, so a world's whole past takes little room.
"""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec.structs import replace

MAX_BINS = 1024  # of a kind
_MINUTE, _HOUR, _DAY = 60_000, 3_600_000, 86_400_000
WIDTHS = (1_000, 10_000, _MINUTE, 5 * _MINUTE, 15 * _MINUTE, _HOUR, 6 * _HOUR, _DAY, 7 * _DAY, 28 * _DAY, 364 * _DAY)


class Bin(msgspec.Struct, gc=False):
    """Changes of one kind from the instant `begin_ms` to `end_ms`, both inclusive.

    `first_n` is the number of the oldest one, `n` of the newest, `failed_n` of the newest that failed, 0 if none did.
    """

    begin_ms: int
    end_ms: int
    count: int
    failed: int
    first_n: int
    n: int
    failed_n: int

    def take(self, newer: Bin) -> None:
        """Become one with the bin that follows."""
        self.end_ms, self.n = newer.end_ms, newer.n
        self.count += newer.count
        self.failed += newer.failed
        self.failed_n = newer.failed_n or self.failed_n


class Timeline:
    """The bins of a world by the kind of change; `ahead` is a place for what was counted of its timers, and when."""

    def __init__(self, max_bins: int = MAX_BINS) -> None:
        self.bins: dict[str, list[Bin]] = {}
        self.ahead: tuple[tuple[int, ...], Any] | None = None
        self._max_bins = max_bins

    def add(self, kind: str, at_ms: int, n: int, *, failed: bool) -> None:
        """Count a change, which is newer than all before."""
        bins = self.bins.get(kind)
        if bins is None:
            bins = self.bins[kind] = []
        if not bins or bins[-1].end_ms != at_ms:
            bins.append(Bin(at_ms, at_ms, 0, 0, n, n, 0))
            if len(bins) > self._max_bins:
                self.bins[kind] = bins = _with_coarse_half(bins)
        last = bins[-1]
        last.count += 1
        last.n = n
        if failed:
            last.failed += 1
            last.failed_n = n

    def remove(self, kind: str, n: int, *, failed: bool) -> None:
        """Count the newest change of a kind no more."""
        bins = self.bins.get(kind)
        if not bins or bins[-1].n < n:
            return
        last = bins[-1]
        last.count -= 1
        last.failed -= failed
        last.n = n - 1
        if last.failed_n >= n:
            last.failed_n = 0
        if last.count <= 0:
            bins.pop()

    def kept(self) -> Timeline:
        """What is counted now, for a redo."""
        kept = Timeline(self._max_bins)
        kept.bins = {kind: [replace(each) for each in bins] for kind, bins in self.bins.items()}
        return kept

    def shift(self, after_n: int, by: int) -> None:
        """Let the numbers of the changes after number `after_n` grow."""
        for bins in self.bins.values():
            for each in bins:
                each.n += by * (each.n > after_n)
                each.first_n += by * (each.first_n > after_n)
                each.failed_n += by * (each.failed_n > after_n)

    def end_at(self, n: int, now_ms: int) -> None:
        """Remove what came after change `n`, or from now on if that is 0, when the changes are not known one by one.

        A bin that reaches beyond that goes whole.
        """
        for kind, bins in self.bins.items():
            self.bins[kind] = [each for each in bins if (each.n <= n if n > 0 else each.end_ms < now_ms)]


def _with_coarse_half(bins: list[Bin]) -> list[Bin]:
    """The bins, the older half of which is merged until it is half as many, or as coarse as bins get."""
    half = len(bins) // 2
    older = bins[:half]
    for width in WIDTHS:
        older = _merged(older, width)
        if len(older) <= half // 2:
            break
    return [*older, *bins[half:]]


def _merged(bins: list[Bin], width: int) -> list[Bin]:
    found: list[Bin] = []
    for each in bins:
        if found and found[-1].begin_ms // width == each.begin_ms // width:
            found[-1].take(each)
        else:
            found.append(each)
    return found
