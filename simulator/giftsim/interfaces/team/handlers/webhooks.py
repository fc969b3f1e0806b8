"""Webhook subscriptions: create, list, delete, test (section 6, A6)."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from giftsim.domain.team.webhooks import subscription as subscriptions
from giftsim.domain.team.webhooks.subscription import SUBSCRIPTIONS
from giftsim.gateway.call import Call, Handler, Response
from giftsim.gateway.faults.webhook_effects import check_signing_key
from giftsim.interfaces.team.body_validation import BodyCheck
from giftsim.interfaces.team.finder import Finder
from giftsim.interfaces.team.pagination import page
from giftsim.interfaces.team.public_url import webhook_url_errors
from giftsim.interfaces.team.views import webhooks as views
from giftsim.webhooks import endpoint as endpoints
from giftsim.webhooks.delivery import disable_endpoint
from giftsim.webhooks.endpoint import ENDPOINT
from giftsim.webhooks.event import EVENT, TEAM_KINDS
from giftsim.webhooks.ping import ping

BALANCE_LOW, TEST_KIND = "balance.low", "webhook.test"


def create_webhook(call: Call) -> Response:
    """Create a subscription. Only this response, and idempotent replays of it, contain the secret (A3.5)."""
    check_signing_key(call)
    state, tenant, body = call.state, call.caller.tenant, call.body
    subscriptions.check_subscription_limit(state, tenant)
    threshold_cents = body.get("balance_threshold_cents") if BALANCE_LOW in body["events"] else None
    endpoint = endpoints.create(
        state, owner=tenant.owner, key=tenant.owner, url=body["url"], kinds=body["events"], known=TEAM_KINDS,
        max_endpoints=state.setting(subscriptions.MAX_SUBSCRIPTIONS),
    )  # fmt: skip
    subscription = subscriptions.subscribe(state, tenant, endpoint.n, threshold_cents)
    return Response(201, views.created(subscription, endpoint, tenant))


def list_webhooks(call: Call) -> Response:
    """List the subscriptions of the key's team and mode."""
    state, tenant = call.state, call.caller.tenant

    def view(n: int) -> dict[str, Any]:
        subscription = state[SUBSCRIPTIONS].get(n)
        return views.subscription(subscription, state[ENDPOINT].get(subscription.endpoint), tenant)

    return page(call, "webhooks", state[SUBSCRIPTIONS].slots_in("owner", tenant.owner), view)


def delete_webhook(call: Call) -> Response:
    """Delete a subscription. Its pending deliveries are dropped (D16)."""
    subscription = call.subject
    disable_endpoint(call.state, call.state[ENDPOINT].get(subscription.endpoint))
    subscriptions.end_subscription(call.state, subscription)
    return Response(200, {"id": subscription.id, "deleted": True, "livemode": call.caller.tenant.livemode})


def test_webhook(call: Call) -> Response:
    """Send one signed test delivery. A forwarded delivery is sent after the response (A6.7, G21)."""
    check_signing_key(call)
    subscription, state = call.subject, call.state
    attempt = ping(
        state, state[ENDPOINT].get(subscription.endpoint), kind=TEST_KIND, livemode=call.caller.tenant.livemode,
        data={"webhook_id": subscription.id},
    )  # fmt: skip
    return Response(202, {"event_id": state[EVENT].get(attempt.event).id, "status": "queued"})


HANDLERS: Mapping[str, Handler] = MappingProxyType(
    {
        "createWebhook": create_webhook,
        "listWebhooks": list_webhooks,
        "deleteWebhook": delete_webhook,
        "testWebhook": test_webhook,
    }
)
FINDERS: Mapping[str, Finder] = MappingProxyType(
    {"webhook": lambda call, raw: subscriptions.find_subscription(call.state, call.caller.tenant, raw)}
)
BODY_CHECKS: Mapping[str, BodyCheck] = MappingProxyType({"createWebhook": webhook_url_errors})
