"""Tickets for general entry and special events: buying them, and the errors of invalid purchases."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from tests.claims import claims
from tests.support.api_clients import UNKNOWN_ID
from tests.support.museum import MuseumClient, problem_title, ticket_body

UUID4 = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}")


@claims("M-2.3", "M-4.7")
def test_a_general_ticket_is_sold(museum: MuseumClient) -> None:
    response = museum.request_ticket(ticketDate="2026-12-01")
    assert response.status == 201
    ticket = response.json()
    assert sorted(ticket) == ["confirmationCode", "message", "ticketDate", "ticketId", "ticketType"]
    assert (ticket["ticketType"], ticket["ticketDate"]) == ("general", "2026-12-01")
    assert ticket["message"] == "Museum general entry ticket purchased"
    assert re.fullmatch(r"ticket-general-[a-z0-9]{6}-[a-z0-9]{5}", ticket["confirmationCode"])


@claims("M-2.3", "M-4.8")
def test_a_ticket_for_an_event_is_sold(museum: MuseumClient) -> None:
    event = museum.create_event()
    ticket = museum.buy_ticket(ticketType="event", eventId=event["eventId"], ticketDate=event["dates"][1])
    assert sorted(ticket) == ["confirmationCode", "message", "ticketDate", "ticketId", "ticketType"]
    assert (ticket["ticketType"], ticket["ticketDate"]) == ("event", event["dates"][1])
    assert ticket["message"] == "Museum special event ticket purchased"
    assert re.fullmatch(r"ticket-event-[a-z0-9]{6}-[a-z0-9]{5}", ticket["confirmationCode"])


@claims("M-2.7")
def test_every_ticket_gets_a_new_id_and_code_and_those_in_the_body_are_ignored(museum: MuseumClient) -> None:
    sent = {"ticketId": UNKNOWN_ID, "confirmationCode": "mine", "message": "mine"}
    tickets = [museum.buy_ticket(**sent) for _ in range(20)]
    assert all(UUID4.fullmatch(ticket["ticketId"]) for ticket in tickets)
    assert len({ticket["ticketId"] for ticket in tickets} | {UNKNOWN_ID}) == 21
    assert len({ticket["confirmationCode"] for ticket in tickets} | {"mine"}) == 21
    assert all(ticket["message"] not in ("", "mine") for ticket in tickets)


@claims("M-2.1")
@pytest.mark.parametrize("wrong", [None, "vip", "", 1, ["event"]])
def test_the_type_must_be_event_or_general(museum: MuseumClient, wrong: Any) -> None:
    event = museum.create_event()["eventId"]
    assert "ticketType: " in problem_title(museum.request_ticket(ticketType=wrong, eventId=event))
    assert [museum.request_ticket(ticketType=kind, eventId=event).status for kind in ("event", "general")] == [201, 201]


@claims("M-2.2")
@pytest.mark.parametrize(
    "wrong", [None, "tomorrow", "2026-13-01", "2027-02-29", "2026-12-1", "2026-12-01T00:00:00Z", 5]
)
def test_the_date_must_be_a_calendar_date(museum: MuseumClient, wrong: Any) -> None:
    assert "ticketDate: " in problem_title(museum.request_ticket(ticketDate=wrong))
    assert museum.request_ticket(ticketDate="2026-12-01").status == 201


@claims("M-2.4")
def test_the_email_is_accepted_and_never_returned(museum: MuseumClient) -> None:
    response = museum.request_ticket(email="sentinel@example.com")
    assert response.status == 201
    assert b"sentinel" not in response.body
    for wrong in ("nope", "", 7):
        assert "email: " in problem_title(museum.request_ticket(email=wrong))


def test_the_email_is_required_unless_a_setting_makes_it_optional(museum: MuseumClient) -> None:
    assert "email: " in problem_title(museum.request_ticket(email=None))
    museum.world.change_settings(museum__email_required=False)
    museum.buy_ticket(email=None)
    assert "email: " in problem_title(museum.request_ticket(email="nope"))


@claims("M-2.5")
def test_an_event_ticket_requires_an_event_and_a_general_one_does_not(museum: MuseumClient) -> None:
    assert "eventId: " in problem_title(museum.request_ticket(ticketType="event"))
    museum.buy_ticket(ticketType="general")


@claims("M-2.6")
@pytest.mark.parametrize("kind", ["event", "general"])
def test_the_event_must_exist(museum: MuseumClient, kind: str) -> None:
    canceled = museum.create_event()["eventId"]
    museum.cancel_event(canceled)
    for missing in (UNKNOWN_ID, canceled):
        assert missing in problem_title(
            museum.request_ticket(ticketType=kind, eventId=missing), 404, "special_event_not_found"
        )


@claims("M-2.6")
def test_refused_purchases_have_no_effect(open_museum: Callable[..., MuseumClient]) -> None:
    after_refusals, untouched = open_museum(), open_museum()
    for wrong in ({"ticketType": "event", "eventId": UNKNOWN_ID}, {"ticketType": "vip"}, {"email": None}):
        assert after_refusals.request_ticket(**wrong).status in (400, 404)
    assert after_refusals.buy_ticket() == untouched.buy_ticket()


def test_a_general_ticket_may_name_an_event(museum: MuseumClient) -> None:
    ticket = museum.buy_ticket(ticketType="general", eventId=museum.create_event()["eventId"].upper())
    assert ticket["ticketType"] == "general"
    assert ticket["message"] == "Museum general entry ticket purchased"
    assert "eventId: " in problem_title(museum.request_ticket(eventId="nope"))


def test_unknown_members_and_a_phone_are_accepted(museum: MuseumClient) -> None:
    ticket = museum.buy_ticket(phone="+1(234)-567-8910", eventName="Mine", seats=4, nested={"deep": [None]})
    assert "eventName" not in ticket
    museum.buy_ticket(phone=None)


def test_the_error_names_every_invalid_member(museum: MuseumClient) -> None:
    title = problem_title(museum.post("/tickets", {"ticketType": "event", "ticketDate": "soon", "phone": 1.0}))
    assert all(f"{name}: " in title for name in ("ticketDate", "email", "eventId"))
    assert "ticketType" not in title
    assert "phone" not in title


def test_past_and_closed_days_are_sold_unless_dates_are_strict(monday: MuseumClient) -> None:
    for day in ("2023-09-07", "2027-01-03", "2027-01-09"):
        monday.buy_ticket(ticketDate=day)
    monday.world.change_settings(museum__strict_dates=True)
    assert "past" in problem_title(monday.request_ticket(ticketDate="2027-01-01"))
    assert "closed" in problem_title(monday.request_ticket(ticketDate="2027-01-09"))
    title = problem_title(monday.request_ticket(ticketDate="2027-01-03"))
    assert "past" in title
    assert "closed" in title
    monday.buy_ticket(ticketDate="2027-01-04")


def test_strict_dates_require_a_day_of_the_event(monday: MuseumClient) -> None:
    event = monday.create_event(dates=["2027-01-05", "2027-01-08"])["eventId"]
    monday.buy_ticket(ticketType="event", eventId=event, ticketDate="2027-01-06")
    monday.world.change_settings(museum__strict_dates=True)
    assert "2027-01-05, 2027-01-08" in problem_title(
        monday.request_ticket(ticketType="event", eventId=event, ticketDate="2027-01-06")
    )
    monday.buy_ticket(ticketType="event", eventId=event, ticketDate="2027-01-08")
    monday.buy_ticket(ticketType="general", eventId=event, ticketDate="2027-01-06")
    monday.world.advance("2d")
    assert "past" in problem_title(monday.request_ticket(ticketType="event", eventId=event, ticketDate="2027-01-05"))


def test_two_equal_purchases_give_two_tickets(museum: MuseumClient) -> None:
    body = ticket_body()
    responses = [museum.post("/tickets", body, Idempotency_Key="same") for _ in range(2)]
    assert [response.status for response in responses] == [201, 201]
    assert responses[0].json()["ticketId"] != responses[1].json()["ticketId"]
