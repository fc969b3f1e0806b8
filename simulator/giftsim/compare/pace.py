"""How fast calls are made to the service, and how long a comparison waits, on a clock that tests replace."""

from __future__ import annotations

from typing import Protocol

from giftsim.worlds import system_clock


class WallClock(Protocol):
    """A clock that never goes back, and a way to let time pass; both in seconds."""

    def monotonic(self) -> float:
        """The seconds on the clock."""

    def pause(self, span_s: float) -> None:
        """Wait so many seconds."""


class SystemClock:
    """The machine's clock."""

    def monotonic(self) -> float:
        """The seconds on the clock."""
        return system_clock.monotonic()

    def pause(self, span_s: float) -> None:
        """Wait so many seconds."""
        system_clock.pause(span_s)


class Pace:
    """Leaves at least `1 / per_second` between the beginnings of two calls."""

    def __init__(self, per_second: float, clock: WallClock) -> None:
        self._gap_s, self._clock = 1 / per_second, clock
        self._next_s: float | None = None

    def wait(self) -> None:
        """Wait until the next call may begin."""
        now_s = self._clock.monotonic()
        if self._next_s is not None and now_s < self._next_s:
            self._clock.pause(self._next_s - now_s)
            now_s = self._next_s
        self._next_s = now_s + self._gap_s
