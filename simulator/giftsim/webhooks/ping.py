"""Pings: signed test deliveries, sent at once, not retried and not counted (P-4.16, B29, A6.7)."""

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
    """Send a ping to an enabled endpoint, which tells of the endpoint unless `data` is given; WebhooksUnavailable.

    The attempt comes back with its outcome, or with None if it is to be forwarded: then it lies in the outbox, and
    `dispatch.record` completes the row once the courier was there (G21).
    """
    require_signing_key(state)
    if data is None:
        about = {"id": endpoint.id, "status": endpoint.status}
        data = {"endpoint": about, "occurred_at": format_instant(state.now_ms)}
    n, now_ms = state[EVENT].next_n, state.now_ms
    event = Event(
        n, event_id(state, n), kind, endpoint.owner, livemode, now_ms, now_ms, PING_SUBJECT, (), (),
        msgspec.json.encode(data),
    )  # fmt: skip
    return send_ping(state, state[EVENT].add(event), endpoint)
