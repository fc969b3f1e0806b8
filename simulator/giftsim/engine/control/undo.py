"""Undo and redo: taking back client writes or everything after a change, bringing it back, and the list of both."""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import islice
from typing import Any

from giftsim.engine.control.body_check import read_instant
from giftsim.engine.control.call_names import operation_of
from giftsim.engine.control.credentials import credential_name_in_headers
from giftsim.engine.control.pagination import number_rows, respond_with_page
from giftsim.engine.control.rehearsing import NAME, rehearse, rehearsed
from giftsim.engine.control.services import services_of
from giftsim.engine.control.world_access import catch_up_and_send, current_state
from giftsim.engine.gateway.call import Call, Interface, Response
from giftsim.engine.gateway.contract import Operation
from giftsim.engine.gateway.problem import InvalidBody
from giftsim.engine.gateway.simulated_service import Service, service_of
from giftsim.engine.kernel.instants import format_instant
from giftsim.engine.kernel.state import State
from giftsim.engine.log.inputs import (
    ClientCall,
    ClockRateSet,
    ControlCall,
    SnapshotDeleted,
    SnapshotRestored,
    SnapshotSaved,
    TimePassed,
)
from giftsim.engine.replay.redo import redo
from giftsim.engine.replay.undo import Done, Undone, actions_since, undoable_actions, undoable_writes
from giftsim.engine.worlds.advance import MAX_EVENTS, advance, goal_at
from giftsim.engine.worlds.changes import CALL, CLOCK, CONTROL, SNAPSHOT
from giftsim.engine.worlds.world import World
from giftsim.engine.worlds.world_errors import ClockBackwards


def undo_world(call: Call) -> Response:
    """Undo client writes, or everything after a change."""
    body, services = call.body, services_of(call)
    if "to" in body and "count" in body:
        raise InvalidBody("an undo takes count or to, not both")
    if "until" in body and "to" not in body:
        raise InvalidBody("until is where time passes again after an undo to a change: it needs to")
    catch_up_and_send(call.world)
    if "until" in body:
        undone = _undo_until(call, body["to"], read_instant("until", body["until"]))
    elif "to" in body:
        undone = services.undo_to(call.world, body["to"], 0)
    else:
        undone = services.undo_writes(call.world, body.get("count", 1))
    call.world.show_app()
    call.registry.runtime.waiters.notify()
    return _respond(call, "undone", undone)


def _undo_until(call: Call, change_n: int, until_ms: int) -> Undone:
    """Undo to a change, then let time pass again to an instant. If it cannot, the world stays as it was."""
    world, services = call.world, services_of(call)
    if until_ms > world.state.now_ms:
        raise InvalidBody(f"until: {format_instant(until_ms)} has not come; it is {format_instant(world.state.now_ms)}")
    undone = services.undo_to(world, change_n, until_ms)
    try:
        advance(world, lambda state: goal_at(state, until_ms), MAX_EVENTS)
    except ClockBackwards:
        redo(world)
        raise
    return undone._replace(now_ms=until_ms)


def redo_world(call: Call) -> Response:
    """Bring back what the last undo took away."""
    catch_up_and_send(call.world)
    redone = redo(call.world)
    call.world.show_app()
    call.registry.runtime.waiters.notify()
    return _respond(call, "redone", redone)


def _respond(call: Call, member: str, done: Undone) -> Response:
    service = service_of(call.world.state)
    writes = [_call(service, event) for event in done.writes]
    return Response(200, {member: writes, "now": format_instant(done.now_ms)})


def list_undo(call: Call) -> Response:
    """List what can be undone, newest first. A page may end where memory does: the next one reads the journal file."""
    world, services = call.world, services_of(call)
    interfaces = (*services.simulated(), call.interface)
    done, after = undoable_actions if call.query["all"] else undoable_writes, call.query["after"] or 0
    services.reach_back(world, lambda: any(islice(done(world), after, None)))
    with current_state(world) as state:
        rows = ((n, (n, each)) for n, each in number_rows(done(world)))
        response = respond_with_page(call, "undo", rows, lambda row: _row(interfaces, world, state, *row))
        if response.body["next"] is None and response.body["undo"] and world.event_log.earlier is not None:
            response.body["next"] = response.body["undo"][-1]["n"]
        response.body["redo"] = _redo(interfaces, world, state)
        return response


def _redo(interfaces: Sequence[Interface], world: World, state: State) -> dict[str, Any] | None:
    """What a redo would bring back; None if there is nothing."""
    stretch = world.taken_away.last(world.event_log)
    if stretch is None:
        return None
    done = list(actions_since(stretch.log, stretch.n))
    first = _row(interfaces, world, state, len(done), done[-1])["summary"] if done else "the time that had passed"
    more = f", and {len(done) - 1} more" if len(done) > 1 else ""
    return {
        "summary": first + more,
        "actions": len(done),
        "at": format_instant(state.now_ms),
        "to_at": format_instant(stretch.state.now_ms),
    }


def _call(service: Service, event: ClientCall) -> dict[str, Any]:
    return {"at": format_instant(event.at_ms), "method": event.method, "path": service.secret_table.redact(event.path)}


def _row(interfaces: Sequence[Interface], world: World, state: State, n: int, done: Done) -> dict[str, Any]:
    """What was done: undoing to the change `to` undoes it and all that came after it."""
    event = done.event
    row = {
        "n": n,
        "at": format_instant(done.at_ms),
        "method": None,
        "path": None,
        "operation": None,
        "credential": None,
        "call": None,
        "to": world.event_log.change_before(event.n),
    }
    match event:
        case ClientCall():
            return row | _write(interfaces, world, state, done, event)
        case ControlCall():
            return row | _control_call(interfaces[-1], state, done.segment.world_id, event)
        case TimePassed():
            span = f"from {format_instant(done.at_ms)} to {format_instant(done.to_ms)}"
            return row | {"kind": CLOCK, "summary": f"the clock was advanced {span}"}
        case ClockRateSet():
            rate = f"the clock runs at {event.rate:g} x real time" if event.rate else "the clock was stopped"
            return row | {"kind": CLOCK, "summary": rate}
        case SnapshotSaved() | SnapshotDeleted() | SnapshotRestored():
            what = {SnapshotSaved: "saved", SnapshotDeleted: "deleted", SnapshotRestored: "restored"}[type(event)]
            return row | {"kind": SNAPSHOT, "summary": f"the snapshot {event.name} was {what}"}
    raise TypeError(f"{event} cannot be undone by itself")


def _write(
    interfaces: Sequence[Interface], world: World, state: State, done: Done, event: ClientCall
) -> dict[str, Any]:
    """A client's write. `call` is its number in the world's own call log."""
    segment = done.segment
    entry = segment.outcomes[event.n].entry if segment.world_id == world.id else None
    call = _call(service_of(state), event)
    return {
        **call,
        "kind": CALL,
        "summary": f"{call['method']} {call['path']}",
        "operation": operation_of(interfaces, event)[1],
        "credential": credential_name_in_headers(state, segment.world_id, dict(event.headers)),
        "call": entry.seq if entry and entry.seq > world.calls.log.dropped else None,
    }


def _control_call(control: Interface, state: State, world_id: str, event: ControlCall) -> dict[str, Any]:
    path = f"/worlds/{world_id}{event.path}"
    match = control.contract.match(path)
    operation = match[0].operation(event.method) if match else None
    return {
        "method": event.method,
        "path": service_of(state).secret_table.redact(control.contract.prefix + path),
        "kind": CONTROL,
        "summary": _summary(operation, event) if operation else f"{event.method} {event.path}",
        "operation": operation.id if operation else None,
    }


def _summary(operation: Operation, event: ControlCall) -> str:
    """What an operation does. Of a rehearsal its name, which says more."""
    is_rehearsal = operation.id == rehearse.__name__
    return rehearsed(json.loads(event.body)[NAME]) if is_rehearsal else str(operation.node["summary"])
