"""Pages: every row once while rows are added and removed, and cursors valid for one list only."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.shows import shows
from tests.support.responses import expect_error
from tests.support.team.clients import TeamClient, TeamClients
from tests.support.worlds import World

Make = Callable[..., World]
COUNT = 57


def add_people(client: TeamClient, first: int, count: int) -> None:
    """Create so many people, numbered from `first`."""
    people = [{"work_email": f"p{n}@example.com", "first_name": f"P{n}"} for n in range(first, first + count)]
    client.post_json("/people", {"people": people})


def first_names(rows: list[Any]) -> list[str]:
    return [row["first_name"] for row in rows]


@pytest.fixture
def team_with_people(team: TeamClients) -> TeamClients:
    """A team with 57 people on its roster."""
    add_people(team.live, 0, COUNT)
    return team


@shows("T-2.2", "T-4.5")
def test_a_page_has_25_rows_by_default_and_the_last_has_no_cursor(new_world: Make) -> None:
    members = {f"user{n:02}": {"name": f"User {n:02}"} for n in range(25)}
    team = TeamClients(new_world(fixture={"extends": "empty", "teams": {"northwind": {"members": members}}}))
    first = team.live.get_json("/members")
    assert len(first["data"]) == 25
    second = team.live.get_json(f"/members?cursor={first['next_cursor']}")
    assert (len(second["data"]), second["next_cursor"]) == (5, None)
    assert len({row["id"] for row in first["data"] + second["data"]}) == 30
    assert len(team.live.get_json("/members?limit=1")["data"]) == 1
    assert team.live.get_json("/members?limit=30")["next_cursor"] is None
    assert len(team.live.get_json("/members?limit=100")["data"]) == 30


@shows("T-4.213")
@pytest.mark.parametrize("limit", [1, 2, 10, COUNT - 1, COUNT, COUNT + 1])
def test_pages_contain_each_row_once_newest_first(team_with_people: TeamClients, limit: int) -> None:
    assert first_names(team_with_people.live.list_all("/people", limit)) == [f"P{n}" for n in range(COUNT - 1, -1, -1)]


@shows("T-4.213")
def test_rows_added_or_removed_between_pages_do_not_affect_the_others(team_with_people: TeamClients) -> None:
    statuses, cursor, page = list[str](), "", 0
    while True:
        response = team_with_people.live.get_json(f"/people?limit=10{cursor}")
        statuses += first_names(response["data"])
        add_people(team_with_people.live, 1000 + 10 * page, 3)
        if page == 1:
            for row in team_with_people.live.get_json("/people?limit=100&q=P3")["data"]:
                if row["first_name"] in ("P37", "P3"):
                    team_with_people.live.delete(f"/people/{row['id']}")
        if response["next_cursor"] is None:
            break
        cursor, page = f"&cursor={response['next_cursor']}", page + 1
    assert statuses == [f"P{n}" for n in range(COUNT - 1, -1, -1) if n != 3]


def test_the_limit_can_change_between_pages(team_with_people: TeamClients) -> None:
    first = team_with_people.live.get_json("/people?limit=7")
    second = team_with_people.live.get_json(f"/people?limit=100&cursor={first['next_cursor']}")
    assert first_names(first["data"] + second["data"]) == [f"P{n}" for n in range(COUNT - 1, -1, -1)]


@shows("T-4.214", "T-4.215", "T-4.216")
def test_a_cursor_belongs_to_its_team_mode_list_and_filters(team_with_people: TeamClients) -> None:
    cursor = team_with_people.live.get_json("/people?limit=1")["next_cursor"]
    filtered_cursor = team_with_people.live.get_json("/people?limit=1&q=P1")["next_cursor"]
    for client in (team_with_people.other, team_with_people.test):
        add_people(client, 0, COUNT)
        expect_error(client.get(f"/people?cursor={cursor}"), 400, "invalid_cursor")
    expect_error(team_with_people.live.get(f"/members?cursor={cursor}"), 400, "invalid_cursor")
    item = team_with_people.live.get_json("/items?limit=1")["next_cursor"]
    for path in ("/collections", "/members", "/people"):
        expect_error(team_with_people.live.get(f"{path}?cursor={item}"), 400, "invalid_cursor")
    expect_error(team_with_people.live.get(f"/people?cursor={cursor}&q=P1"), 400, "invalid_cursor")
    expect_error(team_with_people.live.get(f"/people?cursor={filtered_cursor}&q=P2"), 400, "invalid_cursor")
    expect_error(team_with_people.live.get(f"/people?cursor={filtered_cursor}"), 400, "invalid_cursor")
    assert team_with_people.live.get_json(f"/people?cursor={cursor}")["data"]
    assert team_with_people.live.get_json(f"/people?cursor={filtered_cursor}&q=P1")["data"]


def test_a_cursor_of_another_sandbox_is_refused(team: TeamClients) -> None:
    add_people(team.test, 0, 3)
    add_people(team.test_second, 0, 3)
    cursor = team.test.get_json("/people?limit=1")["next_cursor"]
    expect_error(team.test_second.get(f"/people?cursor={cursor}"), 400, "invalid_cursor")


def test_a_cursor_that_was_not_issued_is_refused(team_with_people: TeamClients) -> None:
    cursor = team_with_people.live.get_json("/people?limit=1")["next_cursor"]
    bent = [cursor[:-1], cursor + "A", cursor.swapcase(), cursor + "=", "", "nonsense", "é", "0", "A" * 32, "A" * 1001]
    for text in bent:
        expect_error(team_with_people.live.get(f"/people?cursor={text}"), 400, "invalid_cursor")


def test_a_cursor_stays_valid_after_its_row_is_deleted(team_with_people: TeamClients) -> None:
    first = team_with_people.live.get_json("/people?limit=1")
    team_with_people.live.delete(f"/people/{first['data'][0]['id']}")
    assert first_names(team_with_people.live.get_json(f"/people?limit=1&cursor={first['next_cursor']}")["data"]) == [
        f"P{COUNT - 2}"
    ]


def test_a_setting_clamps_limits_out_of_bounds(team_with_people: TeamClients) -> None:
    team_with_people.world.change_settings(clamp_limits=True)
    assert len(team_with_people.live.get_json("/people?limit=0")["data"]) == 1
    assert len(team_with_people.live.get_json("/people?limit=-5")["data"]) == 1
    assert len(team_with_people.live.get_json("/people?limit=1000")["data"]) == COUNT
    expect_error(team_with_people.live.get("/people?limit=abc"), 400, "invalid_parameter")
    expect_error(team_with_people.live.get("/people?limit=1.5"), 400, "invalid_parameter")
