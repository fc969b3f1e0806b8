"""Which facts become events, who hears of them, and when (P-6.1 to P-6.9, P-6.15, P-6.20, B26, B27, B45)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.claims import claims
from tests.harness import HOOKS, Face, World, addressed, people, tokens
from tests.interfaces.partner.inbox import KINDS, Post, inbox, later, next_hour, parcel, run_hour, shipped

LINKS: dict[str, Any] = {"return_claim_links": True}


@pytest.fixture
def heard(world: World, partner: Face) -> Callable[[], list[Post]]:
    """All that an endpoint hears which has subscribed to every kind."""
    partner.subscribe(*KINDS)
    return lambda: inbox(world)


def names(posts: list[Post]) -> list[tuple[str, str]]:
    return [(post.type, post.data["recipient"]["name"]) for post in posts]


@claims("P-6.1")
def test_a_claim_is_told_of_once_by_the_recipient_s_name(
    world: World, partner: Face, heard: Callable[[], list[Post]]
) -> None:
    order = partner.order(recipients=people(3), **LINKS).json()
    assert world.claim(tokens(order)[1]).status == 200
    run_hour(world)
    assert names(heard()) == [("team_order.claimed", "Person 1")]
    world.advance("20h")
    assert len(heard()) == 1


@claims("P-6.1")
def test_claims_of_open_seats_are_told_of_by_the_names_given_on_the_page(
    world: World, partner: Face, heard: Callable[[], list[Post]]
) -> None:
    order = partner.order(open_seats=2, **LINKS).json()
    seat = order["team_order"]["shared_claim_link"].rsplit("/", 1)[1]
    for name in ("Cy", "Di"):
        assert world.claim(seat, name=name, email=f"{name}@example.com").status == 200
    run_hour(world)
    assert names(heard()) == [("team_order.claimed", "Cy"), ("team_order.claimed", "Di")]


@claims("P-6.2", "P-6.20")
def test_every_parcel_that_ships_is_an_event_of_its_own(
    world: World, partner: Face, heard: Callable[[], list[Post]]
) -> None:
    order = partner.order(recipients=addressed(3))
    parcel(world, order, "shipped", 0)
    parcel(world, order, "shipped", 2)
    run_hour(world)
    assert names(heard()) == [("team_order.shipped", "Person 0"), ("team_order.shipped", "Person 2")]
    assert len({post.event_id for post in heard()}) == 2


@claims("P-6.3")
def test_a_delivered_parcel_is_told_of_and_its_neighbour_is_not(
    world: World, partner: Face, heard: Callable[[], list[Post]]
) -> None:
    order = partner.order(recipients=addressed(2))
    parcel(world, order, "shipped")
    run_hour(world)
    parcel(world, order, "delivered", 1)
    run_hour(world)
    assert names(heard()[2:]) == [("team_order.delivered", "Person 1")]


@claims("P-6.1", "P-6.2", "P-6.3")
def test_skipped_steps_are_told_of_too_in_their_order(
    world: World, partner: Face, heard: Callable[[], list[Post]]
) -> None:
    parcel(world, partner.order(), "delivered")
    run_hour(world)
    told = ["team_order.claimed", "team_order.shipped", "team_order.delivered"]
    assert [post.type for post in heard()] == told


@claims("P-6.2", "P-6.3")
def test_by_the_clock_alone_an_order_is_told_of_from_paid_to_delivered(
    world: World, partner: Face, heard: Callable[[], list[Post]]
) -> None:
    paid = run_hour(world)
    partner.order(recipients=addressed(1))
    world.advance(until="idle")
    days = {"team_order.shipped": "3d", "team_order.delivered": "5d"}
    assert [(post.type, post.at) for post in heard()] == [(kind, later(paid, span)) for kind, span in days.items()]


@claims("P-6.4")
def test_a_shipment_held_past_its_window_needs_attention_once(
    world: World, partner: Face, heard: Callable[[], list[Post]]
) -> None:
    world.settings(partner__lead_times__production="30d")
    paid = world.now
    partner.order(recipients=addressed(1))
    world.advance("5d")
    world.advance("1h")
    (post,) = heard()
    assert (post.type, post.data["reason"]) == ("team_order.needs_attention", "shipment_delayed")
    assert post.data["occurred_at"] == later(paid, "5d")
    world.advance("40d")
    assert len(heard()) == 1


@claims("P-6.4")
def test_production_activity_begins_the_promised_window_anew(
    world: World, partner: Face, heard: Callable[[], list[Post]]
) -> None:
    world.settings(partner__lead_times__label="30d", partner__lead_times__shipped="31d")
    paid = world.now
    partner.order(recipients=addressed(1))
    world.advance("40d")
    assert [post.data["occurred_at"] for post in heard()] == [later(paid, "6d")]


@claims("P-6.5")
@pytest.mark.parametrize("stage", ["in_production", "labeled", None])
def test_a_rejected_shipment_needs_attention_once(
    world: World, partner: Face, heard: Callable[[], list[Post]], stage: str | None
) -> None:
    order = partner.order(recipients=addressed(2))
    if stage:
        parcel(world, order, stage, 0)
    parcel(world, order, "rejected", 0)
    run_hour(world)
    (post,) = heard()
    assert (post.type, post.data["reason"]) == ("team_order.needs_attention", "shipment_rejected")
    assert post.data["recipient"]["name"] == "Person 0"
    world.advance("60d")
    told = [row for row in heard() if row.data["recipient"]["name"] == "Person 0"]
    assert len(told) == 1


@claims("P-6.6")
def test_an_expired_link_needs_attention_where_nobody_entered_an_address(
    world: World, partner: Face, heard: Callable[[], list[Post]]
) -> None:
    made = world.now
    order = partner.order(recipients=people(4), claim_expiry_days=10, **LINKS).json()
    assert world.claim(tokens(order)[0]).status == 200
    canceled = order["recipients"][1]["recipient_id"]
    path = f"/team-orders/{order['team_order']['id']}/cancel"
    assert partner.post(path, {"recipient_ids": [canceled]}).status == 200
    world.advance("60d")
    told = [post for post in heard() if post.type == "team_order.needs_attention"]
    assert names(told) == [("team_order.needs_attention", f"Person {i}") for i in (2, 3)]
    assert {post.data["reason"] for post in told} == {"claim_link_expired"}
    assert {post.data["occurred_at"] for post in told} == {later(made, "10d")}


@claims("P-6.6", "P-6.1")
def test_a_link_sent_again_may_expire_again_and_the_account_may_enter_the_address(
    world: World, partner: Face, heard: Callable[[], list[Post]]
) -> None:
    order = partner.order(claim_expiry_days=1).json()
    order_id = order["team_order"]["id"]
    world.advance("3d")
    world.simulate("claim_link", team_order_id=order_id, recipient=0, resend=True)
    world.advance("3d")
    reasons = [post.data.get("reason") for post in heard()]
    assert reasons == ["claim_link_expired"] * 2
    address = addressed()[0]["address"]
    world.simulate("claim", team_order_id=order_id, recipient=0, address=address)
    run_hour(world)
    assert heard()[-1].type == "team_order.claimed"


@claims("P-6.7", "P-6.8")
def test_single_orders_and_team_orders_are_told_of_by_kinds_of_their_own(
    world: World, heard: Callable[[], list[Post]], partner: Face
) -> None:
    world.simulate("single_order", key="partner.prepaid", to="shipped")
    run_hour(world)
    assert [post.type for post in heard()] == ["order.shipped"]
    world.advance("10d")
    assert [post.type for post in heard()[1:]] == ["order.delivered"]
    parcel(world, partner.order(recipients=addressed(1)), "delivered")
    run_hour(world)
    assert [post.type for post in heard()[2:]] == ["team_order.shipped", "team_order.delivered"]


@claims("P-6.9")
def test_an_endpoint_gets_only_the_kinds_of_its_list(world: World, partner: Face) -> None:
    for kind in KINDS:
        partner.subscribe(kind, host=f"{kind.replace('_', '-')}.example")
    order = partner.order(recipients=people(2), **LINKS).json()
    world.claim(tokens(order)[0])
    world.advance("40d")
    world.simulate("single_order", key="partner.prepaid", to="delivered")
    run_hour(world)
    got = {kind: [post.type for post in inbox(world, host=f"{kind.replace('_', '-')}.example")] for kind in KINDS}
    assert got == {kind: [kind] for kind in KINDS}


def test_ordering_canceling_and_production_are_no_events(
    world: World, partner: Face, heard: Callable[[], list[Post]]
) -> None:
    order = partner.order(recipients=addressed(2)).json()
    parcel(world, order, "labeled", 0)
    cancel = partner.post(f"/team-orders/{order['team_order']['id']}/cancel", {})
    assert [row["recipient_id"] for row in cancel.json()["canceled"]] == [order["recipients"][1]["recipient_id"]]
    run_hour(world)
    assert heard() == []
    assert world.events() == []


def test_an_account_hears_of_its_own_orders_alone(world: World, partner: Face, heard: Callable[[], list[Post]]) -> None:
    stranger = world.partner("partner.net_terms")
    stranger.subscribe(*KINDS, host="stranger.example")
    shipped(world, partner)
    run_hour(world)
    assert [post.url for post in heard()] == [f"https://{HOOKS}/gifts"]


@claims("P-6.20")
def test_no_event_id_comes_twice_and_all_endpoints_get_the_same(world: World, partner: Face) -> None:
    first, second = "a.partner.example", "b.partner.example"
    for host in (first, second):
        partner.subscribe("team_order.shipped", host=host)
    order = shipped(world, partner, 20)
    partner.post("/webhooks/1/test")
    run_hour(world)
    parcel(world, order, "delivered")
    world.advance("40d")
    to_first, to_second = ([post for post in inbox(world, host=host) if not post.mark] for host in (first, second))
    assert [(post.event_id, post.text) for post in to_first] == [(post.event_id, post.text) for post in to_second]
    ids = [post.event_id for post in to_first] + [post.event_id for post in inbox(world, kind="ping")]
    assert len(set(ids)) == len(ids) == 21
    assert {event["id"] for event in world.events() if event["type"] == "team_order.shipped"} == set(ids[:20])


def test_events_keep_the_order_in_which_things_happened(
    world: World, partner: Face, heard: Callable[[], list[Post]]
) -> None:
    order = partner.order(recipients=people(5))
    for recipient in (3, 0, 4, 2, 1):
        parcel(world, order, "shipped", recipient)
        world.advance("1s")
    run_hour(world)
    told = [name for kind, name in names(heard()) if kind == "team_order.shipped"]
    assert told == [f"Person {i}" for i in (3, 0, 4, 2, 1)]
    assert len({post.at for post in heard()}) == 1


def test_events_of_one_run_go_out_event_by_event_and_endpoint_by_endpoint(world: World, partner: Face) -> None:
    hosts = ["b.partner.example", "a.partner.example"]
    for host in hosts:
        partner.subscribe("team_order.shipped", host=host)
    shipped(world, partner, 3)
    run_hour(world)
    sent = [(post.data["recipient"]["name"], post.url.split("/")[2]) for post in inbox(world)]
    assert sent == [(f"Person {i}", host) for i in range(3) for host in hosts]


def test_of_an_unpaid_order_there_is_nothing_to_tell(world: World) -> None:
    broke = world.partner("partner.no_funds")
    broke.subscribe(*KINDS)
    for key, recipients in (("links", people(1)), ("addresses", addressed(1))):
        assert broke.order(idempotency_key=key, recipients=recipients).status == 402
    world.advance("60d")
    assert (inbox(world), world.events()) == ([], [])


def test_what_happens_unheard_is_an_event_that_nobody_is_told_of_later(world: World, partner: Face) -> None:
    shipped(world, partner)
    partner.subscribe(*KINDS)  # after the fact, before the run (B27)
    run_hour(world)
    assert inbox(world) == []
    assert [(event["type"], event["audience"]) for event in world.events()] == [("team_order.shipped", 0)]
    assert next_hour(world.now) == later(world.now, "1h")
