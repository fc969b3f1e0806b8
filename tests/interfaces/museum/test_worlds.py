"""Events and tickets are part of their world: they survive snapshots, forks and replays like all else in it."""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from typing import Any

import pytest

from giftsim.build import Simulator
from tests.interfaces.museum.scene import Museum


def story(museum: Museum) -> list[tuple[int, bytes]]:
    """A day at the museum; every answer's status and bytes."""
    event = museum.make(dates=["2027-01-06"])["eventId"]
    ticket = museum.sold(ticketType="event", eventId=event)["ticketId"]
    museum.world.advance("1d")
    other = museum.make()["eventId"]
    answers = [
        museum.get("/museum-hours"), museum.get("/special-events"), museum.event(event), museum.qr(ticket),
        museum.buy(), museum.change(event, {"price": 1}), museum.cancel(other), museum.event(other),
        museum.buy(ticketType="vip"),
    ]  # fmt: skip
    return [(answer.status, answer.body) for answer in answers]


def forked(museum: Museum) -> Museum:
    """The museum of a fork, in the same hands."""
    world = copy(museum.world)
    world.about = museum.world.ask("POST", "/fork", {})
    world.id, world.credentials = world.about["id"], world.about["credentials"]
    return Museum(world)


def content(museum: Museum, tickets: list[Any]) -> Any:
    """What is to be seen of a museum: hours, events and the codes of tickets."""
    return [museum.hours(), museum.events(), [museum.qr(ticket["ticketId"]).body for ticket in tickets]]


def test_the_same_seed_and_calls_give_the_same_bytes(open_museum: Callable[..., Museum]) -> None:
    one, other = open_museum(), open_museum()
    assert story(one) == story(other)
    assert one.world.fingerprint() == other.world.fingerprint()


def test_another_seed_gives_other_ids(open_museum: Callable[..., Museum]) -> None:
    one, other = open_museum(seed=1), open_museum(seed=2)
    assert one.make()["eventId"] != other.make()["eventId"]
    assert one.sold()["ticketId"] != other.sold()["ticketId"]


def test_a_restored_snapshot_is_as_it_was_and_goes_on_as_it_would_have(museum: Museum) -> None:
    event, tickets = museum.make(), [museum.sold()]
    museum.world.ask("POST", "/snapshots", {"name": "before"})
    before, print_before = content(museum, tickets), museum.world.fingerprint()
    went_on = museum.sold()
    museum.cancel(event["eventId"])
    museum.make(name="later")
    museum.world.advance("30d")
    museum.world.ask("POST", "/snapshots/before/restore")
    assert content(museum, tickets) == before
    assert museum.qr(went_on["ticketId"]).status == 404
    museum.world.ask("POST", "/snapshots/before/restore")
    assert museum.sold() == went_on
    assert museum.world.fingerprint() != print_before


def test_a_fork_has_the_same_content_and_future_and_credentials_of_its_own(museum: Museum) -> None:
    event, tickets = museum.make(), [museum.sold()]
    twin = forked(museum)
    assert content(twin, tickets) == content(museum, tickets)
    assert twin.headers != museum.headers
    assert twin.sold() == museum.sold()
    twin.cancel(event["eventId"])
    assert museum.event(event["eventId"]).json() == event


def test_a_reset_brings_back_the_events_of_the_fixture(open_museum: Callable[..., Museum]) -> None:
    museum = open_museum(fixture="default")
    before = museum.events("?limit=30")
    museum.cancel(before[0]["eventId"])
    ticket = museum.sold()
    museum.world.ask("POST", "/reset")
    assert museum.events("?limit=30") == before
    assert museum.qr(ticket["ticketId"]).status == 404


@pytest.mark.parametrize(
    "now", ["2027-01-04T09:00:00Z", "2026-12-24T23:00:00Z", "1999-02-28T00:00:00Z", "2096-02-26T12:00:00Z"]
)
def test_the_default_fixture_has_events_near_its_now(open_museum: Callable[..., Museum], now: str) -> None:
    museum = open_museum(fixture="default", now=now)
    events, today = museum.events("?limit=30"), now[:10]
    assert len(events) >= 10
    assert all(len(event["dates"]) >= 2 and min(event["dates"]) >= today for event in events)
    assert min(events[0]["dates"]) == museum.hours()[0]["date"]
    assert len(museum.hours()) == 10
    museum.world.settings(museum__default_window_days=7)
    assert museum.events()


def test_every_event_of_the_default_fixture_sells_strict_tickets(open_museum: Callable[..., Museum]) -> None:
    museum = open_museum(fixture="default", settings={"museum.strict_dates": True})
    for event in museum.events("?limit=30"):
        for day in event["dates"]:
            museum.sold(ticketType="event", eventId=event["eventId"], ticketDate=day)


@pytest.mark.parametrize(
    ("section", "named"),
    [
        ({"hours": {"monday": {"open": "9:00", "close": "18:00"}}}, "$.hours"),
        ({"hours": {"monday": {"open": "09:00", "close": 1080}}}, "$.hours"),
        ({"hours": {"moonday": None}}, "hours"),
        ({"closed": ["02-30"]}, "day"),
        ({"closed": ["tomorrow"]}, "$.closed"),
        ({"events": [{"name": "x"}]}, "$.events"),
        ({"events": [{"name": "x", "location": "", "description": "", "price": 1, "dates": ["2027-02-30"]}]}, "day"),
        ({"events": [{"name": "x", "location": "", "description": "", "price": 1, "open_days": [1]}]}, "open day 1"),
        ({"colour": "red"}, "colour"),
    ],
)
def test_a_museum_that_cannot_be_is_refused_with_the_place(simulator: Simulator, section: Any, named: str) -> None:
    body = {"fixture": {"extends": "bare", "museum": section}}
    answer = simulator.client.call("POST", "/_sim/v1/worlds", body=body)
    assert answer.status == 400
    assert answer.json()["error"]["code"] == "invalid_world"
    assert named in answer.json()["error"]["message"]


def test_a_weekday_can_be_closed_over_a_fixture(open_museum: Callable[..., Museum]) -> None:
    fixture = {"extends": "empty", "museum": {"hours": {"tuesday": None}}}
    museum = open_museum(fixture=fixture, now="2027-01-04T09:00:00Z")
    assert [entry["date"] for entry in museum.hours("?limit=2")] == ["2027-01-04", "2027-01-06"]
