"""The ticker: one thread that fires the timers of running worlds when they are due, and deletes idle worlds."""

from __future__ import annotations

from giftsim.engine.log.journal_file import NotWritten
from giftsim.engine.worlds.registry import Registry
from giftsim.engine.worlds.world import World

MAX_SLEEP_S = 60.0
RETRY_AFTER_FAILURE_S = RETRY_WITHOUT_THREADS_S = 1.0
BUSY_WORLD_S = 0.05


class Ticker:
    """Sleeps until the earliest timer of any running world, or until a world has been idle for its `ttl`.

    It fires the timer, and sends what it caused in the background. Deliveries that found no thread are tried again.
    """

    def __init__(self, registry: Registry) -> None:
        self._registry = registry
        self._condition = registry.runtime.system.condition()
        self._woken = False
        self._stopped = False
        registry.runtime.wake_ticker = self.wake

    def start(self) -> None:
        """Start the thread."""
        self._registry.runtime.system.start_thread(self._run, "ticker")

    def wake(self) -> None:
        """Wake the thread, because a world changed its clock's rate or its timers."""
        with self._condition:
            self._woken = True
            self._condition.notify()

    def stop(self) -> None:
        """End the thread."""
        self._stopped = True
        self.wake()

    def _run(self) -> None:
        while not self._stopped:
            sleep_s = self._delete_expired()
            if self._registry.runtime.lacks_threads:
                self._registry.runtime.start_threads_again()
                sleep_s = min(sleep_s, RETRY_WITHOUT_THREADS_S)
            for world in list(self._registry.worlds.values()):
                if world.state.rate:
                    sleep_s = min(sleep_s, self._tick_safely(world))
            if self._registry.runtime.is_checkpoint_due():
                from giftsim.engine.worlds import checkpoint  # only a process with a journal file writes checkpoints

                checkpoint.write_in_background(self._registry)
            with self._condition:
                self._condition.wait_for(lambda: self._woken, timeout=max(sleep_s, 0.001))
                self._woken = False

    def _delete_expired(self) -> float:
        """Delete worlds that were idle for their `ttl`; returns the real seconds until another may end."""
        try:
            next_s = self._registry.delete_expired()
        except Exception as error:  # noqa: BLE001 - nothing else would report it
            self._registry.runtime.log_bug("of the ticker", error)
            return RETRY_AFTER_FAILURE_S
        return MAX_SLEEP_S if next_s is None else min(MAX_SLEEP_S, next_s)

    def _tick_safely(self, world: World) -> float:
        """Tick one world. A bug is logged, and stops neither this world nor the others for long.

        If the journal file cannot be written, calls say so, and the time that has passed is written later.
        """
        try:
            return self._tick(world)
        except NotWritten:
            return RETRY_AFTER_FAILURE_S
        except Exception as error:  # noqa: BLE001 - nothing else would report it
            if not self._stopped:
                self._registry.runtime.log_bug(f"of the ticker in world {world.id}", error)
            return RETRY_AFTER_FAILURE_S

    def _tick(self, world: World) -> float:
        """Fire what is due in one world; returns the real seconds until its next timer."""
        with world.lock:
            if world.deleted or world.clock.advancing:
                return BUSY_WORLD_S
            world.clock.catch_up()
            timer, rate = world.state.timers.peek(), world.state.rate
            now_ms = world.state.now_ms
        world.deliveries.send_in_background()
        if timer is None or not rate:
            return MAX_SLEEP_S
        return max(0.0, (timer.due_ms - now_ms) / 1000 / rate)
