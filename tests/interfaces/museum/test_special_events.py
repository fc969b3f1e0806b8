"""Special events are made, read, listed while a date of theirs is to come, changed member by member and canceled."""

from __future__ import annotations

from typing import Any

import pytest

from tests.claims import claims
from tests.support.api_clients import UNKNOWN_ID
from tests.support.museum import MuseumClient, event_body, problem_title


@claims("M-4.2", "M-4.4")
@pytest.mark.parametrize(
    "members",
    [{}, {"price": 0}, {"price": 12.5}, {"price": 25.0}, {"dates": []}, {"dates": ["2023-09-05", "2020-01-01"]}],
)
def test_an_event_is_read_as_it_was_sent(museum: MuseumClient, members: dict[str, Any]) -> None:
    made = museum.create_event(**members)
    assert {**made, "eventId": None} == {**event_body(**members), "eventId": None}
    read = museum.get_event(made["eventId"])
    assert (read.status, read.json()) == (200, made)


@claims("M-4.2")
def test_every_event_gets_an_id_of_its_own_and_a_sent_one_is_ignored(museum: MuseumClient) -> None:
    first, second = museum.create_event(eventId=UNKNOWN_ID), museum.create_event(eventId=UNKNOWN_ID)
    assert len({first["eventId"], second["eventId"], UNKNOWN_ID}) == 3


def test_an_id_is_the_same_in_capitals(museum: MuseumClient) -> None:
    made = museum.create_event()
    assert museum.get_event(made["eventId"].upper()).json() == made


@claims("M-4.4", "M-4.5", "M-4.6")
def test_an_unknown_event_is_not_found(museum: MuseumClient) -> None:
    for answer in (
        museum.get_event(UNKNOWN_ID),
        museum.update_event(UNKNOWN_ID, {"name": "x"}),
        museum.cancel_event(UNKNOWN_ID),
    ):
        assert UNKNOWN_ID in problem_title(answer, 404, "special_event_not_found")


def test_a_malformed_id_is_named_as_wrong(museum: MuseumClient) -> None:
    for answer in (museum.get_event("nope"), museum.update_event("nope", {}), museum.cancel_event("nope")):
        assert problem_title(answer) == "Validation failed: eventId is a UUID, not 'nope'"


@claims("M-4.3")
def test_only_events_with_a_date_to_come_are_listed(monday: MuseumClient) -> None:
    monday.create_event(name="past", dates=["2023-09-05", "2027-01-03"])
    monday.create_event(name="today", dates=["2027-01-04"])
    monday.create_event(name="running", dates=["2027-01-03", "2027-01-06"])
    monday.create_event(name="far", dates=["2031-05-01"])
    monday.create_event(name="undated", dates=[])
    assert monday.event_names() == ["today", "running", "far"]
    monday.world.advance("1d")
    assert monday.event_names() == ["running", "far"]
    monday.world.advance("2d")
    assert monday.event_names() == ["far"]


def test_the_soonest_date_in_the_window_comes_first_and_creation_decides_between_equals(monday: MuseumClient) -> None:
    monday.create_event(name="c", dates=["2027-01-09", "2027-01-07"])
    monday.create_event(name="a", dates=["2027-01-05"])
    monday.create_event(name="d", dates=["2027-01-07", "2027-01-04"])
    monday.create_event(name="e", dates=["2027-01-07"])
    assert monday.event_names() == ["d", "a", "c", "e"]
    assert monday.event_names("?startDate=2027-01-06") == ["c", "d", "e"]


def test_a_window_includes_both_its_ends(monday: MuseumClient) -> None:
    monday.create_event(name="first", dates=["2027-02-01"])
    monday.create_event(name="last", dates=["2027-02-28"])
    monday.create_event(name="around", dates=["2027-01-31", "2027-03-01"])
    assert monday.event_names("?startDate=2027-02-01&endDate=2027-02-28") == ["first", "last"]
    assert monday.event_names("?endDate=2027-01-31") == ["around"]
    assert monday.event_names("?startDate=2023-01-01&endDate=2026-12-31") == []


def test_the_default_window_has_no_end_unless_one_is_set(monday: MuseumClient) -> None:
    monday.create_event(name="soon", dates=["2027-01-11"])
    monday.create_event(name="later", dates=["2027-01-12"])
    assert monday.event_names() == ["soon", "later"]
    monday.world.change_settings(museum__default_window_days=7)
    assert monday.event_names() == ["soon"]
    assert monday.event_names("?endDate=2027-02-01") == ["soon", "later"]
    assert monday.event_names("?startDate=9999-12-30") == []
    monday.world.change_settings(museum__default_window_days=None)
    assert monday.event_names() == ["soon", "later"]


def test_a_window_that_ends_before_it_begins_is_named_as_wrong(monday: MuseumClient) -> None:
    assert "endDate" in problem_title(monday.get("/special-events?startDate=2027-02-01&endDate=2027-01-31"))
    assert "today" in problem_title(monday.get("/special-events?endDate=2027-01-03"))


def test_lists_are_paged(monday: MuseumClient) -> None:
    for i in range(12):
        monday.create_event(name=str(i))
    assert monday.event_names() == [str(i) for i in range(10)]
    assert monday.event_names("?page=2") == ["10", "11"]
    assert monday.event_names("?page=3&limit=5&colour=red") == ["10", "11"]
    assert monday.event_names("?page=3") == monday.event_names("?page=999999999999999999&limit=30") == []
    said = problem_title(monday.get("/special-events?page=0&limit=31&startDate=now&endDate=then"))
    assert all(name in said for name in ("page", "limit", "startDate", "endDate"))


@claims("M-4.5")
@pytest.mark.parametrize(
    "change",
    [{"name": "New"}, {"location": "Roof"}, {"eventDescription": ""}, {"dates": ["2028-01-01"]}, {"price": 0}, {},
     {"name": "Both", "price": 1.25}],
)  # fmt: skip
def test_a_patch_changes_the_members_sent_and_no_others(museum: MuseumClient, change: dict[str, Any]) -> None:
    other, made = museum.create_event(), museum.create_event()
    answer = museum.update_event(made["eventId"], change)
    assert (answer.status, answer.json()) == (200, {**made, **change})
    assert museum.get_event(made["eventId"]).json() == {**made, **change}
    assert museum.get_event(other["eventId"]).json() == other


def test_a_patch_ignores_what_is_not_its_own(museum: MuseumClient) -> None:
    made = museum.create_event()
    assert museum.update_event(made["eventId"], {"eventId": UNKNOWN_ID, "colour": "red"}).json() == made


def test_a_changed_date_moves_an_event_in_the_list(monday: MuseumClient) -> None:
    made = monday.create_event(dates=["2020-01-01"])
    assert monday.list_events() == []
    monday.update_event(made["eventId"], {"dates": ["2027-01-04"]})
    assert monday.event_names() == [made["name"]]


@claims("M-4.6")
def test_a_canceled_event_is_gone(monday: MuseumClient) -> None:
    made, other = monday.create_event(), monday.create_event(name="other")
    gone = monday.cancel_event(made["eventId"])
    assert (gone.status, gone.body) == (204, b"")
    assert monday.get_event(made["eventId"]).status == 404
    assert monday.list_events() == [other]
    assert monday.cancel_event(made["eventId"]).status == 404


@pytest.mark.parametrize("member", ["name", "location", "eventDescription", "dates", "price"])
@pytest.mark.parametrize("wrong", [True, {}])
def test_a_member_of_the_wrong_kind_is_named_and_nothing_changes(monday: MuseumClient, member: str, wrong: Any) -> None:
    made = monday.create_event()
    assert f"{member}: " in problem_title(monday.post("/special-events", {**event_body(), member: wrong}))
    assert f"{member}: " in problem_title(monday.update_event(made["eventId"], {member: wrong}))
    assert f"{member}: " in problem_title(monday.update_event(made["eventId"], {member: None}))
    assert monday.list_events() == [made]


def test_everything_that_is_wrong_is_named_at_once(monday: MuseumClient) -> None:
    said = problem_title(
        monday.post("/special-events", {"dates": ["2027-01-05", "soon", "2027-02-30"], "price": "free"})
    )
    for name in ("name", "location", "eventDescription", "dates[1]", "dates[2]", "price"):
        assert f"{name}: " in said
    assert "dates[0]" not in said
    assert monday.list_events() == []
