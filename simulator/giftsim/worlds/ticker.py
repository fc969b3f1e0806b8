"""The ticker: one thread that lets running worlds do what is due, when it is due."""

from __future__ import annotations

import threading

from giftsim.worlds.advance import catch_up, dispatch
from giftsim.worlds.registry import Registry
from giftsim.worlds.world import World

LONGEST_NAP_S = 60.0
AFTER_FAILURE_S = 1.0


class Ticker:
    """Sleeps until the earliest timer of any running world, fires it, and hands what it sends to the background."""

    def __init__(self, registry: Registry) -> None:
        self._house = registry
        self._bell = threading.Condition()
        self._rung = False
        self._ended = False
        self._thread = threading.Thread(target=self._tick, name="ticker", daemon=True)
        registry.wake = self.wake

    def start(self) -> None:
        """Begin to tick."""
        self._thread.start()

    def wake(self) -> None:
        """Look again: a world changed its pace or its timers."""
        with self._bell:
            self._rung = True
            self._bell.notify()

    def stop(self) -> None:
        """End the thread."""
        self._ended = True
        self.wake()

    def _tick(self) -> None:
        while not self._ended:
            nap = LONGEST_NAP_S
            self._sweep()
            for world in list(self._house.worlds.values()):
                if world.state.rate:
                    nap = min(nap, self._safely(world))
            with self._bell:
                self._bell.wait_for(lambda: self._rung, timeout=max(nap, 0.001))
                self._rung = False

    def _sweep(self) -> None:
        try:
            self._house.sweep()
        except Exception as error:  # noqa: BLE001 - nobody else hears of it
            self._house.report("of the ticker", error)

    def _safely(self, world: World) -> float:
        """A turn; what goes wrong in one world goes to the log, and stops neither it nor the others for long."""
        try:
            return self._turn(world)
        except Exception as error:  # noqa: BLE001 - nobody else hears of it
            if not self._ended:
                self._house.report(f"of the ticker in world {world.id}", error)
            return AFTER_FAILURE_S

    def _turn(self, world: World) -> float:
        """Do what is due in one world; the real seconds until its next timer."""
        with world.lock:
            if world.gone or world.driving:
                return 0.05
            catch_up(world)
            timer, rate = world.state.timers.peek(), world.state.rate
            present = world.state.now_ms
        dispatch(world)
        if timer is None or not rate:
            return LONGEST_NAP_S
        return max(0.0, (timer.due_ms - present) / 1000 / rate)
