"""Tables: lists of frozen records with indexes, an undo entry per write, and copies that share until a write.

A record's slot `n` is its internal key and its order of creation. Index values that never change (`unique`, `groups`);
values that change cost more (`rekeyed`, `moving`), though only when they do change.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Generic, TypeVar

import msgspec

from giftsim.engine.kernel.index import By, Group, IndexSpec, Key, PartitionedGroup, Unique


class Record(msgspec.Struct, frozen=True, gc=False):
    """The base of all table rows: frozen, with the slot first."""

    n: int


R = TypeVar("R", bound=Record)
Indexes = Mapping[str, By]
AnyGroup = Group | PartitionedGroup


class Undo(msgspec.Struct, frozen=True, gc=False):
    """How to revert a write: a function, the name of the part of the state that it gets, and the former content.

    Many are kept, and none can be part of a cycle, so the garbage collector does not look at them.
    """

    revert: Callable[[Any, Any], None]
    part: str
    former: Any


class TableSpec(Generic[R]):
    """The declaration of a table: its name, its record type, and its indexes (IndexSpec).

    `hashed` is False for tables that only the outside world decides: fingerprints leave them out (G6). `hashed_as`
    gives what they take of a record that may have several forms. While a `sparse` table is empty, they leave it out
    too, so worlds that never use it keep the fingerprint that they had before there was such a table.
    """

    def __init__(
        self,
        name: str,
        record: type[R],
        *,
        unique: Indexes | None = None,
        rekeyed: Indexes | None = None,
        groups: Indexes | None = None,
        moving: Indexes | None = None,
        hashed: bool = True,
        hashed_as: Callable[[R], R] | None = None,
        sparse: bool = False,
    ) -> None:
        self.name = name
        self.hashed = hashed
        self.sparse = sparse
        self.hashed_as = hashed_as
        self.record = record
        self.unique = _specs({**(unique or {}), **(rekeyed or {})})
        self.groups = _specs({**(groups or {}), **(moving or {})})
        self.changing = frozenset({*(rekeyed or {}), *(moving or {})})


def _specs(indexes: Indexes) -> tuple[IndexSpec, ...]:
    return tuple(IndexSpec(name, by) for name, by in indexes.items())


def _group(spec: IndexSpec) -> AnyGroup:
    return PartitionedGroup(spec) if spec.partitioned else Group(spec)


class Table(Generic[R]):
    """The rows of one record type in one world. Every write appends its undo to the log of the state.

    `next_n` is the slot of the next added record.
    """

    __slots__ = (
        "_changing",
        "_groups",
        "_shared",
        "_unique",
        "groups",
        "log",
        "name",
        "next_n",
        "rows",
        "spec",
        "unique",
    )

    def __init__(self, spec: TableSpec[R], log: list[Undo]) -> None:
        self.spec, self.name = spec, spec.name
        self.log = log
        self.rows: list[R | None] = []
        self.next_n = 0
        self._index({by.name: Unique(by) for by in spec.unique}, {by.name: _group(by) for by in spec.groups})
        self._shared = False

    def _index(self, unique: dict[str, Unique], groups: dict[str, AnyGroup]) -> None:
        self.unique, self.groups = unique, groups
        self._unique, self._groups = tuple(unique.values()), tuple(groups.values())
        indexes: tuple[Unique | AnyGroup, ...] = (*self._groups, *self._unique)
        self._changing = tuple([index for index in indexes if index.spec.name in self.spec.changing])

    def get(self, n: int) -> R:
        """The record in a slot. KeyError when it was dropped."""
        row = self.rows[n]
        if row is None:
            raise KeyError(f"{self.name} {n} was dropped")
        return row

    def at(self, n: int) -> R | None:
        """The record in a slot, or None."""
        return self.rows[n] if 0 <= n < len(self.rows) else None

    def find(self, index: str, key: Key) -> R | None:
        """The record with a unique key, or None."""
        n = self.unique[index].slots.get(key)
        return None if n is None else self.rows[n]

    def span(self, first: int, count: int) -> list[R]:
        """The records in `count` slots from `first` on. KeyError when one was dropped."""
        rows: list[Any] = self.rows[first : first + count]
        if len(rows) != count or None in rows:
            raise KeyError(f"{self.name} {first} to {first + count - 1} are not all there")
        return rows

    def slots_in(self, group: str, key: Key) -> Sequence[int]:
        """The slots of a group in order of creation. Copy them before writing to the same group."""
        return self.groups[group].slots(key)

    def slots_between(self, group: str, key: Key, first: int, end: int) -> Sequence[int]:
        """The slots of a group from `first` to before `end`, in order of creation."""
        return self.groups[group].between(key, first, end)

    def rows_in(self, group: str, key: Key) -> list[R]:
        """The records of a group in order of creation."""
        return [self.get(n) for n in self.groups[group].slots(key)]

    def __iter__(self) -> Iterator[R]:
        return (row for row in self.rows if row is not None)

    def hashed_rows(self) -> Iterator[R]:
        """The records as a fingerprint takes them."""
        return iter(self) if self.spec.hashed_as is None else map(self.spec.hashed_as, self)

    def __len__(self) -> int:
        """The number of records. Walks the table: for reports, not for the path of a call."""
        return sum(1 for _ in self)

    def add(self, row: R) -> R:
        """Append a record. ValueError unless its `n` is `next_n` and its unique keys are free."""
        if self._shared:
            self._own()
        n = row.n
        if n != self.next_n:
            raise ValueError(f"{self.name}: a new record takes slot {self.next_n}, not {n}")
        for unique in self._unique:
            key = unique.key_of(row)
            if key is not None and unique.slots.setdefault(key, n) != n:
                self._unkey(row, upto=unique)
                raise ValueError(f"{self.name}: {unique.spec.name} {key!r} is taken")
        self.rows.append(row)
        self.next_n = n + 1
        for group in self._groups:
            if (key := group.key_of(row)) is not None:
                group.enter(key, n)
        self.log.append(Undo(_unadd, self.name, row))
        return row

    def extend(self, rows: Sequence[R | None]) -> None:
        """Fill an empty table with the records of a checkpoint, None for empty slots. ValueError."""
        self.rows += rows
        self.next_n = len(self.rows)
        present = [row for row in rows if row is not None]
        for unique in self._unique:
            added = [(key, row.n) for row in present if (key := unique.key_of(row)) is not None]
            unique.slots.update(added)
            if len(unique.slots) != len(added):
                raise ValueError(f"{self.name}: a {unique.spec.name} is there twice")
        for group in self._groups:
            group.extend(present)

    def put(self, row: R) -> R:
        """Replace the record in its slot."""
        if self._shared:
            self._own()
        rows, n = self.rows, row.n
        old = rows[n]
        if old is None:
            raise KeyError(f"{self.name} {n} was dropped")
        rows[n] = row
        for index in self._changing:
            if index.watched(old) != index.watched(row):
                _move(index, old, row)
        self.log.append(Undo(_unput, self.name, old))
        return row

    def drop(self, n: int) -> None:
        """Remove a record. Its slot stays empty."""
        if self._shared:
            self._own()
        row = self.get(n)
        self._remove(row)
        self.rows[n] = None
        self.log.append(Undo(_undrop, self.name, row))

    @property
    def is_shared(self) -> bool:
        """Whether it was not written to since it was shared."""
        return self._shared

    def share(self, log: list[Undo]) -> Table[R]:
        """A copy that costs nothing until one side writes."""
        twin: Table[R] = Table.__new__(Table)
        twin.spec, twin.name, twin.log = self.spec, self.name, log
        twin.rows, twin.next_n, twin.unique, twin.groups = self.rows, self.next_n, self.unique, self.groups
        twin._unique, twin._groups, twin._changing = self._unique, self._groups, self._changing
        twin._shared = self._shared = True
        return twin

    def _own(self) -> None:
        self.rows = self.rows.copy()
        self._index(
            {name: unique.copy() for name, unique in self.unique.items()},
            {name: group.copy() for name, group in self.groups.items()},
        )
        self._shared = False

    def _remove(self, row: R) -> None:
        self._unkey(row)
        for group in self._groups:
            if (key := group.key_of(row)) is not None:
                group.leave(key, row.n)

    def _unkey(self, row: R, upto: Unique | None = None) -> None:
        for unique in self._unique:
            if unique is upto:
                return
            if (key := unique.key_of(row)) is not None:
                unique.leave(key, row.n)


def _move(index: Unique | AnyGroup, old: Record, new: Record) -> None:
    """Let the index follow a record that was replaced."""
    was, now = index.key_of(old), index.key_of(new)
    if was == now:
        return
    if was is not None:
        index.leave(was, old.n)
    if now is not None:
        index.enter(now, new.n)


# These take writes back. They are functions, because a write names one of them, and a method takes longer to find.


def _unadd(table: Table[Any], row: Record) -> None:
    if table._shared:
        table._own()
    table._remove(row)
    table.rows.pop()
    table.next_n -= 1


def _unput(table: Table[Any], old: Record) -> None:
    if table._shared:
        table._own()
    new = table.get(old.n)
    table.rows[old.n] = old
    for index in table._changing:
        _move(index, new, old)


def _undrop(table: Table[Any], row: Record) -> None:
    if table._shared:
        table._own()
    table.rows[row.n] = row
    indexes: tuple[Unique | AnyGroup, ...] = (*table._unique, *table._groups)
    for index in indexes:
        if (key := index.key_of(row)) is not None:
            index.enter(key, row.n)


def is_addition(entry: Undo) -> bool:
    """Whether an undo entry takes back the addition of a record, which is its `former`."""
    return entry.revert is _unadd
