"""Lead times in working days: weekends, holidays and cut-offs, which are off by default (G460 to G463)."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest

from tests.docs.pages import ROOT
from tests.support.orders import address_recipients
from tests.support.responses import created
from tests.support.worlds import World

FRIDAY = "2027-09-03T17:00:00Z"  # ten o'clock in Los Angeles; Monday is Labor Day
CALENDAR = {"calendar.working_days": True, "calendar.holidays": True}
NAMES = ("produced_at", "labeled_at", "shipped_at", "delivered_at")
BERLIN = {"address1": "1 Torstr.", "city": "Berlin", "zip": "10115", "country": "DE"}
SYDNEY = {"address1": "1 George St", "city": "Sydney", "state": "NSW", "zip": "2000", "country": "AU"}


def made(world: World) -> list[list[str]]:
    """When each parcel took its steps, in a world that has run on for a month."""
    world.advance("31d")
    return [[parcel[name] for name in NAMES] for parcel in world.rows("parcels")]


def order(world: World, *recipients: Any, **members: Any) -> Any:
    """Place an order for these recipients, else for one in the United States."""
    return created(world.partner().create_order(recipients=list(recipients) or address_recipients(1), **members))


def held(day: str) -> Any:
    """A recipient whose parcel is held for a day."""
    return address_recipients(1, ship_on=day)[0]


def abroad(address: dict[str, str]) -> Any:
    return {**address_recipients(1)[0], "address": address}


@pytest.mark.parametrize(
    ("settings", "instants"),
    [
        ({}, ["2027-09-04T17:00:00Z", "2027-09-05T17:00:00Z", "2027-09-06T17:00:00Z", "2027-09-08T17:00:00Z"]),
        (
            {"calendar.working_days": True},
            ["2027-09-06T17:00:00Z", "2027-09-07T17:00:00Z", "2027-09-08T17:00:00Z", "2027-09-10T17:00:00Z"],
        ),
        (
            {"calendar.holidays": True},
            ["2027-09-04T17:00:00Z", "2027-09-05T17:00:00Z", "2027-09-07T17:00:00Z", "2027-09-09T17:00:00Z"],
        ),
        (CALENDAR, ["2027-09-07T17:00:00Z", "2027-09-08T17:00:00Z", "2027-09-09T17:00:00Z", "2027-09-13T17:00:00Z"]),
    ],
)
def test_lead_times_leave_out_what_is_closed(
    new_world: Callable[..., World], settings: dict[str, Any], instants: list[str]
) -> None:
    world = new_world(now=FRIDAY, settings=settings)
    order(world)
    assert made(world) == [instants]


def test_what_is_due_on_a_closed_day_happens_when_the_next_open_day_begins(new_world: Callable[..., World]) -> None:
    world = new_world(now="2027-09-11T12:00:00Z", settings=CALENDAR)  # on a Saturday
    order(world)
    assert made(world)[0][:2] == ["2027-09-14T07:00:00Z", "2027-09-15T07:00:00Z"]


@pytest.mark.parametrize(
    ("now", "rush", "produced_at"),
    [
        ("2027-09-01T20:59:59Z", False, "2027-09-02T20:59:59Z"),  # a second before 14:00 in Los Angeles
        ("2027-09-01T21:00:00Z", False, "2027-09-03T07:00:00Z"),
        ("2027-09-01T18:59:59Z", True, "2027-09-02T06:59:59Z"),
        ("2027-09-01T19:00:00Z", True, "2027-09-02T19:00:00Z"),
    ],
)
def test_the_cut_off_is_of_the_warehouse_and_rush_has_its_own(
    new_world: Callable[..., World], now: str, rush: bool, produced_at: str
) -> None:
    cut_offs = {"calendar.cut_off": "14:00", "calendar.rush_cut_off": "12:00"}
    world = new_world(now=now, settings=cut_offs)
    order(world, event={"date": "2027-12-01", "rush": rush})
    assert made(world)[0][0] == produced_at


def test_rush_has_the_cut_off_of_all_unless_it_has_its_own_and_the_warehouse_may_be_elsewhere(
    new_world: Callable[..., World],
) -> None:
    settings = {"calendar.cut_off": "12:00", "calendar.zone": "America/New_York"}
    for now, produced_at in (
        ("2027-09-01T15:59:59Z", "2027-09-02T03:59:59Z"),
        ("2027-09-01T16:00:00Z", "2027-09-02T16:00:00Z"),
    ):
        world = new_world(now=now, settings=settings)
        order(world, event={"date": "2027-12-01", "rush": True})
        assert made(world)[0][0] == produced_at


def test_a_parcel_rests_on_the_days_of_the_country_that_it_goes_to(new_world: Callable[..., World]) -> None:
    """Easter Monday is a holiday in Germany and Australia, and not in the United States."""
    world = new_world(now="2027-03-22T17:00:00Z", settings=CALENDAR)
    order(world, *address_recipients(1), abroad(BERLIN), abroad(SYDNEY))
    steps = made(world)
    assert {tuple(each[:3]) for each in steps} == {
        ("2027-03-23T17:00:00Z", "2027-03-24T17:00:00Z", "2027-03-25T17:00:00Z")
    }
    assert [each[3] for each in steps] == ["2027-03-29T17:00:00Z", "2027-03-31T16:00:00Z", "2027-03-31T13:00:00Z"]


@pytest.mark.parametrize(
    ("ship_on", "produced_at", "shipped_at"),
    [
        ("2027-09-15", "2027-09-13T07:00:00Z", "2027-09-15T07:00:00Z"),
        ("2027-09-11", "2027-09-09T07:00:00Z", "2027-09-13T07:00:00Z"),  # a Saturday
        ("2027-09-13", "2027-09-09T07:00:00Z", "2027-09-13T07:00:00Z"),
    ],
)
def test_a_parcel_that_is_held_for_a_closed_day_ships_on_the_next_open_one(
    new_world: Callable[..., World], ship_on: str, produced_at: str, shipped_at: str
) -> None:
    world = new_world(now=FRIDAY, settings={**CALENDAR, "partner.day_zone": "America/Los_Angeles"})
    order(world, held(ship_on))
    steps = made(world)[0]
    assert (steps[0], steps[2]) == (produced_at, shipped_at)


@pytest.mark.parametrize(("window", "events"), [("open_days", []), ("all_days", ["team_order.needs_attention"])])
def test_no_holiday_makes_a_parcel_late_unless_the_setting_says_so(
    new_world: Callable[..., World], window: str, events: list[str]
) -> None:
    settings = {**CALENDAR, "calendar.promised_window": window, "partner.promised_window": "3d", "partner.delay": "1d"}
    world = new_world(now=FRIDAY, settings=settings)
    order(world)
    steps = made(world)[0]
    assert [event["type"] for event in world.events()] == [*events, "team_order.shipped", "team_order.delivered"]
    # The window ends on Monday at ten, and the delay of a day begins with Tuesday.
    assert steps[0] == ("2027-09-08T07:00:00Z" if events else "2027-09-07T17:00:00Z")


def test_an_exception_in_transit_costs_working_days_of_the_country_that_the_parcel_goes_to(
    new_world: Callable[..., World],
) -> None:
    world = new_world(now="2027-03-22T17:00:00Z", settings=CALENDAR)
    placed = order(world, abroad(BERLIN))["team_order"]["id"]
    world.advance(to="2027-03-25T18:00:00Z")  # with the carrier for an hour, on the evening before Good Friday
    world.call_control("POST", "/simulate/parcel", {"team_order_id": placed, "event": "exception"})
    [timer] = [each for each in world.rows("timers") if each["kind"] == "shipment.deliver"]
    assert timer["because"] == "the parcel arrives after all, after Good Friday and Easter Monday"
    assert made(world)[0][3] == "2027-04-02T16:00:00Z"  # on Friday, two days later than on Wednesday


def test_what_a_person_moves_moves_on_any_day(new_world: Callable[..., World]) -> None:
    world = new_world(now="2027-09-11T12:00:00Z", settings=CALENDAR)  # on a Saturday
    placed = order(world)
    for target in ("in_production", "labeled", "shipped", "delivered"):
        world.call_control("POST", "/simulate/shipment", {"team_order_id": placed["team_order"]["id"], "to": target})
    assert {parcel["delivered_at"] for parcel in world.rows("parcels")} == {"2027-09-11T12:00:00Z"}


def test_a_parcel_keeps_the_day_that_it_was_given_when_the_calendar_changes(new_world: Callable[..., World]) -> None:
    world = new_world(now=FRIDAY, settings=CALENDAR)
    order(world)
    world.change_settings(**{"calendar.working_days": False, "calendar.holidays": False})
    steps = made(world)[0]
    assert steps == ["2027-09-07T17:00:00Z", "2027-09-08T17:00:00Z", "2027-09-09T17:00:00Z", "2027-09-11T17:00:00Z"]


def test_every_face_says_what_a_parcel_waits_for(new_world: Callable[..., World]) -> None:
    world = new_world(now="2027-09-03T22:00:00Z", settings={**CALENDAR, "calendar.cut_off": "14:00"})
    placed = order(world)["team_order"]["id"]
    expected = "production starts, after the cut-off and Labor Day"
    assert [timer["because"] for timer in world.rows("timers") if timer["kind"] == "shipment.produce"] == [expected]
    journey = world.call_control("GET", f"/journey?about=order:{placed}")
    assert [step["what"] for step in journey["ahead"]] == [
        expected.capitalize().replace("labor day", "Labor Day"),
        "The parcel gets its label",
        "The parcel is handed to the carrier",
        "The parcel arrives, after the weekend",
    ]
    world.advance("31d")
    story = world.call_control("GET", f"/journey?about=order:{placed}")["story"]
    causes = [moment["cause"]["text"] for moment in story if moment["cause"]["kind"] == "clock"]
    assert causes == [
        expected,
        "the parcel gets its label",
        "the parcel is handed to the carrier",
        "the parcel arrives, after the weekend",
    ]


def test_a_step_that_fell_due_without_the_calendar_is_not_explained_by_it(new_world: Callable[..., World]) -> None:
    world = new_world(now=FRIDAY)
    placed = order(world)["team_order"]["id"]
    world.advance("31d")
    world.change_settings(**CALENDAR)
    story = world.call_control("GET", f"/journey?about=order:{placed}")["story"]
    assert story[1]["cause"]["text"] == "production starts"


@pytest.mark.parametrize("raw", ["24:00", "9:00", "14", "14:60", "", 14, True, "٠٩:٠٠"])
def test_a_cut_off_is_a_time_of_day(world: World, raw: Any) -> None:
    answer = world.control.call("PATCH", f"/worlds/{world.id}/settings", {"calendar.cut_off": raw})
    assert answer.status == 400
    assert "calendar.cut_off takes a time such as 14:00, or null" in answer.text


PROGRAM = """
import sys
from giftsim import Simulator
call = Simulator(fixture="bare").client.call
def settle(id, **members):
    settings = {f"calendar.{name}": value for name, value in members.items()}
    answer = call("POST", "/_sim/v1/worlds", body={"id": id, "settings": settings})
    print(answer.status, answer.json().get("error", {}).get("message"))
settle("a", working_days=True, cut_off="14:00")
print("holidays" in sys.modules)
if "without" in sys.argv:
    sys.modules["holidays"] = None
settle("b", holidays=True)
"""
REFUSED = (
    "400 setting calendar.holidays needs the package holidays, which is not "
    "installed: pip install holidays, or install giftsim with the extra `calendar`"
)


@pytest.mark.parametrize(("arguments", "last"), [([], "201 None"), (["without"], REFUSED)])
def test_the_package_of_holidays_is_loaded_by_its_setting_and_named_where_it_is_missing(
    arguments: list[str], last: str
) -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, *arguments],
        env={**os.environ, "PYTHONPATH": str(ROOT / "simulator")},
        capture_output=True, text=True, check=True, timeout=60,
    )  # fmt: skip
    assert done.stdout.splitlines() == ["201 None", "False", last]
