"""The JSON of webhook subscriptions. Only the response to a create contains the secret (T-2.29)."""

from __future__ import annotations

from typing import Any

from giftsim.domain.team.tenant import Tenant
from giftsim.domain.team.webhooks.subscription import Subscription
from giftsim.kernel.instants import format_instant
from giftsim.webhooks.endpoint import Endpoint


def subscription(record: Subscription, endpoint: Endpoint, tenant: Tenant) -> dict[str, Any]:
    """A subscription, without its secret."""
    return {
        "id": record.id,
        "url": endpoint.url,
        "events": endpoint.kinds,
        "balance_threshold_cents": record.threshold_cents,
        "livemode": tenant.livemode,
        "created_at": format_instant(record.created_ms),
    }


def created(record: Subscription, endpoint: Endpoint, tenant: Tenant) -> dict[str, Any]:
    """A new subscription, with its secret."""
    return {**subscription(record, endpoint, tenant), "secret": endpoint.secret}
