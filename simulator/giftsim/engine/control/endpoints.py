"""Webhook endpoints: the list, one with its secret and how its attempts went, and a test event for it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from giftsim.engine.control.control_errors import EndpointDisabled
from giftsim.engine.control.deliveries import delivery_view
from giftsim.engine.control.own_searches import ENDPOINT_SEARCH
from giftsim.engine.control.pagination import list_records
from giftsim.engine.control.world_access import change_state, current_state
from giftsim.engine.gateway.call import Call, Response
from giftsim.engine.gateway.own_kinds import ENDPOINT
from giftsim.engine.gateway.simulated_service import service_of
from giftsim.engine.kernel.instants import DAY, HOUR, MINUTE, format_instant, instant_or_null
from giftsim.engine.kernel.state import State
from giftsim.engine.webhooks.attempt import Attempt, AttemptFilter, list_attempts
from giftsim.engine.webhooks.endpoint import ENABLED, Endpoint, EndpointNotFound
from giftsim.engine.webhooks.outgoing import DELIVERED

LOOKED_AT = 1000  # of an endpoint's attempts, the newest
MOST_PERIODS = 24
SPANS_MS = (5 * MINUTE, 15 * MINUTE, HOUR, 3 * HOUR, 6 * HOUR, 12 * HOUR, DAY, 7 * DAY, 28 * DAY, 364 * DAY)


def endpoint_view(state: State, endpoint: Endpoint) -> dict[str, Any]:
    """A webhook endpoint with its owner, without its secret."""
    owner = service_of(state).owner(endpoint.owner)
    return {
        "id": endpoint.id,
        **owner.ids(state, endpoint.owner),
        "key": endpoint.key if owner.shows_key else None,
        "url": endpoint.url,
        "events": list(endpoint.kinds),
        "status": endpoint.status,
        "pending": endpoint.pending,
        "dead": endpoint.dead,
        "created_at": format_instant(endpoint.created_ms),
    }


def list_endpoints(call: Call) -> Response:
    """List webhook endpoints."""
    return list_records(call, ENDPOINT_SEARCH, endpoint_view)


def get_endpoint(call: Call) -> Response:
    """One endpoint with its secret and how its newest attempts went (G250)."""
    with current_state(call.world) as state:
        endpoint = _find(state, call.params["id"])
        wanted = AttemptFilter(newest=True, host=endpoint.host, endpoint=endpoint.n)
        attempts = list_attempts(state, wanted, LOOKED_AT).attempts[::-1]
        more = {"host": endpoint.host, "secret": endpoint.secret, "history": history(attempts, state.now_ms)}
        return Response(200, {**endpoint_view(state, endpoint), **more})


def test_endpoint(call: Call) -> Response:
    """Send a test event, as the owner's own call does, or one of an invented type.

    A forwarding receiver gets it after this response.
    """
    kind = call.body.get("type")
    data = call.body.get("data", {} if kind else None)
    with change_state(call) as state:
        endpoint = _find(state, call.params["id"])
        if endpoint.status != ENABLED:
            raise EndpointDisabled(f"endpoint {endpoint.id} is disabled: nothing is sent to it")
        attempt = service_of(state).owner(endpoint.owner).test(state, endpoint, kind, data)
        return Response(201, delivery_view(call.world, state, attempt))


def _find(state: State, endpoint_id: int) -> Endpoint:
    endpoint = state[ENDPOINT.table].at(endpoint_id - 1)
    if endpoint is None:
        raise EndpointNotFound(f"there is no webhook endpoint {endpoint_id}")
    return endpoint


def history(attempts: Sequence[Attempt], now_ms: int) -> dict[str, Any]:
    """How attempts went, the oldest first: counted, in periods of equal length until now, and when they failed."""
    delivered = sum(attempt.outcome == DELIVERED for attempt in attempts)
    in_flight = sum(attempt.outcome is None for attempt in attempts)
    return {
        "since": instant_or_null(attempts[0].at_ms if attempts else None),
        "attempts": len(attempts),
        "delivered": delivered,
        "failed": len(attempts) - delivered - in_flight,
        "periods": list(_periods(attempts, now_ms)) if attempts else [],
        "failing": list(_failing(attempts)),
    }


def _periods(attempts: Sequence[Attempt], now_ms: int) -> Iterator[dict[str, Any]]:
    """Periods of the shortest length with which MOST_PERIODS reach from the first attempt until now."""
    first = attempts[0].at_ms
    span = next((each for each in SPANS_MS if now_ms // each - first // each < MOST_PERIODS), SPANS_MS[-1])
    for number in range(first // span, now_ms // span + 1):
        own = [each.outcome for each in attempts if each.at_ms // span == number and each.outcome is not None]
        delivered = own.count(DELIVERED)
        starts, ends = format_instant(number * span), format_instant((number + 1) * span)
        yield {"from": starts, "to": ends, "delivered": delivered, "failed": len(own) - delivered}


def _failing(attempts: Sequence[Attempt]) -> Iterator[dict[str, Any]]:
    """Each time from a failed attempt until the next one that was delivered."""
    failed: list[Attempt] = []
    for attempt in attempts:
        if attempt.outcome not in (None, DELIVERED):
            failed.append(attempt)
        elif failed and attempt.outcome == DELIVERED:
            yield _failure(failed, attempt.at_ms)
            failed = []
    if failed:
        yield _failure(failed, None)


def _failure(failed: Sequence[Attempt], until_ms: int | None) -> dict[str, Any]:
    last = failed[-1]
    return {
        "from": format_instant(failed[0].at_ms),
        "until": instant_or_null(until_ms),
        "attempts": len(failed),
        "outcome": last.outcome,
        "status": last.status,
    }
