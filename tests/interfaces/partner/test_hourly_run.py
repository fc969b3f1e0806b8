"""Events are gathered and sent once an hour, on the world's clock (P-6.15, B26, B45)."""

from __future__ import annotations

import pytest

from tests.claims import claims
from tests.support.api_clients import PartnerClient
from tests.support.instants import later, next_full_hour
from tests.support.orders import address_recipients
from tests.support.partner.orders import move_parcels
from tests.support.partner.webhooks import received_webhooks, run_next_hour, ship_order
from tests.support.worlds import World


def sent_at(world: World) -> list[str]:
    return [post.at for post in received_webhooks(world)]


@claims("P-6.15")
def test_what_ships_just_after_a_run_waits_for_the_next(world: World, partner: PartnerClient) -> None:
    partner.subscribe("team_order.shipped")
    hour = run_next_hour(world)
    world.advance("1m")
    ship_order(world, partner)
    world.advance("58m")
    assert sent_at(world) == []
    world.advance("1m")
    assert sent_at(world) == [later(hour, "1h")]


@claims("P-6.15")
def test_what_ships_just_before_a_run_goes_with_it(world: World, partner: PartnerClient) -> None:
    partner.subscribe("team_order.shipped")
    hour = run_next_hour(world)
    world.advance("3599s")
    ship_order(world, partner)
    assert sent_at(world) == []
    world.advance("1s")
    assert sent_at(world) == [later(hour, "1h")]


@claims("P-6.15")
@pytest.mark.parametrize("span", ["1d", "52w", "104w"])
def test_a_big_jump_sends_every_event_at_its_own_hour(world: World, partner: PartnerClient, span: str) -> None:
    partner.subscribe("team_order.shipped", "team_order.delivered")
    run_next_hour(world)
    world.advance("17m")
    world.change_settings(partner__lead_times__production="1h", partner__lead_times__label="2h")
    world.change_settings(partner__lead_times__shipped="3h", partner__lead_times__transit="7h")
    made = world.now
    partner.create_order(recipients=address_recipients(1))
    told = world.advance(span)
    assert sent_at(world) == [next_full_hour(later(made, after)) for after in ("3h", "10h")]
    assert [row["at"] for row in told["deliveries"]] == sent_at(world)


@claims("P-6.15")
def test_small_steps_and_one_jump_send_the_same(world: World, partner: PartnerClient) -> None:
    partner.subscribe("team_order.shipped", "team_order.delivered")
    world.call_control("POST", "/snapshots", {"name": "start"})
    marks = []
    for steps in (["11m"] * 1000, ["11000m"]):
        partner.create_order(recipients=address_recipients(3))
        for span in steps:
            world.advance(span)
        marks.append(([(post.at, post.text) for post in received_webhooks(world)], world.fingerprint()))
        world.call_control("POST", "/snapshots/start/restore")
    assert len(marks[0][0]) == 6
    assert marks[0] == marks[1]


def test_a_call_at_the_full_hour_comes_after_that_hour_s_run(world: World, partner: PartnerClient) -> None:
    partner.subscribe("team_order.shipped")
    hour = run_next_hour(world)
    ship_order(world, partner)
    world.advance("0s")
    assert sent_at(world) == []
    world.advance("1h")
    assert sent_at(world) == [later(hour, "1h")]


def test_a_change_due_at_the_full_hour_goes_with_that_hour_s_run(world: World, partner: PartnerClient) -> None:
    partner.subscribe("team_order.shipped")
    paid = run_next_hour(world)
    partner.create_order(recipients=address_recipients(1))
    world.advance("3d")
    (post,) = received_webhooks(world)
    assert post.at == post.body["created_at"] == post.data["occurred_at"] == later(paid, "3d")


def test_the_run_may_stand_elsewhere_within_the_hour(world: World, partner: PartnerClient) -> None:
    world.change_settings(webhooks__hourly_anchor="10m")
    partner.subscribe("team_order.shipped")
    hour = run_next_hour(world)
    ship_order(world, partner)
    world.advance("9m")
    assert sent_at(world) == []
    world.advance("51m")
    ship_order(world, partner)
    world.advance("1h")
    assert sent_at(world) == [later(hour, "10m"), later(hour, "70m")]


def test_an_advance_lists_every_hourly_run_that_it_passes(world: World, partner: PartnerClient) -> None:
    hour = run_next_hour(world)
    told = world.fired(by="5h")
    runs = [row["at"] for row in told["fired"] if row["kind"] == "webhooks.source"]
    assert runs == [later(hour, f"{i}h") for i in range(1, 6)]
    assert (told["fired_count"], told["delivery_count"]) == (5, 0)


def test_until_next_stops_at_the_run_that_has_something_to_send(world: World, partner: PartnerClient) -> None:
    partner.subscribe("team_order.delivered")
    order = partner.create_order(recipients=address_recipients(1))
    move_parcels(world, order, "delivered")
    at = next_full_hour(world.now)
    assert world.advance(until="next")["to"] == at
    assert sent_at(world) == [at]


def test_idle_sends_what_waits_and_ends_though_the_run_repeats_for_ever(world: World, partner: PartnerClient) -> None:
    partner.subscribe("team_order.shipped")
    ship_order(world, partner)
    at = next_full_hour(world.now)
    world.advance(until="idle")
    assert sent_at(world) == [at]
    assert world.advance(until="idle")["fired_count"] == 0
