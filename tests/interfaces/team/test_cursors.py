"""Lists page by page: every row once while rows come and go, and a cursor that opens its own list alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from giftsim.build import make_laws
from giftsim.gateway.cursors import seal, unseal
from giftsim.gateway.problem import InvalidCursor
from giftsim.kernel.state import State
from tests.claims import claims
from tests.harness import World
from tests.interfaces.team.scene import Team, TeamFace, refused

Make = Callable[..., World]
COUNT = 57


def roster(face: TeamFace, first: int, count: int) -> None:
    """So many people more, numbered from `first`."""
    people = [{"work_email": f"p{n}@example.com", "first_name": f"P{n}"} for n in range(first, first + count)]
    face.make("/people", {"people": people})


def names(rows: list[Any]) -> list[str]:
    return [row["first_name"] for row in rows]


@pytest.fixture
def full(team: Team) -> Team:
    """A team with 57 people on its roster."""
    roster(team.live, 0, COUNT)
    return team


@claims("T-2.2", "T-4.5")
def test_a_page_holds_25_rows_unless_told_and_ends_with_null(new_world: Make) -> None:
    members = {f"user{n:02}": {"name": f"User {n:02}"} for n in range(25)}
    team = Team(new_world(fixture={"extends": "empty", "teams": {"northwind": {"members": members}}}))
    first = team.live.got("/members")
    assert len(first["data"]) == 25
    second = team.live.got(f"/members?cursor={first['next_cursor']}")
    assert (len(second["data"]), second["next_cursor"]) == (5, None)
    assert len({row["id"] for row in first["data"] + second["data"]}) == 30
    assert len(team.live.got("/members?limit=1")["data"]) == 1
    assert team.live.got("/members?limit=30")["next_cursor"] is None
    assert len(team.live.got("/members?limit=100")["data"]) == 30


@claims("T-4.213")
@pytest.mark.parametrize("limit", [1, 2, 10, COUNT - 1, COUNT, COUNT + 1])
def test_each_row_comes_once_and_the_newest_first(full: Team, limit: int) -> None:
    assert names(full.live.listed("/people", limit)) == [f"P{n}" for n in range(COUNT - 1, -1, -1)]


@claims("T-4.213")
def test_rows_that_come_and_go_midway_double_and_drop_no_other(full: Team) -> None:
    seen, cursor, page = list[str](), "", 0
    while True:
        answer = full.live.got(f"/people?limit=10{cursor}")
        seen += names(answer["data"])
        roster(full.live, 1000 + 10 * page, 3)
        if page == 1:
            for row in full.live.got("/people?limit=100&q=P3")["data"]:
                if row["first_name"] in ("P37", "P3"):
                    full.live.delete(f"/people/{row['id']}")
        if answer["next_cursor"] is None:
            break
        cursor, page = f"&cursor={answer['next_cursor']}", page + 1
    assert seen == [f"P{n}" for n in range(COUNT - 1, -1, -1) if n != 3]


def test_the_limit_may_change_from_page_to_page(full: Team) -> None:
    first = full.live.got("/people?limit=7")
    second = full.live.got(f"/people?limit=100&cursor={first['next_cursor']}")
    assert names(first["data"] + second["data"]) == [f"P{n}" for n in range(COUNT - 1, -1, -1)]


@claims("T-4.214", "T-4.215", "T-4.216")
def test_a_cursor_belongs_to_its_team_mode_list_and_filters(full: Team) -> None:
    cursor = full.live.got("/people?limit=1")["next_cursor"]
    asked = full.live.got("/people?limit=1&q=P1")["next_cursor"]
    for face in (full.other, full.test):
        roster(face, 0, COUNT)
        refused(face.get(f"/people?cursor={cursor}"), 400, "invalid_cursor")
    refused(full.live.get(f"/members?cursor={cursor}"), 400, "invalid_cursor")
    item = full.live.got("/items?limit=1")["next_cursor"]
    for path in ("/collections", "/members", "/people"):
        refused(full.live.get(f"{path}?cursor={item}"), 400, "invalid_cursor")
    refused(full.live.get(f"/people?cursor={cursor}&q=P1"), 400, "invalid_cursor")
    refused(full.live.get(f"/people?cursor={asked}&q=P2"), 400, "invalid_cursor")
    refused(full.live.get(f"/people?cursor={asked}"), 400, "invalid_cursor")
    assert full.live.got(f"/people?cursor={cursor}")["data"]
    assert full.live.got(f"/people?cursor={asked}&q=P1")["data"]


def test_a_sandbox_shares_no_cursor_with_another(team: Team) -> None:
    roster(team.test, 0, 3)
    roster(team.test_second, 0, 3)
    cursor = team.test.got("/people?limit=1")["next_cursor"]
    refused(team.test_second.get(f"/people?cursor={cursor}"), 400, "invalid_cursor")


def test_a_cursor_that_was_not_issued_is_refused(full: Team) -> None:
    cursor = full.live.got("/people?limit=1")["next_cursor"]
    bent = [cursor[:-1], cursor + "A", cursor.swapcase(), cursor + "=", "", "nonsense", "é", "0", "A" * 32, "A" * 1001]
    for text in bent:
        refused(full.live.get(f"/people?cursor={text}"), 400, "invalid_cursor")


def test_a_cursor_outlives_the_row_it_was_cut_at(full: Team) -> None:
    first = full.live.got("/people?limit=1")
    full.live.delete(f"/people/{first['data'][0]['id']}")
    assert names(full.live.got(f"/people?limit=1&cursor={first['next_cursor']}")["data"]) == [f"P{COUNT - 2}"]


def test_limits_out_of_bounds_can_be_clamped(full: Team) -> None:
    full.world.settings(clamp_limits=True)
    assert len(full.live.got("/people?limit=0")["data"]) == 1
    assert len(full.live.got("/people?limit=-5")["data"]) == 1
    assert len(full.live.got("/people?limit=1000")["data"]) == COUNT
    refused(full.live.get("/people?limit=abc"), 400, "invalid_parameter")
    refused(full.live.get("/people?limit=1.5"), 400, "invalid_parameter")


def states() -> Iterator[State]:
    """Worlds of three seeds."""
    yield from (State(make_laws(), seed, 0) for seed in (1, 2, 3))


STATES = tuple(states())
BOUND = st.lists(st.text(max_size=12), min_size=1, max_size=4).map(tuple)


@given(bound=BOUND, place=st.integers(0, 2**63), state=st.sampled_from(STATES))
def test_a_cursor_leads_back_to_its_place(bound: tuple[str, ...], place: int, state: State) -> None:
    cursor = seal(state, bound, place)
    assert unseal(state, bound, cursor) == place
    assert cursor == seal(state, bound, place)
    assert cursor.isascii()


@given(one=BOUND, two=BOUND, place=st.integers(0, 2**63), state=st.sampled_from(STATES))
def test_a_cursor_opens_no_other_list(one: tuple[str, ...], two: tuple[str, ...], place: int, state: State) -> None:
    cursor = seal(state, one, place)
    strangers = [(other, one) for other in STATES if other is not state] + ([(state, two)] if one != two else [])
    for there, bound in strangers:
        with pytest.raises(InvalidCursor):
            unseal(there, bound, cursor)


@given(place=st.integers(0, 2**63), at=st.integers(0, 31), letter=st.sampled_from("AZaz09-_"))
def test_a_cursor_with_another_letter_is_none(place: int, at: int, letter: str) -> None:
    cursor = seal(STATES[0], ("team 0", "people"), place)
    bent = cursor[:at] + letter + cursor[at + 1 :]
    if bent != cursor:
        with pytest.raises(InvalidCursor):
            unseal(STATES[0], ("team 0", "people"), bent)


@given(st.text(max_size=60))
def test_no_text_is_a_cursor(text: str) -> None:
    with pytest.raises(InvalidCursor):
        unseal(STATES[0], ("team 0", "people"), text)
