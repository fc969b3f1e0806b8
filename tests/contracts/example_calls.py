"""Calls of the operations that no scenario of the library makes, for the examples of the published contracts."""

from __future__ import annotations

from itertools import count
from threading import Thread
from typing import Any

from giftsim.engine.client.in_process import InProcessClient

CONTROL, TEAM, PARTNER = "/_sim/v1", "/api/teams/v1", "/api/external"
PROFILE = {
    "legal_name": "Analytical Engines Inc.", "billing_email": "billing@example.com",
    "address": {"address1": "1 Main St", "city": "Reno", "state": "NV", "zip": "89501", "country": "US"},
}  # fmt: skip
TEMPLATE = {
    "name": "Birthday parcel", "occasion": "birthday", "budget_cents": 5000,
    "setup": {"bundle_items": [{"merchant_product_id": 101, "quantity": 2}]},
}  # fmt: skip
RULE = {
    "kind": "hr", "name": "Birthdays", "trigger_type": "birthday", "gift_sender": "Ada Lovelace",
    "bundle": {"items": [{"merchant_product_id": 101, "quantity": 1}]}, "approval_mode": "manual",
    "budget_per_send_cents": 5000, "budget_monthly_cents": 100000, "active": True,
}  # fmt: skip
ORDER = {
    "idempotency_key": "spring", "gift_sender": "Ada", "items": [{"sku_code": "MUG-01"}],
    "recipients": [{"name": "Bo", "email": "bo@example.com"}],
}  # fmt: skip

SCENARIO = """
scenario: A mug for Bo
steps:
- call: POST /api/external/team-orders
  as: partner.prepaid
  body: {idempotency_key: mug, gift_sender: Ada, items: [{sku_code: MUG-01}],
    recipients: [{name: Bo, email: bo@example.com}]}
  expect: {status: 201}
"""


REFERENCE = (
    "/reference/routes?q=sendGift", "/reference/errors?q=card_charge_failed&limit=1", "/reference/events?limit=1",
    "/reference/settings?q=claim_expiry", "/reference/magic_values?limit=1",
)  # fmt: skip


class Caller:
    """A world of its own, called as its team, its partner or its tester; every call must succeed."""

    def __init__(self, client: InProcessClient) -> None:
        self.client, self.keys = client, count(1)
        description = self.json("POST", f"{CONTROL}/worlds", {"id": "spring", "fixture": "default"})
        self.world = f"{CONTROL}/worlds/{description['id']}"
        self.credentials = description["credentials"]

    def json(self, method: str, path: str, body: Any = None, headers: dict[str, str] | None = None) -> Any:
        response = self.client.call(method, path, body=body, headers=headers)
        assert 200 <= response.status < 300, (method, path, response.text)
        return response.json() if response.headers.get("content-type", "").endswith("json") else None

    def team(self, method: str, path: str, body: Any = None) -> Any:
        """A call of the team interface with a live key."""
        headers = {**self.credentials["team.live_approver"]["headers"], "Idempotency-Key": f"example-{next(self.keys)}"}
        return self.json(method, TEAM + path, body, headers)

    def partner(self, method: str, path: str, body: Any = None) -> Any:
        """A call of the partner interface with a prepaid key."""
        return self.json(method, PARTNER + path, body, self.credentials["partner.prepaid"]["headers"])

    def control(self, method: str, path: str, body: Any = None) -> Any:
        """A call of the test-control API for this world."""
        return self.json(method, self.world + path, body)


def make_other_calls(client: InProcessClient) -> None:
    """Make them in a new world, which is deleted at the end."""
    caller = Caller(client)
    read_team(caller)
    write_team(caller)
    campaign(caller)
    deliver(caller)
    simulate(caller)
    decide(caller)
    look_on(caller)
    look_at_people_and_money(caller)
    change(caller)
    caller.json("DELETE", caller.world)


def read_team(caller: Caller) -> None:
    """What a team has from the beginning."""
    for path in ("/members", "/items?limit=2", "/store", "/cost-centers"):
        caller.team("GET", path)
    item = caller.team("GET", "/items?limit=1")["data"][0]
    caller.team("GET", f"/items/{item['slug']}/options")
    caller.team("GET", f"/print-areas?product={item['id']}")
    caller.control("GET", "/changes?limit=1")


def write_team(caller: Caller) -> None:
    """What a team makes, reads and deletes."""
    caller.team("PUT", "/billing/profile", PROFILE)
    caller.team("POST", "/deposit-invoices", {"amount_cents": 100000})
    caller.team("GET", "/artwork")
    template = caller.team("POST", "/templates", TEMPLATE)
    caller.team("GET", "/templates")
    caller.team("GET", f"/templates/{template['id']}")
    rule = caller.team("POST", "/rules", RULE)
    caller.team("GET", "/rules")
    caller.team("GET", f"/rules/{rule['id']}")
    caller.team("DELETE", f"/rules/{rule['id']}")


def campaign(caller: Caller) -> None:
    """A large campaign, as a tester reads it."""
    guests = [{"name": "Bo Berg", "email": "bo@example.com"}]
    body = {"name": "Year's end", "collection": "welcome-kit", "recipients": guests}
    created = caller.team("POST", "/large-campaigns", body)
    caller.control("GET", "/campaigns")
    caller.control("GET", f"/campaigns/{created['id']}")


def deliver(caller: Caller) -> None:
    """A webhook that is held, answered and read."""
    hook = {"url": "https://hooks.team.example/gifts", "events": ["gift.shipped"]}
    created = caller.team("POST", "/webhooks", hook)
    caller.control("PUT", "/receivers/hooks.team.example", {"mode": "hold"})
    caller.team("POST", f"/webhooks/{created['id']}/test", {})
    [held] = caller.control("GET", "/deliveries/held?wait=true")["held"]
    caller.control("POST", f"/deliveries/{held['seq']}/answer", {"status": 200, "body": "thanks"})
    caller.control("GET", f"/deliveries/{held['seq']}/request")
    caller.control("GET", f"/deliveries/{held['seq']}")
    caller.control("POST", f"/deliveries/{held['seq']}/verify", {})
    caller.control("POST", f"/deliveries/{held['seq']}/app-answer", {"status": 204})
    caller.control("GET", f"/events/{held['event_id']}")
    caller.control("GET", "/endpoints")
    caller.control("GET", "/endpoints/1")
    caller.control("POST", "/endpoints/1/test")
    caller.control("DELETE", "/receivers/hooks.team.example")
    cancel_advance(caller)


def cancel_advance(caller: Caller) -> None:
    """An advance that waits for a delivery, and is canceled there."""
    caller.partner("POST", "/webhooks", {"url": "https://hooks.partner.example/", "events": ["team_order.claimed"]})
    order = caller.partner("POST", "/team-orders", {**ORDER, "idempotency_key": "canceled"})["team_order"]["id"]
    caller.control("POST", "/simulate/claim", {"team_order_id": order, "recipient": 0})
    caller.control("GET", f"/journey?about=order:{order}")
    caller.control("PUT", "/receivers/hooks.partner.example", {"mode": "hold"})
    advance = Thread(target=lambda: caller.control("POST", "/clock/advance", {"by": "2d"}))
    advance.start()
    [held] = caller.control("GET", "/deliveries/held?wait=true")["held"]
    caller.control("DELETE", "/clock/advance")
    caller.control("POST", f"/deliveries/{held['seq']}/answer", {"status": 200})
    advance.join()
    caller.control("GET", "/undo?limit=1")
    caller.control("POST", "/undo", {"count": 1})
    caller.control("POST", "/redo")
    caller.control("DELETE", "/receivers/hooks.partner.example")


def simulate(caller: Caller) -> None:
    """What people and machines outside do."""
    order = caller.partner("POST", "/team-orders", ORDER)["team_order"]["id"]
    caller.control("POST", "/simulate/claim_link", {"team_order_id": order, "recipient": 0})
    parcel = caller.control("POST", "/simulate/single_order", {"to": "shipped"})["order_id"]
    caller.control("GET", f"/moves?kind=parcel&id={parcel}")
    caller.control("GET", "/titles?of=team_order:1001")
    caller.control("POST", "/simulate/parcel", {"order_id": parcel, "event": "lost"})
    caller.control("POST", "/rehearse", {"name": "parcel-found", "order_id": parcel})
    invoice = caller.team("POST", "/deposit-invoices", {"amount_cents": 100000})["id"]
    caller.control("POST", "/simulate/invoice", {"invoice_id": invoice, "outcome": "paid"})
    caller.control("POST", "/simulate/bank", {"invoice_id": invoice, "event": "paid_twice"})
    caller.control("PATCH", "/settings", {"refunds.settle_after": "5d"})
    caller.partner("POST", f"/team-orders/{order}/cancel", {})
    caller.control("POST", "/simulate/refund", {"team_order_id": order, "outcome": "done"})
    caller.control("PATCH", "/settings", {"refunds.settle_after": "0s"})
    caller.control("POST", "/simulate/price", {"product": "MUG-01", "price_cents": 2100})
    caller.control("POST", "/simulate/personalization", {"product": "ENGR-01", "reviewed": True})
    caller.control("POST", "/rehearse", {"name": "product-gone", "product": "MUG-01"})
    caller.control("POST", "/simulate/stock", {"product": "MUG-01", "on_sale": True})


def decide(caller: Caller) -> None:
    """Proofs and previews, and who decides them."""
    artwork = caller.team("POST", "/artwork", {"url": "https://cdn.example.com/logo.png", "name": "Logo"})["id"]
    caller.team("POST", "/team-orders", {"collection": "branded-kit", "headcount": 2})
    proof = caller.control("GET", "/proofs?order=newest&limit=1")["proofs"][0]["proof_id"]
    caller.team("POST", f"/proofs/{proof}/versions", {"artwork_id": artwork})
    caller.control("POST", "/simulate/proof", {"proof_id": proof, "decision": "sign"})
    caller.control("GET", f"/proofs/{proof}")
    body = {"product_id": 101, "placements": {"front": {"artwork_id": artwork}}}
    preview = caller.team("POST", "/artwork/previews", body)["id"]
    caller.control("POST", "/simulate/preview", {"preview_id": preview, "outcome": "ready"})
    caller.control("GET", "/previews")
    caller.control("GET", f"/previews/{preview}")
    approval = caller.control("GET", "/approvals?order=newest&limit=1")["approvals"][0]["id"]
    caller.control("GET", f"/approvals/{approval}")
    caller.team("POST", "/tax-certificates", {"url": "https://files.example.com/resale.pdf"})
    caller.control("GET", "/certificates")
    invoice = caller.control("GET", "/invoices?order=newest&limit=1")["invoices"][0]["invoice_id"]
    caller.control("GET", f"/invoices/{invoice}")


def look_at_people_and_money(caller: Caller) -> None:
    """What a tester reads of people, keys, mail and the museum."""
    caller.partner("POST", "/team-orders", ORDER)
    for view in ("recipients", "people", "contacts", "keys", "museum/days", "museum/events"):
        caller.control("GET", f"/{view}?limit=1")
    caller.control("GET", "/keys/partner.prepaid")
    [mail] = caller.control("GET", "/mail?order=newest&limit=1")["mail"]
    caller.control("GET", f"/mail/{mail['seq']}")
    caller.control("PUT", f"/mail/{mail['seq']}/read")
    caller.control("GET", f"/claim_links/{mail['links'][0].rpartition('/')[2]}")
    ticket = {"ticketType": "general", "ticketDate": "2027-01-07", "email": "ada@example.com"}
    caller.json("POST", "/v1.1/tickets", ticket, caller.credentials["museum"]["headers"])
    sold = caller.control("GET", "/museum/tickets")["tickets"][0]["ticket_id"]
    caller.control("GET", f"/museum/tickets/{sold}")
    caller.json("GET", f"{CONTROL}/fixtures")


def ask_why(caller: Caller) -> None:
    """Why a webhook did not come, asked about its order and by a test."""
    world = f"{CONTROL}/worlds/asked"
    caller.json("POST", f"{CONTROL}/worlds", {"id": "asked", "fixture": "empty"})
    key = {"Authorization": "Bearer pk_live_asked_prepaid"}
    order = caller.json("POST", "/api/external/team-orders", ORDER, key)["team_order"]["id"]
    caller.json("POST", f"{world}/simulate/claim", {"team_order_id": order, "recipient": 0})
    caller.json("GET", f"{world}/why?about=order:{order}&expected=team_order.shipped")
    failure = {"message": "AssertionError: expected a webhook team_order.shipped, found none", "text": ""}
    test = {"id": "tests/test_shop.py::test_mug", "outcome": "failed", "seconds": 0.2, "failure": failure}
    caller.json("POST", f"{world}/why", {"test": test})
    caller.json("DELETE", world)


def look_on(caller: Caller) -> None:
    """What a tester reads."""
    for path in ("/health", "/worlds", "/machines?after=4&limit=1", *REFERENCE):
        caller.json("GET", CONTROL + path)
    caller.json("POST", f"{CONTROL}/scenarios/play", SCENARIO, {"Content-Type": "application/yaml"})
    step_through(caller)
    caller.json("POST", f"{CONTROL}/worlds", {"id": "small", "fixture": "bare"})
    caller.json("GET", f"{CONTROL}/worlds/small/trace?format=json")
    test = {"id": "tests/test_shop.py::test_mug", "outcome": "passed", "seconds": 0.2}
    caller.json("POST", f"{CONTROL}/worlds/small/trace?format=json", {"test": test, "calls": []})
    caller.json("DELETE", f"{CONTROL}/worlds/small")
    ask_why(caller)
    caller.control("PATCH", "", {"name": "Demo shop"})
    caller.control("POST", "/reset")
    for path in ("orders?limit=1", "orders/1011", "gifts?limit=1", "gifts/60000007"):
        caller.control("GET", f"/{path}")
    caller.partner("GET", "/team-orders")
    views = (
        "settings",
        "journal/scenario",
        "journal/1",
        "journal/1/scenario",
        "calls/1/effects",
        "usage",
        "approvals",
        "simulate",
    )
    for view in (*views, "faults/choices"):
        caller.control("GET", f"/{view}")
    for view in ("journal", "ledger", "catalogue"):
        caller.control("GET", f"/{view}?limit=1")


def step_through(caller: Caller) -> None:
    """The scenario library, and a scenario that is played step by step."""
    scenarios = f"{CONTROL}/scenarios"
    caller.json("GET", f"{scenarios}?limit=1")
    caller.json("GET", f"{scenarios}/partner.ping")
    session = caller.json("POST", f"{scenarios}/sessions", SCENARIO, {"Content-Type": "application/yaml"})
    caller.json("GET", f"{scenarios}/sessions")
    caller.json("GET", f"{scenarios}/sessions/{session['id']}")
    caller.json("POST", f"{scenarios}/sessions/{session['id']}/step", {"count": 1})
    caller.json("DELETE", f"{scenarios}/sessions/{session['id']}")


def change(caller: Caller) -> None:
    """What a tester changes."""
    caller.control("POST", "/snapshots", {"name": "before"})
    caller.control("GET", "/snapshots")
    fork = caller.control("POST", "/fork", {"id": "summer"})["id"]
    caller.json("POST", f"{CONTROL}/worlds/{fork}/clock/advance", {"by": "1h"})
    caller.json("PATCH", f"{CONTROL}/worlds/{fork}/settings", {"partner.claim_expiry_days": 3})
    caller.control("GET", f"/diff?with={fork}&limit=1")
    caller.json("DELETE", f"{CONTROL}/worlds/{fork}")
    caller.control("DELETE", "/snapshots/before")
    caller.control("POST", "/sessions", {"user": "approver"})
    caller.control("PATCH", "/keys/partner.prepaid", {"plan": "growth"})
    caller.control("PUT", "/clock", {"mode": "manual"})
    actor = caller.control("POST", "/actors", {"id": "bo", "recipient": "any", "claims": "3d"})
    caller.control("DELETE", f"/actors/{actor['id']}")
    caller.control("DELETE", "/actors")
    caller.control("DELETE", "/faults")
