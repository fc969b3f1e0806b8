"""The stops of an advance at which the app sees the time and acts, before time goes on (G467)."""

from __future__ import annotations

from typing import Self

from giftsim.engine.kernel.instants import LATEST_MS, format_instant
from giftsim.engine.worlds import system_clock
from giftsim.engine.worlds.app_clock import Together
from giftsim.engine.worlds.world import World

MAX_AT_ONE_INSTANT = 100  # times that an app is shown the same instant in one advance
MAX_ASKED_FOR = 10_000  # instants that an app asks for in one advance


class AppStops:
    """What an advance shows to the app of its world.

    `shown` counts the instants that the app saw, `asked_for` those that nothing but the app asked for. `problems` are
    sentences about what the app did not do, or cannot have.
    """

    def __init__(self, world: World, app: Together, epoch: int) -> None:
        self._world, self._app, self._epoch = world, app, epoch
        self.shown = self.asked_for = self._times = 0
        self.problems: list[str] = []
        self._shown_ms: int | None = None
        self._next_ms: int | None = None
        self._is_due = True
        app.begin()

    @classmethod
    def of(cls, world: World, epoch: int) -> Self | None:
        """The stops of an advance that begins now; None if no app follows the world."""
        return None if world.app_clock is None else cls(world, world.app_clock, epoch)

    @staticmethod
    def missed(world: World) -> str:
        """Why an advance of this world shows nothing to the app, whose clock follows another one (G493)."""
        runtime = world.runtime
        which = ": it follows the world that was made last, so run one test at a time" if runtime.app_clocks else ""
        return f"the app's clock follows world {runtime.followed}, not {world.id}{which}"

    def is_due(self) -> bool:
        """Whether the app has to act before anything else happens: the time is new, or it got webhooks."""
        return self._is_due or self._world.state.now_ms != self._shown_ms

    def note_sent(self) -> None:
        """Note that the app got webhooks at this instant: it may have to act again."""
        self._is_due = self._times < MAX_AT_ONE_INSTANT

    def show(self, upto_ms: int | None, *, is_end: bool) -> None:
        """Let the app act at the current instant, without the world's lock. WorldGone, ClockBusy.

        Until `upto_ms`, where a timer is due or the advance ends, only the app has something to do. A program that
        polls gets a moment before webhooks leave, and at the end.
        """
        world, clock = self._world, self._world.clock
        now_ms, is_polled = world.state.now_ms, is_end or bool(world.state.outbox)
        is_first = self._shown_ms is None
        is_new, self._is_due, self._shown_ms = now_ms != self._shown_ms, False, now_ms
        self._times = 1 if is_new else self._times + 1
        self.shown += is_new
        clock.app_acts = True
        world.lock.release()
        try:
            with world.runtime.lend_thread():
                self._next_ms = self._app.show(now_ms, None if world.state.outbox else upto_ms)
                if is_first:
                    self._app.ticks(0.0)
                if is_new and is_polled and self._app.poll_s:
                    runtime = world.runtime
                    system_clock.sleep(self._app.poll_s, runtime.waiters.changed, lambda: runtime.closing)
        finally:
            world.lock.acquire()
            if world.epoch == self._epoch:
                clock.app_acts = False
        world.check_epoch(self._epoch, "the app acted")
        self._note_next(now_ms)

    def next_stop(self, upto_ms: int | None, due_ms: int | None) -> int | None:
        """The next instant at which only the app has something to do; None if a timer is first, or nothing is left.

        `upto_ms` is where the advance ends, if that is an instant. `due_ms` is the next timer on the way.
        """
        next_ms, now_ms = self._next_ms, self._world.state.now_ms
        last_ms = due_ms - 1 if due_ms is not None else upto_ms
        if next_ms is not None and last_ms is not None and now_ms < next_ms <= last_ms:
            if self.asked_for < MAX_ASKED_FOR:
                self.asked_for += 1
                return next_ms
            self._note_too_many(MAX_ASKED_FOR, f"asked for {MAX_ASKED_FOR:,} instants in one advance")
        if due_ms is None and upto_ms is not None and now_ms < upto_ms:
            return upto_ms
        return None

    def end(self) -> None:
        """Let the app's time go on as the world's does, from what was shown last."""
        self.problems += self._app.problems
        self._app.ticks(self._world.state.rate)

    def _note_next(self, now_ms: int) -> None:
        next_ms = self._next_ms
        if next_ms is None or next_ms > LATEST_MS:
            self._next_ms = None
        elif next_ms <= now_ms:  # it has more to do now
            self._is_due = self._times < MAX_AT_ONE_INSTANT
            if not self._is_due:
                what = f"wanted to act at {format_instant(now_ms)} {MAX_AT_ONE_INSTANT} times"
                self._note_too_many(MAX_AT_ONE_INSTANT, what)

    def _note_too_many(self, bound: int, what: str) -> None:
        problem = f"the app {what}, and {bound:,} is the most: it acts again at the next timer or webhook"
        if problem not in self.problems:
            self.problems.append(problem)
        self._next_ms = None
