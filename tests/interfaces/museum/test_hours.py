"""Opening hours: they start at the world's current day and omit closed days."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta
from typing import Any

import pytest

from tests.claims import claims
from tests.support.museum import MuseumClient, problem_title

TEN = [f"2027-01-{day:02}" for day in (4, 5, 6, 7, 8, 11, 12, 13, 14, 15)]


def dates_of(entries: Any) -> list[str]:
    return [entry["date"] for entry in entries]


@claims("M-4.1")
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
