"""Receivers of webhooks, and the deliveries sent to them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from giftsim.control.delivery_views import delivery_detail, signature
from giftsim.control.kinds import ENDPOINT, team_id
from giftsim.control.pagination import NEWEST, list_records, numbered, page
from giftsim.control.world_access import change_state, current_state, settled_state
from giftsim.domain.money.account import ACCOUNTS, owning_account
from giftsim.gateway.call import Call, Response
from giftsim.kernel.instants import format_instant
from giftsim.kernel.placeholders import fill
from giftsim.kernel.state import State
from giftsim.webhooks import attempt_log, receiver
from giftsim.webhooks.attempt import find_attempt
from giftsim.webhooks.dispatch import resend
from giftsim.webhooks.endpoint import Endpoint
from giftsim.webhooks.event import find_event
from giftsim.worlds import system_clock
from giftsim.worlds.world import World


def list_receivers(call: Call) -> Response:
    """List receivers."""
    with current_state(call.world) as state:
        return page(call, "receivers", numbered(receiver.list_receivers(state)), receiver.view)


def put_receiver(call: Call) -> Response:
    """Set the receiver of a host. Offsets count from the world's `now` at its creation."""
    with change_state(call) as state:
        entry = receiver.set_receiver(state, call.params["host"], call.body, start_ms=call.world.config.now_ms)
        timed_out = call.world.deliveries.held.time_out(entry.host)
    call.world.deliveries.complete(timed_out)
    return Response(200, receiver.view(entry))


def delete_receiver(call: Call) -> Response:
    """Delete the receiver of a host."""
    with change_state(call) as state:
        receiver.delete_receiver(state, call.params["host"])
        timed_out = call.world.deliveries.held.time_out(call.params["host"].lower())
    call.world.deliveries.complete(timed_out)
    return Response(200, {"deleted": call.params["host"]})


def list_deliveries(call: Call) -> Response:
    """List attempts once none is in flight. During an advance, or with a held delivery, list them at once."""
    access = current_state if call.world.clock.advancing or call.world.deliveries.held.unanswered else settled_state
    with access(call.world) as state:
        listed = attempt_log.list_attempts(state, _wanted(state, call.query), call.query["limit"])
        rows = [
            attempt_log.attempt_view(state, attempt, filler(call.world), int(system_clock.seconds()))
            for attempt in listed.attempts
        ]
        counts = {"counts": attempt_log.count_outcomes(state)} if call.query["counts"] else {}
    return Response(200, {"deliveries": rows, "next": listed.next, **counts})


def _wanted(state: State, query: Mapping[str, Any]) -> attempt_log.AttemptFilter:
    event = None if query["event"] is None else find_event(state, query["event"])
    return attempt_log.AttemptFilter(
        after=query["after"],
        before=query["before"],
        newest=query["order"] == NEWEST,
        kind=query["type"],
        host=query["host"],
        event=None if event is None else event.n,
        outcome=query["outcome"],
        endpoint=None if query["endpoint"] is None else query["endpoint"] - 1,
    )


def get_delivery(call: Call) -> Response:
    """One attempt with what answered it and its signature step by step."""
    with current_state(call.world) as state:
        return Response(200, delivery_detail(call.world, state, find_attempt(state, call.params["seq"])))


def verify_delivery(call: Call) -> Response:
    """The steps of verifying the request of an attempt with a secret, by default that of its endpoint."""
    wall_s = int(system_clock.seconds())
    with current_state(call.world) as state:
        attempt = find_attempt(state, call.params["seq"])
        view = attempt_log.attempt_view(state, attempt, filler(call.world), wall_s)
        own = state[ENDPOINT.table].get(attempt.endpoint).secret
        given = call.body.get("secret", own)
        other = next((each.id for each in state[ENDPOINT.table] if each.secret == given and given != own), None)
        steps = signature(view, given, attempt_log.signed_s(state, attempt, wall_s))
    return Response(200, {**steps, "own_secret": given == own, "secret_of": other})


def resend_delivery(call: Call) -> Response:
    """Send a delivery again. A forwarding receiver gets it after this response."""
    with change_state(call) as state:
        attempt = resend(state, call.params["seq"])
        return Response(201, attempt_log.attempt_view(state, attempt, filler(call.world), int(system_clock.seconds())))


def get_delivery_request(call: Call) -> Response:
    """The request of an attempt, with the signature that was sent or a new one."""
    wall_s = int(system_clock.seconds())
    with current_state(call.world) as state:
        attempt = find_attempt(state, call.params["seq"])
        signed_s = wall_s if call.query["sign"] == "now" else attempt_log.signed_s(state, attempt, wall_s)
        return Response(200, attempt_log.request_view(state, attempt, filler(call.world), signed_s))


def filler(world: World) -> Callable[[bytes], bytes]:
    """A function that fills the placeholders in a world's stored bytes (G1)."""
    return lambda stored: fill(stored, world.runtime.origin, world.id)


def endpoint_view(state: State, endpoint: Endpoint) -> dict[str, Any]:
    """A webhook endpoint of an account or a team, without its secret."""
    account = owning_account(endpoint.owner)
    return {
        "id": endpoint.id,
        "account_id": None if account is None else state[ACCOUNTS].get(account).id,
        "team_id": team_id(state, endpoint.owner) if account is None else None,
        "key": None if account is None else endpoint.key,
        "url": endpoint.url,
        "events": list(endpoint.kinds),
        "status": endpoint.status,
        "pending": endpoint.pending,
        "dead": endpoint.dead,
        "created_at": format_instant(endpoint.created_ms),
    }


def list_endpoints(call: Call) -> Response:
    """List webhook endpoints."""
    return list_records(call, "endpoints", ENDPOINT, endpoint_view)
