"""When a parcel does what: by the clock, by the day it is held for, and by the hand of the outside world (B25, G38)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.shows import shows
from tests.support.api_clients import PartnerClient
from tests.support.instants import date_from_now, instant_from_now, later
from tests.support.orders import address_recipients, email_recipients
from tests.support.partner.orders import cancel_rows, move_parcels, recipient_statuses
from tests.support.responses import created, error_code, expect_status
from tests.support.worlds import World

COUNTRIES = ("US", "CA", "GB", "AU", "DE", "FR", "NL", "IT", "ES")
STAGES = ("submitted", "in_production", "labeled", "shipped", "delivered")


def row(partner: PartnerClient, place: int = 0, order: int = 1001) -> Any:
    """A recipient of an order as it is read now."""
    return partner.read_order(order)["recipients"][place]


def parcel(world: World, place: int = 0) -> Any:
    """A parcel as the control API shows it, with the instants of its progress."""
    return world.rows("parcels")[place]


@shows("P-3.3", "P-3.9", "P-2.31")
@pytest.mark.parametrize(("rush", "hours"), [(False, (24, 48, 72, 120)), (True, (12, 24, 36, 60))])
def test_an_addressed_parcel_goes_its_way_by_the_timetable(
    world: World, partner: PartnerClient, rush: bool, hours: tuple[int, ...]
) -> None:
    created(
        partner.create_order(recipients=address_recipients(), event={"date": date_from_now(world, 90), "rush": rush})
    )
    instants = [instant_from_now(world, hours=at) for at in hours]
    for place, at in enumerate(instants):
        world.advance(to=at)
        assert row(partner)["status"] == STAGES[place + 1]
    names = ("produced_at", "labeled_at", "shipped_at", "delivered_at")
    assert [parcel(world)[name] for name in names] == instants
    shipment = row(partner)["shipment"]
    assert [shipment[name] for name in names[2:]] == instants[2:]
    world.advance("90d")
    assert row(partner)["shipment"] == shipment


@shows("P-1.2")
def test_nothing_ships_before_it_is_paid_and_then_all_counts_from_the_payment(world: World) -> None:
    partner = world.partner("partner.no_funds")
    assert partner.create_order(recipients=address_recipients()).status == 402
    world.advance("30d")
    assert row(partner)["status"] == "submitted"
    world.change_account("partner.no_funds", card="good")
    created(partner.create_order(recipients=address_recipients()))
    world.advance(to=instant_from_now(world, hours=24, seconds=-1))
    assert row(partner)["status"] == "submitted"
    world.advance("1s")
    assert row(partner)["status"] == "in_production"


@shows("P-1.3")
def test_a_parcel_by_link_counts_from_its_own_claim(world: World, partner: PartnerClient) -> None:
    created(partner.create_order(recipients=email_recipients(2), claim_expiry_days=365))
    world.advance("9d")
    world.simulate("claim", team_order_id=1001, recipient=1)
    world.advance(to=instant_from_now(world, hours=24, seconds=-1))
    assert recipient_statuses(partner.read_order(1001)) == ["awaiting", "submitted"]
    world.advance("1s")
    assert recipient_statuses(partner.read_order(1001)) == ["awaiting", "in_production"]
    world.advance("30d")
    assert recipient_statuses(partner.read_order(1001)) == ["awaiting", "delivered"]


def test_the_timetable_is_set_by_the_world(world: World, partner: PartnerClient) -> None:
    world.change_settings(
        partner__lead_times__production="1h", partner__lead_times__label="90m", partner__lead_times__shipped="PT5H",
        partner__lead_times__transit="3d",
    )  # fmt: skip
    created(partner.create_order(recipients=address_recipients()))
    instants = [instant_from_now(world, hours=at) for at in (1, 1.5, 5, 77)]
    world.advance("5d")
    assert [parcel(world)[f"{name}_at"] for name in ("produced", "labeled", "shipped", "delivered")] == instants


@pytest.mark.parametrize("country", COUNTRIES)
def test_the_way_to_each_country_may_take_its_own_time(world: World, partner: PartnerClient, country: str) -> None:
    world.change_settings(**{f"partner__lead_times__transit__{country}": "6h"})
    other = COUNTRIES[COUNTRIES.index(country) - 1]
    for place, code_ in enumerate((country, other)):
        created(partner.create_order(idempotency_key=code_, destination_countries=[code_]))
        world.simulate("claim", team_order_id=1001 + place, recipient=0)
    world.advance("72h")
    shipped_at = world.now
    world.advance("48h")
    assert [row(partner, order=order)["shipment"]["shipped_at"] for order in (1001, 1002)] == [shipped_at] * 2
    took = [row(partner, order=order)["shipment"]["delivered_at"] for order in (1001, 1002)]
    assert took == [instant_from_now(world, hours=-42), world.now]
    assert [row(partner, order=order)["address"]["country"] for order in (1001, 1002)] == [country, other]


def test_rush_halves_the_transit_of_a_country_too(world: World, partner: PartnerClient) -> None:
    world.change_settings(partner__lead_times__transit__US="10h")
    created(
        partner.create_order(recipients=address_recipients(), event={"date": date_from_now(world, 90), "rush": True})
    )
    expected = instant_from_now(world, hours=36 + 5)
    world.advance("3d")
    assert row(partner)["shipment"]["delivered_at"] == expected


def order_for_day(world: World, partner: PartnerClient, days: int, *, rush: bool = False) -> None:
    """Order for a recipient whose parcel is to ship in so many days."""
    party = {"event": {"date": date_from_now(world, 90), "rush": True}} if rush else {}
    created(partner.create_order(recipients=address_recipients(1, ship_on=date_from_now(world, days)), **party))


@shows("P-2.19")
@pytest.mark.parametrize("rush", [False, True])
@pytest.mark.parametrize("days", [3, 10])
def test_ship_on_is_the_day_on_which_a_parcel_ships(
    world: World, partner: PartnerClient, days: int, *, rush: bool
) -> None:
    order_for_day(world, partner, days, rush=rush)
    day, begins = date_from_now(world, days), f"{date_from_now(world, days)}T00:00:00Z"
    world.advance(to=instant_from_now(world, days=days - 1))
    assert row(partner)["shipment"]["shipped_at"] is None
    world.advance("10d")
    shipped_at = row(partner)["shipment"]["shipped_at"]
    assert shipped_at.startswith(day)
    if days == 10 or rush:
        assert shipped_at == begins
        produced_hours = 24 if rush else 48
        assert parcel(world)["produced_at"] == later(begins, f"-{produced_hours}h")
    assert (row(partner)["ship_on"], row(partner)["status"]) == (day, "delivered")
    assert {event["type"] for event in world.events()} == {"team_order.shipped", "team_order.delivered"}


@shows("P-2.19")
@pytest.mark.parametrize("days", [0, 1, 2])
def test_a_day_to_ship_on_that_comes_too_soon_hurries_nothing(world: World, partner: PartnerClient, days: int) -> None:
    order_for_day(world, partner, days)
    due = instant_from_now(world, hours=72)
    world.advance("4d")
    assert row(partner)["shipment"]["shipped_at"] == due


def test_a_parcel_that_was_labeled_early_waits_for_the_day_to_ship_on(world: World, partner: PartnerClient) -> None:
    order_for_day(world, partner, 10)
    begins = f"{date_from_now(world, 10)}T00:00:00Z"
    move_parcels(world, {"team_order": {"id": 1001}}, "labeled", 0)
    world.advance("10d")
    assert (row(partner)["status"], row(partner)["shipment"]["shipped_at"]) == ("shipped", begins)


def test_a_day_to_ship_on_that_has_passed_is_refused(world: World, partner: PartnerClient) -> None:
    rows = [address_recipients(1, ship_on=date_from_now(world, days))[0] for days in (0, -1, -400)]
    refused = expect_status(partner.create_order(recipients=rows), 422).json()
    assert refused["error"]["code"] == "invalid_recipients"
    message = "must be a date that has not passed (UTC)"
    assert refused["errors"] == [
        {"recipient_index": place, "errors": [{"field": "ship_on", "message": message}]} for place in (1, 2)
    ]
    assert world.rows("orders") == []


@shows("P-6.4")
def test_production_that_does_not_begin_in_the_promised_window_is_delayed_until_told_on(
    world: World, partner: PartnerClient
) -> None:
    world.change_settings(partner__lead_times__production="9d", partner__lead_times__label="10d")
    created(partner.create_order(recipients=address_recipients()))
    world.advance(to=instant_from_now(world, days=5, seconds=-1))
    assert row(partner)["status"] == "submitted"
    world.advance("1s")
    assert row(partner)["status"] == "delayed"
    world.advance("60d")
    assert row(partner)["status"] == "delayed"
    assert [(event["type"], event["facts"]) for event in world.events()] == [
        ("team_order.needs_attention", {"reason": "shipment_delayed"})
    ]
    world.change_settings(partner__lead_times__label="9d")
    move_parcels(world, {"team_order": {"id": 1001}}, "in_production", 0)
    assert row(partner)["status"] == "in_production"
    assert partner.read_order(1001)["team_order"]["status"] == "in_progress"


@shows("P-6.4")
@pytest.mark.parametrize("resumed", ["in_production", "labeled", "shipped", "delivered"])
def test_a_delayed_parcel_goes_on_by_the_clock_once_it_is_told_on(
    world: World, partner: PartnerClient, resumed: str
) -> None:
    world.change_settings(partner__lead_times__label="30d", partner__lead_times__shipped="31d")
    order = created(partner.create_order(recipients=address_recipients()))
    world.advance("6d")
    assert row(partner)["status"] == "delayed"
    assert parcel(world)["produced_at"] == instant_from_now(world, days=-5)
    world.change_settings(partner__lead_times__label="2d", partner__lead_times__shipped="3d")
    move_parcels(world, order, resumed, 0)
    assert row(partner)["status"] == resumed
    left_days = {"in_production": 4, "labeled": 3, "shipped": 2, "delivered": 0}[resumed]
    arrives = instant_from_now(world, days=left_days)
    world.advance("10d")
    assert row(partner)["shipment"]["delivered_at"] == arrives
    assert [event["type"] for event in world.events()].count("team_order.needs_attention") == 1


def test_the_promised_window_is_a_setting_and_begins_with_the_day_to_ship_on(
    world: World, partner: PartnerClient
) -> None:
    world.change_settings(partner__promised_window="12h", partner__lead_times__shipped="9d")
    created(
        partner.create_order(
            recipients=[*address_recipients(), *address_recipients(1, ship_on=date_from_now(world, 3))]
        )
    )
    begins = f"{date_from_now(world, 3)}T00:00:00Z"
    world.advance(to=instant_from_now(world, hours=12))
    assert recipient_statuses(partner.read_order(1001)) == ["delayed", "submitted"]
    world.advance(to=later(begins, "43199s"))
    assert recipient_statuses(partner.read_order(1001))[1] == "labeled"
    world.advance("1s")
    assert recipient_statuses(partner.read_order(1001)) == ["delayed", "delayed"]


@shows("P-2.31", "P-3.9")
def test_a_parcel_told_to_arrive_has_gone_the_whole_way(world: World, partner: PartnerClient) -> None:
    created(partner.create_order(recipients=email_recipients(1), destination_countries=["FR", "US"]))
    world.advance("3h")
    move_parcels(world, {"team_order": {"id": 1001}}, "delivered", 0)
    now = row(partner)
    assert (now["status"], now["claim"]["status"], now["address"]["country"]) == ("delivered", "submitted", "FR")
    assert now["shipment"]["carrier"] in ("La Poste", "Chronopost")
    assert now["shipment"]["tracking_number"]
    assert (now["shipment"]["shipped_at"], now["shipment"]["delivered_at"]) == (later(world.now, "-3h"), world.now)
    kinds = [event["type"] for event in world.events()]
    assert kinds == ["team_order.claimed", "team_order.shipped", "team_order.delivered"]


@pytest.mark.parametrize(
    ("stands", "wanted"),
    [
        ("shipped", "labeled"),
        ("shipped", "shipped"),
        ("delivered", "shipped"),
        ("shipped", "rejected"),
        ("rejected", "shipped"),
        ("delivered", "delayed"),
        ("delayed", "delayed"),
    ],
)
def test_a_parcel_does_not_go_back(world: World, partner: PartnerClient, stands: str, wanted: str) -> None:
    order = created(partner.create_order(recipients=address_recipients()))
    move_parcels(world, order, stands, 0)
    with world.assert_unchanged():
        body = {"team_order_id": 1001, "recipient": 0, "to": wanted}
        answer = world.control.post(f"/worlds/{world.id}/simulate/shipment", body)
        assert error_code(answer, 409) == "invalid_state"


@shows("P-3.11")
@pytest.mark.parametrize("recipients", [email_recipients(1), address_recipients()])
def test_a_canceled_parcel_never_ships(world: World, partner: PartnerClient, recipients: list[dict[str, Any]]) -> None:
    order = created(partner.create_order(recipients=recipients))
    world.advance("20h")
    cancel_rows(partner, order)
    world.advance("60d")
    now = row(partner)
    assert (now["status"], now["shipment"]["status"], now["claim"]["status"]) == ("canceled",) * 3
    assert (now["shipment"]["tracking_number"], now["shipment"]["shipped_at"]) == (None, None)
    assert world.events() == []


@shows("P-6.4")
@pytest.mark.parametrize("reached", ["submitted", "in_production", "labeled"])
@pytest.mark.parametrize("delay", [None, "48h"])
def test_a_delayed_parcel_continues_by_itself_if_a_setting_says_how_long_a_delay_takes(
    world: World, partner: PartnerClient, reached: str, delay: str | None
) -> None:
    world.change_settings(**{"partner.delay": delay})
    order = created(partner.create_order(recipients=address_recipients(1)))
    if reached != "submitted":
        move_parcels(world, order, reached, 0)
    move_parcels(world, order, "delayed", 0)
    world.advance("47h")
    assert row(partner)["status"] == "delayed"
    world.advance("1h" if delay else "90d")
    following = {"submitted": "in_production", "in_production": "labeled", "labeled": "shipped"}[reached]
    assert row(partner)["status"] == (following if delay else "delayed")
    move_parcels(world, order, "delivered", 0)
    assert row(partner)["status"] == "delivered"
