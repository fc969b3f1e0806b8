"""What a world has done, to read: orders, parcels, payments, ledger, events, catalogue, accounts (G40)."""

from __future__ import annotations

import pytest

from tests.support.api_clients import PartnerClient
from tests.support.orders import address_recipients, email_recipients
from tests.support.worlds import World


@pytest.fixture
def busy(world: World, partner: PartnerClient) -> World:
    """Two orders, one with an event told to an endpoint, and a refund."""
    partner.subscribe("team_order.claimed")
    partner.create_order(recipients=email_recipients(2), name="Welcome", reference="REF-1", open_seats=1)
    partner.create_order(idempotency_key="second", recipients=address_recipients(2))
    world.simulate("claim", team_order_id=1001, recipient=0)
    partner.post("/team-orders/1002/cancel", {"recipient_ids": [200_004]})
    return world


def test_orders_of_every_account(busy: World) -> None:
    busy.partner("partner.net_terms").create_order()
    orders = busy.call_control("GET", "/orders")["orders"]
    assert [(row["id"], row["key"], row["status"]) for row in orders] == [
        (1001, "partner.prepaid", "collecting_addresses"),
        (1002, "partner.prepaid", "in_progress"),
        (1003, "partner.net_terms", "collecting_addresses"),
    ]
    assert (orders[0]["name"], orders[0]["reference"], orders[0]["summary"]["claimed"]) == ("Welcome", "REF-1", 1)
    assert orders[0]["shared_claim_link"].startswith(f"http://giftsim.example/claim/{busy.id}/")
    assert orders[1]["refunded_cents"] > 0


def test_parcels_with_their_links_all_or_of_one_order(busy: World) -> None:
    parcels = busy.call_control("GET", "/parcels")["parcels"]
    assert [row["status"] for row in parcels] == ["submitted", "awaiting", "awaiting", "canceled", "submitted"]
    assert parcels[1]["claim_link"] in [link for mail in busy.mail() for link in mail["links"]]
    assert parcels[4]["claim_link"] is None
    assert [row["order_id"] for row in busy.call_control("GET", "/parcels?team_order_id=1002")["parcels"]] == [
        500_004,
        500_005,
    ]
    assert busy.call_control("GET", "/parcels?team_order_id=77")["parcels"] == []


def test_payments_with_what_came_of_them(busy: World) -> None:
    busy.partner("partner.no_funds").create_order()
    payments = busy.call_control("GET", "/payments")["payments"]
    assert [(row["team_order_id"], row["status"], row["code"]) for row in payments] == [
        (1001, "paid", None), (1002, "paid", None), (1003, "failed", "insufficient_funds_no_card"),
    ]  # fmt: skip


def test_every_entry_of_the_ledger_adds_up_to_zero(busy: World) -> None:
    entries = busy.call_control("GET", "/ledger")["ledger"]
    assert all(sum(posting["cents"] for posting in entry["postings"]) == 0 for entry in entries)
    assert [entry["kind"] for entry in entries[-3:]] == ["charge", "charge", "refund"]
    assert entries[-1]["ref"] == "team_order 1002"
    assert {posting["account"] for posting in entries[-1]["postings"]} <= {"wallet 501", "card 501", "order 1002"}


def test_events_whether_anybody_listens_or_not(busy: World) -> None:
    busy.simulate("shipment", team_order_id=1001, recipient=0, to="shipped")
    claimed, shipped = [row for row in busy.events() if row["subject"].endswith("recipient 200001")]
    assert (claimed["type"], claimed["audience"], claimed["account_id"]) == ("team_order.claimed", 1, 501)
    assert claimed["data"]["team_order"]["id"] == 1001
    assert claimed["created_at"] is None
    assert (shipped["type"], shipped["audience"], shipped["data"]) == ("team_order.shipped", 0, None)
    busy.advance(until="next")
    assert busy.events()[0]["created_at"] == busy.now
    assert [row["type"] for row in busy.call_control("GET", "/events?type=team_order.shipped")["events"]] == [
        "team_order.shipped"
    ]


def test_what_an_event_says_is_what_its_delivery_carries(busy: World) -> None:
    import json

    busy.advance("1h")
    (delivery,) = busy.deliveries()
    (event,) = [row for row in busy.events() if row["id"] == delivery["event_id"]]
    assert json.loads(delivery["request"]["body"])["data"] == event["data"]


def test_the_catalogue_has_what_the_readme_names(world: World) -> None:
    products = world.call_control("GET", "/catalogue")["catalogue"]
    codes = [sku["code"] for product in products for sku in product["skus"]]
    assert {"MUG-01", "TEE-01", "PEN-01"} <= {code[:6] for code in codes}
    tee = next(product for product in products if product["name"] and product["variations"])
    assert tee["variations"][0]["options"]


def test_accounts_with_their_keys(world: World) -> None:
    first = world.call_control("GET", "/accounts")["accounts"][0]
    assert (first["keys"][0], first["wallet_cents"], first["card"]) == ("partner.prepaid", 500_000, "good")


@pytest.mark.parametrize("view", ["orders", "parcels", "payments", "ledger", "events", "catalogue", "accounts"])
def test_each_list_comes_in_pages_that_join_up(busy: World, view: str) -> None:
    whole = busy.call_control("GET", f"/{view}")
    assert whole["next"] is None
    joined, after = [], 0
    while after is not None:
        part = busy.call_control("GET", f"/{view}?limit=1&after={after}")
        joined += part[view]
        after = part["next"]
    assert joined == whole[view]


def test_accounts_say_what_each_key_has_spent_today(world: World, partner: PartnerClient) -> None:
    partner.create_order()
    prepaid = next(
        row for row in world.call_control("GET", "/accounts")["accounts"] if "partner.prepaid" in row["keys"]
    )
    assert prepaid["spent_today_cents"] == {"partner.prepaid": 2600, "partner.no_capability": 0}
    world.advance("1d")
    prepaid = next(
        row for row in world.call_control("GET", "/accounts")["accounts"] if "partner.prepaid" in row["keys"]
    )
    assert prepaid["spent_today_cents"]["partner.prepaid"] == 0


def test_teams_are_listed_with_their_money(world: World) -> None:
    teams = world.call_control("GET", "/teams")["teams"]
    assert [(row["label"], row["balance_cents"], row["credit"]["net_days"]) for row in teams] == [
        ("northwind", 2_500_000, 30),
        ("other", 500_000, 30),
    ]


def test_endpoints_are_listed_with_what_is_pending(world: World, partner: PartnerClient) -> None:
    partner.subscribe("team_order.claimed")
    order = partner.create_order().json()["team_order"]["id"]
    world.set_receiver(then={"status": 500})
    world.simulate("claim", team_order_id=order, recipient=0)
    world.advance("1h")
    [found] = world.call_control("GET", "/endpoints")["endpoints"]
    assert (found["key"], found["team_id"], found["pending"], found["status"]) == ("partner.prepaid", None, 1, "active")
    assert found["events"] == ["team_order.claimed"]
