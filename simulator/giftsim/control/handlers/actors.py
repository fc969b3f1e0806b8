"""Actors: recipients who claim and approvers who decide by themselves, on the world's clock."""

from __future__ import annotations

from giftsim.control.pagination import page
from giftsim.control.views.actor import shown
from giftsim.control.world_access import changing, present
from giftsim.domain.actors.actor import ACTORS, find, make
from giftsim.domain.actors.schedule import enter, leave, leave_all
from giftsim.gateway.call import Call, Reply


def list_actors(call: Call) -> Reply:
    """Actors with what they did, oldest first."""
    with present(call.here) as state:
        rows = ((actor.n + 1, actor) for actor in state[ACTORS])
        return page(call, "actors", rows, lambda actor: shown(state, actor))


def create_actor(call: Call) -> Reply:
    """Have somebody act by himself; what is open already comes to him now."""
    with changing(call) as state:
        actor = make(state, call.body)
        enter(state, actor)
        reply = Reply(201, shown(state, state[ACTORS].get(actor.n)))
    call.registry.wake()
    return reply


def delete_actor(call: Call) -> Reply:
    """Let one go; the next in order takes over."""
    with changing(call) as state:
        leave(state, find(state, call.params["id"]))
    call.registry.wake()
    return Reply(200, {"deleted": call.params["id"]})


def delete_actors(call: Call) -> Reply:
    """Let all go."""
    with changing(call) as state:
        gone = leave_all(state)
    return Reply(200, {"deleted": [actor.id for actor in gone]})
