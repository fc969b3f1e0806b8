"""Lists of records: orders, parcels, payments, ledger, events, catalogue, accounts, teams and endpoints (G40)."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.support.api_clients import PartnerClient
from tests.support.orders import address_recipients, email_recipients
from tests.support.worlds import World


@pytest.fixture
def active_world(world: World, partner: PartnerClient) -> World:
    """A world with two orders, an event with a subscribed endpoint, and a refund."""
    partner.subscribe("team_order.claimed")
    partner.create_order(recipients=email_recipients(2), name="Welcome", reference="REF-1", open_seats=1)
    partner.create_order(idempotency_key="second", recipients=address_recipients(2))
    world.simulate("claim", team_order_id=1001, recipient=0)
    partner.post("/team-orders/1002/cancel", {"recipient_ids": [200_004]})
    return world


def test_orders_of_all_accounts_are_listed(active_world: World) -> None:
    active_world.partner("partner.net_terms").create_order()
    orders = active_world.call_control("GET", "/orders")["orders"]
    assert [(row["id"], row["key"], row["status"]) for row in orders] == [
        (1001, "partner.prepaid", "collecting_addresses"),
        (1002, "partner.prepaid", "in_progress"),
        (1003, "partner.net_terms", "collecting_addresses"),
    ]
    assert (orders[0]["name"], orders[0]["reference"], orders[0]["summary"]["claimed"]) == ("Welcome", "REF-1", 1)
    assert orders[0]["shared_claim_link"].startswith(f"http://giftsim.example/claim/{active_world.id}/")
    assert orders[1]["refunded_cents"] > 0


def test_parcels_are_listed_with_their_links_all_or_of_one_order(active_world: World) -> None:
    parcels = active_world.call_control("GET", "/parcels")["parcels"]
    assert [row["status"] for row in parcels] == ["submitted", "awaiting", "awaiting", "canceled", "submitted"]
    assert parcels[1]["claim_link"] in [link for mail in active_world.mail() for link in mail["links"]]
    assert parcels[4]["claim_link"] is None
    of_order = active_world.call_control("GET", "/parcels?team_order_id=1002")["parcels"]
    assert [row["order_id"] for row in of_order] == [500_004, 500_005]
    assert active_world.call_control("GET", "/parcels?team_order_id=77")["parcels"] == []


def test_payments_are_listed_with_their_outcomes(active_world: World) -> None:
    active_world.partner("partner.no_funds").create_order()
    payments = active_world.call_control("GET", "/payments")["payments"]
    assert [(row["team_order_id"], row["status"], row["code"]) for row in payments] == [
        (1001, "paid", None), (1002, "paid", None), (1003, "failed", "insufficient_funds_no_card"),
    ]  # fmt: skip


def test_the_postings_of_every_ledger_entry_add_up_to_zero(active_world: World) -> None:
    entries = active_world.call_control("GET", "/ledger")["ledger"]
    assert all(sum(posting["cents"] for posting in entry["postings"]) == 0 for entry in entries)
    assert [entry["kind"] for entry in entries[-3:]] == ["charge", "charge", "refund"]
    assert entries[-1]["ref"] == "team_order 1002"
    assert {posting["account"] for posting in entries[-1]["postings"]} <= {"wallet 501", "card 501", "order 1002"}


def test_events_are_listed_with_and_without_subscribers(active_world: World) -> None:
    active_world.simulate("shipment", team_order_id=1001, recipient=0, to="shipped")
    claimed, shipped = [row for row in active_world.events() if row["subject"].endswith("recipient 200001")]
    assert (claimed["type"], claimed["audience"], claimed["account_id"]) == ("team_order.claimed", 1, 501)
    assert claimed["data"]["team_order"]["id"] == 1001
    assert claimed["created_at"] is None
    assert (shipped["type"], shipped["audience"], shipped["data"]) == ("team_order.shipped", 0, None)
    active_world.advance(until="next")
    assert active_world.events()[0]["created_at"] == active_world.now
    of_type = active_world.call_control("GET", "/events?type=team_order.shipped")["events"]
    assert [row["type"] for row in of_type] == ["team_order.shipped"]


def test_the_data_of_an_event_equals_that_of_its_delivery(active_world: World) -> None:
    active_world.advance("1h")
    (delivery,) = active_world.deliveries()
    (event,) = [row for row in active_world.events() if row["id"] == delivery["event_id"]]
    assert json.loads(delivery["request"]["body"])["data"] == event["data"]


def test_the_catalogue_has_the_documented_products(world: World) -> None:
    products = world.call_control("GET", "/catalogue")["catalogue"]
    codes = [sku["code"] for product in products for sku in product["skus"]]
    assert {"MUG-01", "TEE-01", "PEN-01"} <= {code[:6] for code in codes}
    tee = next(product for product in products if product["name"] and product["variations"])
    assert tee["variations"][0]["options"]


def test_accounts_are_listed_with_their_keys(world: World) -> None:
    first = world.call_control("GET", "/accounts")["accounts"][0]
    assert (first["keys"][0], first["wallet_cents"], first["card"]) == ("partner.prepaid", 500_000, "good")


@pytest.mark.parametrize("view", ["orders", "parcels", "payments", "ledger", "events", "catalogue", "accounts"])
def test_the_pages_of_each_list_join_up(active_world: World, view: str) -> None:
    whole = active_world.call_control("GET", f"/{view}")
    assert whole["next"] is None
    joined, after = [], 0
    while after is not None:
        page = active_world.call_control("GET", f"/{view}?limit=1&after={after}")
        joined += page[view]
        after = page["next"]
    assert joined == whole[view]


def test_accounts_show_what_each_key_has_spent_today(world: World, partner: PartnerClient) -> None:
    partner.create_order()
    assert prepaid_account(world)["spent_today_cents"] == {"partner.prepaid": 2600, "partner.no_capability": 0}
    world.advance("1d")
    assert prepaid_account(world)["spent_today_cents"]["partner.prepaid"] == 0


def prepaid_account(world: World) -> Any:
    """The account of the key `partner.prepaid`."""
    accounts = world.call_control("GET", "/accounts")["accounts"]
    return next(row for row in accounts if "partner.prepaid" in row["keys"])


def test_teams_are_listed_with_their_money(world: World) -> None:
    teams = world.call_control("GET", "/teams")["teams"]
    assert [(row["label"], row["balance_cents"], row["credit"]["net_days"]) for row in teams] == [
        ("northwind", 2_500_000, 30),
        ("other", 500_000, 30),
    ]


def test_endpoints_are_listed_with_their_pending_deliveries(world: World, partner: PartnerClient) -> None:
    partner.subscribe("team_order.claimed")
    order = partner.create_order().json()["team_order"]["id"]
    world.set_receiver(then={"status": 500})
    world.simulate("claim", team_order_id=order, recipient=0)
    world.advance("1h")
    [row] = world.call_control("GET", "/endpoints")["endpoints"]
    assert (row["key"], row["team_id"], row["pending"], row["status"]) == ("partner.prepaid", None, 1, "active")
    assert row["events"] == ["team_order.claimed"]
