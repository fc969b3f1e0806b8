"""Parked calls: held or delayed ones hold no lock and starve nobody; beyond a cap they are refused (G16, G17)."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import takewhile
from typing import TYPE_CHECKING

from giftsim.kernel.problem import Problem
from giftsim.worlds import system_clock
from giftsim.worlds.advance import catch_up
from giftsim.worlds.problem import CallUndone, WorldGone

if TYPE_CHECKING:
    from giftsim.worlds.registry import Registry
    from giftsim.worlds.world import World

MOST_PARKED = 256


class TooManyParked(Problem):
    """As many calls are parked as the simulator holds."""

    status = 503
    code = "service_unavailable"


class Parking:
    """The places for parked calls; `changed` wakes them to look whether their fault is still there."""

    def __init__(self) -> None:
        self.changed = threading.Condition()
        self.taken = 0

    def take(self) -> None:
        """Take a place for one call; TooManyParked beyond the cap."""
        with self.changed:
            if self.taken >= MOST_PARKED:
                raise TooManyParked(f"{MOST_PARKED} calls are parked by faults already; release some")
            self.taken += 1

    @contextmanager
    def stay(self, registry: Registry) -> Iterator[None]:
        """Be in the place that was taken, with the thread lent to the server, and give it up in the end."""
        try:
            with registry.lend():
                yield
        finally:
            self.leave()

    def leave(self) -> None:
        """Give a place up."""
        with self.changed:
            self.taken -= 1

    def wake(self) -> None:
        """Let every held call look again (a fault was deleted, a world replaced)."""
        with self.changed:
            self.changed.notify_all()


def hold(world: World, call: int, still: Callable[[], bool]) -> None:
    """Keep a call here, without the world's lock, while `still()`; it goes on at the then present instant.

    Those that are released together go on in the order in which they came, every time.
    """
    parking, registry = world.registry.parking, world.registry
    if registry.replaying is not None:
        world.park(call)
        return
    parking.take()
    try:
        world.park(call)
    except Problem:
        parking.leave()
        raise
    place = world.parked[call]

    def is_undone() -> bool:
        return world.parked.get(call) is not place

    world.holding.append(still)
    world.lock.release()
    try:
        with parking.stay(registry), parking.changed:
            parking.changed.wait_for(lambda: world.gone or registry.closing or is_undone() or _is_next(world, still))
    finally:
        world.lock.acquire()
        world.holding.remove(still)
        parking.wake()
    if world.gone:
        raise WorldGone(f"world {world.id} was deleted while the call was held")
    if is_undone():
        raise CallUndone("the call was taken back while it was held; make it again")
    catch_up(world)
    world.resume(call)


def _is_next(world: World, still: Callable[[], bool]) -> bool:
    """Whether a call is held no more, and every one before it is."""
    return not still() and all(other() for other in takewhile(lambda other: other is not still, world.holding.copy()))


def delay(registry: Registry, world: World | None, span_s: float) -> None:
    """Answer late, by real seconds, in a place that was taken on entry: a call that is done is never refused."""
    late: list[object] = [] if world is None else world.late
    late.append(registry)
    try:
        with registry.parking.stay(registry):
            if registry.replaying is None:
                system_clock.sleep(span_s)
    finally:
        late.pop()
