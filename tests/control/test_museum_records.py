"""The museum's calendar, events and tickets, and the fixtures a world can start with."""

from __future__ import annotations

from pathlib import Path

import pytest

from giftsim import Simulator
from tests.support.museum import UNKNOWN_ID, MuseumClient
from tests.support.responses import expect_error
from tests.support.worlds import World

HOSTILE = "<script>alert(1)</script>\"'&<b>"


@pytest.fixture
def museum(world: World) -> MuseumClient:
    """The museum of a world."""
    return MuseumClient(world)


def test_days_have_hours_and_the_events_on_them(museum: MuseumClient) -> None:
    event = museum.create_event(name=HOSTILE, dates=["2027-01-06"])
    page = museum.world.call_control("GET", "/museum/days?from=2027-01-05&limit=2")
    assert [day["date"] for day in page["days"]] == ["2027-01-05", "2027-01-06"]
    assert {"event_id": event["eventId"], "name": HOSTILE} in page["days"][1]["events"]
    hours = {day["date"]: (day["timeOpen"], day["timeClose"]) for day in museum.get_hours("?startDate=2027-01-05")}
    for day in page["days"]:
        assert hours.get(day["date"], (None, None)) == (day["time_open"], day["time_close"])
    following = museum.world.call_control("GET", f"/museum/days?from=2027-01-05&limit=1&after={page['next']}")["days"]
    assert (following[0]["date"], following[0]["weekday"]) == ("2027-01-07", "thursday")


def test_a_closed_day_has_no_hours_and_the_calendar_begins_today(museum: MuseumClient) -> None:
    days = museum.world.call_control("GET", "/museum/days?limit=28")["days"]
    assert days[0]["date"] == museum.world.now[:10]
    open_days = {day["date"] for day in museum.get_hours("?limit=28")}
    closed = [day for day in days if day["date"] not in open_days]
    assert closed
    assert all(day["time_open"] is day["time_close"] is None for day in closed)


def test_the_calendar_ends_with_the_last_day_there_is(museum: MuseumClient) -> None:
    page = museum.world.call_control("GET", "/museum/days?from=9999-12-30")
    assert ([day["date"] for day in page["days"]], page["next"]) == (["9999-12-30", "9999-12-31"], None)


def test_events_are_listed_and_searched(museum: MuseumClient) -> None:
    event = museum.create_event(name=HOSTILE)
    (newest,) = museum.world.call_control("GET", "/museum/events?order=newest&limit=1")["events"]
    assert (newest["event_id"], newest["name"], newest["dates"]) == (event["eventId"], HOSTILE, event["dates"])
    assert museum.world.call_control("GET", "/museum/events?q=%3CSCRIPT")["events"] == [newest]


def test_tickets_show_the_text_of_their_qr_code(museum: MuseumClient) -> None:
    event = museum.create_event(name=HOSTILE)
    general = museum.buy_ticket()
    special = museum.buy_ticket(ticketType="event", ticketDate="2027-01-08", eventId=event["eventId"])
    rows = museum.world.call_control("GET", "/museum/tickets?order=newest")["tickets"]
    assert [(row["ticket_id"], row["kind"], row["event"]) for row in rows] == [
        (special["ticketId"], "event", HOSTILE), (general["ticketId"], "general", None),
    ]  # fmt: skip
    assert rows[1]["qr_text"] == f"museum-ticket:{general['ticketId']}:{general['confirmationCode']}"
    assert (rows[1]["email"], rows[1]["bought_at"]) == ("todd@example.com", museum.world.now)
    assert museum.world.call_control("GET", f"/museum/tickets?event_id={event['eventId']}")["tickets"] == rows[:1]
    assert museum.world.call_control("GET", f"/museum/tickets?q={general['confirmationCode']}")["tickets"] == rows[1:]
    assert museum.world.call_control("GET", f"/museum/tickets/{general['ticketId']}") == rows[1]
    museum.cancel_event(event["eventId"])
    assert museum.world.call_control("GET", f"/museum/tickets/{special['ticketId']}")["event"] is None
    expect_error(
        museum.world.control.get(f"/worlds/{museum.world.id}/museum/tickets/{UNKNOWN_ID}"), 404, "ticket_not_found"
    )


def test_reading_the_museum_changes_no_fingerprint(museum: MuseumClient) -> None:
    museum.buy_ticket()
    before = museum.world.fingerprint()
    for view in ("days", "events", "tickets"):
        museum.world.call_control("GET", f"/museum/{view}")
    assert museum.world.fingerprint() == before


def test_fixtures_are_listed_with_a_sentence_each(world: World) -> None:
    page = world.json_of(world.control.get("/fixtures"))
    assert [(row["name"], row["extends"]) for row in page["fixtures"]] == [
        ("bare", None), ("default", "roster"), ("empty", "bare"), ("roster", "empty"),
    ]  # fmt: skip
    assert page["fixtures"][1]["about"] == "A world to explore: people, contacts, and orders in every state."
    assert all(row["about"].endswith(".") for row in page["fixtures"])


def test_a_fixture_file_of_the_users_own_is_listed_too(tmp_path: Path) -> None:
    file = tmp_path / "ours.yaml"
    file.write_text("# A shop of ours. It sells mugs.\nextends: empty\n")
    fixtures = Simulator(fixture=str(file)).client.call("GET", "/_sim/v1/fixtures").json()["fixtures"]
    assert {"name": "ours", "extends": "empty", "about": "A shop of ours."} in fixtures
