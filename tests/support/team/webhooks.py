"""What a team's subscriptions hear, each request held against the contract's section `webhooks`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import msgspec

from giftsim.gateway.schema import Schema
from tests.support.orders import RENO
from tests.support.partner.webhooks import ReceivedWebhook
from tests.support.responses import expect_status
from tests.support.team.clients import TEAM_CONTRACT, TeamClient
from tests.support.worlds import World

HOST = "hooks.team.example"
URL = f"https://{HOST}/gifts"
SIGNATURE_HEADER = "X-Service-Signature"
GIFT_KINDS = ("gift.sent", "gift.claimed", "gift.shipped", "gift.delivered")
ORDER_KINDS = ("team_order.shipped", "team_order.delivered")
APPROVAL_KINDS = ("approval.requested", "approval.decided")
INVOICE_KINDS = ("invoice.issued", "invoice.paid")
EVENT_TYPES = (*GIFT_KINDS, *ORDER_KINDS, *APPROVAL_KINDS, *INVOICE_KINDS, "balance.low")


def subscribe(face: TeamClient, *events: str, host: str = HOST, **members: Any) -> Any:
    """A subscription to the kinds, or to all of them, with its secret."""
    kinds = events or EVENT_TYPES
    if "balance.low" in kinds:
        members = {"balance_threshold_cents": 5000, **members}
    return face.post_json("/webhooks", {"url": f"https://{host}/gifts", "events": list(kinds), **members})


def received_webhooks(world: World, host: str = HOST) -> list[ReceivedWebhook]:
    """Every attempt for the host so far, in order; all of them are as the contract says."""
    return [_read(row) for row in world.deliveries(f"&host={host}")]


def received_types(world: World, host: str = HOST) -> list[str]:
    """Of what kinds they are."""
    return [post.type for post in received_webhooks(world, host)]


def create_gift(face: TeamClient, count: int = 1) -> Any:
    """A send of a collection to so many typed recipients, held."""
    recipients = [{"name": f"Person {i}", "email": f"person{i}@example.com"} for i in range(count)]
    return face.post_json("/gifts", {"recipients": recipients, "gift": {"collection_slug": "welcome-kit"}})


def create_order(face: TeamClient) -> Any:
    """A team order for one, held."""
    recipients = [{"name": "Bo", "email": "bo@example.com"}]
    return face.post_json("/team-orders", {"collection": "welcome-kit", "headcount": 1, "recipients": recipients})


def approve(world: World, **what: Any) -> None:
    """A human approves of it."""
    world.simulate("approval", decision="approve", **what)


def deliver_gift(world: World, face: TeamClient) -> Any:
    """A gift that a human approved, and that was claimed, shipped and delivered in that order."""
    made = create_gift(face)
    approve(world, gift_id=made["id"])
    world.simulate("claim", gift_id=made["id"], recipient=0, address=RENO)
    for to in ("shipped", "delivered"):
        world.simulate("shipment", gift_id=made["id"], recipient=0, to=to)
    return made


def webhooks_of_every_type(world: World, face: TeamClient) -> list[ReceivedWebhook]:
    """One delivery at least of every kind, a test too, to a live subscription of them all."""
    hook = subscribe(face)
    deliver_gift(world, face)
    bulk = create_order(face)["id"]
    expect_status(face.post(f"/team-orders/{bulk}/request-approval", {}), 200)
    approve(world, team_order_id=bulk)
    for to in ("shipped", "delivered"):
        world.simulate("shipment", team_order_id=bulk, to=to)
    deposit = face.post_json("/deposit-invoices", {"amount_cents": 100})["id"]
    world.simulate("invoice", invoice_id=deposit, outcome="paid")
    world.simulate("team", balance_cents=4999)
    expect_status(face.post(f"/webhooks/{hook['id']}/test", {}), 202)
    posts = received_webhooks(world)
    assert {post.type for post in posts} == {*EVENT_TYPES, "webhook.test"}
    return posts


def create_sandbox_event(face: TeamClient, kind: str, resource: Any) -> Any:
    """A sandbox event of a test record."""
    return expect_status(face.post("/sandbox/events", {"type": kind, "resource_id": resource["id"]}), 200).json()


def _read(row: Mapping[str, Any]) -> ReceivedWebhook:
    members = {**row, "headers": row["request"]["headers"], "text": row["request"]["body"]}
    post = msgspec.convert(members, ReceivedWebhook)
    _hold(post)
    return post


def _hold(post: ReceivedWebhook) -> None:
    """AssertionError names all that the contract does not say of such a request."""
    __tracebackhide__ = True
    node = TEAM_CONTRACT.document["webhooks"][post.type]["post"]
    shape = Schema(node["requestBody"]["content"]["application/json"]["schema"], TEAM_CONTRACT.document)
    wrong = [violation.message for violation in shape.violations(json.loads(post.text))]
    for entry in node["parameters"]:
        fits = Schema(entry["schema"], TEAM_CONTRACT.document)
        wrong += [f"{entry['name']}: {found.message}" for found in fits.violations(post.headers.get(entry["name"]))]
    assert post.headers["Content-Type"] == "application/json"
    assert post.headers["X-Service-Event"] == post.body["type"] == post.type
    assert post.headers["X-Service-Event-Id"] == post.body["id"] == post.event_id
    assert wrong == [], f"{post.type}: {wrong} in {post.text!r}"
