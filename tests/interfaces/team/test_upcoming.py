"""Birthdays and work anniversaries to come: 30 days of Los Angeles, the soonest first (A7.10, G12)."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from tests.claims import claims
from tests.harness import World
from tests.interfaces.team.company import enroll, in_days, names, row, today
from tests.interfaces.team.scene import Team, refused


def coming(team: Team, query: str = "") -> list[tuple[str, list[tuple[str, str, int | None]]]]:
    """Who has what to come."""
    answer = team.live.got(f"/people/upcoming{query}")
    assert answer["next_cursor"] is None
    return [
        (entry["display_name"], [(each["occasion"], each["date"], each["years"]) for each in entry["upcoming"]])
        for entry in answer["data"]
    ]


def started(team: Team, days: int, years: int) -> str:
    """A start date whose anniversary comes in so many days; four years and eight have a leap day where this one has."""
    day = today(team.world) + timedelta(days=days)
    return f"{day.year - years:04}{day.isoformat()[4:]}"


@claims("T-4.16")
def test_those_who_have_a_date_within_thirty_days_come_soonest_first(team: Team) -> None:
    birthdays = {"far": 31, "edge": 30, "now": 0, "soon": 7, "past": -1}
    enroll(team.live, *(row(name, birthday=in_days(team.world, days)) for name, days in birthdays.items()))
    enroll(team.live, row("none"))
    expected = [("Now", 0), ("Soon", 7), ("Edge", 30)]
    assert [(name, found[0][:2]) for name, found in coming(team)] == [
        (name, ("birthday", (today(team.world) + timedelta(days=days)).isoformat())) for name, days in expected
    ]


@claims("T-4.16")
def test_an_anniversary_comes_with_its_years_and_a_first_day_is_none(team: Team) -> None:
    starts = {"four": (3, 4), "eight": (2, 8), "first": (1, 0), "late": (40, 4)}
    days = {name: started(team, *entry) for name, entry in starts.items()}
    days["hired"] = f"9996-{in_days(team.world, 5)}"
    enroll(team.live, *(row(name, start_date=day) for name, day in days.items()))
    assert [(name, [(kind, years) for kind, _, years in dates]) for name, dates in coming(team)] == [
        ("Eight", [("work_anniversary", 8)]),
        ("Four", [("work_anniversary", 4)]),
    ]


@claims("T-4.16")
def test_a_person_with_both_is_listed_once_with_the_soonest_first(team: Team) -> None:
    both = row("bo", birthday=in_days(team.world, 9), start_date=f"1988-{in_days(team.world, 4)}")
    enroll(team.live, both, row("cy", birthday=in_days(team.world, 6)))
    assert [(name, [kind for kind, _, _ in dates]) for name, dates in coming(team)] == [
        ("Bo", ["work_anniversary", "birthday"]),
        ("Cy", ["birthday"]),
    ]


@claims("T-4.18")
def test_a_search_finds_names_and_departments_among_them(team: Team) -> None:
    soon = in_days(team.world, 3)
    enroll(
        team.live, row("bo", birthday=soon, last_name="Berg"), row("cy", birthday=soon, department="Bergwerk"),
        row("di", birthday=soon, work_email="berg@example.com"), row("ed", last_name="Berg"),
    )  # fmt: skip
    assert [name for name, _ in coming(team, "?q=BERG")] == ["Bo Berg", "Cy"]
    assert coming(team, "?q=nobody") == []
    assert len(coming(team, "?q=")) == 3


@claims("T-4.16")
def test_upcoming_is_a_route_and_no_person(team: Team) -> None:
    assert team.live.got("/people/upcoming") == {"data": [], "next_cursor": None}
    refused(team.live.delete("/people/upcoming"), 405, "method_not_allowed")


def test_each_roster_has_its_own_dates(team: Team) -> None:
    soon = in_days(team.world, 3)
    for face, name in ((team.live, "bo"), (team.test, "cy"), (team.other, "di")):
        enroll(face, row(name, birthday=soon))
    for face, name in ((team.live, "Bo"), (team.test, "Cy"), (team.other, "Di")):
        assert names(face.got("/people/upcoming")["data"]) == [name]
    assert team.test_second.got("/people/upcoming")["data"] == []


def test_the_window_may_be_set(team: Team) -> None:
    enroll(team.live, *(row(f"p{days}", birthday=in_days(team.world, days)) for days in (0, 1, 60)))
    team.world.settings(people__upcoming_days=0)
    assert [name for name, _ in coming(team)] == ["P0"]
    team.world.settings(people__upcoming_days=60)
    assert [name for name, _ in coming(team)] == ["P0", "P1", "P60"]


def test_the_day_turns_at_midnight_in_los_angeles(new_world: Callable[..., World]) -> None:
    team = Team(new_world(now="2027-01-05T07:59:59Z"))
    enroll(team.live, row("bo", birthday="01-04"), row("cy", birthday="02-04"))
    assert [name for name, _ in coming(team)] == ["Bo"]
    team.world.advance("1s")
    assert [name for name, _ in coming(team)] == ["Cy"]


@pytest.mark.parametrize(
    ("now", "birthday", "anniversary"),
    [
        ("2027-02-20T12:00:00Z", "2027-02-28", ("2027-02-28", 3)),
        ("2027-03-01T05:00:00Z", "2027-02-28", ("2027-02-28", 3)),
        ("2028-02-20T12:00:00Z", "2028-02-29", ("2028-02-29", 4)),
        ("2100-02-20T12:00:00Z", "2100-02-28", ("2100-02-28", 76)),
        ("2000-02-28T12:00:00Z", "2000-02-29", None),
    ],
)
def test_a_leap_day_is_kept_a_day_earlier_in_other_years(
    new_world: Callable[..., World], now: str, birthday: str, anniversary: tuple[str, int] | None
) -> None:
    team = Team(new_world(now=now))
    enroll(team.live, row("bo", birthday="02-29"), row("cy", start_date="2024-02-29"))
    expected: list[Any] = [("Bo", [("birthday", birthday, None)])]
    if anniversary:
        expected.append(("Cy", [("work_anniversary", *anniversary)]))
    assert coming(team) == expected


def test_the_last_days_of_the_calendar_have_no_next_year(new_world: Callable[..., World]) -> None:
    team = Team(new_world(now="9999-12-30T12:00:00Z"))
    enroll(team.live, row("bo", birthday="12-31"), row("cy", birthday="01-05"))
    assert [name for name, _ in coming(team)] == ["Bo"]
