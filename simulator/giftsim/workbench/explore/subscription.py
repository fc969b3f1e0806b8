"""The steps of a scenario about the app's webhook endpoints: subscribe them, replace a secret, send other events."""

from __future__ import annotations

from typing import Any

from giftsim.services.gifting.domain.webhook_kinds import PARTNER_KINDS, TEAM_KINDS
from giftsim.workbench.app.protocol import CREDENTIAL, EVENTS, AppProtocol

TEAM_CREDENTIAL = "team.live_approver"
PARTNER_PATH, TEAM_PATH = "/api/external/webhooks", "/api/teams/v1/webhooks"
LOW_CENTS = 100_000
Document = dict[str, Any]


def endpoint_steps(protocol: AppProtocol) -> list[Document]:
    """Subscribe the app: to the events it needs, or to all if it says what it can do."""
    partner = [_partner_endpoint(protocol, "secret")] if protocol.has_partner else []
    return [*partner, *([_team_endpoint(protocol, "team_secret", "endpoint")] if protocol.has_team else [])]


def _partner_endpoint(protocol: AppProtocol, saved: str) -> Document:
    known = {"endpoint": "$.endpoint.id"} if protocol.actions and saved == "secret" else {}
    return {
        "call": f"POST {PARTNER_PATH}",
        "as": CREDENTIAL,
        "body": {"url": protocol.webhook_url, "events": list(PARTNER_KINDS if protocol.actions else EVENTS)},
        "save": {saved: "$.secret", **known},
    }


def _team_endpoint(protocol: AppProtocol, saved: str, key: str) -> Document:
    return {
        "call": f"POST {TEAM_PATH}",
        "as": TEAM_CREDENTIAL,
        "headers": {"Idempotency-Key": key},
        "body": {"url": protocol.webhook_url, "events": list(TEAM_KINDS), "balance_threshold_cents": LOW_CENTS},
        "save": {saved: "$.secret", "team_endpoint": "$.id"},
    }


def new_secret_steps(protocol: AppProtocol, number: int) -> list[Document]:
    """Make another endpoint with the same URL, and tell the app the secrets of all, the newest last."""
    names = ["secret", *(f"secret_{each}" for each in range(1, number + 1))]
    secrets = [f"${{{name}}}" for name in names]
    told = {"action": "secrets", "reference": f"secrets-{number}", "secrets": secrets}
    return [_partner_endpoint(protocol, names[-1]), {"app": f"POST {protocol.do}", "body": told}]


def other_event_steps(protocol: AppProtocol) -> list[Document]:
    """Send a test ping, and the event of an order that was not placed by this app."""
    if not protocol.has_partner:
        ping: Document = {"call": f"POST {TEAM_PATH}/${{team_endpoint}}/test", "as": TEAM_CREDENTIAL}
        return [{**ping, "headers": {"Idempotency-Key": "ping-${n}"}, "repeat": 1, "body": {}}]
    ping = {"call": f"POST {PARTNER_PATH}/${{endpoint}}/test", "as": CREDENTIAL}
    return [ping, {"simulate": "single_order", "with": {"to": "shipped"}}]
