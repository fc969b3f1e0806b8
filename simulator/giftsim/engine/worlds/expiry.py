"""When idle worlds end: the earliest first, so that nobody has to look at all of them."""

from __future__ import annotations

from heapq import heapify, heappop, heappush
from itertools import count
from weakref import ref

from giftsim.engine.worlds.runtime import Runtime
from giftsim.engine.worlds.world import World


class Expiry:
    """The worlds with a `ttl`, by the instant before which each cannot end. A world that was used ends later."""

    def __init__(self, runtime: Runtime) -> None:
        self._system = runtime.system
        self._ends: list[tuple[float, int, ref[World]]] = []
        self._serials = count()
        self._lock = runtime.system.lock()

    def add(self, world: World, most: int) -> None:
        """Let a world end once it has been idle for its `ttl`, if it has one. `most` worlds exist."""
        left_s = world.seconds_to_live()
        if left_s is None or world.deleted:
            return
        with self._lock:
            if len(self._ends) > 2 * most + 8:  # so many were deleted
                self._ends = [end for end in self._ends if (kept := end[2]()) is not None and not kept.deleted]
                heapify(self._ends)
            heappush(self._ends, (self._system.monotonic() + left_s, next(self._serials), ref(world)))

    def take_due(self) -> list[World]:
        """The worlds that may have been idle for their `ttl` by now. `add` those that stay."""
        now_s, due = self._system.monotonic(), list[World | None]()
        with self._lock:
            while self._ends and self._ends[0][0] <= now_s:
                due.append(heappop(self._ends)[2]())
        return [world for world in due if world is not None]

    def next_s(self) -> float | None:
        """The real seconds until a world may end; None if none has a `ttl`."""
        with self._lock:
            return self._ends[0][0] - self._system.monotonic() if self._ends else None
