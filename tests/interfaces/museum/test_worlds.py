"""Events and tickets are part of a world's state: snapshots, forks, resets and repeated runs include them."""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from typing import Any

import pytest

from giftsim.build import Simulator
from tests.support.museum import MuseumClient


def play_day(museum: MuseumClient) -> list[tuple[int, bytes]]:
    """Some calls over a day; the status and bytes of each response."""
    event = museum.create_event(dates=["2027-01-06"])["eventId"]
    ticket = museum.buy_ticket(ticketType="event", eventId=event)["ticketId"]
    museum.world.advance("1d")
    other = museum.create_event()["eventId"]
    responses = [
        museum.get("/museum-hours"), museum.get("/special-events"), museum.get_event(event), museum.get_qr(ticket),
        museum.request_ticket(), museum.update_event(event, {"price": 1}), museum.cancel_event(other),
        museum.get_event(other),
        museum.request_ticket(ticketType="vip"),
    ]  # fmt: skip
    return [(response.status, response.body) for response in responses]


def fork_of(museum: MuseumClient) -> MuseumClient:
    """A client of the museum of a fork."""
    world = copy(museum.world)
    world.description = museum.world.call_control("POST", "/fork", {})
    world.id, world.credentials = world.description["id"], world.description["credentials"]
    return MuseumClient(world)


def content(museum: MuseumClient, tickets: list[Any]) -> Any:
    """What clients see of a museum: hours, events and the codes of tickets."""
    return [museum.get_hours(), museum.list_events(), [museum.get_qr(ticket["ticketId"]).body for ticket in tickets]]


def test_the_same_seed_and_calls_give_the_same_bytes(open_museum: Callable[..., MuseumClient]) -> None:
    first, other = open_museum(), open_museum()
    assert play_day(first) == play_day(other)
    assert first.world.fingerprint() == other.world.fingerprint()


def test_another_seed_gives_other_ids(open_museum: Callable[..., MuseumClient]) -> None:
    first, other = open_museum(seed=1), open_museum(seed=2)
    assert first.create_event()["eventId"] != other.create_event()["eventId"]
    assert first.buy_ticket()["ticketId"] != other.buy_ticket()["ticketId"]


def test_a_restored_snapshot_has_the_same_content_and_future(museum: MuseumClient) -> None:
    event, tickets = museum.create_event(), [museum.buy_ticket()]
    museum.world.call_control("POST", "/snapshots", {"name": "before"})
    before, fingerprint = content(museum, tickets), museum.world.fingerprint()
    ticket_after = museum.buy_ticket()
    museum.cancel_event(event["eventId"])
    museum.create_event(name="later")
    museum.world.advance("30d")
    museum.world.call_control("POST", "/snapshots/before/restore")
    assert content(museum, tickets) == before
    assert museum.get_qr(ticket_after["ticketId"]).status == 404
    museum.world.call_control("POST", "/snapshots/before/restore")
    assert museum.buy_ticket() == ticket_after
    assert museum.world.fingerprint() != fingerprint


def test_a_fork_has_the_same_content_and_future_and_credentials_of_its_own(museum: MuseumClient) -> None:
    event, tickets = museum.create_event(), [museum.buy_ticket()]
    fork = fork_of(museum)
    assert content(fork, tickets) == content(museum, tickets)
    assert fork.headers != museum.headers
    assert fork.buy_ticket() == museum.buy_ticket()
    fork.cancel_event(event["eventId"])
    assert museum.get_event(event["eventId"]).json() == event


def test_a_reset_brings_back_the_events_of_the_fixture(open_museum: Callable[..., MuseumClient]) -> None:
    museum = open_museum(fixture="default")
    before = museum.list_events("?limit=30")
    museum.cancel_event(before[0]["eventId"])
    ticket = museum.buy_ticket()
    museum.world.call_control("POST", "/reset")
    assert museum.list_events("?limit=30") == before
    assert museum.get_qr(ticket["ticketId"]).status == 404


@pytest.mark.parametrize(
    "now", ["2027-01-04T09:00:00Z", "2026-12-24T23:00:00Z", "1999-02-28T00:00:00Z", "2096-02-26T12:00:00Z"]
)
def test_the_default_fixture_has_events_from_the_start_time_on(
    open_museum: Callable[..., MuseumClient], now: str
) -> None:
    museum = open_museum(fixture="default", now=now)
    events, today = museum.list_events("?limit=30"), now[:10]
    assert len(events) >= 10
    assert all(len(event["dates"]) >= 2 and min(event["dates"]) >= today for event in events)
    assert min(events[0]["dates"]) == museum.get_hours()[0]["date"]
    assert len(museum.get_hours()) == 10
    museum.world.change_settings(museum__default_window_days=7)
    assert museum.list_events()


def test_tickets_for_every_event_of_the_default_fixture_are_sold_with_strict_dates(
    open_museum: Callable[..., MuseumClient],
) -> None:
    museum = open_museum(fixture="default", settings={"museum.strict_dates": True})
    for event in museum.list_events("?limit=30"):
        for day in event["dates"]:
            museum.buy_ticket(ticketType="event", eventId=event["eventId"], ticketDate=day)


@pytest.mark.parametrize(
    ("section", "named"),
    [
        ({"hours": {"monday": {"open": "9:00", "close": "18:00"}}}, "museum.hours.monday"),
        ({"hours": {"monday": {"open": "09:00", "close": 1080}}}, "museum.hours.monday"),
        ({"hours": {"moonday": None}}, "hours"),
        ({"closed": ["02-30"]}, "day"),
        ({"closed": ["tomorrow"]}, "museum.closed[0]"),
        ({"events": [{"name": "x"}]}, "museum.events[0]"),
        ({"events": [{"name": "x", "location": "", "description": "", "price": 1, "dates": ["2027-02-30"]}]}, "day"),
        ({"events": [{"name": "x", "location": "", "description": "", "price": 1, "open_days": [1]}]}, "open day 1"),
        ({"colour": "red"}, "colour"),
    ],
)
def test_the_error_for_an_invalid_museum_section_names_the_member(
    simulator: Simulator, section: Any, named: str
) -> None:
    body = {"fixture": {"extends": "bare", "museum": section}}
    response = simulator.client.call("POST", "/_sim/v1/worlds", body=body)
    assert response.status == 400
    assert response.json()["error"]["code"] == "invalid_world"
    assert named in response.json()["error"]["message"]


def test_a_fixture_can_close_a_weekday_of_the_one_it_extends(open_museum: Callable[..., MuseumClient]) -> None:
    fixture = {"extends": "empty", "museum": {"hours": {"tuesday": None}}}
    museum = open_museum(fixture=fixture, now="2027-01-04T09:00:00Z")
    assert [entry["date"] for entry in museum.get_hours("?limit=2")] == ["2027-01-04", "2027-01-06"]
