"""Held deliveries: attempts that wait at a receiver of mode `hold` until they are answered."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from giftsim.control.pagination import page
from giftsim.control.webhooks import filler
from giftsim.control.world_access import catch_up_and_send, current_state
from giftsim.gateway.call import Call, Response
from giftsim.gateway.problem import InvalidBody
from giftsim.kernel.state import State
from giftsim.webhooks import attempt_log
from giftsim.webhooks.attempt import find_attempt
from giftsim.webhooks.receiver_script import Answer, answer_of_step, read_step
from giftsim.worlds import system_clock
from giftsim.worlds.held_deliveries import HeldDelivery
from giftsim.worlds.world import World

ATTEMPT_MEMBERS = ("seq", "at", "url", "event_id", "type", "attempt", "mark", "request")


def list_held(call: Call) -> Response:
    """List held deliveries. With `wait`, wait until there is one or no advance is in progress."""
    catch_up_and_send(call.world)
    if call.query["wait"]:
        call.world.deliveries.wait_until_held()
    with current_state(call.world) as state:
        rows = ((held.outgoing.attempt + 1, held) for held in call.world.deliveries.held.unanswered)
        return page(call, "held", rows, lambda held: _view(call.world, state, held))


def answer_delivery(call: Call) -> Response:
    """Answer a held delivery in place of its receiver. An empty body gives the receiver's default answer."""
    with current_state(call.world) as state:
        attempt = find_attempt(state, call.params["seq"])
        held = call.world.deliveries.held.find(attempt.n)
        answer = _read_answer(call.body) if call.body else held.default_answer
        body = _view(call.world, state, held)
        held.answer = answer
    call.world.deliveries.complete([held])
    return Response(200, {**body, "outcome": answer.outcome, "status": answer.status})


def _read_answer(body: Mapping[str, Any]) -> Answer:
    try:
        return answer_of_step(read_step(body))
    except ValueError as error:
        raise InvalidBody(str(error)) from None


def _view(world: World, state: State, held: HeldDelivery) -> dict[str, Any]:
    attempt = find_attempt(state, held.outgoing.attempt + 1)
    view = attempt_log.attempt_view(state, attempt, filler(world), int(system_clock.seconds()))
    default = {"outcome": held.default_answer.outcome, "status": held.default_answer.status}
    return {**{name: view[name] for name in ATTEMPT_MEMBERS}, "own": default}
