"""The app's own clock, which follows that of a world: the app sees each instant and acts before time goes on (G467).

A world has at most one app. Several parts move its time: a file that libfaketime reads, a hub to which its processes
connect, a question to the app itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Protocol, runtime_checkable

from giftsim.engine.kernel.instants import SECOND, format_exact, format_instant
from giftsim.engine.system import SYSTEM, System

POLL_S = 0.05  # real seconds in which a program that polls sees the new time
WRITE_AGAIN_S = 0.05  # real seconds between two writes of a clock that is faster or slower than real time


class AppDidNotAct(Exception):
    """The app did not act in time, or its answer cannot be used; the message says which, and what to do."""


class AppClock(Protocol):
    """What moves the time of the app."""

    def show(self, now_ms: int) -> int | None:
        """Let the app see this time, and wait until it has acted and its calls are answered. AppDidNotAct.

        Returns the instant (ms) at which it wants to act next, or None.
        """


@runtime_checkable
class TickingClock(AppClock, Protocol):
    """An app's clock that can go on by itself."""

    def ticks(self, rate: float) -> None:
        """Let the app's time go on from what was shown last, by `rate` seconds per real second; 0 lets it stand."""


@runtime_checkable
class AheadClock(AppClock, Protocol):
    """An app's clock that can go on while nothing can happen to the app, without a stop of the world for each act."""

    def go_on(self, now_ms: int, upto_ms: int) -> int | None:
        """As `show`, then let the app act on its own before `upto_ms`, until it wants to call somebody. AppDidNotAct.

        Returns the instant of that call, which waits for the world, or that at which the app wants to act next.
        """


class TimeFile:
    """The file from which libfaketime takes the time. Each write replaces it at once, and nobody waits for the app.

    The file has `@YYYY-MM-DD hh:mm:ss` in UTC. Programs go on from there in real time, so it is written again and again
    while the world's clock runs. With `in_seconds` it can say more, which libfaketime reads with FAKETIME_FMT=%s:

    - `1799053200.000`, unix seconds at which time stands, for any other rate than 1 written again and again;
    - `+3061000`, the seconds to add to real time, for a world whose clock runs as fast as that.
    """

    poll_s = POLL_S

    def __init__(self, path: Path, *, in_seconds: bool = False, system: System = SYSTEM) -> None:
        self.path, self._in_seconds, self._system = path, in_seconds, system
        self._lock, self._changed = system.lock(), system.condition()
        self._rate, self._shown_ms, self._since_ms = 0.0, 0, 0
        self._text = ""
        self._turn = 0  # a thread that writes again ends when this changes

    def show(self, now_ms: int) -> None:
        """Write this time. AppDidNotAct if the file cannot be written, or cannot have that time."""
        with self._lock:
            self._shown_ms, self._since_ms = now_ms, self._real_ms()
            self._write(now_ms)

    def ticks(self, rate: float) -> None:
        """Let time go on from what was shown last, or stand. AppDidNotAct."""
        with self._lock:
            if rate == self._rate:
                return
            self._turn += 1
            self._rate, self._since_ms = rate, self._real_ms()
            self._write(self._shown_ms)
            if rate and not self._is_offset:
                turn = self._turn
                self._system.start_thread(lambda: self._write_again(turn), "app clock file")
        with self._changed:
            self._changed.notify_all()

    def close(self) -> None:
        """Write no more."""
        with suppress(AppDidNotAct):
            self.ticks(0.0)

    @property
    def _is_offset(self) -> bool:
        return self._in_seconds and self._rate == 1.0

    def _real_ms(self) -> int:
        return int(self._system.monotonic() * SECOND)

    def _write_again(self, turn: int) -> None:
        while turn == self._turn:
            with self._lock, suppress(AppDidNotAct):  # the next time that is shown says so
                if turn == self._turn:
                    self._write(self._shown_ms + int((self._real_ms() - self._since_ms) * self._rate))
            with self._changed:
                self._changed.wait_for(lambda: turn != self._turn, WRITE_AGAIN_S)

    def _write(self, now_ms: int) -> None:
        if now_ms < 0:
            raise AppDidNotAct(f"{self.path} cannot show {format_instant(now_ms)}: libfaketime begins with 1970")
        text = self._written(now_ms)
        if text == self._text:
            return
        beside = self.path.with_name(f"{self.path.name}.new")
        try:
            beside.write_text(text, encoding="ascii", newline="\n")
            beside.replace(self.path)
        except OSError as error:
            raise AppDidNotAct(f"the time cannot be written to {self.path}: {error.strerror}") from None
        self._text = text

    def _written(self, now_ms: int) -> str:
        if self._is_offset:
            return f"{(now_ms - self._system.now_ms()) // SECOND:+d}\n"
        if self._in_seconds:
            return f"{now_ms // SECOND}.{now_ms % SECOND:03}\n"
        day, _, time = format_instant(now_ms).removesuffix("Z").partition("T")
        return f"@{day} {time}\n"


class Together:
    """All that moves the time of one app, in order. What fails is not asked again until the next advance.

    One of them may be there twice: what it said last counts.

    `problems` are the sentences of what failed. `poll_s` is how long a program that polls needs to see a new time.
    """

    def __init__(self, clocks: Iterable[AppClock]) -> None:
        self.clocks = tuple(clocks)
        self.poll_s: float = max((getattr(clock, "poll_s", 0.0) for clock in self.clocks), default=0.0)
        self.problems: list[str] = []
        self._shown_ms: int | None = None
        self._failed: set[int] = set()

    def let_go(self, taker: str) -> None:
        """Show the app nothing from now on: its clock follows the world `taker` (G493)."""
        self.clocks, self.poll_s = (), 0.0
        self.problems.append(f"the app's clock follows world {taker} from here on, which was made meanwhile")

    def begin(self) -> None:
        """Begin an advance: ask all of them again."""
        self.problems = []
        self._failed.clear()

    def show(self, now_ms: int, upto_ms: int | None = None) -> int | None:
        """Show each of them this time; the earliest instant that one wants.

        Nothing happens to the app before `upto_ms`. What can go on by itself does so once all have acted.
        """
        self._shown_ms = now_ms
        wanted = {id(clock): self._ask(clock, now_ms, clock.show) for clock in self.clocks}
        for clock in dict.fromkeys(self.clocks):
            if isinstance(clock, AheadClock):
                others = [ms for other, ms in wanted.items() if other != id(clock) and ms is not None]
                end_ms = now_ms if upto_ms is None else min([upto_ms, *others])
                wanted[id(clock)] = self._ask(clock, now_ms, partial(clock.go_on, upto_ms=end_ms))
        return min((next_ms for next_ms in wanted.values() if next_ms is not None), default=None)

    def _ask(self, clock: AppClock, now_ms: int, show: Callable[[int], int | None]) -> int | None:
        if id(clock) in self._failed or not self.clocks:
            return None
        try:
            return show(now_ms)
        except AppDidNotAct as error:
            self._failed.add(id(clock))
            self.problems.append(f"at {format_exact(now_ms)}, {error}")
            return None

    def follow(self, now_ms: int, rate: float) -> None:
        """Show each of them this time unless it is shown, and let it go on at this rate."""
        if now_ms != self._shown_ms:
            self.begin()
            self.show(now_ms)
        self.ticks(rate)

    def ticks(self, rate: float) -> None:
        """Let the app's time go on by itself, or stand."""
        for clock in self.clocks:
            if isinstance(clock, TickingClock):
                with suppress(AppDidNotAct):  # the next time that is shown says so
                    clock.ticks(rate)
