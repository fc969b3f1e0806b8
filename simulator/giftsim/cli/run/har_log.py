"""Keeps the exchanges of a run for `run --har`: the calls in all worlds, and the webhooks that were sent."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any
from weakref import WeakKeyDictionary

from giftsim import __version__
from giftsim.cli.activity_log import NewAttempts
from giftsim.cli.replay import CallWatch
from giftsim.engine.control.call_names import CallNames
from giftsim.engine.control.calls import call_view
from giftsim.engine.control.deliveries import delivery_view
from giftsim.engine.gateway.call import Interface
from giftsim.engine.system import SYSTEM, System
from giftsim.engine.webhooks.attempt import Attempt, in_flight
from giftsim.engine.worlds.registry import DEFAULT
from giftsim.engine.worlds.world import World
from giftsim.workbench.har.writing import RealTime, entry_of_call, entry_of_webhook, write_har

Before = tuple[int, float]  # the machine's time in milliseconds, and on its monotonic clock in seconds


class HarLog(CallWatch):
    """An observer that makes an entry of each call and each attempt, when it happens: worlds may be reset or deleted.

    `origin` is the address that calls went to. `interfaces` are those that are simulated.
    """

    def __init__(self, origin: str, interfaces: Callable[[], Sequence[Interface]], system: System = SYSTEM) -> None:
        super().__init__()
        self._origin, self._interfaces, self._system = origin, interfaces, system
        self._attempts = NewAttempts()
        self._next: WeakKeyDictionary[World, int] = WeakKeyDictionary()  # the number of the next call of each world
        self._entries: list[dict[str, Any]] = []

    def call_begins(self, world: Any, authorization: str | None) -> Before:
        """Note when a call begins, and which number it may get: an undo gives numbers again."""
        super().call_begins(world, authorization)
        first = world.calls.log.next_seq
        self._next[world] = min(self._next.get(world, first), first)
        return self._system.now_ms(), self._system.monotonic()

    def call_ends(self, world: Any, before: object) -> None:
        """Add the call, unless it was undone meanwhile, and the webhooks that went out with it."""
        assert isinstance(before, tuple)
        started_ms, started_s = before
        log = world.calls.log
        real = RealTime(started_ms, round((self._system.monotonic() - started_s) * 1000, 3))
        for seq in range(self._next[world], log.next_seq):
            names = CallNames(self._interfaces(), world.state, world.id)
            view = call_view(world, log.entry(seq), names)
            self._entries.append(entry_of_call(view, self._origin, real, **_named(world)))
        self._next[world] = log.next_seq
        self.world_changed(world)

    def world_changed(self, world: Any) -> None:
        """Add the attempts that have an outcome now."""
        for attempt in self._attempts.completed(world):
            self._add(world, attempt)

    def content(self, worlds: Sequence[World]) -> bytes:
        """The file; `worlds` are those that are left, whose attempts may still be in flight."""
        for world in worlds:
            with world.locked() as state:
                for attempt in in_flight(state):
                    self._add(world, attempt)
        return write_har(self._entries, __version__, simulated=True)

    def _add(self, world: World, attempt: Attempt) -> None:
        self._entries.append(entry_of_webhook(delivery_view(world, world.state, attempt), **_named(world)))


def _named(world: World) -> dict[str, str]:
    return {} if world.id == DEFAULT else {"world": world.id}
