"""Webhook requests that a world sent, each checked against the section `webhooks` of the partner contract."""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

import msgspec

from giftsim.engine.gateway.body_schema import Schema
from tests.support.api_clients import PARTNER_CONTRACT, WEBHOOK_HOST, PartnerClient
from tests.support.instants import later, next_full_hour
from tests.support.orders import address_recipients
from tests.support.partner.orders import move_parcels
from tests.support.responses import created, expect_status
from tests.support.worlds import World

EVENT_TYPES = (
    "team_order.claimed",
    "team_order.shipped",
    "team_order.delivered",
    "team_order.needs_attention",
    "order.shipped",
    "order.delivered",
)

# The attempts of a delivery that always fails, counted from its first attempt (B44).
RETRY_OFFSETS = ("0s", "5m", "20m", "80m", "260m", "620m", "1340m", "2780m", "5660m")


class ReceivedWebhook(msgspec.Struct, frozen=True):
    """One request to an endpoint, captured or sent, and its outcome."""

    seq: int
    at: str
    url: str
    event_id: str
    type: str
    attempt: int
    mark: str | None
    headers: dict[str, str]
    text: str
    outcome: str | None
    status: int | None
    next_attempt_at: str | None

    @property
    def body(self) -> Any:
        """The body as JSON."""
        return json.loads(self.text)

    @property
    def data(self) -> Any:
        """The body's `data`."""
        return self.body["data"]

    @property
    def signed_at_s(self) -> int:
        """The `t` of the signature."""
        return int(self.headers["X-Service-Signature"].partition(",")[0].removeprefix("t="))


def received_webhooks(world: World, *, kind: str | None = None, host: str | None = None) -> list[ReceivedWebhook]:
    """Every attempt so far, in order, checked against the contract."""
    query = "".join(f"&{name}={value}" for name, value in (("type", kind), ("host", host)) if value)
    return [parse_delivery(row) for row in world.deliveries(query)]


def parse_delivery(row: Mapping[str, Any]) -> ReceivedWebhook:
    """An attempt as the control API lists it, checked against the contract."""
    members = {**row, "headers": row["request"]["headers"], "text": row["request"]["body"]}
    webhook = msgspec.convert(members, ReceivedWebhook)
    assert_webhook_conforms(webhook.type, webhook.headers, webhook.text)
    return webhook


def assert_webhook_conforms(kind: str, headers: Mapping[str, str], text: str | bytes) -> None:
    """AssertionError lists each difference between the request and the contract."""
    __tracebackhide__ = True
    shape, parameters = _webhook_schemas(kind)
    sent = {name.lower(): value for name, value in headers.items()}
    assert sent["content-type"] == "application/json"
    violations = [violation.message for violation in shape.violations(json.loads(text))]
    for name, schema in parameters:
        violations += [f"{name}: {violation.message}" for violation in schema.violations(sent.get(name.lower()))]
    assert violations == [], f"{kind}: {violations} in {text!r}"


@cache
def _webhook_schemas(kind: str) -> tuple[Schema, Sequence[tuple[str, Schema]]]:
    """The body's schema, and the required headers with theirs."""
    node = PARTNER_CONTRACT.document["webhooks"][kind]["post"]
    shape = Schema(node["requestBody"]["content"]["application/json"]["schema"], PARTNER_CONTRACT.document)
    required = [entry for entry in node["parameters"] if entry["in"] == "header" and entry["required"]]
    return shape, [(entry["name"], Schema(entry["schema"], PARTNER_CONTRACT.document)) for entry in required]


def is_valid_signature(secret: str, header: str, body: bytes, now_s: int) -> bool:
    """A receiver's own check as documented: HMAC-SHA256 of `<t>.<raw body>`, at most 300 seconds old."""
    fields = dict(part.split("=", 1) for part in header.split(","))
    expected = hmac.new(secret.encode(), fields["t"].encode() + b"." + body, hashlib.sha256).hexdigest()
    return hmac.compare_digest(expected, fields["v1"]) and abs(now_s - int(fields["t"])) <= 300


def retry_instants(first: str) -> list[str]:
    """The instants of all nine attempts, given the first."""
    return [later(first, offset) for offset in RETRY_OFFSETS]


def run_next_hour(world: World) -> str:
    """Advance to the next hourly run, and to all that is due with it; its instant."""
    at = next_full_hour(world.now)
    world.advance(to=at)
    return at


def ship_order(world: World, partner: PartnerClient, count: int = 1, **members: Any) -> Any:
    """Create a paid order with addresses and ship all its parcels: one `team_order.shipped` each; the order's JSON."""
    key = f"order {len(world.rows('orders'))}"
    response = partner.create_order(**{"idempotency_key": key, "recipients": address_recipients(count), **members})
    order = created(response)
    move_parcels(world, order, "shipped")
    return order


def fail_host(world: World, host: str = WEBHOOK_HOST, status: int = 500, **entry: Any) -> None:
    """Let the host answer every request with an error from now on."""
    world.set_receiver(host, **{"then": {"status": status}, **entry})


def endpoint_row(partner: PartnerClient, endpoint: Mapping[str, Any]) -> Any:
    """The endpoint's row in the list, with its counts."""
    return next(row for row in endpoint_rows(partner) if row["id"] == endpoint["endpoint"]["id"])


def endpoint_rows(partner: PartnerClient) -> list[Any]:
    """The account's endpoints."""
    return list(expect_status(partner.get("/webhooks"), 200).json()["endpoints"])


def endpoint_deliveries(partner: PartnerClient, endpoint: Mapping[str, Any]) -> list[Any]:
    """The latest deliveries of an endpoint."""
    response = expect_status(partner.get(f"/webhooks/{endpoint['endpoint']['id']}"), 200)
    return list(response.json()["deliveries"])
