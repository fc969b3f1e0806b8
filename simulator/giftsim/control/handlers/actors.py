"""Actors: recipients who claim and approvers who decide on their own, at instants of the world's clock."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from giftsim.control.pagination import page
from giftsim.control.views.actor import actor_view
from giftsim.control.world_access import change_state, current_state
from giftsim.domain.actors.actor import ACTORS, add_actor, find_actor
from giftsim.domain.actors.schedule import assign_open_tasks, remove_actor, remove_all_actors
from giftsim.gateway.call import Call, Handler, Response


def list_actors(call: Call) -> Response:
    """List actors and what they did, oldest first."""
    with current_state(call.world) as state:
        rows = ((actor.n + 1, actor) for actor in state[ACTORS])
        return page(call, "actors", rows, lambda actor: actor_view(state, actor))


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


HANDLERS: Mapping[str, Handler] = MappingProxyType(
    {
        "listActors": list_actors,
        "createActor": create_actor,
        "deleteActor": delete_actor,
        "deleteActors": delete_actors,
    }
)
