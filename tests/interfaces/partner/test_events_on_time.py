"""Whether gifts make the day of their event, row by row and over all (B32)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.shows import shows
from tests.support.api_clients import PartnerClient
from tests.support.instants import date_from_now, later, next_full_hour
from tests.support.orders import address_recipients, email_recipients
from tests.support.partner.orders import cancel_rows, move_parcels, recipient_statuses
from tests.support.partner.webhooks import received_webhooks, run_next_hour, ship_order
from tests.support.responses import created
from tests.support.worlds import World


def sent_at(world: World) -> list[str]:
    return [post.at for post in received_webhooks(world)]


@shows("P-6.15")
def test_what_ships_just_after_a_run_waits_for_the_next(world: World, partner: PartnerClient) -> None:
    partner.subscribe("team_order.shipped")
    hour = run_next_hour(world)
    world.advance("1m")
    ship_order(world, partner)
    world.advance("58m")
    assert sent_at(world) == []
    world.advance("1m")
    assert sent_at(world) == [later(hour, "1h")]


@shows("P-6.15")
def test_what_ships_just_before_a_run_goes_with_it(world: World, partner: PartnerClient) -> None:
    partner.subscribe("team_order.shipped")
    hour = run_next_hour(world)
    world.advance("3599s")
    ship_order(world, partner)
    assert sent_at(world) == []
    world.advance("1s")
    assert sent_at(world) == [later(hour, "1h")]


@shows("P-6.15")
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


@shows("P-6.15")
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


def judged(partner: PartnerClient, order: int = 1001) -> tuple[bool | None, list[bool | None]]:
    """What is said of the order, and of each of its rows."""
    detail = partner.read_order(order)
    rows = [row["event"] for row in detail["recipients"]]
    assert all(list(row) == ["on_time"] for row in rows)
    return detail["team_order"]["event"]["on_time"], [row["on_time"] for row in rows]


def order_for(world: World, partner: PartnerClient, rows: list[dict[str, Any]], days: int = 2) -> Any:
    """A paid order for an event so many days from now."""
    return created(partner.create_order(recipients=rows, event={"date": date_from_now(world, days)}))


def end_of(date: str) -> str:
    """The last second of a UTC day."""
    return f"{date}T23:59:59Z"


@shows("P-2.32")
def test_without_an_event_nothing_is_said(world: World, partner: PartnerClient) -> None:
    order = created(partner.create_order(recipients=address_recipients()))
    move_parcels(world, order, "delivered")
    detail = partner.read_order(1001)
    assert detail["team_order"]["event"] is None
    assert detail["recipients"][0]["event"] == {"on_time": None}


@shows("P-2.32")
def test_one_before_and_one_after_the_day_are_on_time_and_late(world: World, partner: PartnerClient) -> None:
    order = order_for(world, partner, email_recipients(2, company="Cole"))
    date = date_from_now(world, 2)
    assert judged(partner) == (None, [None, None])
    move_parcels(world, order, "delivered", 0)
    assert judged(partner) == (None, [True, None])
    world.advance(to=end_of(date))
    assert judged(partner) == (None, [True, None])
    world.advance("1d")
    move_parcels(world, order, "delivered", 1)
    assert judged(partner) == (False, [True, False])


@shows("P-2.32")
@pytest.mark.parametrize(("seconds", "on_time"), [(0, True), (1, False), (86_400, False)])
def test_the_day_ends_with_its_last_second_in_utc(
    world: World, partner: PartnerClient, seconds: int, on_time: bool
) -> None:
    order = order_for(world, partner, address_recipients())
    world.advance(to=end_of(date_from_now(world, 2)))
    world.advance(f"{seconds}s")
    move_parcels(world, order, "delivered")
    assert judged(partner) == (on_time, [on_time])
    world.advance("30d")
    assert judged(partner) == (on_time, [on_time])


@shows("P-2.32")
def test_what_has_not_arrived_is_late_as_soon_as_the_day_has_passed(world: World, partner: PartnerClient) -> None:
    order_for(
        world, partner, [*address_recipients(1, ship_on=date_from_now(world, 60)), *address_recipients()], days=10
    )
    world.advance(to=end_of(date_from_now(world, 10)))
    assert recipient_statuses(partner.read_order(1001)) == ["submitted", "delivered"]
    assert judged(partner) == (None, [None, True])
    world.advance("1s")
    assert judged(partner) == (False, [False, True])


@shows("P-2.32")
@pytest.mark.parametrize("stands", ["awaiting", "submitted", "shipped", "delayed", "rejected", "expired"])
def test_whatever_stopped_it_it_is_late(world: World, partner: PartnerClient, stands: str) -> None:
    world.change_settings(partner__lead_times__production="9d", partner__lead_times__transit="9d")
    asked = email_recipients(1) if stands in ("awaiting", "expired") else address_recipients()
    order = created(
        partner.create_order(
            recipients=asked, event={"date": date_from_now(world)}, claim_expiry_days=1 if stands == "expired" else 9
        )
    )
    if stands in ("shipped", "delayed", "rejected"):
        move_parcels(world, order, stands)
    assert judged(partner) == (None, [None])
    world.advance(to=end_of(date_from_now(world)))
    assert judged(partner) == (None, [None])
    world.advance("1d")
    assert recipient_statuses(partner.read_order(1001)) == [stands]
    assert judged(partner) == (False, [False])


@shows("P-2.32")
def test_all_on_time_make_the_order_on_time(world: World, partner: PartnerClient) -> None:
    order = order_for(world, partner, address_recipients(2))
    move_parcels(world, order, "delivered")
    assert judged(partner) == (True, [True, True])


@shows("P-2.32")
def test_who_was_canceled_is_not_judged(world: World, partner: PartnerClient) -> None:
    order = order_for(world, partner, email_recipients(3))
    move_parcels(world, order, "delivered", 0)
    cancel_rows(partner, order, [1])
    assert judged(partner) == (None, [True, None, None])
    cancel_rows(partner, order, [2])
    assert judged(partner) == (True, [True, None, None])
    world.advance("30d")
    assert judged(partner) == (True, [True, None, None])


@shows("P-2.32")
def test_of_an_order_canceled_as_a_whole_nothing_is_said(world: World, partner: PartnerClient) -> None:
    cancel_rows(partner, order_for(world, partner, email_recipients(2)))
    world.advance("30d")
    assert judged(partner) == (None, [None, None])


@shows("P-2.32")
@pytest.mark.parametrize(("rush", "on_time"), [(True, True), (False, False)])
def test_rush_makes_a_day_that_would_be_missed(world: World, partner: PartnerClient, rush: bool, on_time: bool) -> None:
    world.advance(to=f"{date_from_now(world, 1)}T09:00:00Z")
    created(
        partner.create_order(recipients=address_recipients(), event={"date": date_from_now(world, 3), "rush": rush})
    )
    world.advance("6d")
    assert judged(partner) == (on_time, [on_time])


@shows("P-2.32")
def test_an_unpaid_order_misses_its_day_as_well(world: World) -> None:
    partner = world.partner("partner.no_funds")
    assert partner.create_order(event={"date": date_from_now(world, 1)}).status == 402
    assert judged(partner) == (None, [None])
    world.advance("2d")
    assert judged(partner) == (False, [False])


@shows("P-2.32")
def test_reads_alone_say_it(world: World, partner: PartnerClient) -> None:
    order = order_for(world, partner, address_recipients())
    assert sorted(order["team_order"]["event"]) == ["event_date", "fees_cents", "rush"]
    assert "event" not in order["recipients"][0]
    move_parcels(world, order, "delivered")
    [row] = partner.get("/team-orders").json()["team_orders"]
    assert row["event"] == {"event_date": date_from_now(world, 2), "rush": False, "fees_cents": 0, "on_time": True}
    assert row == partner.read_order(1001)["team_order"]


@shows("P-2.32")
@pytest.mark.parametrize(("zone", "on_time"), [("UTC", False), ("America/Los_Angeles", True)])
def test_days_are_those_of_utc_or_of_los_angeles(
    world: World, partner: PartnerClient, zone: str, on_time: bool
) -> None:
    world.change_settings(**{"partner.day_zone": zone})
    world.advance(to="2027-01-05T07:59:59Z")
    for day in ("2027-01-04", "2027-01-05"):
        party = partner.create_order(idempotency_key=f"party {day}", event={"date": day})
        rows = [{**address_recipients(1)[0], "ship_on": day}]
        ship = partner.create_order(idempotency_key=f"ship {day}", recipients=rows)
        if day == "2027-01-05" or zone != "UTC":
            assert (party.status, ship.status) == (201, 201)
        else:
            assert (party.status, ship.status) == (400, 422)
            assert "(UTC)" in party.text
    order = partner.create_order(idempotency_key="last", event={"date": "2027-01-05"})
    world.advance(to="2027-01-06T07:59:59Z")
    move_parcels(world, created(order), "delivered", 0)
    assert partner.read_order(order)["recipients"][0]["event"] == {"on_time": on_time}


@shows("P-2.19")
@pytest.mark.parametrize(("zone", "hour"), [("UTC", "00"), ("America/Los_Angeles", "08")])
def test_a_parcel_ships_when_the_day_of_its_zone_begins(
    world: World, partner: PartnerClient, zone: str, hour: str
) -> None:
    world.change_settings(**{"partner.day_zone": zone})
    order = partner.create_order(recipients=[{**address_recipients(1)[0], "ship_on": "2027-01-20"}])
    world.advance("30d")
    shipped_at = partner.read_order(order)["recipients"][0]["shipment"]["shipped_at"]
    assert shipped_at == f"2027-01-20T{hour}:00:00Z"
