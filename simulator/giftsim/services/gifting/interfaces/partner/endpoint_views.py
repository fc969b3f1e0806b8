"""Endpoints and deliveries as JSON of the partner interface (B28, B29)."""

from __future__ import annotations

from typing import Any

from giftsim.engine.gateway.call import Call, DeferredResponse, Response
from giftsim.engine.gateway.faults.effects import check_signing_key
from giftsim.engine.kernel.instants import format_instant, instant_or_null
from giftsim.engine.kernel.state import State
from giftsim.engine.webhooks import endpoint as endpoints
from giftsim.engine.webhooks.attempt import ATTEMPT, Attempt
from giftsim.engine.webhooks.delivery import Delivery, disable_endpoint, list_latest
from giftsim.engine.webhooks.endpoint import ENABLED, Endpoint
from giftsim.engine.webhooks.event import EVENT
from giftsim.engine.webhooks.fan_out import ping_endpoint
from giftsim.engine.webhooks.outgoing import DELIVERED
from giftsim.engine.webhooks.signature import HEADER
from giftsim.services.gifting.domain.webhook_kinds import PARTNER_KINDS
from giftsim.services.gifting.interfaces.partner.partner_settings import PING_DATA


def endpoint_view(record: Endpoint) -> dict[str, Any]:
    """An endpoint, without its secret (P-2.38, P-2.39)."""
    return {
        "id": record.id,
        "url": record.url,
        "status": "active" if record.status == ENABLED else record.status,
        "events": record.kinds,
        "created_at": format_instant(record.created_ms),
    }


def endpoint_row_view(record: Endpoint) -> dict[str, Any]:
    """An endpoint in the list, with its counts of pending and dead deliveries."""
    return {**endpoint_view(record), "pending_count": record.pending, "dead_count": record.dead}


def created_endpoint_view(record: Endpoint) -> dict[str, Any]:
    """The response to a create, the only one with the secret (P-2.40)."""
    return {"endpoint": endpoint_view(record), "secret": record.secret, "signature_header": HEADER}


def delivery_view(state: State, record: Delivery) -> dict[str, Any]:
    """The delivery of one event to the endpoint."""
    event = state[EVENT].get(record.event)
    return {
        "id": record.n + 1,
        "event_id": event.id,
        "type": event.kind,
        "status": record.status,
        "attempts": record.attempts,
        "last_status_code": record.last_status,
        "next_attempt_at": instant_or_null(record.next_attempt_ms),
        "created_at": format_instant(record.created_ms),
    }


def ping_view(state: State, attempt: Attempt) -> dict[str, Any]:
    """The outcome of a test ping."""
    event_id = state[EVENT].get(attempt.event).id
    return {"ok": attempt.outcome == DELIVERED, "status_code": attempt.status, "event_id": event_id}


def create_webhook(call: Call) -> Response:
    """Create an endpoint. Only this response has its secret (P-2.39)."""
    endpoint = endpoints.create_endpoint(
        call.state,
        owner=call.caller.account.owner,
        key=call.caller.name,
        url=call.body["url"],
        kinds=call.body["events"],
        known=PARTNER_KINDS,
    )
    check_signing_key(call)  # after all other checks (G13); the transaction removes the endpoint again
    return Response(201, created_endpoint_view(endpoint))


def list_webhooks(call: Call) -> Response:
    """All endpoints of the account with their counts, disabled ones included (P-4.13)."""
    rows = endpoints.list_endpoints(call.state, call.caller.account.owner)
    return Response(200, {"endpoints": [endpoint_row_view(endpoint) for endpoint in rows]})


def get_webhook(call: Call) -> Response:
    """One endpoint with its last 50 deliveries, newest first (P-4.14, P-8.4)."""
    endpoint = call.subject
    rows = [delivery_view(call.state, delivery) for delivery in list_latest(call.state, endpoint.n)]
    return Response(200, {"endpoint": endpoint_view(endpoint), "deliveries": rows})


def disable_webhook(call: Call) -> Response:
    """Disable an endpoint; its pending deliveries are dropped (P-4.15, B28)."""
    return Response(200, {"ok": True, "endpoint": endpoint_view(disable_endpoint(call.state, call.subject))})


def send_ping(state: State, endpoint: Endpoint) -> Attempt:
    """Send a ping, whose `data` describes the endpoint or is empty (G117)."""
    return ping_endpoint(state, endpoint, data=None if state.setting(PING_DATA) == "endpoint" else {})


def test_webhook(call: Call) -> Response | DeferredResponse:
    """Send a signed ping at once; the response waits for its outcome (P-4.16, G21)."""
    check_signing_key(call)
    attempt = send_ping(call.state, call.subject)

    def finish(state: State) -> Response:
        return Response(200, ping_view(state, state[ATTEMPT].get(attempt.n)))

    return DeferredResponse(finish) if attempt.outcome is None else finish(call.state)
