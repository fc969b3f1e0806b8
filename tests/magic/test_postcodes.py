"""Magic postcodes: shipments to them get the status in the table."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from giftsim.services.gifting.magic.postcodes import POSTCODES
from tests.support.api_clients import PartnerClient
from tests.support.instants import date_from_now, later
from tests.support.orders import RENO
from tests.support.responses import expect_status
from tests.support.team.clients import TeamClients
from tests.support.worlds import World


def send_to_zips(partner: PartnerClient, *zips: str, country: str = "US") -> None:
    """Create an order with a recipient at each of these postcodes."""
    address = {**RENO, "country": country}
    partner.create_order(recipients=[{"name": "Bo", "address": {**address, "zip": code}} for code in zips])


def statuses(partner: PartnerClient) -> list[str]:
    """The status of each shipment of the order."""
    return [row["shipment"]["status"] for row in partner.read_order(1001)["recipients"]]


def test_every_postcode_in_the_table_acts_and_others_do_not(world: World, partner: PartnerClient) -> None:
    zips = [row.zip for row in POSTCODES]
    send_to_zips(partner, *zips, "00010", "00015", "89501", "00012-0001")
    world.advance("0s")
    assert statuses(partner) == ["shipped", "delivered", *["submitted"] * 6]
    world.advance("24h")
    assert statuses(partner) == ["shipped", "delivered", "delayed", "rejected", *["in_production"] * 4]
    world.advance("20d")
    assert statuses(partner) == ["delivered", "delivered", "delayed", "rejected", *["delivered"] * 4]


def test_a_postcode_entered_on_the_claim_page_acts(world: World, partner: PartnerClient) -> None:
    partner.subscribe("team_order.claimed", "team_order.shipped", "team_order.delivered")
    partner.create_order()
    world.simulate("claim", team_order_id=1001, recipient=0, address={**RENO, "zip": "00012"})
    world.advance("1h")
    events = [row["type"].partition(".")[2] for row in world.deliveries()]
    assert events == ["claimed", "shipped", "delivered"]
    parcel = partner.read_order(1001)["recipients"][0]["shipment"]
    assert parcel["shipped_at"] == later(parcel["delivered_at"], "-48h")


def test_delayed_and_rejected_shipments_need_attention(world: World, partner: PartnerClient) -> None:
    partner.subscribe("team_order.needs_attention")
    send_to_zips(partner, "00013", "00014")
    world.advance("2d")
    assert [row["type"] for row in world.deliveries()] == ["team_order.needs_attention"] * 2


@pytest.mark.parametrize("rush", [False, True])
def test_a_parcel_that_its_postcode_delays_is_not_produced_and_can_be_canceled(
    world: World, partner: PartnerClient, *, rush: bool
) -> None:
    party = {"date": date_from_now(world, 90), "rush": rush}
    rows = [{"name": name, "address": {**RENO, "zip": "00013"}} for name in ("Bo", "Cy")]
    partner.create_order(recipients=rows, event=party)
    world.advance("23h")
    assert statuses(partner) == ["submitted"] * 2
    world.advance("20d")
    assert statuses(partner) == ["delayed"] * 2
    assert [parcel["produced_at"] for parcel in world.rows("parcels")] == [None] * 2
    world.simulate("shipment", team_order_id=1001, recipient=1, to="in_production")
    world.advance("20d")
    assert statuses(partner) == ["delayed", "delivered"]
    canceled = expect_status(partner.post("/team-orders/1001/cancel", {}), 200).json()
    assert len(canceled["canceled"]) == 1


def test_a_postcode_acts_on_a_gift_of_a_team(world: World) -> None:
    team = TeamClients(world)
    recipients = [{"name": "Bo", "email": "bo@example.com"}]
    body = {"recipients": recipients, "gift": {"collection_slug": "welcome-kit"}, "message": "Magic Approved"}
    gift = expect_status(team.live.post("/gifts", body), 201).json()
    world.advance("0s")
    world.simulate("claim", gift_id=gift["id"], recipient=0, address={**RENO, "zip": "00012"})
    world.advance("0s")
    assert team.live.get_json("/gifts")["data"][0]["status"] == "delivered"


def test_unpaid_and_canceled_shipments_do_not_change(world: World) -> None:
    unfunded, partner = world.partner("partner.no_funds"), world.partner()
    unfunded.create_order(recipients=[{"name": "Bo", "address": {**RENO, "zip": "00012"}}])
    partner.create_order(recipients=[{"name": "Bo", "address": {**RENO, "zip": "00014"}}])
    assert partner.post("/team-orders/1002/cancel", {}).status == 200
    world.advance("5d")
    orders = unfunded.read_order(1001), partner.read_order(1002)
    assert [order["recipients"][0]["shipment"]["status"] for order in orders] == ["submitted", "canceled"]


def test_a_postcode_is_ordinary_in_another_country(world: World, partner: PartnerClient) -> None:
    send_to_zips(partner, "00012", country="IT")
    world.advance("1h")
    assert statuses(partner) == ["submitted"]


def test_postcodes_are_ordinary_when_the_setting_is_off(new_world: Callable[..., World]) -> None:
    world = new_world(settings={"magic_values": False})
    partner = world.partner()
    send_to_zips(partner, *[row.zip for row in POSTCODES])
    world.advance("1h")
    assert statuses(partner) == ["submitted"] * 4
