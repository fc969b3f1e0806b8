"""Pings: signed test requests to an endpoint, sent at once, neither retried nor counted (P-4.16, B29, A6.7)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from giftsim.kernel.instants import format_instant
from giftsim.kernel.state import State
from giftsim.webhooks.attempt import Attempt
from giftsim.webhooks.dispatch import send_ping
from giftsim.webhooks.endpoint import Endpoint
from giftsim.webhooks.event import EVENT, PING_SUBJECT, Event, event_id
from giftsim.webhooks.signing_key import require_signing_key


def ping(
    state: State, endpoint: Endpoint, *, kind: str = "ping", livemode: bool | None = None,
    data: Mapping[str, Any] | None = None,
) -> Attempt:  # fmt: skip
    """Send a ping to an enabled endpoint; its `data` describes the endpoint unless given. WebhooksUnavailable.

    The outcome of the returned attempt is None if it is forwarded or held: then it is in the outbox, and
    `dispatch.complete_attempt` sets the outcome later (G21).
    """
    require_signing_key(state)
    if data is None:
        described = {"id": endpoint.id, "status": endpoint.status}
        data = {"endpoint": described, "occurred_at": format_instant(state.now_ms)}
    n, now_ms = state[EVENT].next_n, state.now_ms
    event = Event(
        n, event_id(state, n), kind, endpoint.owner, livemode, now_ms, now_ms, PING_SUBJECT, (), (),
        msgspec.json.encode(data),
    )  # fmt: skip
    return send_ping(state, state[EVENT].add(event), endpoint)
