"""Access of control calls to a world's state. Timers that are due by now run before the state is read or changed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from giftsim.engine.gateway.call import Call
from giftsim.engine.kernel.state import State
from giftsim.engine.log.inputs import ControlCall
from giftsim.engine.log.segment import CallOutcome
from giftsim.engine.problem import Problem
from giftsim.engine.worlds.changes import CONTROL
from giftsim.engine.worlds.world import World


class Trial(Call):
    """A call that is made to see what it would do: what it changes is taken back, and it is not logged.

    Make it while the lock of its world is held. `counters` are those of the state at its end, if it was not refused.
    """

    counters: dict[str, int] | None = None


class Part(Call):
    """A call that another one makes: its changes are in the transaction of that one, and it is not logged."""


class _TakenBack(Exception):
    """Ends the transaction of a trial."""


@contextmanager
def current_state(world: World) -> Iterator[State]:
    """Hold the lock of a world and yield its state at the current instant. WorldGone if the world was deleted."""
    with world.locked() as state:
        world.clock.catch_up()
        yield state


@contextmanager
def change_state(call: Call, what: str | None = None) -> Iterator[State]:
    """Yield the state of a call's world in one transaction. The call is added to the world's event log (G3).

    `what` is what the feed of changes says of it, by default what its operation does.

    The changes of a Trial are taken back. Those of a Part are a transaction in that of the call that makes it.
    """
    if isinstance(call, Part):
        with call.state.transaction():
            yield call.state
        return
    if isinstance(call, Trial):
        with suppress(_TakenBack), call.state.transaction():
            yield call.state
            call.counters = call.state.counters.copy()
            raise _TakenBack
        return
    world, base_path = call.world, f"/worlds/{call.world.id}"
    body = call.raw if call.operation.body_schema is not None else b""  # what an operation ignores can be anything
    with current_state(world) as state:
        path = call.path.removeprefix(base_path)
        event = ControlCall(at_ms=state.now_ms, method=call.method, path=path, body=body, during=world.clock.waits_for)
        world.add_event(event)
        try:
            with state.transaction():
                yield state
        except Problem as problem:
            world.event_log.set_outcome(event.n, CallOutcome(status=problem.status))
            raise
        world.note(CONTROL, what or call.operation.node["summary"])


@contextmanager
def settled_state(world: World) -> Iterator[State]:
    """Yield the state at the current instant with no delivery in flight. ClockBusy while an advance waits (G7, G21)."""
    catch_up_and_send(world)
    with world.settled() as state:
        yield state


def catch_up_and_send(world: World) -> None:
    """Run the timers that are due by now, and send the webhooks they cause in the background."""
    with current_state(world):
        pass
    world.deliveries.send_in_background()


def process_view(prefix: str | None) -> dict[str, Any]:
    """The member that names this process among several that share an address; nothing if it is alone (G136)."""
    return {"process": prefix} if prefix else {}
