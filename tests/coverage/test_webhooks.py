"""Failures of webhooks that an endpoint lived through, and edges of the clock."""

from __future__ import annotations

from typing import Any
from weakref import WeakKeyDictionary

import pytest

from tests.support.api_clients import PartnerClient
from tests.support.app_answers import take_webhooks
from tests.support.orders import RENO, address_recipients
from tests.support.team.clients import TeamClient
from tests.support.worlds import World

TWICE, ORDER, LATE = "webhook delivered twice", "webhooks out of order", "webhook a day late"
WRONG, OLD = "webhook with a wrong signature, refused", "webhook with an old signature, refused"
AGAIN, ROTATED = "webhook sent again after the app's own 5xx", "webhook signed with a rotated secret"


TAKEN: WeakKeyDictionary[World, int] = WeakKeyDictionary()


def met(world: World, area: str = "faults") -> list[str]:
    """The items of an area that were met, once the app has answered all webhooks as their receiver did."""
    if area == "faults":
        TAKEN[world] = take_webhooks(world.call_control, TAKEN.get(world, 0))
    names: list[str] = world.call_control("GET", "/coverage?next=false")["areas"][area]["met"]
    return names


def apart(world: World, area: str) -> list[str]:
    """The items of an area that do not concern the app."""
    names: list[str] = world.call_control("GET", "/coverage?next=false")["areas"][area]["apart"]
    return names


def ship(world: World, partner: PartnerClient, **fault: Any) -> None:
    """Order a mug, claim it, and let it arrive."""
    if fault:
        world.add_fault(**fault)
    order = partner.create_order().json()["team_order"]["id"]
    world.simulate("claim", team_order_id=order, recipient=0, address=RENO)
    world.advance("10d")


@pytest.fixture
def subscribed(partner: PartnerClient) -> PartnerClient:
    """A partner with an endpoint for the events of a parcel."""
    partner.subscribe("team_order.claimed", "team_order.shipped", "team_order.delivered")
    return partner


def test_nothing_went_wrong(world: World, subscribed: PartnerClient) -> None:
    ship(world, subscribed)
    assert met(world) == []


def test_without_an_endpoint_webhooks_are_apart(world: World, partner: PartnerClient) -> None:
    partner.create_order()
    assert {TWICE, ORDER, LATE, AGAIN, ROTATED} <= set(apart(world, "faults"))


def test_a_webhook_that_was_sent_twice(world: World, subscribed: PartnerClient) -> None:
    ship(world, subscribed, effect={"webhook": "duplicate"}, when={"first": 1})
    assert met(world) == [TWICE]


def test_webhooks_that_overtook_each_other(world: World, subscribed: PartnerClient) -> None:
    world.change_settings(partner__lead_times__production="1m", partner__lead_times__label="2m")
    world.change_settings(partner__lead_times__shipped="3m")
    ship(world, subscribed, effect={"webhook": "reorder"}, match={"event": "team_order.claimed"}, when={"first": 1})
    assert met(world) == [ORDER]


def test_a_webhook_that_was_refused_and_sent_again(world: World, subscribed: PartnerClient) -> None:
    world.set_receiver(script=[{"status": 500}])
    ship(world, subscribed)
    assert met(world) == [AGAIN]


def test_a_refusal_with_4xx_is_not_the_apps_failure(world: World, subscribed: PartnerClient) -> None:
    world.set_receiver(script=[{"status": 404}])
    ship(world, subscribed)
    assert met(world) == []


def test_a_webhook_that_is_a_day_late_comes_out_of_order_too(world: World, subscribed: PartnerClient) -> None:
    world.set_receiver(outage={"from": "+0s", "to": "+36h", "status": 503})
    ship(world, subscribed)
    assert {LATE, AGAIN} <= set(met(world))


def test_a_secret_that_was_rotated(world: World, subscribed: PartnerClient) -> None:
    ship(world, subscribed)
    subscribed.subscribe("team_order.delivered")
    assert ROTATED not in met(world)
    recipients = address_recipients()
    subscribed.create_order(idempotency_key="second", recipients=recipients)
    world.advance("10d")
    assert ROTATED in met(world)


@pytest.mark.parametrize(("effect", "name"), [("bad_signature", WRONG), ("stale_signature", OLD)])
def test_a_webhook_that_is_not_genuine_must_be_refused(
    world: World, subscribed: PartnerClient, effect: str, name: str
) -> None:
    ship(world, subscribed, effect={"webhook": effect}, when={"first": 1})
    assert name not in met(world)  # what captures it accepts everything
    world.set_receiver(script=[{"status": 400}])
    subscribed.create_order(idempotency_key="second", recipients=address_recipients())
    world.add_fault(effect={"webhook": effect}, when={"first": 1})
    world.advance("10d")
    assert name in met(world)


@pytest.mark.begins("2027-01-30T09:00:00Z")
def test_a_month_turns_between_two_calls(world: World, partner: PartnerClient) -> None:
    partner.get("/team-orders")
    world.advance("1d")
    partner.get("/team-orders")
    assert met(world, "clock") == []
    world.advance("1d")
    partner.get("/team-orders")
    assert met(world, "clock") == ["month turned"]


@pytest.mark.begins("2027-12-30T09:00:00Z")
def test_a_year_turns_with_its_month(world: World, partner: PartnerClient) -> None:
    partner.get("/team-orders")
    world.advance("3d")
    partner.get("/team-orders")
    assert met(world, "clock") == ["month turned", "year turned"]


@pytest.mark.begins("2028-02-29T12:00:00Z")
def test_a_leap_day(world: World, partner: PartnerClient) -> None:
    partner.get("/team-orders")
    assert met(world, "clock") == ["leap day"]


@pytest.mark.parametrize("instant", ["2027-03-14T20:00:00Z", "2027-11-07T20:00:00Z"])
def test_a_day_on_which_clocks_change(world: World, partner: PartnerClient, instant: str) -> None:
    world.advance(to=instant)
    partner.get("/team-orders")
    assert met(world, "clock") == ["daylight saving day"]


def test_expiries_concern_who_has_something_that_expires(world: World, partner: PartnerClient) -> None:
    partner.create_order(recipients=address_recipients())
    assert {"claim link expired", "net terms past due", "idempotency key expired"} <= set(apart(world, "clock"))
    partner.create_order(idempotency_key="second")
    assert "claim link expired" not in apart(world, "clock")


@pytest.mark.parametrize(("days", "is_late"), [(5, False), (60, True)])
def test_an_invoice_that_was_paid_late_was_past_due(world: World, days: int, is_late: bool) -> None:
    team = TeamClient(world, world.credentials["team.live_approver"]["headers"])
    invoice = team.post_json("/deposit-invoices", {"amount_cents": 100})["id"]
    assert "net terms past due" not in apart(world, "clock")
    world.advance(f"{days}d")
    world.simulate("invoice", invoice_id=invoice)
    world.advance("90d")
    assert ("net terms past due" in met(world, "clock")) == is_late


def test_an_idempotency_key_that_expired(world: World) -> None:
    team = TeamClient(world, world.credentials["team.live_approver"]["headers"])
    webhook = {"url": "https://hooks.partner.example/team", "events": ["gift.sent"]}
    team.post("/webhooks", webhook, Idempotency_Key="one")
    world.advance("23h")
    team.post("/webhooks", webhook, Idempotency_Key="one")
    assert met(world, "clock") == []
    world.advance("1h")
    team.post("/webhooks", webhook, Idempotency_Key="one")
    assert met(world, "clock") == ["idempotency key expired"]
