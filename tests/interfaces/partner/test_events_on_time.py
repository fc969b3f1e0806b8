"""Whether gifts make the day of their event, row by row and over all (B32)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.claims import claims
from tests.harness import Face, World, addressed, people
from tests.interfaces.partner.lifetime import canceled, day, made, move, standing


def judged(partner: Face, order: int = 1001) -> tuple[bool | None, list[bool | None]]:
    """What is said of the order, and of each of its rows."""
    detail = partner.read(order)
    rows = [row["event"] for row in detail["recipients"]]
    assert all(list(row) == ["on_time"] for row in rows)
    return detail["team_order"]["event"]["on_time"], [row["on_time"] for row in rows]


def order_for(world: World, partner: Face, rows: list[dict[str, Any]], days: int = 2) -> Any:
    """A paid order for an event so many days from now."""
    return made(partner.order(recipients=rows, event={"date": day(world, days)}))


def end_of(date: str) -> str:
    """The last second of a UTC day."""
    return f"{date}T23:59:59Z"


@claims("P-2.32")
def test_without_an_event_nothing_is_said(world: World, partner: Face) -> None:
    order = made(partner.order(recipients=addressed()))
    move(world, order, "delivered")
    detail = partner.read(1001)
    assert detail["team_order"]["event"] is None
    assert detail["recipients"][0]["event"] == {"on_time": None}


@claims("P-2.32")
def test_one_before_and_one_after_the_day_are_on_time_and_late(world: World, partner: Face) -> None:
    order = order_for(world, partner, people(2, company="Cole"))
    date = day(world, 2)
    assert judged(partner) == (None, [None, None])
    move(world, order, "delivered", 0)
    assert judged(partner) == (None, [True, None])
    world.advance(to=end_of(date))
    assert judged(partner) == (None, [True, None])
    world.advance("1d")
    move(world, order, "delivered", 1)
    assert judged(partner) == (False, [True, False])


@claims("P-2.32")
@pytest.mark.parametrize(("seconds", "on_time"), [(0, True), (1, False), (86_400, False)])
def test_the_day_ends_with_its_last_second_in_utc(world: World, partner: Face, seconds: int, on_time: bool) -> None:
    order = order_for(world, partner, addressed())
    world.advance(to=end_of(day(world, 2)))
    world.advance(f"{seconds}s")
    move(world, order, "delivered")
    assert judged(partner) == (on_time, [on_time])
    world.advance("30d")
    assert judged(partner) == (on_time, [on_time])


@claims("P-2.32")
def test_what_has_not_arrived_is_late_as_soon_as_the_day_has_passed(world: World, partner: Face) -> None:
    order_for(world, partner, [*addressed(1, ship_on=day(world, 60)), *addressed()], days=10)
    world.advance(to=end_of(day(world, 10)))
    assert standing(partner.read(1001)) == ["submitted", "delivered"]
    assert judged(partner) == (None, [None, True])
    world.advance("1s")
    assert judged(partner) == (False, [False, True])


@claims("P-2.32")
@pytest.mark.parametrize("stands", ["awaiting", "submitted", "shipped", "delayed", "rejected", "expired"])
def test_whatever_stopped_it_it_is_late(world: World, partner: Face, stands: str) -> None:
    world.settings(partner__lead_times__production="9d", partner__lead_times__transit="9d")
    asked = people(1) if stands in ("awaiting", "expired") else addressed()
    order = made(
        partner.order(recipients=asked, event={"date": day(world)}, claim_expiry_days=1 if stands == "expired" else 9)
    )
    if stands in ("shipped", "delayed", "rejected"):
        move(world, order, stands)
    assert judged(partner) == (None, [None])
    world.advance(to=end_of(day(world)))
    assert judged(partner) == (None, [None])
    world.advance("1d")
    assert standing(partner.read(1001)) == [stands]
    assert judged(partner) == (False, [False])


@claims("P-2.32")
def test_all_on_time_make_the_order_on_time(world: World, partner: Face) -> None:
    order = order_for(world, partner, addressed(2))
    move(world, order, "delivered")
    assert judged(partner) == (True, [True, True])


@claims("P-2.32")
def test_who_was_canceled_is_not_judged(world: World, partner: Face) -> None:
    order = order_for(world, partner, people(3))
    move(world, order, "delivered", 0)
    canceled(partner, order, [1])
    assert judged(partner) == (None, [True, None, None])
    canceled(partner, order, [2])
    assert judged(partner) == (True, [True, None, None])
    world.advance("30d")
    assert judged(partner) == (True, [True, None, None])


@claims("P-2.32")
def test_of_an_order_canceled_as_a_whole_nothing_is_said(world: World, partner: Face) -> None:
    canceled(partner, order_for(world, partner, people(2)))
    world.advance("30d")
    assert judged(partner) == (None, [None, None])


@claims("P-2.32")
@pytest.mark.parametrize(("rush", "on_time"), [(True, True), (False, False)])
def test_rush_makes_a_day_that_would_be_missed(world: World, partner: Face, rush: bool, on_time: bool) -> None:
    world.advance(to=f"{day(world, 1)}T09:00:00Z")
    made(partner.order(recipients=addressed(), event={"date": day(world, 3), "rush": rush}))
    world.advance("6d")
    assert judged(partner) == (on_time, [on_time])


@claims("P-2.32")
def test_an_unpaid_order_misses_its_day_as_well(world: World) -> None:
    partner = world.partner("partner.no_funds")
    assert partner.order(event={"date": day(world, 1)}).status == 402
    assert judged(partner) == (None, [None])
    world.advance("2d")
    assert judged(partner) == (False, [False])


@claims("P-2.32")
def test_reads_alone_say_it(world: World, partner: Face) -> None:
    order = order_for(world, partner, addressed())
    assert sorted(order["team_order"]["event"]) == ["event_date", "fees_cents", "rush"]
    assert "event" not in order["recipients"][0]
    move(world, order, "delivered")
    [row] = partner.get("/team-orders").json()["team_orders"]
    assert row["event"] == {"event_date": day(world, 2), "rush": False, "fees_cents": 0, "on_time": True}
    assert row == partner.read(1001)["team_order"]
