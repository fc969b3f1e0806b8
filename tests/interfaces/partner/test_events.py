"""Which facts become events, who hears of them, and when (P-6.1 to P-6.9, P-6.15, P-6.20, B26, B27, B45)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.shows import shows
from tests.support.api_clients import WEBHOOK_HOST, PartnerClient
from tests.support.instants import later, next_full_hour
from tests.support.orders import address_recipients, claim_tokens, email_recipients
from tests.support.partner.orders import move_parcels
from tests.support.partner.webhooks import EVENT_TYPES, ReceivedWebhook, received_webhooks, run_next_hour, ship_order
from tests.support.worlds import World

LINKS: dict[str, Any] = {"return_claim_links": True}


@pytest.fixture
def heard(world: World, partner: PartnerClient) -> Callable[[], list[ReceivedWebhook]]:
    """All that an endpoint hears which has subscribed to every kind."""
    partner.subscribe(*EVENT_TYPES)
    return lambda: received_webhooks(world)


def names(posts: list[ReceivedWebhook]) -> list[tuple[str, str]]:
    return [(post.type, post.data["recipient"]["name"]) for post in posts]


@shows("P-6.1")
def test_a_claim_is_told_of_once_by_the_recipient_s_name(
    world: World, partner: PartnerClient, heard: Callable[[], list[ReceivedWebhook]]
) -> None:
    order = partner.create_order(recipients=email_recipients(3), **LINKS).json()
    assert world.claim(claim_tokens(order)[1]).status == 200
    run_next_hour(world)
    assert names(heard()) == [("team_order.claimed", "Person 1")]
    world.advance("20h")
    assert len(heard()) == 1


@shows("P-6.1")
def test_claims_of_open_seats_are_told_of_by_the_names_given_on_the_page(
    world: World, partner: PartnerClient, heard: Callable[[], list[ReceivedWebhook]]
) -> None:
    order = partner.create_order(open_seats=2, **LINKS).json()
    seat = order["team_order"]["shared_claim_link"].rsplit("/", 1)[1]
    for name in ("Cy", "Di"):
        assert world.claim(seat, name=name, email=f"{name}@example.com").status == 200
    run_next_hour(world)
    assert names(heard()) == [("team_order.claimed", "Cy"), ("team_order.claimed", "Di")]


@shows("P-6.2", "P-6.20")
def test_every_parcel_that_ships_is_an_event_of_its_own(
    world: World, partner: PartnerClient, heard: Callable[[], list[ReceivedWebhook]]
) -> None:
    order = partner.create_order(recipients=address_recipients(3))
    move_parcels(world, order, "shipped", 0)
    move_parcels(world, order, "shipped", 2)
    run_next_hour(world)
    assert names(heard()) == [("team_order.shipped", "Person 0"), ("team_order.shipped", "Person 2")]
    assert len({post.event_id for post in heard()}) == 2


@shows("P-6.3")
def test_a_delivered_parcel_is_told_of_and_its_neighbour_is_not(
    world: World, partner: PartnerClient, heard: Callable[[], list[ReceivedWebhook]]
) -> None:
    order = partner.create_order(recipients=address_recipients(2))
    move_parcels(world, order, "shipped")
    run_next_hour(world)
    move_parcels(world, order, "delivered", 1)
    run_next_hour(world)
    assert names(heard()[2:]) == [("team_order.delivered", "Person 1")]


@shows("P-6.1", "P-6.2", "P-6.3")
def test_skipped_steps_are_told_of_too_in_their_order(
    world: World, partner: PartnerClient, heard: Callable[[], list[ReceivedWebhook]]
) -> None:
    move_parcels(world, partner.create_order(), "delivered")
    run_next_hour(world)
    told = ["team_order.claimed", "team_order.shipped", "team_order.delivered"]
    assert [post.type for post in heard()] == told


@shows("P-6.2", "P-6.3")
def test_by_the_clock_alone_an_order_is_told_of_from_paid_to_delivered(
    world: World, partner: PartnerClient, heard: Callable[[], list[ReceivedWebhook]]
) -> None:
    paid = run_next_hour(world)
    partner.create_order(recipients=address_recipients(1))
    world.advance(until="idle")
    days = {"team_order.shipped": "3d", "team_order.delivered": "5d"}
    assert [(post.type, post.at) for post in heard()] == [(kind, later(paid, span)) for kind, span in days.items()]


@shows("P-6.4")
def test_a_shipment_held_past_its_window_needs_attention_once(
    world: World, partner: PartnerClient, heard: Callable[[], list[ReceivedWebhook]]
) -> None:
    world.change_settings(partner__lead_times__production="30d")
    paid = world.now
    partner.create_order(recipients=address_recipients(1))
    world.advance("5d")
    world.advance("1h")
    (post,) = heard()
    assert (post.type, post.data["reason"]) == ("team_order.needs_attention", "shipment_delayed")
    assert post.data["occurred_at"] == later(paid, "5d")
    world.advance("40d")
    assert len(heard()) == 1


@shows("P-6.4")
def test_production_activity_begins_the_promised_window_anew(
    world: World, partner: PartnerClient, heard: Callable[[], list[ReceivedWebhook]]
) -> None:
    world.change_settings(partner__lead_times__label="30d", partner__lead_times__shipped="31d")
    paid = world.now
    partner.create_order(recipients=address_recipients(1))
    world.advance("40d")
    assert [post.data["occurred_at"] for post in heard()] == [later(paid, "6d")]


@shows("P-6.5")
@pytest.mark.parametrize("stage", ["in_production", "labeled", None])
def test_a_rejected_shipment_needs_attention_once(
    world: World, partner: PartnerClient, heard: Callable[[], list[ReceivedWebhook]], stage: str | None
) -> None:
    order = partner.create_order(recipients=address_recipients(2))
    if stage:
        move_parcels(world, order, stage, 0)
    move_parcels(world, order, "rejected", 0)
    run_next_hour(world)
    (post,) = heard()
    assert (post.type, post.data["reason"]) == ("team_order.needs_attention", "shipment_rejected")
    assert post.data["recipient"]["name"] == "Person 0"
    world.advance("60d")
    told = [row for row in heard() if row.data["recipient"]["name"] == "Person 0"]
    assert len(told) == 1


@shows("P-6.6")
def test_an_expired_link_needs_attention_where_nobody_entered_an_address(
    world: World, partner: PartnerClient, heard: Callable[[], list[ReceivedWebhook]]
) -> None:
    made = world.now
    order = partner.create_order(recipients=email_recipients(4), claim_expiry_days=10, **LINKS).json()
    assert world.claim(claim_tokens(order)[0]).status == 200
    canceled = order["recipients"][1]["recipient_id"]
    path = f"/team-orders/{order['team_order']['id']}/cancel"
    assert partner.post(path, {"recipient_ids": [canceled]}).status == 200
    world.advance("60d")
    told = [post for post in heard() if post.type == "team_order.needs_attention"]
    assert names(told) == [("team_order.needs_attention", f"Person {i}") for i in (2, 3)]
    assert {post.data["reason"] for post in told} == {"claim_link_expired"}
    assert {post.data["occurred_at"] for post in told} == {later(made, "10d")}


@shows("P-6.6", "P-6.1")
def test_a_link_sent_again_may_expire_again_and_the_account_may_enter_the_address(
    world: World, partner: PartnerClient, heard: Callable[[], list[ReceivedWebhook]]
) -> None:
    order = partner.create_order(claim_expiry_days=1).json()
    order_id = order["team_order"]["id"]
    world.advance("3d")
    world.simulate("claim_link", team_order_id=order_id, recipient=0, resend=True)
    world.advance("3d")
    reasons = [post.data.get("reason") for post in heard()]
    assert reasons == ["claim_link_expired"] * 2
    address = address_recipients()[0]["address"]
    world.simulate("claim", team_order_id=order_id, recipient=0, address=address)
    run_next_hour(world)
    assert [post.type for post in heard()] == ["team_order.needs_attention"] * 2


@shows("P-6.7", "P-6.8")
def test_single_orders_and_team_orders_are_told_of_by_kinds_of_their_own(
    world: World, heard: Callable[[], list[ReceivedWebhook]], partner: PartnerClient
) -> None:
    world.simulate("single_order", key="partner.prepaid", to="shipped")
    run_next_hour(world)
    assert [post.type for post in heard()] == ["order.shipped"]
    world.advance("10d")
    assert [post.type for post in heard()[1:]] == ["order.delivered"]
    move_parcels(world, partner.create_order(recipients=address_recipients(1)), "delivered")
    run_next_hour(world)
    assert [post.type for post in heard()[2:]] == ["team_order.shipped", "team_order.delivered"]


@shows("P-6.9")
def test_an_endpoint_gets_only_the_kinds_of_its_list(world: World, partner: PartnerClient) -> None:
    for kind in EVENT_TYPES:
        partner.subscribe(kind, host=f"{kind.replace('_', '-')}.example")
    order = partner.create_order(recipients=email_recipients(2), **LINKS).json()
    world.claim(claim_tokens(order)[0])
    world.advance("40d")
    world.simulate("single_order", key="partner.prepaid", to="delivered")
    run_next_hour(world)
    got = {
        kind: [post.type for post in received_webhooks(world, host=f"{kind.replace('_', '-')}.example")]
        for kind in EVENT_TYPES
    }
    assert got == {kind: [kind] for kind in EVENT_TYPES}


def test_ordering_canceling_and_production_are_not_events(
    world: World, partner: PartnerClient, heard: Callable[[], list[ReceivedWebhook]]
) -> None:
    order = partner.create_order(recipients=address_recipients(2)).json()
    move_parcels(world, order, "labeled", 0)
    cancel = partner.post(f"/team-orders/{order['team_order']['id']}/cancel", {})
    assert [row["recipient_id"] for row in cancel.json()["canceled"]] == [order["recipients"][1]["recipient_id"]]
    run_next_hour(world)
    assert heard() == []
    assert world.events() == []


def test_an_account_hears_of_its_own_orders_alone(
    world: World, partner: PartnerClient, heard: Callable[[], list[ReceivedWebhook]]
) -> None:
    stranger = world.partner("partner.net_terms")
    stranger.subscribe(*EVENT_TYPES, host="stranger.example")
    ship_order(world, partner)
    run_next_hour(world)
    assert [post.url for post in heard()] == [f"https://{WEBHOOK_HOST}/gifts"]


@shows("P-6.20")
def test_no_event_id_comes_twice_and_all_endpoints_get_the_same(world: World, partner: PartnerClient) -> None:
    first, second = "a.partner.example", "b.partner.example"
    for host in (first, second):
        partner.subscribe("team_order.shipped", host=host)
    order = ship_order(world, partner, 20)
    partner.post("/webhooks/1/test")
    run_next_hour(world)
    move_parcels(world, order, "delivered")
    world.advance("40d")
    to_first, to_second = (
        [post for post in received_webhooks(world, host=host) if not post.mark] for host in (first, second)
    )
    assert [(post.event_id, post.text) for post in to_first] == [(post.event_id, post.text) for post in to_second]
    ids = [post.event_id for post in to_first] + [post.event_id for post in received_webhooks(world, kind="ping")]
    assert len(set(ids)) == len(ids) == 21
    assert {event["id"] for event in world.events() if event["type"] == "team_order.shipped"} == set(ids[:20])


def test_events_keep_the_order_in_which_things_happened(
    world: World, partner: PartnerClient, heard: Callable[[], list[ReceivedWebhook]]
) -> None:
    order = partner.create_order(recipients=email_recipients(5))
    for recipient in (3, 0, 4, 2, 1):
        move_parcels(world, order, "shipped", recipient)
        world.advance("1s")
    run_next_hour(world)
    told = [name for kind, name in names(heard()) if kind == "team_order.shipped"]
    assert told == [f"Person {i}" for i in (3, 0, 4, 2, 1)]
    assert len({post.at for post in heard()}) == 1


def test_events_of_one_run_go_out_event_by_event_and_endpoint_by_endpoint(world: World, partner: PartnerClient) -> None:
    hosts = ["b.partner.example", "a.partner.example"]
    for host in hosts:
        partner.subscribe("team_order.shipped", host=host)
    ship_order(world, partner, 3)
    run_next_hour(world)
    sent = [(post.data["recipient"]["name"], post.url.split("/")[2]) for post in received_webhooks(world)]
    assert sent == [(f"Person {i}", host) for i in range(3) for host in hosts]


def test_of_an_unpaid_order_there_is_nothing_to_tell(world: World) -> None:
    broke = world.partner("partner.no_funds")
    broke.subscribe(*EVENT_TYPES)
    for key, recipients in (("links", email_recipients(1)), ("addresses", address_recipients(1))):
        assert broke.create_order(idempotency_key=key, recipients=recipients).status == 402
    world.advance("60d")
    assert (received_webhooks(world), world.events()) == ([], [])


def test_what_happens_unheard_is_an_event_that_nobody_is_told_of_later(world: World, partner: PartnerClient) -> None:
    ship_order(world, partner)
    partner.subscribe(*EVENT_TYPES)  # after the fact, before the run (B27)
    run_next_hour(world)
    assert received_webhooks(world) == []
    assert [(event["type"], event["audience"]) for event in world.events()] == [("team_order.shipped", 0)]
    assert next_full_hour(world.now) == later(world.now, "1h")
