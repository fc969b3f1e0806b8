"""A valid call of every operation that takes a body, for rules that hold for all of them."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from typing import Any

from tests.support.api_clients import PARTNER_CONTRACT, ApiClient
from tests.support.museum import MUSEUM_CONTRACT, MuseumClient, event_body, ticket_body
from tests.support.orders import RENO
from tests.support.orders import order_body as partner_body
from tests.support.team.artwork import create_artwork, create_template, mug_preview_body, template_body
from tests.support.team.campaigns import campaign_body, create_campaign
from tests.support.team.clients import TEAM_CONTRACT, TeamClients
from tests.support.team.orders import KIT, create_gift, create_order, order_body, typed_recipients
from tests.support.team.people import person_row, upsert_people
from tests.support.team.proofs import add_version, create_branded_order, first_proof, review
from tests.support.team.rules import MUG, create_rule
from tests.support.worlds import World

Call = tuple[ApiClient, str, Any]  # the client, the path and the body
CONTRACTS = {"partner": PARTNER_CONTRACT, "team": TEAM_CONTRACT, "museum": MUSEUM_CONTRACT}
OPERATIONS = {
    f"{name}.{op.id}": op
    for name, contract in CONTRACTS.items()
    for op in contract.operations.values()
    if op.body_schema is not None
}
HOOK = "https://hooks.partner.example/gifts"
NUMBERS = count(1)

MENU = [
    {"label": "L", "items": [{"merchant_product_id": 101}]},
    {"label": "M", "items": [{"merchant_product_id": 102}]},
]
PROFILE = dict.fromkeys(("address1", "address2", "city", "state", "zip"), "L")
PERSON = dict.fromkeys(("first_name", "last_name", "department", "location", "zip", "status"), "L")
SETUP = {"setup": {"mode": "bundle", "bundle_items": [{"merchant_product_id": 101}], "gift_choices": MENU}}


class Calls:
    """Clients of a world, and records that the calls need."""

    def __init__(self, world: World) -> None:
        self.team, self.world = TeamClients(world), world
        self.live, self.partner = self.team.live, world.partner()

    def team_order(self) -> Any:
        return create_order(self.live)["id"]

    def proof(self) -> Any:
        return first_proof(self.live, create_branded_order(self.live))["id"]

    def reviewed(self) -> Any:
        return add_version(self.live, self.proof())["id"]

    def placed(self) -> int:
        order = partner_body(idempotency_key=f"placed {next(NUMBERS)}")
        return int(self.partner.post("/team-orders", order).json()["team_order"]["id"])

    def owing(self) -> Any:
        """A client of an account that owes the price of an order."""
        client = self.world.partner("partner.net_terms")
        client.post("/team-orders", partner_body(idempotency_key=f"owed {next(NUMBERS)}"))
        return client

    def campaign(self) -> Any:
        return create_campaign(self.live, 1)["id"]

    def reviewed_version(self) -> Any:
        """A proof that can be signed."""
        proof = self.reviewed()
        review(self.live, proof)
        return proof

    def endpoint(self) -> Any:
        """An endpoint of the partner."""
        return self.partner.subscribe("team_order.claimed")["endpoint"]["id"]

    def subscription(self) -> Any:
        return self.live.post_json("/webhooks", {"url": HOOK, "events": ["gift.shipped"]})["id"]

    def replacement(self, **members: Any) -> Call:
        """The call that replaces a new template."""
        made = create_template(self.live)
        return self.live, f"/templates/{made['id']}", template_body(revision=made["revision"], **members)


def all_calls(c: Calls, name: str) -> list[Call]:
    """The calls of one operation."""
    row = CALLS[name](c)
    return row if isinstance(row, list) else [row]


# For each operation with a body, by interface and id, calls that succeed and together have each of its texts.
CALLS: dict[str, Callable[[Calls], Any]] = {
    "partner.createTeamOrder": lambda c: (c.partner, "/team-orders", partner_body(
        idempotency_key="L", name="L", reference="L", po_number="L", gift_sender="L", gift_message="L",
        card={"message": "L", "sender": "L"},
        recipients=[{"name": "L", "company": "L", "gift_message": "L", "address": dict(RENO)}])),
    "partner.cancelTeamOrder": lambda c: (c.partner, f"/team-orders/{c.placed()}/cancel", {"reason": "L"}),
    "partner.settleBalance": lambda c: (c.owing(), "/billing/settle", {"amount_cents": 1, "idempotency_key": "L"}),
    "team.createKey": lambda c: (c.team.owner, "/keys", {
        "name": "L", "mode": "live", "role": "requester", "scopes": ["catalog:read"]}),
    "team.upsertPeople": lambda c: (c.live, "/people", {"people": [person_row(**PERSON)]}),
    "team.updatePerson": lambda c: (c.live, f"/people/{upsert_people(c.live, person_row())[0]['id']}", PERSON),
    "team.sendGift": lambda c: (c.live, "/gifts", {"message": "L", "mode": "bundle", "gift_choices": MENU,
        "gift": {"items": [{"merchant_product_id": 101}]}, "recipients": [{"name": "L", "email": "bo@example.com"}]}),
    "team.createTeamOrder": lambda c: [
        (c.live, "/team-orders", order_body(name="L", gift_message="L", po_number="L", occasion="L")),
        (c.live, "/team-orders", {"recipients": typed_recipients(1), **SETUP}),
        (c.live, "/team-orders", {"recipients": typed_recipients(1), "mode": "bundle", "gift_choices": MENU, **SETUP})],
    "team.updateTeamOrder": lambda c: (c.live, f"/team-orders/{c.team_order()}", {"po_number": "L"}),
    "team.cancelTeamOrder": lambda c: (c.live, f"/team-orders/{c.team_order()}/cancel", {"reason": "L"}),
    "team.requestApproval": lambda c: (c.live, f"/team-orders/{c.team_order()}/request-approval", {"note": "L"}),
    "team.createLargeCampaign": lambda c: [
        (c.live, "/large-campaigns", campaign_body(1, name="L", gift_message="L", occasion="L")),
        (c.live, "/large-campaigns", {"recipients": typed_recipients(1), **SETUP}),
        (c.live, "/large-campaigns", {"recipients": typed_recipients(1), "mode": "bundle", "gift_choices": MENU,
                                      **SETUP})],
    "team.quoteStoreOrder": lambda c: (c.live, "/store/quote", {
        "items": [{"merchant_product_id": 101, "quantity": 1}], "recipients": typed_recipients(1)}),
    "team.createStoreOrder": lambda c: (c.live, "/store/orders", {
        "items": [{"merchant_product_id": 101, "quantity": 1}], "recipients": typed_recipients(1)}),
    "team.createCostCenter": lambda c: (c.live, "/cost-centers", {"code": "L", "name": "L"}),
    "team.replaceBillingProfile": lambda c: (c.live, "/billing/profile", {
        "legal_name": "L", "billing_email": "bo@example.com", "address": {**PROFILE, "country": "US"}}),
    "team.createTaxCertificate": lambda c: (c.live, "/tax-certificates", {
        "url": "https://files.example.com/resale.pdf", "region": "L"}),
    "team.createArtwork": lambda c: (c.live, "/artwork", {"url": "https://cdn.example.com/logo.png", "name": "L"}),
    "team.createPreview": lambda c: (c.live, "/artwork/previews", mug_preview_body(
        0, placements={"front": {"artwork_id": create_artwork(c.live)["id"], "fit": "L"}})),
    "team.createTemplate": lambda c: [
        (c.live, "/templates", template_body(name="L", occasion="L", **SETUP)),
        (c.live, "/templates", template_body(mode="bundle", gift_choices=MENU))],
    "team.replaceTemplate": lambda c: [
        c.replacement(name="L", occasion="L", **SETUP), c.replacement(mode="bundle", gift_choices=MENU)],
    "team.updateRecipientBranding": lambda c: (c.live, "/recipient-branding", {"sender_name": "L"}),
    "team.addProofVersion": lambda c: (c.live, f"/proofs/{c.proof()}/versions", {
        "artwork_id": create_artwork(c.live)["id"], "notes": "L"}),
    "team.reviewProof": lambda c: (c.live, f"/proofs/{c.reviewed()}/review", {
        "decision": "request_changes", "note": "L"}),
    "team.createRule": lambda c: (c.live, "/rules", {
        "kind": "hr", "name": "L", "trigger_type": "birthday", "gift_sender": "L", "bundle": {"items": [MUG]}}),
    "team.updateRule": lambda c: (c.live, f"/rules/{create_rule(c.live)['id']}", {"name": "L", "gift_sender": "L"}),
    "partner.createWebhook": lambda c: (c.partner, "/webhooks", {"url": HOOK, "events": ["team_order.claimed"]}),
    "partner.testWebhook": lambda c: (c.partner, f"/webhooks/{c.endpoint()}/test",
                                      {}),
    "team.createWebhook": lambda c: (c.live, "/webhooks", {"url": HOOK, "events": ["gift.shipped"]}),
    "team.testWebhook": lambda c: (c.live, f"/webhooks/{c.subscription()}/test", {}),
    "team.quoteTeamOrder": lambda c: (c.live, "/team-orders/quote", {"collection": KIT, "headcount": 2}),
    "team.updateLargeCampaign": lambda c: (c.live, f"/large-campaigns/{c.campaign()}", {"action": "pause"}),
    "team.processLargeCampaign": lambda c: (c.live, f"/large-campaigns/{c.campaign()}/process", {}),
    "team.createSandboxEvent": lambda c: (c.team.test, "/sandbox/events", {
        "type": "gift.claimed", "resource_id": create_gift(c.team.test)["id"]}),
    "team.createFunding": lambda c: (c.live, "/funding", {"campaign_id": c.team_order(), "method": "bank_transfer"}),
    "team.createDepositInvoice": lambda c: (c.live, "/deposit-invoices", {"amount_cents": 100_000}),
    "team.deleteTemplate": lambda c: (c.live, c.replacement()[1], {"revision": 1}),
    "team.signProof": lambda c: (c.team.approver, f"/proofs/{c.reviewed_version()}/sign", {"version": 1}),
    "team.evaluateRules": lambda c: (c.live, "/rules/evaluate", {"kind": "hr"}),
    "museum.buyMuseumTickets": lambda c: (MuseumClient(c.world), "/tickets", ticket_body()),
    "museum.createSpecialEvent": lambda c: (MuseumClient(c.world), "/special-events", event_body()),
    "museum.updateSpecialEvent": lambda c: (
        MuseumClient(c.world), f"/special-events/{MuseumClient(c.world).create_event()['eventId']}",
        {"name": "L", "location": "L", "eventDescription": "L"}),
}  # fmt: skip


def new(text: str) -> str:
    """The text with a number that no other has."""
    return f"{text}{next(NUMBERS)}"
