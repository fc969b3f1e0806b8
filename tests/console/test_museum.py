"""The museum: a month with hours and events, and tickets bought by a real call, with their QR codes."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.console import Console
from tests.support.museum import MuseumClient
from tests.support.worlds import World

HOSTILE = "<script>alert(1)</script>\"'&<b>"


@pytest.fixture
def museum(world: World) -> MuseumClient:
    """The museum of a world."""
    return MuseumClient(world)


def elements(console: Console, **wanted: str) -> list[dict[str, Any]]:
    return [attributes for _, attributes in console.page.elements if wanted.items() <= attributes.items()]


def test_the_calendar_shows_hours_and_leads_to_events(console: Console, museum: MuseumClient) -> None:
    event = museum.create_event(name=HOSTILE, eventDescription=HOSTILE, location=HOSTILE, dates=["2027-03-04"])
    page = console.open("museum?month=2027-03")
    assert (console.status, page.heading) == (200, "Museum")
    assert "March 2027" in page.text
    assert "<script>alert" not in console.response.text
    assert (
        page.link(HOSTILE) == f"/w/{museum.world.id}/museum?month=2027-03&event={event['eventId']}&date=2027-03-04#buy"
    )
    assert len([each for each in page.elements if each[1].get("id", "").startswith("day-2027-03-")]) == 31
    hours = {day["date"]: day["timeOpen"] for day in museum.get_hours("?startDate=2027-03-01&limit=30")}
    assert hours["2027-03-04"] in page.text
    assert page.link("April 2027").endswith("month=2027-04")


@pytest.mark.parametrize("month", ["", "x", "2027-13", "0000-01", HOSTILE])
def test_a_month_that_is_none_is_the_present_one(console: Console, museum: MuseumClient, month: str) -> None:
    console.open("museum")
    form = console.page.forms[-1]
    console._go("GET", f"/w/{museum.world.id}/museum?month={month.replace(' ', '+').replace('&', '%26')}")
    assert (console.status, bool(form)) == (200, True)
    assert museum.world.now[:4] in console.page.text
    assert "<script>alert" not in console.response.text


@pytest.mark.parametrize("month", ["0001-01", "9999-12"])
def test_the_first_and_the_last_month_have_pages(console: Console, month: str) -> None:
    console.open(f"museum?month={month}")
    assert console.status == 200


def test_a_ticket_is_bought_by_a_real_call_and_shown_with_its_qr_code(console: Console, museum: MuseumClient) -> None:
    page = console.open("museum")
    assert "GIFTSIM_MUSEUM=museum" in page.text
    assert "/v1.1/tickets" in page.text
    page = console.press("Buy the ticket", date="2027-01-07", email="ada@example.com")
    (ticket,) = museum.world.call_control("GET", "/museum/tickets")["tickets"]
    assert page.heading == "Ticket for general entry"
    assert ticket["confirmation_code"] in page.text
    (image,) = elements(console, role="img")
    assert image["aria-label"] == f"QR code of the ticket {ticket['ticket_id']}"
    calls = museum.world.call_control("GET", "/journal")["calls"]
    assert [call["request"]["path"] for call in calls] == ["/v1.1/tickets"]
    page = console.press("Undo")
    assert museum.world.call_control("GET", "/museum/tickets")["tickets"] == []
    assert (page.heading, "Undone: Buy a ticket." in page.text) == ("Museum", True)


def test_a_ticket_for_an_event_names_it(console: Console, museum: MuseumClient) -> None:
    event = museum.create_event(name=HOSTILE, dates=["2027-03-04"])
    console.open(f"museum?month=2027-03&event={event['eventId']}&date=2027-03-04")
    page = console.press("Buy the ticket")
    assert page.heading == f"Ticket for {HOSTILE}"
    assert "<script>alert" not in console.response.text
    assert HOSTILE in console.open("museum").text


@pytest.mark.begins("2027-01-04T09:00:00Z")
def test_a_ticket_that_the_museum_refuses_is_said(console: Console, museum: MuseumClient) -> None:
    museum.world.change_settings(museum__strict_dates=True)
    console.open("museum")
    page = console.press("Buy the ticket", date="2020-01-01")
    assert "2020-01-01 is past" in page.text
    assert page.heading == "Museum"
    assert museum.world.call_control("GET", "/museum/tickets")["tickets"] == []


def test_tickets_are_searched(console: Console, museum: MuseumClient) -> None:
    museum.buy_ticket(email="todd@example.com")
    museum.buy_ticket(email="zoe@example.com")
    console.open("museum")
    console.submit(console.page.form("Search tickets"), q="zoe@")
    assert ("zoe@example.com" in console.page.text, "todd@example.com" in console.page.text) == (True, False)
    assert "No ticket is found" in console.open("museum?q=nobody").text


def test_a_dropped_connection_is_said(console: Console, museum: MuseumClient) -> None:
    museum.world.add_fault({"drop": "before"}, match={"interface": "museum"})
    console.open("museum")
    assert "the connection was closed" in console.press("Buy the ticket", date="2027-01-07").text


def test_an_unknown_ticket_is_a_page_that_says_so(console: Console) -> None:
    assert "there is no ticket" in console.open("museum/tickets/nothing").text
    assert console.status == 404
