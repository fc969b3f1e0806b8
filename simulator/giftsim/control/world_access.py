"""A world at its present instant: what is due by now has happened before anybody reads or changes it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from giftsim.event_log.events import Controlled
from giftsim.event_log.log import Seen
from giftsim.gateway.call import Call
from giftsim.kernel.problem import Problem
from giftsim.kernel.state import State
from giftsim.worlds.advance import catch_up, dispatch
from giftsim.worlds.world import World


@contextmanager
def present(world: World) -> Iterator[State]:
    """The world to oneself; WorldGone once it was deleted."""
    with world.held() as state:
        catch_up(world)
        yield state


@contextmanager
def changing(call: Call) -> Iterator[State]:
    """The world of a control call, to change in one transaction; the call is one of the world's inputs (G3)."""
    world, head = call.here, f"/worlds/{call.here.id}"
    with present(world) as state:
        path = call.path.removeprefix(head)
        done = Controlled(
            at_ms=state.now_ms, method=call.method, path=path, body=call.raw, during=world.at_delivery
        )  # fmt: skip
        world.event_log.add(done)
        try:
            with state.transaction():
                yield state
        except Problem as refused:
            world.event_log.see(done.n, Seen(status=refused.status))
            raise


@contextmanager
def settled(world: World) -> Iterator[State]:
    """The same with nothing in flight; ClockBusy while an advance stands at a delivery (G7, G21)."""
    flush(world)
    with world.quiet() as state:
        yield state


def flush(world: World) -> None:
    """Let what is due by now happen, and what it sends be on its way."""
    with present(world):
        pass
    dispatch(world)
