"""Actors, as JSON."""

from __future__ import annotations

from typing import Any

import msgspec

from giftsim.engine.control.pagination import respond_with_page
from giftsim.engine.control.world_access import change_state, current_state
from giftsim.engine.gateway.call import Call, Response
from giftsim.engine.kernel.instants import format_duration, format_instant, instant_or_null
from giftsim.engine.kernel.state import State
from giftsim.services.gifting.domain.actor import ACTORS, NEVER, RECIPIENT, Actor, add_actor, find_actor
from giftsim.services.gifting.domain.actor_schedule import (
    assign_open_tasks,
    pending_acts,
    remove_actor,
    remove_all_actors,
)


def actor_view(state: State, actor: Actor) -> dict[str, Any]:
    """An actor with its options, and counts of what it was asked, did and was refused."""
    return {
        "id": actor.id,
        **(_recipient(actor) if actor.role == RECIPIENT else _approver(actor)),
        "asked": actor.asked,
        "waiting": pending_acts(state, actor),
        "acted": actor.acted,
        "refused": actor.refused,
        "last_acted_at": instant_or_null(actor.acted_at_ms),
        "last_refusal": _refusal(actor),
    }


def _recipient(actor: Actor) -> dict[str, Any]:
    options = {"recipient": actor.whom, "claims": NEVER if actor.after_ms is None else format_duration(actor.after_ms)}
    stored = {"address": actor.address, "selection": actor.selection}
    return options | {name: msgspec.json.decode(value) for name, value in stored.items() if value is not None}


def _approver(actor: Actor) -> dict[str, Any]:
    if actor.after_ms is None:
        return {"approver": actor.whom, "decides": NEVER}
    options = {"approver": actor.whom, "decides": actor.decision, "after": format_duration(actor.after_ms)}
    return options if actor.note is None else {**options, "note": actor.note}


def _refusal(actor: Actor) -> dict[str, Any] | None:
    if actor.refusal is None or actor.refused_at_ms is None:
        return None
    code, message = actor.refusal
    return {"at": format_instant(actor.refused_at_ms), "code": code, "message": message}


def list_actors(call: Call) -> Response:
    """List actors and what they did, oldest first."""
    with current_state(call.world) as state:
        rows = ((actor.n + 1, actor) for actor in state[ACTORS])
        return respond_with_page(call, "actors", rows, lambda actor: actor_view(state, actor))


def create_actor(call: Call) -> Response:
    """Create an actor. Open claims and approvals that fit are assigned to it at once."""
    with change_state(call) as state:
        actor = add_actor(state, call.body)
        assign_open_tasks(state, actor)
        response = Response(201, actor_view(state, state[ACTORS].get(actor.n)))
    call.registry.runtime.wake_ticker()
    return response


def delete_actor(call: Call) -> Response:
    """Delete an actor. Its open tasks go to the next actor that fits."""
    with change_state(call) as state:
        remove_actor(state, find_actor(state, call.params["id"]))
    call.registry.runtime.wake_ticker()
    return Response(200, {"deleted": call.params["id"]})


def delete_actors(call: Call) -> Response:
    """Delete all actors."""
    with change_state(call) as state:
        deleted = remove_all_actors(state)
    return Response(200, {"deleted": [actor.id for actor in deleted]})
