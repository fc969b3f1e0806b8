"""Actors: recipients who claim and approvers who decide by themselves, on the world's clock."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from giftsim.control.pagination import page
from giftsim.control.views.actor import shown
from giftsim.control.world_access import changing, present
from giftsim.domain.actors.actor import ACTORS, add_actor, find_actor
from giftsim.domain.actors.schedule import assign_open_tasks, remove_actor, remove_all_actors
from giftsim.gateway.call import Call, Handler, Response


def list_actors(call: Call) -> Response:
    """Actors with what they did, oldest first."""
    with present(call.world) as state:
        rows = ((actor.n + 1, actor) for actor in state[ACTORS])
        return page(call, "actors", rows, lambda actor: shown(state, actor))


def create_actor(call: Call) -> Response:
    """Have somebody act by himself; what is open already comes to him now."""
    with changing(call) as state:
        actor = add_actor(state, call.body)
        assign_open_tasks(state, actor)
        reply = Response(201, shown(state, state[ACTORS].get(actor.n)))
    call.registry.runtime.wake_ticker()
    return reply


def delete_actor(call: Call) -> Response:
    """Let one go; the next in order takes over."""
    with changing(call) as state:
        remove_actor(state, find_actor(state, call.params["id"]))
    call.registry.runtime.wake_ticker()
    return Response(200, {"deleted": call.params["id"]})


def delete_actors(call: Call) -> Response:
    """Let all go."""
    with changing(call) as state:
        gone = remove_all_actors(state)
    return Response(200, {"deleted": [actor.id for actor in gone]})


HANDLERS: Mapping[str, Handler] = MappingProxyType(
    {
        "listActors": list_actors,
        "createActor": create_actor,
        "deleteActor": delete_actor,
        "deleteActors": delete_actors,
    }
)
