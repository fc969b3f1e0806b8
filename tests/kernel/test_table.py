"""Tables: indexes follow every write, a rollback restores them exactly, and shared copies never affect one another."""

from __future__ import annotations

from contextlib import suppress

import msgspec
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from giftsim.engine.kernel.state import Definitions, State
from giftsim.engine.kernel.table import Record, TableSpec


class Person(Record, frozen=True, gc=False):
    """A record with an email that is unique and a team that changes."""

    email: str
    team: str | None = None


PEOPLE: TableSpec[Person] = TableSpec("people", Person, rekeyed={"email": "email"}, moving={"team": "team"})
Write = tuple[str, int, str | None]
ADD_A: Write = ("add", 0, "a")
WRITES = st.lists(
    st.tuples(st.sampled_from(["add", "move", "drop"]), st.integers(0, 9), st.sampled_from(["a", "b", None])),
    max_size=30,
)


def fresh() -> State:
    return State(Definitions([PEOPLE]), 1, 0)


def apply(state: State, writes: list[Write]) -> None:
    table = state[PEOPLE]
    for kind, n, team in writes:
        row = table.at(n)
        if kind == "add":
            table.add(Person(table.next_n, f"{table.next_n}@example.com", team))
        elif row is not None and kind == "move":
            table.put(msgspec.structs.replace(row, team=team))
        elif row is not None:
            table.drop(n)


def content(state: State) -> object:
    table = state[PEOPLE]
    groups = {team: tuple(table.slots_in("team", team)) for team in ("a", "b")}
    emails = {row.email: found.n for row in table if (found := table.find("email", row.email))}
    return list(table.rows), table.next_n, groups, emails


class Cancelled(Exception):
    """Ends a transaction."""


@given(WRITES, WRITES)
def test_a_rollback_restores_rows_and_indexes(before: list[Write], undone: list[Write]) -> None:
    state = fresh()
    with state.transaction():
        apply(state, before)
    kept = content(state)
    with suppress(Cancelled), state.transaction():
        apply(state, undone)
        raise Cancelled
    assert content(state) == kept


@example(first=[ADD_A, ADD_A], one=[ADD_A], other=[ADD_A])
@given(first=WRITES, one=WRITES, other=WRITES)
def test_shared_copies_do_not_affect_one_another(first: list[Write], one: list[Write], other: list[Write]) -> None:
    state, alone = fresh(), fresh()
    with state.transaction():
        apply(state, first)
    twin = state.share()
    with state.transaction():
        apply(state, one)
    kept = content(state)
    with twin.transaction():
        apply(twin, other)
    assert content(state) == kept
    with alone.transaction():
        apply(alone, first)
        apply(alone, other)
    assert content(twin) == content(alone)


@given(WRITES)
def test_groups_hold_exactly_the_rows_with_that_key_in_order(writes: list[Write]) -> None:
    state = fresh()
    with state.transaction():
        apply(state, writes)
    table = state[PEOPLE]
    for team in ("a", "b"):
        assert [row.n for row in table.rows_in("team", team)] == [row.n for row in table if row.team == team]


def test_a_unique_key_is_taken_once() -> None:
    table = fresh()[PEOPLE]
    table.add(Person(0, "a@example.com"))
    with pytest.raises(ValueError, match=r"^people: email 'a@example\.com' is taken$"):
        table.add(Person(1, "a@example.com"))
    with pytest.raises(ValueError, match=r"^people: a new record takes slot 1, not 3$"):
        table.add(Person(3, "b@example.com"))
    assert len(table) == 1


def test_a_dropped_record_is_gone_and_its_slot_stays_empty() -> None:
    table = fresh()[PEOPLE]
    table.add(Person(0, "a@example.com"))
    table.drop(0)
    assert (table.at(0), table.find("email", "a@example.com"), table.next_n) == (None, None, 1)
    with pytest.raises(KeyError, match="people 0 was dropped"):
        table.get(0)
