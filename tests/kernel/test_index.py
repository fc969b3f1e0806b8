"""Indexes go by a column, by several, or by a function of some, and follow a record when these columns change."""

from __future__ import annotations

import msgspec

from giftsim.kernel.index import Derived
from giftsim.kernel.state import Definitions, State
from giftsim.kernel.table import Record, TableSpec


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
