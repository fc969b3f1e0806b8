"""Lists of the catalogue and the roster: every row once in pages of any size; searches and cursors."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.shows import shows
from tests.support.responses import expect_error, expect_status
from tests.support.team.clients import TeamClient, TeamClients
from tests.support.team.local_time import local_today, month_day_in
from tests.support.team.people import PERSON_FIELDS, display_names, person_ids, person_row, person_rows, upsert_people
from tests.support.worlds import World

in_one_world = settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=40)

HOW_MANY = 33
LISTS = ("/collections", "/items", "/people")
LIMITS = pytest.mark.parametrize("path", [
    pytest.param("/collections", marks=shows("T-4.8")),
    pytest.param("/items", marks=shows("T-4.13")),
    pytest.param("/people", marks=shows("T-4.21")),
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
@shows("T-4.213")
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


@shows("T-4.213", "T-4.21")
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


@shows("T-4.22")
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


@shows("T-4.22", "T-4.213")
def test_a_search_is_paged_like_the_whole_list(team_with_many_rows: TeamClients) -> None:
    whole = [entry for entry in team_with_many_rows.live.list_all("/people", 100) if "3" in entry["display_name"]]
    assert len(whole) > 5
    for limit in (1, 2, len(whole), len(whole) + 1):
        assert team_with_many_rows.live.list_all("/people?q=3", limit) == whole


@shows("T-4.214", "T-4.215", "T-4.216")
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


@shows("T-4.212")
def test_an_idempotency_key_on_a_read_is_ignored(team: TeamClients) -> None:
    before = team.live.get("/people", Idempotency_Key="read").json()
    upsert_people(team.live, person_row("bo"))
    after = team.live.get("/people", Idempotency_Key="read").json()
    assert (before["data"], display_names(after["data"])) == ([], ["Bo"])
    assert team.live.get("/people", Idempotency_Key="\u0001" * 200).status == 200


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


@shows("T-4.16")
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


@shows("T-4.16")
def test_an_anniversary_has_its_years_and_a_first_day_is_not_one(team: TeamClients) -> None:
    starts = {"four": (3, 4), "eight": (2, 8), "first": (1, 0), "late": (40, 4)}
    days = {name: start_date(team, *entry) for name, entry in starts.items()}
    days["hired"] = f"9996-{month_day_in(team.world, 5)}"
    upsert_people(team.live, *(person_row(name, start_date=day) for name, day in days.items()))
    assert [(name, [(kind, years) for kind, _, years in dates]) for name, dates in upcoming_dates(team)] == [
        ("Eight", [("work_anniversary", 8)]),
        ("Four", [("work_anniversary", 4)]),
    ]


@shows("T-4.16")
def test_a_person_with_both_is_listed_once_with_the_soonest_first(team: TeamClients) -> None:
    both = person_row("bo", birthday=month_day_in(team.world, 9), start_date=f"1988-{month_day_in(team.world, 4)}")
    upsert_people(team.live, both, person_row("cy", birthday=month_day_in(team.world, 6)))
    assert [(name, [kind for kind, _, _ in dates]) for name, dates in upcoming_dates(team)] == [
        ("Bo", ["work_anniversary", "birthday"]),
        ("Cy", ["birthday"]),
    ]


@shows("T-4.18")
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


@shows("T-4.16")
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


STORED = person_row(**PERSON_FIELDS)


def blind_key(team: TeamClients, cause: str) -> TeamClient:
    """A key that writes to the roster but may not read it, for lack of the role or of the scope."""
    if cause == "role":
        return team.key("people:read", "people:write", role="requester")
    return team.key("people:write", role="approver")


CAUSES = pytest.mark.parametrize("cause", ["role", "scope"])


@shows("T-4.218")
@CAUSES
def test_a_patch_by_who_may_not_read_shows_only_what_was_sent(team: TeamClients, cause: str) -> None:
    (person,) = upsert_people(team.live, STORED)
    response = expect_status(blind_key(team, cause).patch(f"/people/{person['id']}", {"department": "Legal"}), 200)
    assert response.json() == {"id": person["id"], "department": "Legal", "livemode": True}
    (reloaded,) = [row for row in team.live.list_all("/people") if row["id"] == person["id"]]
    assert reloaded == {
        **{name: value for name, value in person.items() if name != "ignored_fields"}, "department": "Legal",
    }  # fmt: skip


@CAUSES
def test_an_empty_patch_by_who_may_not_read_shows_the_id_alone(team: TeamClients, cause: str) -> None:
    (person,) = upsert_people(team.live, STORED)
    response = blind_key(team, cause).patch(f"/people/{person['id']}", {"work_email": "new@example.com"})
    assert expect_status(response, 200).json() == {"id": person["id"], "livemode": True}


@shows("T-4.218")
@CAUSES
def test_an_upsert_by_who_may_not_read_shows_only_what_was_sent(team: TeamClients, cause: str) -> None:
    (person,) = upsert_people(team.live, STORED)
    rows = [
        {"work_email": STORED["work_email"], "zip": "89501", "country": None},
        person_row("new", department="Legal"),
    ]
    response = expect_status(blind_key(team, cause).post("/people", {"people": rows}), 201)
    known, new = response.json()["data"]
    assert known == {"id": person["id"], "zip": "89501", "livemode": True}
    assert new == {"id": new["id"], "first_name": "New", "department": "Legal", "livemode": True}
    assert (response.json()["created"], response.json()["updated"]) == (1, 1)


@CAUSES
@pytest.mark.parametrize("refuse", [False, True])
def test_who_may_not_read_does_not_learn_what_a_provider_manages(team: TeamClients, cause: str, refuse: bool) -> None:
    managed = {"work_email": "ada@example.com", "first_name": "Ada", "managed_fields": ["first_name"]}
    team.world.simulate("crm", provider="hubspot", people=[managed])
    (person,) = [row for row in team.live.list_all("/people") if row["first_name"] == "Ada"]
    if refuse:
        team.world.change_settings(people__managed_fields="refuse")
    response = blind_key(team, cause).patch(f"/people/{person['id']}", {"first_name": "Bea"})
    if refuse:
        expect_error(response, 422, "validation_failed")
        assert person["provider"] not in response.text
    else:
        assert expect_status(response, 200).json() == {"id": person["id"], "first_name": "Bea", "livemode": True}


def test_where_the_roster_needs_no_role_a_requester_sees_the_person(team: TeamClients) -> None:
    (person,) = upsert_people(team.live, STORED)
    team.world.change_settings(roster_role_paths=[])
    written = blind_key(team, "role").patch(f"/people/{person['id']}", {}).json()
    assert written == {**person, "updated_at": written["updated_at"]}


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=40, deadline=None)
@given(st.dictionaries(st.sampled_from([*PERSON_FIELDS, "nickname", "provider"]), st.none() | st.just("Zz")))
def test_no_answer_to_who_may_not_read_holds_more_than_was_sent(team: TeamClients, sent: dict[str, Any]) -> None:
    upsert_people(team.live, STORED)
    response = blind_key(team, "role").post("/people", {"people": [{"work_email": STORED["work_email"], **sent}]})
    if response.status == 200:
        (row,) = response.json()["data"]
        assert {name: value for name, value in row.items() if name not in ("id", "livemode")} == {
            name: value for name, value in sent.items() if name in PERSON_FIELDS and value is not None
        }
    else:
        expect_error(response, 422, "validation_failed")
