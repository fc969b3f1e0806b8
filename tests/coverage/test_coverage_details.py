"""The details of a coverage: parameters and members that were there, those that never were, and outcomes."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.api_clients import PartnerClient
from tests.support.orders import address_recipients, email_recipients, order_body
from tests.support.worlds import World


def details(world: World) -> Any:
    """The details of a world's coverage."""
    return world.call_control("GET", "/coverage?next=false")["details"]


def test_parameters_and_members_by_operation(world: World, partner: PartnerClient) -> None:
    partner.create_order(gift_message="Thanks")
    partner.get("/team-orders?limit=5")
    operations = details(world)["operations"]
    created, listed = operations["createTeamOrder"], operations["listTeamOrders"]
    assert {"gift_message", "items[].sku_code", "recipients[].email"} <= set(created["sent"])
    assert {"po_number", "recipients[].address.city", "event.date"} <= set(created["missing_sent"])
    assert {"recipients[].quantity", "recipients[].ship_on"} <= set(created["missing_sent"])  # of one branch alone
    assert not set(created["sent"]) & set(created["missing_sent"])
    assert "team_order.id" in created["received"]
    assert listed["parameters"] == ["limit"]
    assert "offset" in listed["missing_parameters"]
    assert "team_orders[].id" in listed["received"]
    assert "team_orders[].reference" in listed["missing_received"]


def test_outcomes_concern_who_has_such_records(world: World, partner: PartnerClient) -> None:
    assert details(world)["outcomes"] == {"met": [], "missing": []}
    partner.create_order()
    missing = ["expiry", "partial cancellation", "refund", "rejection", "reversal"]
    assert details(world)["outcomes"] == {"met": [], "missing": missing}


def test_an_order_that_is_canceled_in_part_and_then_whole(world: World, partner: PartnerClient) -> None:
    order = partner.create_order(recipients=email_recipients(2)).json()
    path = f"/team-orders/{order['team_order']['id']}/cancel"
    partner.post(path, {"recipient_ids": [order["recipients"][0]["recipient_id"]]})
    assert details(world)["outcomes"]["met"] == ["partial cancellation", "refund"]
    partner.post(path, {})
    assert details(world)["outcomes"]["met"] == ["partial cancellation", "refund"]


def test_an_order_that_is_canceled_whole_is_not_canceled_in_part(world: World, partner: PartnerClient) -> None:
    order = partner.create_order(recipients=email_recipients(2)).json()["team_order"]["id"]
    partner.post(f"/team-orders/{order}/cancel", {})
    assert details(world)["outcomes"]["met"] == ["refund"]


def test_links_that_expire_and_parcels_that_are_rejected(world: World, partner: PartnerClient) -> None:
    partner.create_order()
    world.advance("60d")
    assert details(world)["outcomes"]["met"] == ["expiry"]
    second = partner.create_order(idempotency_key="second", recipients=address_recipients()).json()
    world.simulate("shipment", order_id=second["recipients"][0]["shipment"]["order_id"], to="rejected")
    assert details(world)["outcomes"]["met"] == ["expiry", "rejection"]


def test_a_charge_of_an_unknown_outcome_that_is_reversed(world: World, partner: PartnerClient) -> None:
    world.change_settings(partner__reconcile_unknown="failed")
    with pytest.raises(ConnectionError):
        partner.post("/team-orders", order_body(), X_Sim_Fault="crash=after_charge")
    world.advance("1h")
    assert details(world)["outcomes"]["met"] == ["reversal"]
