"""Lists of the catalogue and the roster: every row once in pages of any size; searches and cursors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.claims import claims
from tests.support.responses import expect_error
from tests.support.team.clients import TeamClient, TeamClients
from tests.support.team.people import display_names, person_ids, person_row, person_rows, upsert_people
from tests.support.worlds import World

in_one_world = settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=40)

HOW_MANY = 33
LISTS = ("/collections", "/items", "/people")
LIMITS = pytest.mark.parametrize("path", [
    pytest.param("/collections", marks=claims("T-4.8")),
    pytest.param("/items", marks=claims("T-4.13")),
    pytest.param("/people", marks=claims("T-4.21")),
])  # fmt: skip


@pytest.fixture
def team_with_many_rows(new_world: Callable[..., World]) -> TeamClients:
    """A team with more than a page of people and collections."""
    created = [{"id": 900 + i, "slug": f"kit-{i}", "name": f"Kit {i}", "items": ["mug-01"]} for i in range(HOW_MANY)]
    team = TeamClients(new_world(fixture={"extends": "empty", "collections": created}))
    upsert_people(team.live, *person_rows(HOW_MANY))
    return team


def get_page(client: TeamClient, path: str, **query: Any) -> Any:
    """Read one page, which must succeed."""
    text = "&".join(f"{name}={value}" for name, value in query.items())
    return client.get_json(f"{path}?{text}" if text else path)


@LIMITS
def test_a_page_has_twenty_five_rows_by_default(team_with_many_rows: TeamClients, path: str) -> None:
    whole = team_with_many_rows.live.list_all(path, 100)
    assert len(whole) >= HOW_MANY
    first = get_page(team_with_many_rows.live, path)
    assert first["data"] == whole[:25]
    assert get_page(team_with_many_rows.live, path, cursor=first["next_cursor"])["data"] == whole[25:50]
    assert get_page(team_with_many_rows.live, path, limit=100) == {"data": whole, "next_cursor": None}


@LIMITS
@claims("T-4.213")
def test_following_the_cursors_lists_every_row_once(team_with_many_rows: TeamClients, path: str) -> None:
    whole = team_with_many_rows.live.list_all(path, 100)
    assert len({entry["id"] for entry in whole}) == len(whole)
    for limit in (1, 2, len(whole) - 1, len(whole), len(whole) + 1):
        assert team_with_many_rows.live.list_all(path, limit) == whole


@LIMITS
@pytest.mark.parametrize("limit", ["0", "101", "-1", "1.5", "abc", "", "1e1", "+2", "0x2", "²", "9" * 30, "2&limit=3"])
def test_a_limit_out_of_bounds_is_refused(team: TeamClients, path: str, limit: str) -> None:
    expect_error(team.live.get(f"{path}?limit={limit}"), 400, "invalid_parameter")


@LIMITS
def test_the_limit_can_change_between_pages(team_with_many_rows: TeamClients, path: str) -> None:
    whole, matches, cursor = team_with_many_rows.live.list_all(path, 100), [], None
    for limit in (1, 3, 2, 100):
        response = get_page(team_with_many_rows.live, path, limit=limit, **({"cursor": cursor} if cursor else {}))
        matches += response["data"]
        cursor = response["next_cursor"]
    assert (matches, cursor) == (whole, None)


@claims("T-4.213", "T-4.21")
@in_one_world
@given(
    limit=st.integers(1, 9),
    operations=st.lists(st.tuples(st.sampled_from(["add", "drop", "change", "none"]), st.integers(0, 99)), max_size=30),
)
def test_paging_visits_every_remaining_row_once_while_rows_are_added_and_removed(
    new_world: Callable[..., World], limit: int, operations: list[tuple[str, int]]
) -> None:
    live = TeamClients(new_world()).live
    start = person_ids(upsert_people(live, *person_rows(20)))
    removed: set[Any] = set()
    matches: list[Any] = []
    response = get_page(live, "/people", limit=limit)
    for i, (operation, which) in enumerate([*operations, *[("none", 0)] * 30]):
        matches += person_ids(response["data"])
        if response["next_cursor"] is None:
            break
        remaining = [person_id for person_id in start if person_id not in removed]
        if operation == "add":
            upsert_people(live, person_row(f"late{i}"))
        elif operation == "drop" and remaining:
            removed.add(remaining[which % len(remaining)])
            live.delete(f"/people/{remaining[which % len(remaining)]}")
        elif operation == "change":
            upsert_people(live, person_row(f"p{which % 20}", department="Legal"))
        response = get_page(live, "/people", limit=limit, cursor=response["next_cursor"])
    assert len(matches) == len(set(matches))
    kept = [person_id for person_id in reversed(start) if person_id not in removed]
    assert [person_id for person_id in matches if person_id in kept] == kept


@claims("T-4.22")
def test_a_search_matches_part_of_a_name_or_department_and_never_an_email(team: TeamClients) -> None:
    upsert_people(
        team.live, person_row("bo", last_name="Bergé", department="Sales"),
        person_row("cy", department="ÉCOLE bergère"),
        person_row("di", work_email="berg@example.com", location="Berg", status="berg"),
        person_row("ed", last_name="Straße"),
    )  # fmt: skip
    for q, expected in {
        "BERG": ["Cy", "Bo Bergé"], "bergÉ": ["Bo Bergé"], "o%20b": ["Bo Bergé"], "Bo%20Berg%C3%A9": ["Bo Bergé"],
        "sales": ["Bo Bergé"], "école": ["Cy"], "STRASSE": ["Ed Straße"], "example": [], "@": [], "nobody": [],
        "": ["Ed Straße", "Di", "Cy", "Bo Bergé"],
    }.items():  # fmt: skip
        assert display_names(team.live.get_json(f"/people?q={q}")["data"]) == expected, q


@claims("T-4.22", "T-4.213")
def test_a_search_is_paged_like_the_whole_list(team_with_many_rows: TeamClients) -> None:
    whole = [entry for entry in team_with_many_rows.live.list_all("/people", 100) if "3" in entry["display_name"]]
    assert len(whole) > 5
    for limit in (1, 2, len(whole), len(whole) + 1):
        assert team_with_many_rows.live.list_all("/people?q=3", limit) == whole


@claims("T-4.214", "T-4.215", "T-4.216")
def test_a_cursor_is_valid_only_for_its_list_team_and_mode(team_with_many_rows: TeamClients) -> None:
    for client in (team_with_many_rows.other, team_with_many_rows.test, team_with_many_rows.test_second):
        upsert_people(client, *person_rows(3))
    cursors = {path: get_page(team_with_many_rows.live, path, limit=1)["next_cursor"] for path in LISTS}
    searched = get_page(team_with_many_rows.live, "/people", limit=1, q="p")["next_cursor"]
    for path in LISTS:
        for client in (team_with_many_rows.other, team_with_many_rows.test, team_with_many_rows.test_second):
            expect_error(client.get(f"{path}?cursor={cursors[path]}"), 400, "invalid_cursor")
        for foreign in (name for name in LISTS if name != path):
            expect_error(team_with_many_rows.live.get(f"{path}?cursor={cursors[foreign]}"), 400, "invalid_cursor")
        assert team_with_many_rows.requester.get(f"{path}?cursor={cursors[path]}").status == (
            403 if path == "/people" else 200
        )
    for query in (f"cursor={searched}", f"q=a&cursor={searched}", f"q=p&cursor={cursors['/people']}"):
        expect_error(team_with_many_rows.live.get(f"/people?{query}"), 400, "invalid_cursor")
    assert get_page(team_with_many_rows.live, "/people", q="p", cursor=searched)["data"]


@pytest.mark.parametrize("path", LISTS)
@pytest.mark.parametrize("cursor", ["", "x", "null", "MQ", "%00", "é", "A" * 32, "A" * 1001])
def test_a_malformed_cursor_is_refused(team_with_many_rows: TeamClients, path: str, cursor: str) -> None:
    expect_error(team_with_many_rows.live.get(f"{path}?cursor={cursor}"), 400, "invalid_cursor")
    good = get_page(team_with_many_rows.live, path, limit=1)["next_cursor"]
    for bad in (good + "=", good + "A", good[:-1], good.swapcase(), f"%20{good}"):
        expect_error(team_with_many_rows.live.get(f"{path}?cursor={bad}"), 400, "invalid_cursor")


@claims("T-4.212")
def test_an_idempotency_key_on_a_read_is_ignored(team: TeamClients) -> None:
    before = team.live.get("/people", Idempotency_Key="read").json()
    upsert_people(team.live, person_row("bo"))
    after = team.live.get("/people", Idempotency_Key="read").json()
    assert (before["data"], display_names(after["data"])) == ([], ["Bo"])
    assert team.live.get("/people", Idempotency_Key="\u0001" * 200).status == 200
