"""Magic postcodes, files and artwork: what goes there or is made of them ends as the table says."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from giftsim.magic.amounts import AMOUNTS, Amount
from giftsim.magic.files import REMOTE, UNRENDERABLE
from giftsim.magic.parcels import POSTCODES
from giftsim.magic.receiver_hosts import HOSTS
from tests.support.api_clients import PartnerClient
from tests.support.orders import RENO
from tests.support.responses import expect_status, invalid_fields
from tests.support.team.artwork import create_artwork, mug_preview_body
from tests.support.team.clients import TeamClients
from tests.support.worlds import World


def sent(partner: PartnerClient, *zips: str, country: str = "US") -> None:
    """An order to these postcodes."""
    place = {**RENO, "country": country}
    partner.create_order(recipients=[{"name": "Bo", "address": {**place, "zip": code}} for code in zips])


def statuses(partner: PartnerClient) -> list[str]:
    """Where each parcel of the order stands."""
    return [row["shipment"]["status"] for row in partner.read_order(1001)["recipients"]]


def test_every_postcode_acts_and_the_next_does_not(world: World, partner: PartnerClient) -> None:
    zips = [row.zip for row in POSTCODES]
    sent(partner, *zips, "00010", "00015", "89501", "00012-0001")
    world.advance("0s")
    assert statuses(partner) == ["shipped", "delivered", *["submitted"] * 6]
    world.advance("24h")
    assert statuses(partner) == ["shipped", "delivered", "delayed", "rejected", *["in_production"] * 4]
    world.advance("20d")
    assert statuses(partner) == ["delivered", "delivered", "delayed", "rejected", *["delivered"] * 4]


def test_a_recipient_who_enters_a_magic_postcode_sends_the_parcel_its_way(world: World, partner: PartnerClient) -> None:
    partner.subscribe("team_order.claimed", "team_order.shipped", "team_order.delivered")
    partner.create_order()
    world.simulate("claim", team_order_id=1001, recipient=0, address={**RENO, "zip": "00012"})
    world.advance("1h")
    told = [row["type"].partition(".")[2] for row in world.deliveries()]
    assert told == ["claimed", "shipped", "delivered"]


def test_a_delayed_and_a_rejected_parcel_need_attention(world: World, partner: PartnerClient) -> None:
    partner.subscribe("team_order.needs_attention")
    sent(partner, "00013", "00014")
    world.advance("2d")
    assert [row["type"] for row in world.deliveries()] == ["team_order.needs_attention"] * 2


def test_a_gift_of_a_team_goes_the_same_way(world: World) -> None:
    team = TeamClients(world)
    recipients = [{"name": "Bo", "email": "bo@example.com"}]
    body = {"recipients": recipients, "gift": {"collection_slug": "welcome-kit"}, "message": "Magic Approved"}
    made = expect_status(team.live.post("/gifts", body), 201).json()
    world.advance("0s")
    world.simulate("claim", gift_id=made["id"], recipient=0, address={**RENO, "zip": "00012"})
    world.advance("0s")
    assert team.live.get_json("/gifts")["data"][0]["status"] == "delivered"


def test_a_parcel_that_is_not_paid_or_was_canceled_goes_nowhere(world: World) -> None:
    poor, partner = world.partner("partner.no_funds"), world.partner()
    poor.create_order(recipients=[{"name": "Bo", "address": {**RENO, "zip": "00012"}}])
    partner.create_order(recipients=[{"name": "Bo", "address": {**RENO, "zip": "00014"}}])
    assert partner.post("/team-orders/1002/cancel", {}).status == 200
    world.advance("5d")
    orders = poor.read_order(1001), partner.read_order(1002)
    assert [order["recipients"][0]["shipment"]["status"] for order in orders] == ["submitted", "canceled"]


def test_the_same_postcode_in_another_country_is_an_ordinary_one(world: World, partner: PartnerClient) -> None:
    sent(partner, "00012", country="IT")
    world.advance("1h")
    assert statuses(partner) == ["submitted"]


def test_nothing_stands_or_moves_by_magic_once_it_is_off(new_world: Callable[..., World]) -> None:
    world = new_world(settings={"magic_values": False})
    partner, team = world.partner(), TeamClients(world)
    sent(partner, *[row.zip for row in POSTCODES])
    drawn = create_artwork(team.live, name=UNRENDERABLE)["id"]
    expect_status(team.live.post("/artwork", {"url": REMOTE[0].url, "name": "x"}), 201)
    expect_status(team.live.post("/tax-certificates", {"url": REMOTE[1].url}), 201)
    made = team.live.post_json("/artwork/previews", mug_preview_body(drawn), 202)
    team.live.post_json("/deposit-invoices", {"amount_cents": AMOUNTS[0].cents})
    world.advance("1h")
    assert statuses(partner) == ["submitted"] * 4
    assert team.live.get_json(f"/previews/{made['id']}")["status"] == "ready"
    assert [invoice["status"] for invoice in team.live.list_all("/invoices")] == ["open"]


def test_a_preview_of_artwork_of_the_magic_name_fails(world: World) -> None:
    team = TeamClients(world)
    made: list[Any] = [
        team.live.post_json("/artwork/previews", mug_preview_body(create_artwork(team.live, name=name)["id"]), 202)
        for name in (UNRENDERABLE, "Logo")
    ]
    world.advance("5s")
    assert [team.live.get_json(f"/previews/{each['id']}")["status"] for each in made] == ["failed", "ready"]


def test_what_stands_at_the_magic_urls_is_refused(world: World) -> None:
    team = TeamClients(world)
    assert invalid_fields(team.live.post("/artwork", {"url": REMOTE[0].url, "name": "x"})) == ["url"]
    assert invalid_fields(team.live.post("/tax-certificates", {"url": REMOTE[1].url})) == ["url"]
    expect_status(team.live.post("/artwork", {"url": REMOTE[0].url.replace("no-image", "image"), "name": "x"}), 201)
    world.simulate("file", url=REMOTE[0].url, content_type="image/png", bytes=5)
    expect_status(team.live.post("/artwork", {"url": REMOTE[0].url, "name": "x"}), 201)


@pytest.mark.parametrize("row", AMOUNTS)
def test_a_deposit_of_a_magic_amount_is_paid_by_the_bank(world: World, row: Amount) -> None:
    team = TeamClients(world)
    made = [
        team.live.post_json("/deposit-invoices", {"amount_cents": cents})["id"] for cents in (row.cents, row.cents + 5)
    ]
    due = [
        timer["subject"] for timer in world.call_control("GET", "/timers")["timers"] if timer["kind"] == "magic.invoice"
    ]
    assert due == [f"invoice {made[0]}"]
    world.advance(f"{row.after_ms // 1000}s")
    told = {invoice["id"]: invoice["status"] for invoice in team.live.list_all("/invoices")}
    assert [told[invoice_id] for invoice_id in made] == ["paid", "open"]


def test_an_invoice_that_was_paid_meanwhile_is_paid_once(world: World) -> None:
    team = TeamClients(world)
    before = team.live.get_json("/billing/balance")["balance_cents"]
    made = team.live.post_json("/deposit-invoices", {"amount_cents": AMOUNTS[1].cents})["id"]
    world.simulate("invoice", invoice_id=made, outcome="paid")
    world.advance("2d")
    assert team.live.get_json("/billing/balance")["balance_cents"] == before + AMOUNTS[1].cents


@pytest.mark.parametrize("rows", [POSTCODES, REMOTE, AMOUNTS, HOSTS])
def test_every_row_says_what_it_does_and_where_that_is_decided(rows: Any) -> None:
    for row in rows:
        assert row.means
        assert row.source
