"""The JSON of webhook subscriptions. Only the response to a create contains the secret (T-2.29)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from giftsim.engine.gateway.call import Call, Response
from giftsim.engine.gateway.faults.effects import check_signing_key
from giftsim.engine.kernel.instants import format_instant
from giftsim.engine.webhooks import endpoint as endpoints
from giftsim.engine.webhooks.delivery import disable_endpoint
from giftsim.engine.webhooks.endpoint import ENDPOINT, Endpoint
from giftsim.engine.webhooks.event import EVENT
from giftsim.engine.webhooks.fan_out import ping_endpoint
from giftsim.services.gifting.domain.team import webhook_subscription as subscriptions
from giftsim.services.gifting.domain.team.tenant import Tenant
from giftsim.services.gifting.domain.team.webhook_subscription import SUBSCRIPTIONS, TEST_TYPE, Subscription
from giftsim.services.gifting.domain.webhook_kinds import TEAM_KINDS
from giftsim.services.gifting.interfaces.team.pagination import respond_with_page
from giftsim.services.gifting.interfaces.team.request_checks import BodyCheck, Finder, webhook_url_errors


def subscription_view(record: Subscription, endpoint: Endpoint, tenant: Tenant) -> dict[str, Any]:
    """A subscription, without its secret."""
    return {
        "id": record.id,
        "url": endpoint.url,
        "events": endpoint.kinds,
        "balance_threshold_cents": record.threshold_cents,
        "livemode": tenant.livemode,
        "created_at": format_instant(record.created_ms),
    }


def created_subscription_view(record: Subscription, endpoint: Endpoint, tenant: Tenant) -> dict[str, Any]:
    """A new subscription, with its secret."""
    return {**subscription_view(record, endpoint, tenant), "secret": endpoint.secret}


BALANCE_LOW = "balance.low"


def create_webhook(call: Call) -> Response:
    """Create a subscription. Only this response, and idempotent replays of it, contain the secret (A3.5)."""
    check_signing_key(call)
    state, tenant, body = call.state, call.caller.tenant, call.body
    subscriptions.check_subscription_limit(state, tenant)
    threshold_cents = body.get("balance_threshold_cents") if BALANCE_LOW in body["events"] else None
    endpoint = endpoints.create_endpoint(
        state,
        owner=tenant.owner,
        key=tenant.owner,
        url=body["url"],
        kinds=body["events"],
        known=TEAM_KINDS,
        max_endpoints=state.setting(subscriptions.MAX_SUBSCRIPTIONS),
    )
    subscription = subscriptions.subscribe(state, tenant, endpoint.n, threshold_cents)
    return Response(201, created_subscription_view(subscription, endpoint, tenant))


def list_webhooks(call: Call) -> Response:
    """List the subscriptions of the key's team and mode."""
    state, tenant = call.state, call.caller.tenant

    def view(n: int) -> dict[str, Any]:
        subscription = state[SUBSCRIPTIONS].get(n)
        return subscription_view(subscription, state[ENDPOINT].get(subscription.endpoint), tenant)

    return respond_with_page(call, "webhooks", state[SUBSCRIPTIONS].slots_in("owner", tenant.owner), view)


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
    attempt = ping_endpoint(
        state,
        state[ENDPOINT].get(subscription.endpoint),
        kind=state.setting(TEST_TYPE),
        livemode=call.caller.tenant.livemode,
        data={"webhook_id": subscription.id},
    )
    return Response(202, {"event_id": state[EVENT].get(attempt.event).id, "status": "queued"})


FINDERS: Final[Mapping[str, Finder]] = {
    "webhook": lambda call, raw: subscriptions.find_subscription(call.state, call.caller.tenant, raw)
}
BODY_CHECKS: Final[Mapping[str, BodyCheck]] = {"createWebhook": webhook_url_errors}
