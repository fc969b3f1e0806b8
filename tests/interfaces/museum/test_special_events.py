"""Special events: create, read, list those with a date to come, update and cancel."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.shows import shows
from tests.support.api_clients import UNKNOWN_ID
from tests.support.museum import MuseumClient, event_body, problem_title


@shows("M-4.2", "M-4.4")
@pytest.mark.parametrize(
    "members",
    [{}, {"price": 0}, {"price": 12.5}, {"price": 25.0}, {"dates": []}, {"dates": ["2023-09-05", "2020-01-01"]}],
)
def test_an_event_is_returned_as_it_was_created(museum: MuseumClient, members: dict[str, Any]) -> None:
    event = museum.create_event(**members)
    assert {**event, "eventId": None} == {**event_body(**members), "eventId": None}
    response = museum.get_event(event["eventId"])
    assert (response.status, response.json()) == (200, event)


@shows("M-4.2")
def test_every_event_gets_a_new_id_and_an_id_in_the_body_is_ignored(museum: MuseumClient) -> None:
    first, second = museum.create_event(eventId=UNKNOWN_ID), museum.create_event(eventId=UNKNOWN_ID)
    assert len({first["eventId"], second["eventId"], UNKNOWN_ID}) == 3


def test_ids_are_case_insensitive(museum: MuseumClient) -> None:
    event = museum.create_event()
    assert museum.get_event(event["eventId"].upper()).json() == event


@shows("M-4.4", "M-4.5", "M-4.6")
def test_an_unknown_event_is_not_found(museum: MuseumClient) -> None:
    for response in (
        museum.get_event(UNKNOWN_ID),
        museum.update_event(UNKNOWN_ID, {"name": "x"}),
        museum.cancel_event(UNKNOWN_ID),
    ):
        assert UNKNOWN_ID in problem_title(response, 404, "special_event_not_found")


def test_the_error_for_a_malformed_id_names_it(museum: MuseumClient) -> None:
    for response in (museum.get_event("nope"), museum.update_event("nope", {}), museum.cancel_event("nope")):
        assert problem_title(response) == "Validation failed: eventId is a UUID, not 'nope'"


@shows("M-4.3")
def test_only_events_with_a_date_from_today_on_are_listed(monday: MuseumClient) -> None:
    monday.create_event(name="past", dates=["2023-09-05", "2027-01-03"])
    monday.create_event(name="today", dates=["2027-01-04"])
    monday.create_event(name="running", dates=["2027-01-03", "2027-01-06"])
    monday.create_event(name="far", dates=["2031-05-01"])
    monday.create_event(name="undated", dates=[])
    to_come = "?endDate=9999-12-31"
    assert monday.event_names(to_come) == ["today", "running", "far"]
    monday.world.advance("1d")
    assert monday.event_names(to_come) == ["running", "far"]
    monday.world.advance("2d")
    assert monday.event_names(to_come) == ["far"]


def test_events_are_sorted_by_their_first_date_in_the_window_then_by_creation(monday: MuseumClient) -> None:
    monday.create_event(name="c", dates=["2027-01-09", "2027-01-07"])
    monday.create_event(name="a", dates=["2027-01-05"])
    monday.create_event(name="d", dates=["2027-01-07", "2027-01-04"])
    monday.create_event(name="e", dates=["2027-01-07"])
    assert monday.event_names() == ["d", "a", "c", "e"]
    assert monday.event_names("?startDate=2027-01-06") == ["c", "d", "e"]


def test_a_window_includes_its_first_and_last_day(monday: MuseumClient) -> None:
    monday.create_event(name="first", dates=["2027-02-01"])
    monday.create_event(name="last", dates=["2027-02-28"])
    monday.create_event(name="around", dates=["2027-01-31", "2027-03-01"])
    assert monday.event_names("?startDate=2027-02-01&endDate=2027-02-28") == ["first", "last"]
    assert monday.event_names("?endDate=2027-01-31") == ["around"]
    assert monday.event_names("?startDate=2023-01-01&endDate=2026-12-31") == []


def test_a_list_without_an_end_has_the_seven_days_after_its_start_unless_a_setting_changes_it(
    monday: MuseumClient,
) -> None:
    monday.create_event(name="soon", dates=["2027-01-11"])
    monday.create_event(name="later", dates=["2027-01-12"])
    assert monday.event_names() == ["soon"]
    assert monday.event_names("?startDate=2027-01-05") == ["soon", "later"]
    assert monday.event_names("?startDate=2027-01-04") == ["soon"]
    assert monday.event_names("?endDate=2027-02-01") == ["soon", "later"]
    assert monday.event_names("?startDate=9999-12-30") == []
    monday.world.change_settings(museum__default_window_days=None)
    assert monday.event_names() == ["soon", "later"]


def test_a_window_that_ends_before_it_begins_is_refused(monday: MuseumClient) -> None:
    assert "endDate" in problem_title(monday.get("/special-events?startDate=2027-02-01&endDate=2027-01-31"))
    assert "today" in problem_title(monday.get("/special-events?endDate=2027-01-03"))


def test_lists_are_paged(monday: MuseumClient) -> None:
    for i in range(12):
        monday.create_event(name=str(i))
    assert monday.event_names() == [str(i) for i in range(10)]
    assert monday.event_names("?page=2") == ["10", "11"]
    assert monday.event_names("?page=3&limit=5&colour=red") == ["10", "11"]
    assert monday.event_names("?page=3") == monday.event_names("?page=999999999999999999&limit=30") == []
    title = problem_title(monday.get("/special-events?page=0&limit=31&startDate=now&endDate=then"))
    assert all(name in title for name in ("page", "limit", "startDate", "endDate"))


@shows("M-4.5")
@pytest.mark.parametrize(
    "change",
    [{"name": "New"}, {"location": "Roof"}, {"eventDescription": ""}, {"dates": ["2028-01-01"]}, {"price": 0}, {},
     {"name": "Both", "price": 1.25}],
)  # fmt: skip
def test_a_patch_changes_only_the_members_it_has(museum: MuseumClient, change: dict[str, Any]) -> None:
    other, event = museum.create_event(), museum.create_event()
    response = museum.update_event(event["eventId"], change)
    assert (response.status, response.json()) == (200, {**event, **change})
    assert museum.get_event(event["eventId"]).json() == {**event, **change}
    assert museum.get_event(other["eventId"]).json() == other


def test_a_patch_ignores_the_id_and_unknown_members(museum: MuseumClient) -> None:
    event = museum.create_event()
    assert museum.update_event(event["eventId"], {"eventId": UNKNOWN_ID, "colour": "red"}).json() == event


def test_an_event_with_a_changed_date_is_listed_by_it(monday: MuseumClient) -> None:
    event = monday.create_event(dates=["2020-01-01"])
    assert monday.list_events() == []
    monday.update_event(event["eventId"], {"dates": ["2027-01-04"]})
    assert monday.event_names() == [event["name"]]


@shows("M-4.6")
def test_a_canceled_event_is_not_found(monday: MuseumClient) -> None:
    event, other = monday.create_event(), monday.create_event(name="other")
    response = monday.cancel_event(event["eventId"])
    assert (response.status, response.body) == (204, b"")
    assert monday.get_event(event["eventId"]).status == 404
    assert monday.list_events() == [other]
    assert monday.cancel_event(event["eventId"]).status == 404


@pytest.mark.parametrize("member", ["name", "location", "eventDescription", "dates", "price"])
@pytest.mark.parametrize("wrong", [True, {}])
def test_the_error_names_a_member_of_the_wrong_type_and_nothing_changes(
    monday: MuseumClient, member: str, wrong: Any
) -> None:
    event = monday.create_event()
    assert f"{member}: " in problem_title(monday.post("/special-events", {**event_body(), member: wrong}))
    assert f"{member}: " in problem_title(monday.update_event(event["eventId"], {member: wrong}))
    assert monday.list_events() == [event]


def test_the_error_names_every_invalid_member(monday: MuseumClient) -> None:
    title = problem_title(
        monday.post("/special-events", {"dates": ["2027-01-05", "soon", "2027-02-30"], "price": "free"})
    )
    for name in ("name", "location", "eventDescription", "dates[1]", "dates[2]", "price"):
        assert f"{name}: " in title
    assert "dates[0]" not in title
    assert monday.list_events() == []


@pytest.mark.parametrize("member", ["name", "location", "eventDescription", "dates", "price"])
def test_every_member_but_the_id_is_required(monday: MuseumClient, member: str) -> None:
    assert f"{member}: " in problem_title(monday.post("/special-events", event_body(**{member: None})))
    assert f"{member}: " in problem_title(monday.post("/special-events", {**event_body(), member: None}))
    assert monday.list_events() == []


@shows("M-4.2")
def test_the_id_is_not_required_and_may_be_left_out_alone(monday: MuseumClient) -> None:
    body = event_body()
    assert sorted(body) == ["dates", "eventDescription", "location", "name", "price"]
    created = monday.create_event()
    assert created == {**body, "eventId": created["eventId"]}
    assert monday.list_events() == [created]


@pytest.mark.parametrize(("members", "named"), [({"price": -0.01}, "price: "), ({"dates": []}, "dates: ")])
def test_a_setting_refuses_events_that_cannot_be(
    open_museum: Callable[..., MuseumClient], members: dict[str, Any], named: str
) -> None:
    museum = open_museum()
    event = museum.create_event(**members)
    assert museum.get_event(event["eventId"]).json() == event
    strict = open_museum(settings={"museum.strict_events": True})
    assert named in problem_title(strict.post("/special-events", event_body(**members)), 400)
    plain = strict.create_event()
    assert named in problem_title(strict.update_event(plain["eventId"], members), 400)
    assert strict.get_event(plain["eventId"]).json() == plain
