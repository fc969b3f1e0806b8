"""A world with no advance in progress and no delivery in flight, as control calls need it (G7)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from giftsim.kernel.state import State
from giftsim.webhooks.attempt import in_flight
from giftsim.worlds import system_clock
from giftsim.worlds.problem import ClockBusy, DeliveriesInFlight, WorldGone
from giftsim.worlds.sending import send_in_background
from giftsim.worlds.world import World

MAX_HOSTS = 3
_HOW_TO_GO_ON = "answer it at deliveries/{seq}/answer, or delete its receiver"


@contextmanager
def settled(world: World) -> Iterator[State]:
    """Hold the lock of a world that has settled; yields its state.

    Waits for an advance that computes, and for deliveries in flight. ClockBusy while an advance waits at a delivery or
    a delivery is held; DeliveriesInFlight after the longest wait; WorldGone when the world was deleted.
    """
    with world.locked():
        _wait_for_advance(world)
        _wait_for_deliveries(world)
        yield world.state


@contextmanager
def interrupted(world: World) -> Iterator[State]:
    """Hold the lock of a world whose state is about to be replaced, whatever waits for a receiver; yields its state.

    Waits for an advance that computes. WorldGone when the world was deleted.
    """
    with world.locked():
        while world.advancing and world.current_delivery is None and not world.deleted:
            _give_way(world)
        _refuse_deleted(world)
        yield world.state


def _wait_for_deliveries(world: World) -> None:
    """Send what is in the outbox, and wait without the lock until everything has returned (G21)."""
    limit_s = world.runtime.limits.settle_s
    deadline = system_clock.monotonic() + limit_s
    while world.in_flight or world.state.outbox:
        world.lock.release()
        try:
            send_in_background(world)
            with world.runtime.lend_thread(), world.delivery_returned:
                has_ended = world.delivery_returned.wait_for(
                    lambda: world.deleted or not world.in_flight or world.held_deliveries.unanswered,
                    max(0.0, deadline - system_clock.monotonic()),
                )
        finally:
            world.lock.acquire()
        _wait_for_advance(world)
        if held := world.held_deliveries.unanswered:
            raise ClockBusy(f"delivery {held[0].outgoing.attempt + 1} of world {world.id} is held: {_HOW_TO_GO_ON}")
        if not has_ended:
            raise _still_on_their_way(world, limit_s)


def _still_on_their_way(world: World, limit_s: float) -> DeliveriesInFlight:
    hosts = ", ".join(sorted({attempt.host for attempt in in_flight(world.state)})[:MAX_HOSTS])
    return DeliveriesInFlight(
        f"{world.in_flight} deliveries of world {world.id} are still on their way after {limit_s:g} s, to {hosts}: "
        "their receiver hangs or is slow; let it answer, or reset the world"
    )


def _wait_for_advance(world: World) -> None:
    """Give the lock to an advance until it is done. It releases the lock now and then, and at deliveries."""
    while world.advancing and not world.deleted:
        if world.current_delivery is not None:
            held, hint = world.held_deliveries.unanswered, "try again when it has answered"
            if held:
                hint = f"delivery {held[0].outgoing.attempt + 1} is held: {_HOW_TO_GO_ON}"
            raise ClockBusy(f"an advance of world {world.id} waits for a delivery; {hint}")
        _give_way(world)
    _refuse_deleted(world)


def _give_way(world: World) -> None:
    world.lock.release()
    world.lock.acquire()


def _refuse_deleted(world: World) -> None:
    if world.deleted:
        raise WorldGone(f"world {world.id} was deleted")
