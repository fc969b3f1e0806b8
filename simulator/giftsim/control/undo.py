"""Undo: taking back client writes, and the list of those that can be taken back."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from giftsim.control.call_names import operation_of
from giftsim.control.credentials import credential_name_in_headers
from giftsim.control.pagination import numbered, page
from giftsim.control.redaction import redact_text
from giftsim.control.world_access import catch_up_and_send, current_state
from giftsim.event_log.inputs import ClientCall
from giftsim.event_log.segment import Segment
from giftsim.gateway.call import Call, Handler, Interface, Response
from giftsim.kernel.instants import format_instant
from giftsim.kernel.state import State
from giftsim.replay.undo import undoable_writes
from giftsim.worlds.world import World


def make_undo_world(undo: Callable[[World, int], Sequence[ClientCall]]) -> Handler:
    """The handler that undoes client writes."""

    def undo_world(call: Call) -> Response:
        catch_up_and_send(call.world)
        undone = undo(call.world, call.body.get("count", 1))
        call.registry.runtime.waiters.notify()
        with call.world.locked() as state:
            return Response(200, {"undone": list(map(_call, undone)), "now": format_instant(state.now_ms)})

    return undo_world


def make_list_undo(simulated: Sequence[Interface]) -> Handler:
    """The handler that lists the client writes which an undo takes back, with operations of `simulated` interfaces."""

    def list_undo(call: Call) -> Response:
        world = call.world
        with current_state(world) as state:
            rows = ((n, (n, *write)) for n, write in numbered(undoable_writes(world)))
            return page(call, "undo", rows, lambda row: _write(simulated, world, state, *row))

    return list_undo


def _call(event: ClientCall) -> dict[str, Any]:
    return {"at": format_instant(event.at_ms), "method": event.method, "path": redact_text(event.path)}


def _write(
    simulated: Sequence[Interface], world: World, state: State, n: int, segment: Segment, event: ClientCall
) -> dict[str, Any]:
    """A write: `count: n` undoes it and all that came after it. `call` is its number in the world's own call log."""
    entry = segment.outcomes[event.n].entry if segment.world_id == world.id else None
    return {
        "n": n,
        **_call(event),
        "operation": operation_of(simulated, event)[1],
        "credential": credential_name_in_headers(state, segment.world_id, dict(event.headers)),
        "call": entry.seq if entry else None,
    }
