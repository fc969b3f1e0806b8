"""Upcoming birthdays and work anniversaries: within 30 days in Los Angeles, soonest first (A7.10, G12)."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from tests.claims import claims
from tests.support.responses import expect_error
from tests.support.team.clients import TeamClients
from tests.support.team.local_time import local_today, month_day_in
from tests.support.team.people import display_names, person_row, upsert_people
from tests.support.worlds import World


def upcoming_dates(team: TeamClients, query: str = "") -> list[tuple[str, list[tuple[str, str, int | None]]]]:
    """The upcoming people as (name, [(kind, date, years)])."""
    response = team.live.get_json(f"/people/upcoming{query}")
    assert response["next_cursor"] is None
    return [
        (entry["display_name"], [(each["occasion"], each["date"], each["years"]) for each in entry["upcoming"]])
        for entry in response["data"]
    ]


def start_date(team: TeamClients, days: int, years: int) -> str:
    """A start date whose anniversary is in so many days. With 4 or 8 years, leap days match the present year."""
    day = local_today(team.world) + timedelta(days=days)
    return f"{day.year - years:04}{day.isoformat()[4:]}"


@claims("T-4.16")
def test_people_with_a_date_within_thirty_days_are_listed_soonest_first(team: TeamClients) -> None:
    birthdays = {"far": 31, "edge": 30, "now": 0, "soon": 7, "past": -1}
    upsert_people(
        team.live, *(person_row(name, birthday=month_day_in(team.world, days)) for name, days in birthdays.items())
    )
    upsert_people(team.live, person_row("none"))
    expected = [("Now", 0), ("Soon", 7), ("Edge", 30)]
    assert [(name, dates[0][:2]) for name, dates in upcoming_dates(team)] == [
        (name, ("birthday", (local_today(team.world) + timedelta(days=days)).isoformat())) for name, days in expected
    ]


@claims("T-4.16")
def test_an_anniversary_has_its_years_and_a_first_day_is_not_one(team: TeamClients) -> None:
    starts = {"four": (3, 4), "eight": (2, 8), "first": (1, 0), "late": (40, 4)}
    days = {name: start_date(team, *entry) for name, entry in starts.items()}
    days["hired"] = f"9996-{month_day_in(team.world, 5)}"
    upsert_people(team.live, *(person_row(name, start_date=day) for name, day in days.items()))
    assert [(name, [(kind, years) for kind, _, years in dates]) for name, dates in upcoming_dates(team)] == [
        ("Eight", [("work_anniversary", 8)]),
        ("Four", [("work_anniversary", 4)]),
    ]


@claims("T-4.16")
def test_a_person_with_both_is_listed_once_with_the_soonest_first(team: TeamClients) -> None:
    both = person_row("bo", birthday=month_day_in(team.world, 9), start_date=f"1988-{month_day_in(team.world, 4)}")
    upsert_people(team.live, both, person_row("cy", birthday=month_day_in(team.world, 6)))
    assert [(name, [kind for kind, _, _ in dates]) for name, dates in upcoming_dates(team)] == [
        ("Bo", ["work_anniversary", "birthday"]),
        ("Cy", ["birthday"]),
    ]


@claims("T-4.18")
def test_a_search_matches_names_and_departments(team: TeamClients) -> None:
    soon = month_day_in(team.world, 3)
    upsert_people(
        team.live, person_row("bo", birthday=soon, last_name="Berg"),
        person_row("cy", birthday=soon, department="Bergwerk"),
        person_row("di", birthday=soon, work_email="berg@example.com"), person_row("ed", last_name="Berg"),
    )  # fmt: skip
    assert [name for name, _ in upcoming_dates(team, "?q=BERG")] == ["Bo Berg", "Cy"]
    assert upcoming_dates(team, "?q=nobody") == []
    assert len(upcoming_dates(team, "?q=")) == 3


@claims("T-4.16")
def test_upcoming_is_a_route_and_not_a_person_id(team: TeamClients) -> None:
    assert team.live.get_json("/people/upcoming") == {"data": [], "next_cursor": None}
    expect_error(team.live.delete("/people/upcoming"), 405, "method_not_allowed")


def test_each_roster_has_its_own_upcoming_dates(team: TeamClients) -> None:
    soon = month_day_in(team.world, 3)
    for client, name in ((team.live, "bo"), (team.test, "cy"), (team.other, "di")):
        upsert_people(client, person_row(name, birthday=soon))
    for client, name in ((team.live, "Bo"), (team.test, "Cy"), (team.other, "Di")):
        assert display_names(client.get_json("/people/upcoming")["data"]) == [name]
    assert team.test_second.get_json("/people/upcoming")["data"] == []


def test_a_setting_changes_the_window(team: TeamClients) -> None:
    upsert_people(team.live, *(person_row(f"p{days}", birthday=month_day_in(team.world, days)) for days in (0, 1, 60)))
    team.world.change_settings(people__upcoming_days=0)
    assert [name for name, _ in upcoming_dates(team)] == ["P0"]
    team.world.change_settings(people__upcoming_days=60)
    assert [name for name, _ in upcoming_dates(team)] == ["P0", "P1", "P60"]


def test_the_day_starts_at_midnight_in_los_angeles(new_world: Callable[..., World]) -> None:
    team = TeamClients(new_world(now="2027-01-05T07:59:59Z"))
    upsert_people(team.live, person_row("bo", birthday="01-04"), person_row("cy", birthday="02-04"))
    assert [name for name, _ in upcoming_dates(team)] == ["Bo"]
    team.world.advance("1s")
    assert [name for name, _ in upcoming_dates(team)] == ["Cy"]


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
def test_a_leap_day_falls_a_day_earlier_in_other_years(
    new_world: Callable[..., World], now: str, birthday: str, anniversary: tuple[str, int] | None
) -> None:
    team = TeamClients(new_world(now=now))
    upsert_people(team.live, person_row("bo", birthday="02-29"), person_row("cy", start_date="2024-02-29"))
    expected: list[Any] = [("Bo", [("birthday", birthday, None)])]
    if anniversary:
        expected.append(("Cy", [("work_anniversary", *anniversary)]))
    assert upcoming_dates(team) == expected


def test_dates_after_the_year_9999_are_left_out(new_world: Callable[..., World]) -> None:
    team = TeamClients(new_world(now="9999-12-30T12:00:00Z"))
    upsert_people(team.live, person_row("bo", birthday="12-31"), person_row("cy", birthday="01-05"))
    assert [name for name, _ in upcoming_dates(team)] == ["Bo"]
