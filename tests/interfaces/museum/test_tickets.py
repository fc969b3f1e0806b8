"""Tickets are sold for general entry and for special events, and what is wrong with a purchase is named, all of it."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from tests.claims import claims
from tests.interfaces.museum.scene import NOBODY, Museum, ticket_body, title

UUID4 = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}")


@claims("M-2.3", "M-4.7")
def test_a_general_ticket_is_sold(museum: Museum) -> None:
    answer = museum.buy(ticketDate="2026-12-01")
    assert answer.status == 201
    sold = answer.json()
    assert sorted(sold) == ["confirmationCode", "message", "ticketDate", "ticketId", "ticketType"]
    assert (sold["ticketType"], sold["ticketDate"]) == ("general", "2026-12-01")
    assert sold["message"] == "Museum general entry ticket purchased"
    assert re.fullmatch(r"ticket-general-[a-z0-9]{6}-[a-z0-9]{5}", sold["confirmationCode"])


@claims("M-2.3", "M-4.8")
def test_a_ticket_for_an_event_is_sold(museum: Museum) -> None:
    event = museum.make()
    sold = museum.sold(ticketType="event", eventId=event["eventId"], ticketDate=event["dates"][1])
    assert sorted(sold) == ["confirmationCode", "message", "ticketDate", "ticketId", "ticketType"]
    assert (sold["ticketType"], sold["ticketDate"]) == ("event", event["dates"][1])
    assert sold["message"] == "Museum special event ticket purchased"
    assert re.fullmatch(r"ticket-event-[a-z0-9]{6}-[a-z0-9]{5}", sold["confirmationCode"])


@claims("M-2.7")
def test_every_ticket_has_an_id_and_a_code_of_its_own_and_sent_ones_are_ignored(museum: Museum) -> None:
    mine = {"ticketId": NOBODY, "confirmationCode": "mine", "message": "mine"}
    tickets = [museum.sold(**mine) for _ in range(20)]
    assert all(UUID4.fullmatch(ticket["ticketId"]) for ticket in tickets)
    assert len({ticket["ticketId"] for ticket in tickets} | {NOBODY}) == 21
    assert len({ticket["confirmationCode"] for ticket in tickets} | {"mine"}) == 21
    assert all(ticket["message"] not in ("", "mine") for ticket in tickets)


@claims("M-2.1")
@pytest.mark.parametrize("wrong", [None, "vip", "", 1, ["event"]])
def test_the_type_is_event_or_general(museum: Museum, wrong: Any) -> None:
    event = museum.make()["eventId"]
    assert "ticketType: " in title(museum.buy(ticketType=wrong, eventId=event))
    assert [museum.buy(ticketType=kind, eventId=event).status for kind in ("event", "general")] == [201, 201]


@claims("M-2.2")
@pytest.mark.parametrize(
    "wrong", [None, "tomorrow", "2026-13-01", "2027-02-29", "2026-12-1", "2026-12-01T00:00:00Z", 5]
)
def test_the_date_is_a_day_of_the_calendar(museum: Museum, wrong: Any) -> None:
    assert "ticketDate: " in title(museum.buy(ticketDate=wrong))
    assert museum.buy(ticketDate="2026-12-01").status == 201


@claims("M-2.4")
def test_the_email_is_taken_and_never_shown(museum: Museum) -> None:
    answer = museum.buy(email="sentinel@example.com")
    assert answer.status == 201
    assert b"sentinel" not in answer.body
    for wrong in ("nope", "", 7):
        assert "email: " in title(museum.buy(email=wrong))


def test_the_email_is_required_unless_the_world_says_otherwise(museum: Museum) -> None:
    assert "email: " in title(museum.buy(email=None))
    museum.world.settings(museum__email_required=False)
    museum.sold(email=None)
    assert "email: " in title(museum.buy(email="nope"))


@claims("M-2.5")
def test_an_event_ticket_says_for_which_event_and_a_general_one_need_not(museum: Museum) -> None:
    assert "eventId: " in title(museum.buy(ticketType="event"))
    museum.sold(ticketType="general")


@claims("M-2.6")
@pytest.mark.parametrize("kind", ["event", "general"])
def test_the_event_must_be_there(museum: Museum, kind: str) -> None:
    canceled = museum.make()["eventId"]
    museum.cancel(canceled)
    for missing in (NOBODY, canceled):
        assert missing in title(museum.buy(ticketType=kind, eventId=missing), 404, "special_event_not_found")


@claims("M-2.6")
def test_a_refused_purchase_sells_nothing(open_museum: Callable[..., Museum]) -> None:
    tried, untried = open_museum(), open_museum()
    for wrong in ({"ticketType": "event", "eventId": NOBODY}, {"ticketType": "vip"}, {"email": None}):
        assert tried.buy(**wrong).status in (400, 404)
    assert tried.sold() == untried.sold()


def test_a_general_ticket_may_name_an_event(museum: Museum) -> None:
    sold = museum.sold(ticketType="general", eventId=museum.make()["eventId"].upper())
    assert sold["ticketType"] == "general"
    assert sold["message"] == "Museum general entry ticket purchased"
    assert "eventId: " in title(museum.buy(eventId="nope"))


def test_unknown_members_and_a_phone_are_tolerated(museum: Museum) -> None:
    sold = museum.sold(phone="+1(234)-567-8910", eventName="Mine", seats=4, nested={"deep": [None]})
    assert "eventName" not in sold
    museum.sold(phone=None)


def test_everything_that_is_wrong_is_named_at_once(museum: Museum) -> None:
    said = title(museum.post("/tickets", {"ticketType": "event", "ticketDate": "soon", "phone": 1.0}))
    assert all(f"{name}: " in said for name in ("ticketDate", "email", "eventId"))
    assert "ticketType" not in said
    assert "phone" not in said


def test_past_and_closed_days_are_sold_unless_dates_are_strict(monday: Museum) -> None:
    for day in ("2023-09-07", "2027-01-03", "2027-01-09"):
        monday.sold(ticketDate=day)
    monday.world.settings(museum__strict_dates=True)
    assert "past" in title(monday.buy(ticketDate="2027-01-01"))
    assert "closed" in title(monday.buy(ticketDate="2027-01-09"))
    both = title(monday.buy(ticketDate="2027-01-03"))
    assert "past" in both
    assert "closed" in both
    monday.sold(ticketDate="2027-01-04")


def test_strict_dates_want_a_day_of_the_event(monday: Museum) -> None:
    event = monday.make(dates=["2027-01-05", "2027-01-08"])["eventId"]
    monday.sold(ticketType="event", eventId=event, ticketDate="2027-01-06")
    monday.world.settings(museum__strict_dates=True)
    assert "2027-01-05, 2027-01-08" in title(monday.buy(ticketType="event", eventId=event, ticketDate="2027-01-06"))
    monday.sold(ticketType="event", eventId=event, ticketDate="2027-01-08")
    monday.sold(ticketType="general", eventId=event, ticketDate="2027-01-06")
    monday.world.advance("2d")
    assert "past" in title(monday.buy(ticketType="event", eventId=event, ticketDate="2027-01-05"))


def test_a_ticket_bought_twice_is_two_tickets(museum: Museum) -> None:
    body = ticket_body()
    answers = [museum.post("/tickets", body, Idempotency_Key="same") for _ in range(2)]
    assert [answer.status for answer in answers] == [201, 201]
    assert answers[0].json()["ticketId"] != answers[1].json()["ticketId"]
