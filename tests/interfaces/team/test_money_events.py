"""Webhook events about money: invoices issued and paid, and balances that fall below a threshold."""

from __future__ import annotations

from typing import Any

import msgspec

from tests.shows import shows
from tests.support.team.clients import TeamClient, TeamClients
from tests.support.team.orders import reload
from tests.support.team.payments import fund, kit_order_body, net_terms_order_body, unit_cents
from tests.support.worlds import World

HOST = "https://hooks.team.example"


def subscribe_to_balance(client: TeamClient, threshold_cents: int, name: str = "a") -> Any:
    """Subscribe to `balance.low` with a threshold in cents; `name` makes the URL unique."""
    return client.post_json(
        "/webhooks",
        {"url": f"{HOST}/{name}", "events": ["balance.low"], "balance_threshold_cents": threshold_cents},
    )


def received_bodies(world: World, kind: str) -> list[Any]:
    """The bodies of all webhooks of a type, in order, without retries."""
    rows = [row for row in world.deliveries(f"&type={kind}") if row["attempt"] == 1]
    return [msgspec.json.decode(row["request"]["body"]) for row in rows]


def spend(team: TeamClients, world: World, headcount: int) -> None:
    """Create an order, which a human approves and the balance pays."""
    order = team.live.post_json("/team-orders", kit_order_body(headcount))
    world.simulate("approval", team_order_id=order["id"], decision="approve")
    assert reload(team.live, order)["payment_status"] == "paid"


@shows("T-6.13")
def test_a_balance_that_falls_below_a_threshold_sends_one_event(team: TeamClients, world: World) -> None:
    cents = unit_cents(team)
    world.simulate("team", balance_cents=4 * cents)
    subscription = subscribe_to_balance(team.live, 4 * cents)
    spend(team, world, 1)
    spend(team, world, 1)
    [event] = received_bodies(world, "balance.low")
    assert (event["type"], event["livemode"]) == ("balance.low", True)
    assert event["data"] == {
        "team_id": team.live.get_json("/team")["id"], "webhook_id": subscription["id"], "status": "below_threshold",
    }  # fmt: skip


@shows("T-6.14")
def test_only_crossing_the_threshold_downwards_sends_an_event(team: TeamClients, world: World) -> None:
    cents = unit_cents(team)
    world.simulate("team", balance_cents=3 * cents)
    subscribe_to_balance(team.live, 5 * cents)
    assert received_bodies(world, "balance.low") == []
    deposit = team.live.post_json("/deposit-invoices", {"amount_cents": 6 * cents})
    world.simulate("invoice", invoice_id=deposit["id"])
    assert received_bodies(world, "balance.low") == []
    spend(team, world, 5)
    assert len(received_bodies(world, "balance.low")) == 1
    world.simulate("team", balance_cents=5 * cents)
    spend(team, world, 1)
    assert len(received_bodies(world, "balance.low")) == 2


@shows("T-6.14", "T-6.13")
def test_reservations_and_purchases_on_terms_send_no_balance_event(team: TeamClients, world: World) -> None:
    world.simulate("team", balance_cents=unit_cents(team))
    world.change_settings(payments__settle_after="1h")
    subscribe_to_balance(team.live, unit_cents(team))
    order = team.live.post_json("/team-orders", kit_order_body())
    world.simulate("approval", team_order_id=order["id"], decision="approve")
    team.live.post_json("/team-orders", net_terms_order_body())
    assert team.live.get_json("/billing/balance")["available_cents"] == 0
    assert received_bodies(world, "balance.low") == []
    world.advance("1h")
    assert len(received_bodies(world, "balance.low")) == 1


@shows("T-6.15")
def test_each_subscription_has_its_own_threshold(team: TeamClients, world: World) -> None:
    cents = unit_cents(team)
    world.simulate("team", balance_cents=10 * cents)
    first, second = (
        subscribe_to_balance(team.live, 9 * cents, "first"),
        subscribe_to_balance(team.live, 7 * cents, "second"),
    )
    counts = []
    for headcount in (1, 1, 2):
        spend(team, world, headcount)
        counts.append([event["data"]["webhook_id"] for event in received_bodies(world, "balance.low")])
    assert counts == [[], [first["id"]], [first["id"], second["id"]]]


@shows("T-6.14")
def test_sandboxes_and_other_teams_do_not_affect_the_balance_events(team: TeamClients, world: World) -> None:
    subscribe_to_balance(team.live, 1)
    subscribe_to_balance(team.test, 100_000_000)
    subscribe_to_balance(team.other, 100_000_000)
    spend(team, world, 1)
    order = team.test.post_json("/team-orders", kit_order_body())
    world.simulate("invoice", invoice_id=fund(team.test, order, "bank_transfer")["invoice_id"])
    assert received_bodies(world, "balance.low") == []


@shows("T-6.11", "T-6.12")
def test_an_invoice_sends_an_event_when_issued_and_when_paid(team: TeamClients, world: World) -> None:
    team.live.post_json("/webhooks", {"url": f"{HOST}/money", "events": ["invoice.issued", "invoice.paid"]})
    order = team.live.post_json("/team-orders", net_terms_order_body())
    [issued] = received_bodies(world, "invoice.issued")
    assert issued["data"] == {
        "invoice_id": order["invoice_id"], "resource_type": "team_order", "resource_id": order["id"], "status": "open",
    }  # fmt: skip
    assert received_bodies(world, "invoice.paid") == []
    world.simulate("invoice", invoice_id=order["invoice_id"])
    [paid] = received_bodies(world, "invoice.paid")
    assert paid["data"] == {**issued["data"], "status": "paid"}
    team.live.post_json("/deposit-invoices", {"amount_cents": 100})
    assert received_bodies(world, "invoice.issued")[1]["data"]["resource_id"] is None
