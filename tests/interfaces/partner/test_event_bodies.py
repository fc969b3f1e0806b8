"""What a delivery says of the fact (P-2.6, P-2.41 to P-2.45, P-1.8, B37); every body is also held by the contract."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from tests.shows import shows
from tests.support.api_clients import PartnerClient
from tests.support.instants import later
from tests.support.orders import RENO, address_recipients, claim_tokens, email_recipients
from tests.support.partner.catalogue import BLACK, COLOUR, NAVY, TEE_LINE
from tests.support.partner.orders import move_parcels
from tests.support.partner.webhooks import (
    EVENT_TYPES,
    ReceivedWebhook,
    fail_host,
    received_webhooks,
    retry_instants,
    run_next_hour,
)
from tests.support.worlds import World

NAMED: dict[str, Any] = {"name": "Kits \u00e0 la carte", "reference": "REF-7", "po_number": "PO-9"}
SHIPMENT = (
    "order_id",
    "external_id",
    "status",
    "country",
    "carrier",
    "tracking_number",
    "tracking_url",
    "shipped_at",
    "delivered_at",
)

Hear = Callable[[], ReceivedWebhook]


@pytest.fixture
def last(world: World, partner: PartnerClient) -> Hear:
    """What an endpoint that subscribed to everything hears last, after the hourly run."""
    partner.subscribe(*EVENT_TYPES)

    def hear() -> ReceivedWebhook:
        run_next_hour(world)
        return received_webhooks(world)[-1]

    return hear


def shown(partner: PartnerClient, post: ReceivedWebhook) -> Mapping[str, Any]:
    """The recipient of a delivery, as the detail read shows it now."""
    rows = partner.read_order(post.data["team_order"]["id"])["recipients"]
    return next(row for row in rows if row["recipient_id"] == post.data["recipient"]["id"])


@shows("P-2.41")
@pytest.mark.parametrize("to", ["shipped", "delivered", "delayed", "rejected"])
def test_a_body_is_an_id_a_type_a_time_and_data(world: World, partner: PartnerClient, last: Hear, to: str) -> None:
    move_parcels(world, partner.create_order(recipients=address_recipients(1)), to)
    post = last()
    assert list(post.body) == ["id", "type", "created_at", "data"]
    assert post.body["id"] == post.event_id == post.headers["X-Service-Event-Id"]
    assert post.body["type"] == post.type
    assert post.body["created_at"] == post.at
    extra = ["reason"] if to in ("delayed", "rejected") else []
    assert sorted(post.data) == sorted(["team_order", "recipient", "shipment", "occurred_at", *extra])


@shows("P-2.42")
@pytest.mark.parametrize("members", [NAMED, {}])
def test_the_team_order_is_named_as_its_detail_names_it(
    world: World, partner: PartnerClient, last: Hear, members: dict[str, Any]
) -> None:
    move_parcels(world, partner.create_order(recipients=address_recipients(3), **members), "shipped", 1)
    told = last().data["team_order"]
    read = partner.read_order(told["id"])["team_order"]
    assert told == {name: read[name] for name in ("id", "name", "reference", "recipient_count")}
    assert (told["name"], told["recipient_count"]) == (members.get("name"), 3)


@shows("P-2.43")
def test_the_recipient_is_the_one_of_the_detail(world: World, partner: PartnerClient, last: Hear) -> None:
    order = partner.create_order(recipients=email_recipients(3), return_claim_links=True).json()
    world.claim(claim_tokens(order)[2])
    post = last()
    row = shown(partner, post)
    assert row == partner.read_order(order["team_order"]["id"])["recipients"][2]
    assert post.data["recipient"] == {
        "id": row["recipient_id"],
        "name": "Person 2",
        "email": "person2@example.com",
        "selection": None,
    }


@shows("P-2.43")
def test_a_recipient_without_email_has_none(world: World, partner: PartnerClient, last: Hear) -> None:
    move_parcels(world, partner.create_order(recipients=address_recipients(1)), "shipped")
    assert last().data["recipient"] == {"id": 200001, "name": "Person 0", "email": None, "selection": None}


@shows("P-2.6", "P-2.43")
def test_the_choice_made_on_the_claim_page_is_the_selection_of_all_that_follows(
    world: World, partner: PartnerClient, last: Hear
) -> None:
    order = partner.create_order(items=[TEE_LINE], recipients=email_recipients(2), return_claim_links=True).json()
    for token, colour in zip(claim_tokens(order), (NAVY, BLACK), strict=True):
        assert world.claim(token, selection={str(COLOUR): colour}).status == 200
    last()
    move_parcels(world, order, "delivered")
    last()
    told = [(post.data["recipient"]["name"], post.data["recipient"]["selection"]) for post in received_webhooks(world)]
    assert len(told) == 6
    for name, colour in (("Person 0", NAVY), ("Person 1", BLACK)):
        assert [pick for person, pick in told if person == name] == [{str(COLOUR): colour}] * 3


def test_who_claims_an_open_seat_is_named_and_whoever_never_came_is_not(
    world: World, partner: PartnerClient, last: Hear
) -> None:
    order = partner.create_order(open_seats=2, claim_expiry_days=2, return_claim_links=True).json()
    seat = order["team_order"]["shared_claim_link"].rsplit("/", 1)[1]
    world.claim(seat, name="Cy", email="cy@example.com")
    post = last()
    assert (post.data["recipient"]["name"], post.data["recipient"]["email"]) == ("Cy", "cy@example.com")
    assert post.data["team_order"]["recipient_count"] == 3
    world.advance("2d")
    nobody = last()
    assert nobody.data["reason"] == "claim_link_expired"
    assert (nobody.data["recipient"]["name"], nobody.data["recipient"]["email"]) == (None, None)


@shows("P-2.44")
def test_the_shipment_of_a_claim_has_a_country_and_nothing_of_the_carrier_yet(
    world: World, partner: PartnerClient, last: Hear
) -> None:
    order = partner.create_order(return_claim_links=True, destination_countries=["GB", "US"]).json()
    world.claim(claim_tokens(order)[0])
    post = last()
    known = order["recipients"][0]["shipment"]
    assert tuple(post.data["shipment"]) == SHIPMENT
    assert post.data["shipment"] == {
        **dict.fromkeys(SHIPMENT),
        "order_id": known["order_id"],
        "external_id": known["external_id"],
        "status": "submitted",
        "country": "US",
    }


@shows("P-2.44")
def test_a_shipped_parcel_has_all_but_its_delivery_and_a_delivered_one_that_too(
    world: World, partner: PartnerClient, last: Hear
) -> None:
    order = partner.create_order(recipients=address_recipients(1))
    move_parcels(world, order, "shipped")
    at = world.now
    first = last().data["shipment"]
    assert (first["status"], first["country"], first["shipped_at"], first["delivered_at"]) == (
        "shipped",
        "US",
        at,
        None,
    )
    assert all(first[name] for name in SHIPMENT if name != "delivered_at")
    world.advance("7m")
    move_parcels(world, order, "delivered")
    at = world.now
    post = last()
    second = post.data["shipment"]
    assert second == {**first, "status": "delivered", "delivered_at": at}
    row = shown(partner, post)["shipment"]
    for name in (name for name in SHIPMENT if name != "country"):
        assert row[name] == second[name], name
    assert second["tracking_number"] in second["tracking_url"]


@shows("P-2.45")
def test_the_fact_has_its_own_time_and_the_delivery_another(world: World, partner: PartnerClient, last: Hear) -> None:
    partner.create_order(recipients=address_recipients(1))
    run_next_hour(world)
    world.advance("10m")
    order = partner.create_order(idempotency_key="second", recipients=address_recipients(1))
    move_parcels(world, order, "shipped")
    at = world.now
    fail_host(world)
    post = last()
    world.advance("1h")
    retries = received_webhooks(world)
    assert [row.at for row in retries] == retry_instants(post.at)[:3]
    assert {row.data["occurred_at"] for row in retries} == {at}
    assert {row.data["shipment"]["shipped_at"] for row in retries} == {at}
    assert at < post.at == later(at, "50m")


@shows("P-2.45")
@pytest.mark.parametrize("span", ["6d", "700d"])
def test_facts_of_a_big_jump_have_each_their_own_time(world: World, partner: PartnerClient, span: str) -> None:
    partner.subscribe(*EVENT_TYPES)
    world.advance("13m")
    partner.create_order(recipients=address_recipients(1))
    paid = world.now
    world.advance(span)
    told = {post.type: post.data["occurred_at"] for post in received_webhooks(world)}
    assert told == {"team_order.shipped": later(paid, "3d"), "team_order.delivered": later(paid, "5d")}


def test_a_body_tells_how_things_stood_and_not_how_they_went_on(
    world: World, partner: PartnerClient, last: Hear
) -> None:
    order = partner.create_order(return_claim_links=True).json()
    world.claim(claim_tokens(order)[0])
    move_parcels(world, order, "delivered")
    last()
    stands = [(post.type, post.data["shipment"]["status"]) for post in received_webhooks(world)]
    assert stands == [
        ("team_order.claimed", "submitted"),
        ("team_order.shipped", "shipped"),
        ("team_order.delivered", "delivered"),
    ]
    assert received_webhooks(world)[1].data["shipment"]["delivered_at"] is None


@pytest.mark.parametrize("status", [500, 200])
def test_every_attempt_sends_the_same_bytes_whatever_has_happened_since(
    world: World, partner: PartnerClient, status: int
) -> None:
    partner.subscribe("team_order.shipped")
    fail_host(world, status=status)
    order = partner.create_order(recipients=address_recipients(1))
    move_parcels(world, order, "shipped")
    run_next_hour(world)
    move_parcels(world, order, "delivered")
    world.call_control("POST", "/deliveries/1/resend")
    world.advance("30d")
    assert len(received_webhooks(world)) == (10 if status == 500 else 2)
    assert len({post.text for post in received_webhooks(world)}) == 1


@pytest.mark.parametrize("name", ["\u00c5sa", '\U0001f381 O\'Neil "Q" <b>&amp;', "\u5317\u4eac\u3000", "a\\b/c"])
def test_names_arrive_letter_by_letter(world: World, partner: PartnerClient, last: Hear, name: str) -> None:
    order = partner.create_order(name=name, reference=name, recipients=[{"name": name, "address": RENO}])
    move_parcels(world, order, "shipped")
    data = last().data
    assert (data["team_order"]["name"], data["team_order"]["reference"]) == (name, name)
    assert data["recipient"]["name"] == name


@shows("P-1.8")
def test_no_delivery_holds_a_claim_link(world: World, partner: PartnerClient, last: Hear) -> None:
    order = partner.create_order(
        recipients=email_recipients(2), open_seats=1, claim_expiry_days=3, return_claim_links=True
    ).json()
    links = [*claim_tokens(order), order["team_order"]["shared_claim_link"].rsplit("/", 1)[1]]
    world.claim(links[0])
    world.advance("40d")
    texts = [post.text + str(post.headers) for post in received_webhooks(world)]
    assert len(texts) == 5
    assert [text for text in texts for link in links if link in text or "/claim/" in text] == []


@shows("P-6.7", "P-6.8")
def test_a_single_order_is_told_of_with_its_shipment(world: World, partner: PartnerClient, last: Hear) -> None:
    made = world.simulate("single_order", key="partner.prepaid", to="delivered", country="GB")
    last()
    first, second = received_webhooks(world)
    assert sorted(first.data) == ["occurred_at", "order", "shipment"]
    assert second.data["order"] == {"id": made["order_id"], "external_id": made["external_id"]}
    assert second.data["shipment"] == {name: made[name] for name in SHIPMENT}
    assert first.data["shipment"] == {**second.data["shipment"], "status": "shipped", "delivered_at": None}
