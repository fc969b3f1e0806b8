"""Tables: lists of frozen records with indexes, an undo entry per write, and copies that share until a write.

A record's slot `n` is its internal key and its order of creation. An index bucket with one slot is a bare int, a larger
one a sorted list of ints, so that order is exact after a rollback and the garbage collector has little to visit. Index
values that never change (`unique`, `groups`); values that change cost more (`rekeyed`, `moving`).
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Generic, TypeVar

import msgspec


class Record(msgspec.Struct, frozen=True, gc=False):
    """The base of all table rows: frozen, with the slot first."""

    n: int


R = TypeVar("R", bound=Record)
Key = str | int
KeyOf = Callable[[Any], Key | None]


class Undo(msgspec.Struct, frozen=True, gc=False):
    """How to revert a change: a method, the name of the part of the state it is called on, and what was there before.

    Many are kept, so the garbage collector does not look at them: none can be part of a cycle.
    """

    revert: Callable[[Any, Any], None]
    part: str
    former: Any


class TableSpec(Generic[R]):
    """The declaration of a table: its name, its record type and its indexes. A key of None is not indexed.

    `hashed` is False for tables that only the outside world decides: fingerprints leave them out (G6).
    """

    def __init__(
        self,
        name: str,
        record: type[R],
        *,
        unique: Mapping[str, KeyOf] | None = None,
        rekeyed: Mapping[str, KeyOf] | None = None,
        groups: Mapping[str, KeyOf] | None = None,
        moving: Mapping[str, KeyOf] | None = None,
        hashed: bool = True,
    ) -> None:
        self.name = name
        self.hashed = hashed
        self.record = record
        self.unique = {**(unique or {}), **(rekeyed or {})}
        self.groups = {**(groups or {}), **(moving or {})}
        self.rekeyed = tuple((name, self.unique[name]) for name in rekeyed or {})
        self.moving = tuple((name, self.groups[name]) for name in moving or {})


class Table(Generic[R]):
    """The rows of one record type in one world. Every write appends its undo to the log of the state."""

    __slots__ = ("_owned", "_shared", "buckets", "keys", "log", "rows", "spec")

    def __init__(self, spec: TableSpec[R], log: list[Undo]) -> None:
        self.spec = spec
        self.log = log
        self.rows: list[R | None] = []
        self.keys: dict[str, dict[Key, int]] = {name: {} for name in spec.unique}
        self.buckets: dict[str, dict[Key, int | list[int]]] = {name: {} for name in spec.groups}
        self._shared = False
        self._owned: dict[tuple[str, Key], None] | None = None

    @property
    def next_n(self) -> int:
        """The slot of the next added record."""
        return len(self.rows)

    def get(self, n: int) -> R:
        """The record in a slot. KeyError when it was dropped."""
        row = self.rows[n]
        if row is None:
            raise KeyError(f"{self.spec.name} {n} was dropped")
        return row

    def at(self, n: int) -> R | None:
        """The record in a slot, or None."""
        return self.rows[n] if 0 <= n < len(self.rows) else None

    def find(self, index: str, key: Key) -> R | None:
        """The record with a unique key, or None."""
        n = self.keys[index].get(key)
        return None if n is None else self.rows[n]

    def slots_in(self, group: str, key: Key) -> Sequence[int]:
        """The slots of a group in order of creation. Copy them before writing to the same group."""
        bucket = self.buckets[group].get(key)
        if bucket is None:
            return ()
        return (bucket,) if isinstance(bucket, int) else bucket

    def rows_in(self, group: str, key: Key) -> list[R]:
        """The records of a group in order of creation."""
        return [self.get(n) for n in self.slots_in(group, key)]

    def __iter__(self) -> Iterator[R]:
        return (row for row in self.rows if row is not None)

    def __len__(self) -> int:
        """The number of records. Walks the table: for reports, not for the path of a call."""
        return sum(1 for _ in self)

    def add(self, row: R) -> R:
        """Append a record. ValueError unless its `n` is `next_n` and its unique keys are free."""
        if self._shared:
            self._own()
        n = row.n
        if n != len(self.rows):
            raise ValueError(f"{self.spec.name}: a new record takes slot {len(self.rows)}, not {n}")
        for name, key_of in self.spec.unique.items():
            key = key_of(row)
            if key is not None and self.keys[name].setdefault(key, n) != n:
                self._unkey(row, upto=name)
                raise ValueError(f"{self.spec.name}: {name} {key!r} is taken")
        self.rows.append(row)
        for name, key_of in self.spec.groups.items():
            if (key := key_of(row)) is not None:
                self._enter(name, key, n)
        self.log.append(Undo(Table._unadd, self.spec.name, row))
        return row

    def extend(self, rows: Sequence[R | None]) -> None:
        """Append the records of a checkpoint, None for empty slots; no rollback takes them back. ValueError."""
        self.rows += rows
        present = [row for row in rows if row is not None]
        for name, key_of in self.spec.unique.items():
            found, before = self.keys[name], len(self.keys[name])
            added = {key: row.n for row in present if (key := key_of(row)) is not None}
            found.update(added)
            if len(found) != before + sum(key_of(row) is not None for row in present):
                raise ValueError(f"{self.spec.name}: a {name} is there twice")
        for name, key_of in self.spec.groups.items():
            for row in present:
                if (key := key_of(row)) is not None:
                    self._enter(name, key, row.n)

    def set(self, n: int, row: R | None) -> None:
        """Make a slot what a checkpoint has there. ValueError."""
        old = self.rows[n] if n < len(self.rows) else None
        if n >= len(self.rows):
            if n > len(self.rows):
                raise ValueError(f"{self.spec.name}: slot {n} comes where {len(self.rows)} is due")
            self.extend([row])
        elif row is None:
            if old is not None:
                self.drop(n)
        elif old is None:
            self._undrop(row)
        else:
            self.put(row)

    def put(self, row: R) -> R:
        """Replace the record in its slot."""
        if self._shared:
            self._own()
        old = self.rows[row.n]
        if old is None:
            raise KeyError(f"{self.spec.name} {row.n} was dropped")
        self._replace(old, row)
        self.log.append(Undo(Table._unput, self.spec.name, old))
        return row

    def drop(self, n: int) -> None:
        """Remove a record. Its slot stays empty."""
        if self._shared:
            self._own()
        row = self.get(n)
        self._remove(row)
        self.rows[n] = None
        self.log.append(Undo(Table._undrop, self.spec.name, row))

    def share(self, log: list[Undo]) -> Table[R]:
        """A copy that costs nothing until one side writes."""
        twin: Table[R] = Table.__new__(Table)
        twin.spec, twin.log = self.spec, log
        twin.rows, twin.keys, twin.buckets = self.rows, self.keys, self.buckets
        twin._shared = self._shared = True
        twin._owned = self._owned = {}
        return twin

    def _own(self) -> None:
        self.rows = self.rows.copy()
        self.keys = {name: found.copy() for name, found in self.keys.items()}
        self.buckets = {name: found.copy() for name, found in self.buckets.items()}
        self._shared, self._owned = False, {}

    def _replace(self, old: R, new: R) -> None:
        self.rows[new.n] = new
        for name, key_of in self.spec.moving:
            was, now = key_of(old), key_of(new)
            if was != now:
                if was is not None:
                    self._leave(name, was, new.n)
                if now is not None:
                    self._enter(name, now, new.n)
        for name, key_of in self.spec.rekeyed:
            was, now = key_of(old), key_of(new)
            if was != now:
                if was is not None:
                    del self.keys[name][was]
                if now is not None:
                    self.keys[name][now] = new.n

    def _remove(self, row: R) -> None:
        self._unkey(row)
        for name, key_of in self.spec.groups.items():
            if (key := key_of(row)) is not None:
                self._leave(name, key, row.n)

    def _unkey(self, row: R, upto: str | None = None) -> None:
        for name, key_of in self.spec.unique.items():
            if name == upto:
                return
            if (key := key_of(row)) is not None:
                del self.keys[name][key]

    def _unadd(self, row: R) -> None:
        if self._shared:
            self._own()
        self._remove(row)
        self.rows.pop()

    def _unput(self, old: R) -> None:
        if self._shared:
            self._own()
        self._replace(self.get(old.n), old)

    def _undrop(self, row: R) -> None:
        if self._shared:
            self._own()
        self.rows[row.n] = row
        for name, key_of in self.spec.unique.items():
            if (key := key_of(row)) is not None:
                self.keys[name][key] = row.n
        for name, key_of in self.spec.groups.items():
            if (key := key_of(row)) is not None:
                self._enter(name, key, row.n)

    def _enter(self, name: str, key: Key, n: int) -> None:
        found = self.buckets[name]
        bucket = found.get(key)
        if bucket is None:
            found[key] = n
        elif isinstance(bucket, int):
            found[key] = [bucket, n] if bucket < n else [n, bucket]
            self._claim(name, key)
        elif bucket[-1] < n:
            self._mutable(name, key, bucket).append(n)
        else:
            insort(self._mutable(name, key, bucket), n)

    def _leave(self, name: str, key: Key, n: int) -> None:
        found = self.buckets[name]
        bucket = found[key]
        if isinstance(bucket, int):
            del found[key]
            return
        bucket = self._mutable(name, key, bucket)
        del bucket[bisect_left(bucket, n)]
        if len(bucket) == 1:
            found[key] = bucket[0]

    def _claim(self, name: str, key: Key) -> None:
        if self._owned is not None:
            self._owned[name, key] = None

    def _mutable(self, name: str, key: Key, bucket: list[int]) -> list[int]:
        """The bucket itself, or, after a share, a copy that only this side holds."""
        if self._owned is None or (name, key) in self._owned:
            return bucket
        bucket = self.buckets[name][key] = bucket.copy()
        self._owned[name, key] = None
        return bucket
