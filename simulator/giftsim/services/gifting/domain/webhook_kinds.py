"""The types of webhook events that partners and teams can subscribe to.

Generated from the contracts: `python -m tools docgen` renews this file.
"""

from __future__ import annotations

PARTNER_KINDS = (
    "team_order.claimed",
    "team_order.shipped",
    "team_order.delivered",
    "team_order.needs_attention",
    "order.shipped",
    "order.delivered",
)

TEAM_KINDS = (
    "gift.sent",
    "gift.claimed",
    "gift.shipped",
    "gift.delivered",
    "team_order.shipped",
    "team_order.delivered",
    "approval.requested",
    "approval.decided",
    "invoice.issued",
    "invoice.paid",
    "balance.low",
)

# Every type that an endpoint may receive: the events, and the types of the two pings.
KINDS = (*dict.fromkeys((*PARTNER_KINDS, *TEAM_KINDS)), "ping", "webhook.test")
