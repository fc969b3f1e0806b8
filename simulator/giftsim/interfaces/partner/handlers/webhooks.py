"""Webhook endpoints: create, list, read, disable, test (P-4.12 to P-4.16)."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from giftsim.gateway.call import Call, DeferredResponse, Handler, Response
from giftsim.gateway.faults.webhook_effects import check_signing_key
from giftsim.interfaces.partner import webhook_views as views
from giftsim.interfaces.partner.authentication import account_of
from giftsim.kernel.state import State
from giftsim.webhooks import endpoint as endpoints
from giftsim.webhooks.attempt import ATTEMPT
from giftsim.webhooks.delivery import disable_endpoint, list_latest
from giftsim.webhooks.event import PARTNER_KINDS
from giftsim.webhooks.ping import ping


def create_webhook(call: Call) -> Response:
    """Create an endpoint. Only this response has its secret (P-2.39)."""
    endpoint = endpoints.create(
        call.state, owner=account_of(call).owner, key=call.caller.name, url=call.body["url"],
        kinds=call.body["events"], known=PARTNER_KINDS,
    )  # fmt: skip
    check_signing_key(call)  # after all other checks (G13); the transaction removes the endpoint again
    return Response(201, views.created(endpoint))


def list_webhooks(call: Call) -> Response:
    """All endpoints of the account with their counts, disabled ones included (P-4.13)."""
    rows = endpoints.list_endpoints(call.state, account_of(call).owner)
    return Response(200, {"endpoints": [views.row(endpoint) for endpoint in rows]})


def get_webhook(call: Call) -> Response:
    """One endpoint with its last 50 deliveries, newest first (P-4.14, P-8.4)."""
    endpoint = call.subject
    rows = [views.delivery(call.state, delivery) for delivery in list_latest(call.state, endpoint.n)]
    return Response(200, {"endpoint": views.endpoint(endpoint), "deliveries": rows})


def disable_webhook(call: Call) -> Response:
    """Disable an endpoint; its pending deliveries are dropped (P-4.15, B28)."""
    return Response(200, {"ok": True, "endpoint": views.endpoint(disable_endpoint(call.state, call.subject))})


def test_webhook(call: Call) -> Response | DeferredResponse:
    """Send a signed ping at once; the response waits for its outcome (P-4.16, G21)."""
    check_signing_key(call)
    attempt = ping(call.state, call.subject)

    def finish(state: State) -> Response:
        return Response(200, views.ping_result(state, state[ATTEMPT].get(attempt.n)))

    return DeferredResponse(finish) if attempt.outcome is None else finish(call.state)


HANDLERS: Mapping[str, Handler] = MappingProxyType(
    {
        "createWebhook": create_webhook,
        "listWebhooks": list_webhooks,
        "getWebhook": get_webhook,
        "disableWebhook": disable_webhook,
        "testWebhook": test_webhook,
    }
)
