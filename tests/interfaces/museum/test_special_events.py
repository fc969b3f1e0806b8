"""Special events are made, read, listed while a date of theirs is to come, changed member by member and canceled."""

from __future__ import annotations

from typing import Any

import pytest

from tests.claims import claims
from tests.interfaces.museum.scene import NOBODY, Museum, event_body, title


@claims("M-4.2", "M-4.4")
@pytest.mark.parametrize(
    "members",
    [{}, {"price": 0}, {"price": 12.5}, {"price": 25.0}, {"dates": []}, {"dates": ["2023-09-05", "2020-01-01"]}],
)
def test_an_event_is_read_as_it_was_sent(museum: Museum, members: dict[str, Any]) -> None:
    made = museum.make(**members)
    assert {**made, "eventId": None} == {**event_body(**members), "eventId": None}
    read = museum.event(made["eventId"])
    assert (read.status, read.json()) == (200, made)


@claims("M-4.2")
def test_every_event_gets_an_id_of_its_own_and_a_sent_one_is_ignored(museum: Museum) -> None:
    first, second = museum.make(eventId=NOBODY), museum.make(eventId=NOBODY)
    assert len({first["eventId"], second["eventId"], NOBODY}) == 3


def test_an_id_is_the_same_in_capitals(museum: Museum) -> None:
    made = museum.make()
    assert museum.event(made["eventId"].upper()).json() == made


@claims("M-4.4", "M-4.5", "M-4.6")
def test_an_unknown_event_is_not_found(museum: Museum) -> None:
    for answer in (museum.event(NOBODY), museum.change(NOBODY, {"name": "x"}), museum.cancel(NOBODY)):
        assert NOBODY in title(answer, 404, "special_event_not_found")


def test_a_malformed_id_is_named_as_wrong(museum: Museum) -> None:
    for answer in (museum.event("nope"), museum.change("nope", {}), museum.cancel("nope")):
        assert title(answer) == "Validation failed: eventId is a UUID, not 'nope'"


@claims("M-4.3")
def test_only_events_with_a_date_to_come_are_listed(monday: Museum) -> None:
    monday.make(name="past", dates=["2023-09-05", "2027-01-03"])
    monday.make(name="today", dates=["2027-01-04"])
    monday.make(name="running", dates=["2027-01-03", "2027-01-06"])
    monday.make(name="far", dates=["2031-05-01"])
    monday.make(name="undated", dates=[])
    assert monday.names() == ["today", "running", "far"]
    monday.world.advance("1d")
    assert monday.names() == ["running", "far"]
    monday.world.advance("2d")
    assert monday.names() == ["far"]


def test_the_soonest_date_in_the_window_comes_first_and_creation_decides_between_equals(monday: Museum) -> None:
    monday.make(name="c", dates=["2027-01-09", "2027-01-07"])
    monday.make(name="a", dates=["2027-01-05"])
    monday.make(name="d", dates=["2027-01-07", "2027-01-04"])
    monday.make(name="e", dates=["2027-01-07"])
    assert monday.names() == ["d", "a", "c", "e"]
    assert monday.names("?startDate=2027-01-06") == ["c", "d", "e"]


def test_a_window_includes_both_its_ends(monday: Museum) -> None:
    monday.make(name="first", dates=["2027-02-01"])
    monday.make(name="last", dates=["2027-02-28"])
    monday.make(name="around", dates=["2027-01-31", "2027-03-01"])
    assert monday.names("?startDate=2027-02-01&endDate=2027-02-28") == ["first", "last"]
    assert monday.names("?endDate=2027-01-31") == ["around"]
    assert monday.names("?startDate=2023-01-01&endDate=2026-12-31") == []


def test_the_default_window_has_no_end_unless_one_is_set(monday: Museum) -> None:
    monday.make(name="soon", dates=["2027-01-11"])
    monday.make(name="later", dates=["2027-01-12"])
    assert monday.names() == ["soon", "later"]
    monday.world.settings(museum__default_window_days=7)
    assert monday.names() == ["soon"]
    assert monday.names("?endDate=2027-02-01") == ["soon", "later"]
    assert monday.names("?startDate=9999-12-30") == []
    monday.world.settings(museum__default_window_days=None)
    assert monday.names() == ["soon", "later"]


def test_a_window_that_ends_before_it_begins_is_named_as_wrong(monday: Museum) -> None:
    assert "endDate" in title(monday.get("/special-events?startDate=2027-02-01&endDate=2027-01-31"))
    assert "today" in title(monday.get("/special-events?endDate=2027-01-03"))


def test_lists_are_paged(monday: Museum) -> None:
    for i in range(12):
        monday.make(name=str(i))
    assert monday.names() == [str(i) for i in range(10)]
    assert monday.names("?page=2") == ["10", "11"]
    assert monday.names("?page=3&limit=5&colour=red") == ["10", "11"]
    assert monday.names("?page=3") == monday.names("?page=999999999999999999&limit=30") == []
    said = title(monday.get("/special-events?page=0&limit=31&startDate=now&endDate=then"))
    assert all(name in said for name in ("page", "limit", "startDate", "endDate"))


@claims("M-4.5")
@pytest.mark.parametrize(
    "change",
    [{"name": "New"}, {"location": "Roof"}, {"eventDescription": ""}, {"dates": ["2028-01-01"]}, {"price": 0}, {},
     {"name": "Both", "price": 1.25}],
)  # fmt: skip
def test_a_patch_changes_the_members_sent_and_no_others(museum: Museum, change: dict[str, Any]) -> None:
    other, made = museum.make(), museum.make()
    answer = museum.change(made["eventId"], change)
    assert (answer.status, answer.json()) == (200, {**made, **change})
    assert museum.event(made["eventId"]).json() == {**made, **change}
    assert museum.event(other["eventId"]).json() == other


def test_a_patch_ignores_what_is_not_its_own(museum: Museum) -> None:
    made = museum.make()
    assert museum.change(made["eventId"], {"eventId": NOBODY, "colour": "red"}).json() == made


def test_a_changed_date_moves_an_event_in_the_list(monday: Museum) -> None:
    made = monday.make(dates=["2020-01-01"])
    assert monday.events() == []
    monday.change(made["eventId"], {"dates": ["2027-01-04"]})
    assert monday.names() == [made["name"]]


@claims("M-4.6")
def test_a_canceled_event_is_gone(monday: Museum) -> None:
    made, other = monday.make(), monday.make(name="other")
    gone = monday.cancel(made["eventId"])
    assert (gone.status, gone.body) == (204, b"")
    assert monday.event(made["eventId"]).status == 404
    assert monday.events() == [other]
    assert monday.cancel(made["eventId"]).status == 404


@pytest.mark.parametrize("member", ["name", "location", "eventDescription", "dates", "price"])
@pytest.mark.parametrize("wrong", [True, {}])
def test_a_member_of_the_wrong_kind_is_named_and_nothing_changes(monday: Museum, member: str, wrong: Any) -> None:
    made = monday.make()
    assert f"{member}: " in title(monday.post("/special-events", {**event_body(), member: wrong}))
    assert f"{member}: " in title(monday.change(made["eventId"], {member: wrong}))
    assert f"{member}: " in title(monday.change(made["eventId"], {member: None}))
    assert monday.events() == [made]


def test_everything_that_is_wrong_is_named_at_once(monday: Museum) -> None:
    said = title(monday.post("/special-events", {"dates": ["2027-01-05", "soon", "2027-02-30"], "price": "free"}))
    for name in ("name", "location", "eventDescription", "dates[1]", "dates[2]", "price"):
        assert f"{name}: " in said
    assert "dates[0]" not in said
    assert monday.events() == []
