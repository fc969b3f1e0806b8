"""Endpoints and deliveries as JSON of the partner interface (B28, B29)."""

from __future__ import annotations

from typing import Any

from giftsim.kernel.instants import format_instant, instant_or_null
from giftsim.kernel.state import State
from giftsim.webhooks.attempt import Attempt
from giftsim.webhooks.delivery import Delivery
from giftsim.webhooks.endpoint import ENABLED, Endpoint
from giftsim.webhooks.event import EVENT
from giftsim.webhooks.outgoing import DELIVERED
from giftsim.webhooks.signature import HEADER


def endpoint(record: Endpoint) -> dict[str, Any]:
    """An endpoint, without its secret (P-2.38, P-2.39)."""
    return {
        "id": record.id,
        "url": record.url,
        "status": "active" if record.status == ENABLED else record.status,
        "events": record.kinds,
        "created_at": format_instant(record.created_ms),
    }


def row(record: Endpoint) -> dict[str, Any]:
    """An endpoint in the list, with its counts of pending and dead deliveries."""
    return {**endpoint(record), "pending_count": record.pending, "dead_count": record.dead}


def created(record: Endpoint) -> dict[str, Any]:
    """The response to a create, the only one with the secret (P-2.40)."""
    return {"endpoint": endpoint(record), "secret": record.secret, "signature_header": HEADER}


def delivery(state: State, record: Delivery) -> dict[str, Any]:
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


def ping_result(state: State, attempt: Attempt) -> dict[str, Any]:
    """The outcome of a test ping."""
    event_id = state[EVENT].get(attempt.event).id
    return {"ok": attempt.outcome == DELIVERED, "status_code": attempt.status, "event_id": event_id}
