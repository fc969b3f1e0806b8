"""Tickets for general entry and special events: buying them, and the errors of invalid purchases."""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from datetime import date, timedelta
from typing import Any

import pytest
import zxingcpp
from PIL import Image

from giftsim.engine.client.response import Response
from tests.shows import shows
from tests.support.api_clients import UNKNOWN_ID
from tests.support.museum import MuseumClient, problem_title, ticket_body

TEN = [f"2027-01-{day:02}" for day in (4, 5, 6, 7, 8, 11, 12, 13, 14, 15)]


def dates_of(entries: Any) -> list[str]:
    return [entry["date"] for entry in entries]


@shows("M-4.1")
def test_the_next_ten_open_days_from_today_are_listed(monday: MuseumClient) -> None:
    assert dates_of(monday.get_hours()) == TEN
    monday.world.advance("3d")
    assert dates_of(monday.get_hours())[0] == "2027-01-07"
    monday.world.advance("2d")
    assert dates_of(monday.get_hours())[0] == "2027-01-11"


def test_each_weekday_has_its_hours(monday: MuseumClient) -> None:
    week = monday.get_hours("?limit=5")
    assert [(entry["timeOpen"], entry["timeClose"]) for entry in week] == [("09:00", "18:00")] * 4 + [
        ("10:00", "16:00")
    ]


def test_today_ends_at_midnight_utc(open_museum: Callable[..., MuseumClient]) -> None:
    museum = open_museum(now="2027-01-04T23:59:59Z")
    assert dates_of(museum.get_hours("?limit=1")) == ["2027-01-04"]
    museum.world.advance("1s")
    assert dates_of(museum.get_hours("?limit=1")) == ["2027-01-05"]


def test_days_closed_every_year_or_once_are_absent(open_museum: Callable[..., MuseumClient]) -> None:
    closed = {"extends": "empty", "museum": {"closed": ["01-06", "2028-01-07"]}}
    museum = open_museum(fixture=closed, now="2026-12-31T09:00:00Z")
    assert dates_of(museum.get_hours("?limit=4")) == ["2026-12-31", "2027-01-04", "2027-01-05", "2027-01-07"]
    assert dates_of(museum.get_hours("?startDate=2027-12-24&limit=2")) == ["2027-12-24", "2027-12-27"]
    assert dates_of(museum.get_hours("?startDate=2028-01-05&limit=2")) == ["2028-01-05", "2028-01-10"]


def test_a_museum_without_hours_lists_none(open_museum: Callable[..., MuseumClient]) -> None:
    assert open_museum(fixture="bare").get_hours() == []


@pytest.mark.parametrize("start", ["2023-02-23", "2027-01-02", "2099-06-01"])
def test_a_start_date_replaces_today(monday: MuseumClient, start: str) -> None:
    first = date.fromisoformat(start)
    while first.weekday() > 4:
        first += timedelta(days=1)
    assert dates_of(monday.get_hours(f"?startDate={start}"))[0] == first.isoformat()


def test_the_calendar_ends_with_its_last_day(monday: MuseumClient) -> None:
    assert dates_of(monday.get_hours("?startDate=9999-12-30")) == ["9999-12-30", "9999-12-31"]


@pytest.mark.parametrize("limit", [1, 7, 30])
def test_pages_of_any_size_join_to_the_same_year(monday: MuseumClient, limit: int) -> None:
    all_dates: list[str] = []
    for page in range(1, 400):
        dates = dates_of(monday.get_hours(f"?limit={limit}&page={page}"))
        all_dates += dates
        if len(dates) < limit:
            break
    assert all_dates == sorted(set(all_dates))
    assert all_dates[:10] == TEN
    assert all_dates[-1] == "2028-01-04"


@pytest.mark.parametrize("page", ["28", "1000", "999999999999999999"])
def test_a_page_past_the_end_is_empty(monday: MuseumClient, page: str) -> None:
    assert monday.get_hours(f"?page={page}") == []


@pytest.mark.parametrize(
    ("query", "named"),
    [
        ("?page=0", ["page"]),
        ("?page=-1", ["page"]),
        ("?page=1.5", ["page"]),
        ("?limit=0", ["limit"]),
        ("?limit=31", ["limit"]),
        ("?limit=", ["limit"]),
        ("?startDate=tomorrow", ["startDate"]),
        ("?startDate=2027-02-30", ["startDate"]),
        ("?limit=2&limit=3", ["limit"]),
        ("?limit=99&startDate=04.01.2027&page=zero", ["startDate", "page", "limit"]),
    ],
)
def test_the_error_names_every_invalid_parameter(monday: MuseumClient, query: str, named: list[str]) -> None:
    title = problem_title(monday.get(f"/museum-hours{query}"))
    assert title.startswith("Validation failed: ")
    assert [name for name in ("startDate", "page", "limit") if name in title] == named


def test_unknown_parameters_are_tolerated(monday: MuseumClient) -> None:
    assert monday.get_hours("?colour=red&endDate=never&page=1") == monday.get_hours()


def read_image(response: Response) -> Image.Image:
    """The image in a response, decoded by an independent library."""
    assert response.headers["content-type"] == "image/png"
    image = Image.open(io.BytesIO(response.body), formats=["PNG"])
    image.load()
    return image


def read_code(response: Response) -> str:
    """The text of the one code in the response's image."""
    (code,) = zxingcpp.read_barcodes(read_image(response))
    assert code.format == zxingcpp.BarcodeFormat.QRCode
    return code.text


@shows("M-4.9", "M-4.10")
def test_the_code_contains_the_ticket_id_and_its_confirmation_code(museum: MuseumClient) -> None:
    event = museum.create_event()["eventId"]
    for ticket in (museum.buy_ticket(), museum.buy_ticket(ticketType="event", eventId=event)):
        response = museum.get_qr(ticket["ticketId"])
        assert response.status == 200
        assert read_code(response) == f"museum-ticket:{ticket['ticketId']}:{ticket['confirmationCode']}"


@shows("M-4.10")
def test_two_tickets_have_different_codes(museum: MuseumClient) -> None:
    assert read_code(museum.get_qr(museum.buy_ticket()["ticketId"])) != read_code(
        museum.get_qr(museum.buy_ticket()["ticketId"])
    )


def test_the_image_is_wide_enough_and_has_a_quiet_zone(museum: MuseumClient) -> None:
    image = read_image(museum.get_qr(museum.buy_ticket()["ticketId"])).convert("L")
    assert image.width == image.height
    assert image.width >= 200
    dark = image.point(lambda value: 255 - value).getbbox()
    assert dark is not None
    module = (dark[2] - dark[0]) // 37
    assert dark == (4 * module, 4 * module, image.width - 4 * module, image.height - 4 * module)


def test_the_bytes_are_the_same_each_time(museum: MuseumClient) -> None:
    ticket = museum.buy_ticket()["ticketId"]
    first = museum.get_qr(ticket).body
    museum.world.advance("30d")
    assert museum.get_qr(ticket.upper()).body == first


@shows("M-4.9")
def test_an_unknown_ticket_has_no_code(museum: MuseumClient) -> None:
    assert UNKNOWN_ID in problem_title(museum.get_qr(UNKNOWN_ID), 404, "ticket_not_found")
    assert problem_title(museum.get_qr("nope")) == "Validation failed: ticketId is a UUID, not 'nope'"


def test_a_ticket_keeps_its_code_when_its_event_is_canceled(museum: MuseumClient) -> None:
    event = museum.create_event()["eventId"]
    ticket = museum.buy_ticket(ticketType="event", eventId=event)
    museum.cancel_event(event)
    assert ticket["confirmationCode"] in read_code(museum.get_qr(ticket["ticketId"]))


UUID4 = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}")


@shows("M-2.3", "M-4.7")
def test_a_general_ticket_is_sold(museum: MuseumClient) -> None:
    response = museum.request_ticket(ticketDate="2026-12-01")
    assert response.status == 201
    ticket = response.json()
    assert sorted(ticket) == ["confirmationCode", "message", "ticketDate", "ticketId", "ticketType"]
    assert (ticket["ticketType"], ticket["ticketDate"]) == ("general", "2026-12-01")
    assert ticket["message"] == "Museum general entry ticket purchased"
    assert re.fullmatch(r"ticket-general-[a-z0-9]{6}-[a-z0-9]{5}", ticket["confirmationCode"])


@shows("M-2.3", "M-4.8")
def test_a_ticket_for_an_event_is_sold(museum: MuseumClient) -> None:
    event = museum.create_event()
    ticket = museum.buy_ticket(ticketType="event", eventId=event["eventId"], ticketDate=event["dates"][1])
    assert sorted(ticket) == ["confirmationCode", "message", "ticketDate", "ticketId", "ticketType"]
    assert (ticket["ticketType"], ticket["ticketDate"]) == ("event", event["dates"][1])
    assert ticket["message"] == "Museum special event ticket purchased"
    assert re.fullmatch(r"ticket-event-[a-z0-9]{6}-[a-z0-9]{5}", ticket["confirmationCode"])


@shows("M-2.7")
def test_every_ticket_gets_a_new_id_and_code_and_those_in_the_body_are_ignored(museum: MuseumClient) -> None:
    sent = {"ticketId": UNKNOWN_ID, "confirmationCode": "mine", "message": "mine"}
    tickets = [museum.buy_ticket(**sent) for _ in range(20)]
    assert all(UUID4.fullmatch(ticket["ticketId"]) for ticket in tickets)
    assert len({ticket["ticketId"] for ticket in tickets} | {UNKNOWN_ID}) == 21
    assert len({ticket["confirmationCode"] for ticket in tickets} | {"mine"}) == 21
    assert all(ticket["message"] not in ("", "mine") for ticket in tickets)


@shows("M-2.1")
@pytest.mark.parametrize("wrong", [None, "vip", "", 1, ["event"]])
def test_the_type_must_be_event_or_general(museum: MuseumClient, wrong: Any) -> None:
    event = museum.create_event()["eventId"]
    assert "ticketType: " in problem_title(museum.request_ticket(ticketType=wrong, eventId=event))
    assert [museum.request_ticket(ticketType=kind, eventId=event).status for kind in ("event", "general")] == [201, 201]


@shows("M-2.2")
@pytest.mark.parametrize(
    "wrong", [None, "tomorrow", "2026-13-01", "2027-02-29", "2026-12-1", "2026-12-01T00:00:00Z", 5]
)
def test_the_date_must_be_a_calendar_date(museum: MuseumClient, wrong: Any) -> None:
    assert "ticketDate: " in problem_title(museum.request_ticket(ticketDate=wrong))
    assert museum.request_ticket(ticketDate="2026-12-01").status == 201


@shows("M-2.4")
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


@shows("M-2.5")
def test_an_event_ticket_requires_an_event_and_a_general_one_does_not(museum: MuseumClient) -> None:
    assert "eventId: " in problem_title(museum.request_ticket(ticketType="event"))
    museum.buy_ticket(ticketType="general")


@shows("M-2.6")
@pytest.mark.parametrize("kind", ["event", "general"])
def test_the_event_must_exist(museum: MuseumClient, kind: str) -> None:
    canceled = museum.create_event()["eventId"]
    museum.cancel_event(canceled)
    for missing in (UNKNOWN_ID, canceled):
        assert missing in problem_title(
            museum.request_ticket(ticketType=kind, eventId=missing), 404, "special_event_not_found"
        )


@shows("M-2.6")
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
