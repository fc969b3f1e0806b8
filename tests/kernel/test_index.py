"""Indexes go by a column, by several, or by a function of some, and follow a record when these columns change."""

from __future__ import annotations

from bisect import bisect_left
from functools import cache
from itertools import pairwise

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from giftsim.engine.kernel.index import PARTITION_SIZE, Derived, Partitioned, Slots
from giftsim.engine.kernel.state import Definitions, State
from giftsim.engine.kernel.table import Record, TableSpec


class Parcel(Record, frozen=True, gc=False):
    """A record with an owner that may be missing."""

    code: str
    status: str = "open"
    owner: int | None = None


def _open(parcel: Parcel) -> str | None:
    return "all" if parcel.status == "open" else None


PARCELS: TableSpec[Parcel] = TableSpec(
    "parcels",
    Parcel,
    unique={"code": "code"},
    groups={"initial": lambda parcel: parcel.code[0]},
    moving={"place": ("owner", "status"), "open": Derived(("status",), _open)},
)


def slots(state: State, group: str, *keys: str) -> list[tuple[int, ...]]:
    return [tuple(state[PARCELS].slots_in(group, key)) for key in keys]


def test_an_index_goes_by_a_column_by_several_or_by_a_function() -> None:
    state = State(Definitions([PARCELS]), 1, 0)
    state[PARCELS].add(Parcel(0, "a1", owner=7))
    state[PARCELS].add(Parcel(1, "b1", owner=7))
    state[PARCELS].add(Parcel(2, "a2"))
    assert (found := state[PARCELS].find("code", "b1"))
    assert found.n == 1
    assert slots(state, "initial", "a", "b") == [(0, 2), (1,)]
    assert slots(state, "place", "7 open", "None open") == [(0, 1), ()]
    assert slots(state, "open", "all") == [(0, 1, 2)]


def test_an_index_follows_the_columns_that_it_goes_by() -> None:
    state = State(Definitions([PARCELS]), 1, 0)
    parcel = state[PARCELS].add(Parcel(0, "a1", owner=7))
    state[PARCELS].put(msgspec.structs.replace(parcel, status="sent"))
    assert slots(state, "place", "7 open", "7 sent") == [(), (0,)]
    assert slots(state, "open", "all") == [()]
    state[PARCELS].put(msgspec.structs.replace(parcel, owner=None))
    assert slots(state, "place", "7 open", "7 sent") == [(), ()]
    assert slots(state, "open", "all") == [(0,)]


SIZE = 2 * PARTITION_SIZE + 3  # records to begin with, so that writes hit three partitions
COLORS = ("red", "blue", "rare")  # one in three is blue, and one in a thousand rare


class Card(Record, frozen=True, gc=False):
    """A record that belongs to one group for good, and to another for the moment."""

    suit: str
    color: str


CARDS: TableSpec[Card] = TableSpec(
    "cards",
    Card,
    groups={"suit": "suit", "suit in partitions": Partitioned("suit")},
    moving={"color": "color", "color in partitions": Partitioned("color")},
)
SPANS = ((0, 5), (PARTITION_SIZE, PARTITION_SIZE), (PARTITION_SIZE - 1, 2 * PARTITION_SIZE), (5, SIZE))
Writes = list[tuple[float, str | None]]
Bound = int | None
Model = dict[int, Card]
Branch = tuple[State, Model]


@cache
def full_table() -> Branch:
    state = State(Definitions([CARDS]), 1, 0)
    model = {n: Card(n, "hearts", "rare" if n % 1_000 == 0 else COLORS[n % 3 == 0]) for n in range(SIZE)}
    state[CARDS].extend(list(model.values()))
    return state, model


class Refused(Exception):
    """Rolls a transaction back."""


# A write is a share of the table, which picks the record, and the new color; None adds a record, "" drops one.
SHARES = st.one_of(st.sampled_from([0.0, 0.5, 0.999_999]), st.floats(0, 1, exclude_max=True))
WRITES = st.lists(st.tuples(SHARES, st.sampled_from([*COLORS, "", None])), min_size=1, max_size=6)
STEPS = st.lists(st.tuples(st.integers(0, 3), st.sampled_from(["commit", "roll back", "fork"]), WRITES), max_size=12)


def write(branch: Branch, share: float, color: str | None) -> None:
    table, model = branch[0][CARDS], branch[1]
    n = int(share * table.next_n)
    if color is None:
        added = table.add(Card(table.next_n, "spades", "red"))
        model[added.n] = added
    elif n in model and color:
        model[n] = table.put(msgspec.structs.replace(model[n], color=color))
    elif n in model:
        table.drop(n)
        del model[n]


def rolled_back(branch: Branch, writes: Writes) -> None:
    state, scratch = branch[0], branch[1].copy()
    try:
        with state.transaction():
            for share, color in writes:
                write((state, scratch), share, color)
            raise Refused
    except Refused:
        return


def check(branch: Branch) -> None:
    table, model = branch[0][CARDS], branch[1]
    rows = [model[n] for n in sorted(model)]
    for column, keys in (("suit", ("hearts", "spades")), ("color", COLORS)):
        values = [getattr(row, column) for row in rows]
        for key in keys:
            expected = [row.n for row, value in zip(rows, values, strict=True) if value == key]
            for index in (column, f"{column} in partitions"):
                assert list(table.slots_in(index, key)) == expected
                for first, end in SPANS:
                    between = expected[bisect_left(expected, first) : bisect_left(expected, end)]
                    assert list(table.slots_between(index, key, first, end)) == between


@given(steps=STEPS)
def test_every_write_rollback_and_fork_leaves_the_slots_of_the_model(steps: list[tuple[int, str, Writes]]) -> None:
    state, model = full_table()
    branches: list[Branch] = [(state.share(), model.copy())]
    for at, end, writes in steps:
        branch = branches[at % len(branches)]
        if end == "fork":
            branches.append((branch[0].share(), branch[1].copy()))
        if end == "roll back":
            rolled_back(branch, writes)
        else:
            with branch[0].transaction():
                for share, color in writes:
                    write(branch, share, color)
    for branch in (*branches, (state, model)):
        check(branch)


CUTS = st.lists(st.integers(0, 40), max_size=6).map(sorted)
BOUNDS = st.one_of(st.none(), st.integers(-50, 50))


@given(plain=st.lists(st.integers(0, 99), unique=True, max_size=40).map(sorted), cuts=CUTS, first=BOUNDS, end=BOUNDS)
def test_slots_in_parts_read_like_one_list(plain: list[int], cuts: list[int], first: Bound, end: Bound) -> None:
    parts = Slots([plain[a:b] for a, b in pairwise([0, *cuts, None])])
    assert list(parts) == plain
    assert len(parts) == len(plain)
    assert [*reversed(parts)] == plain[::-1]
    assert [parts[i] for i in range(-len(plain), len(plain))] == plain * 2
    assert [*parts[first:end]] == plain[first:end]
    assert len(parts[first:end]) == len(plain[first:end])
    assert [*parts[first:end:-1]] == plain[first:end:-1]
    assert bisect_left(parts, 50) == bisect_left(plain, 50)
