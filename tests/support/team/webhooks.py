"""Webhooks of a team's subscriptions; each request is checked against the contract's section `webhooks`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import msgspec

from giftsim.engine.gateway.body_schema import Schema
from tests.support.partner.webhooks import ReceivedWebhook
from tests.support.responses import expect_status
from tests.support.team.clients import TEAM_CONTRACT, TeamClient
from tests.support.team.orders import approve, claim, create_gift, create_order, move_parcels, request_approval
from tests.support.worlds import World

HOST = "hooks.team.example"
URL = f"https://{HOST}/gifts"
SIGNATURE_HEADER = "X-Service-Signature"
GIFT_KINDS = ("gift.sent", "gift.claimed", "gift.shipped", "gift.delivered")
ORDER_KINDS = ("team_order.shipped", "team_order.delivered")
APPROVAL_KINDS = ("approval.requested", "approval.decided")
INVOICE_KINDS = ("invoice.issued", "invoice.paid")
EVENT_TYPES = (*GIFT_KINDS, *ORDER_KINDS, *APPROVAL_KINDS, *INVOICE_KINDS, "balance.low")


def subscribe(client: TeamClient, *events: str, host: str = HOST, **members: Any) -> Any:
    """Create a subscription to these event types, by default to all; with its secret."""
    kinds = events or EVENT_TYPES
    if "balance.low" in kinds:
        members = {"balance_threshold_cents": 5000, **members}
    return client.post_json("/webhooks", {"url": f"https://{host}/gifts", "events": list(kinds), **members})


def received_webhooks(world: World, host: str = HOST) -> list[ReceivedWebhook]:
    """Every delivery attempt to the host so far, in order, each checked against the contract."""
    return [_read(row) for row in world.deliveries(f"&host={host}")]


def received_types(world: World, host: str = HOST) -> list[str]:
    """The event types of every delivery attempt to the host so far, in order."""
    return [webhook.type for webhook in received_webhooks(world, host)]


def deliver_gift(world: World, client: TeamClient) -> Any:
    """Create a gift send, approve, claim, ship and deliver it."""
    gift = create_gift(client)
    approve(world, gift)
    claim(world, gift)
    for status in ("shipped", "delivered"):
        move_parcels(world, gift, status, recipient=0)
    return gift


def webhooks_of_every_type(world: World, client: TeamClient) -> list[ReceivedWebhook]:
    """Cause at least one webhook of every type, a test too, for one live subscription; the webhooks."""
    hook = subscribe(client)
    deliver_gift(world, client)
    order = create_order(client)
    request_approval(client, order)
    approve(world, order)
    for status in ("shipped", "delivered"):
        move_parcels(world, order, status)
    deposit = client.post_json("/deposit-invoices", {"amount_cents": 100})["id"]
    world.simulate("invoice", invoice_id=deposit, outcome="paid")
    world.simulate("team", balance_cents=4999)
    expect_status(client.post(f"/webhooks/{hook['id']}/test", {}), 202)
    webhooks = received_webhooks(world)
    assert {webhook.type for webhook in webhooks} == {*EVENT_TYPES, "webhook.test"}
    return webhooks


def create_sandbox_event(client: TeamClient, kind: str, resource: Any) -> Any:
    """Cause a sandbox event of a test record; the response's JSON."""
    return expect_status(client.post("/sandbox/events", {"type": kind, "resource_id": resource["id"]}), 200).json()


def _read(row: Mapping[str, Any]) -> ReceivedWebhook:
    members = {**row, "headers": row["request"]["headers"], "text": row["request"]["body"]}
    webhook = msgspec.convert(members, ReceivedWebhook)
    _assert_conforms(webhook)
    return webhook


def _assert_conforms(webhook: ReceivedWebhook) -> None:
    """Check a webhook against the contract. The AssertionError names every deviation."""
    __tracebackhide__ = True
    node = TEAM_CONTRACT.document["webhooks"][webhook.type]["post"]
    schema = Schema(node["requestBody"]["content"]["application/json"]["schema"], TEAM_CONTRACT.document)
    deviations = [violation.message for violation in schema.violations(json.loads(webhook.text))]
    for entry in node["parameters"]:
        header = Schema(entry["schema"], TEAM_CONTRACT.document)
        deviations += [
            f"{entry['name']}: {violation.message}"
            for violation in header.violations(webhook.headers.get(entry["name"]))
        ]
    assert webhook.headers["Content-Type"] == "application/json"
    assert webhook.headers["X-Service-Event"] == webhook.body["type"] == webhook.type
    assert webhook.headers["X-Service-Event-Id"] == webhook.body["id"] == webhook.event_id
    assert deviations == [], f"{webhook.type}: {deviations} in {webhook.text!r}"
