"""Indexes of tables: the slot of each unique key, and the slots of each group in order of creation.

A bucket with one slot is a bare int, a larger one a sorted list of ints, so that order is exact after a rollback and
the garbage collector has little to visit. A group that records leave again is partitioned if it can be large: removing
an entry from a sorted list of 50,000 moves all entries behind it, and from one of 4,096 only a few.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Callable, Iterable, Iterator, MutableMapping, Sequence
from itertools import chain, groupby
from operator import attrgetter
from typing import Any, overload

import msgspec

from giftsim.engine.kernel.layered import copy_layered

Key = str | int
KeyOf = Callable[[Any], Key | None]

PARTITION_BITS = 12
PARTITION_SIZE = 1 << PARTITION_BITS  # slots


class Derived(msgspec.Struct, frozen=True):
    """A key computed from a few columns. Changes of a record's other columns do not touch the index."""

    columns: tuple[str, ...]
    key_of: KeyOf


Columns = str | tuple[str, ...] | KeyOf | Derived


class Partitioned(msgspec.Struct, frozen=True):
    """A group whose keys can have tens of thousands of records: it is kept in partitions of PARTITION_SIZE slots."""

    by: Columns


By = Columns | Partitioned


class IndexSpec:
    """The key of an index: a column, several columns with a space between their values, or a function of the record.

    A record with a key of None, or with None in one of several columns, is not in the index. `watched` returns the
    values that the key depends on: while they stay the same, the key does too.
    """

    __slots__ = ("key_of", "name", "partitioned", "watched")

    def __init__(self, name: str, by: By) -> None:
        self.name = name
        self.partitioned = isinstance(by, Partitioned)
        self.watched, self.key_of = _readers(by.by if isinstance(by, Partitioned) else by)


def _readers(by: Columns) -> tuple[Callable[[Any], Any], KeyOf]:
    """The functions `watched` and `key_of` of an index."""
    if isinstance(by, str):
        return attrgetter(by), attrgetter(by)
    if isinstance(by, Derived):
        return attrgetter(*by.columns), by.key_of
    if not isinstance(by, tuple):
        return by, by
    values_of, form = attrgetter(*by), " ".join(["%s"] * len(by))

    def joined(record: Any) -> Key | None:
        values = values_of(record)
        return None if None in values else form % values

    return values_of, joined


class Unique:
    """The slot of each key."""

    __slots__ = ("key_of", "slots", "spec", "watched")

    def __init__(self, spec: IndexSpec, slots: MutableMapping[Key, int] | None = None) -> None:
        self.spec, self.key_of, self.watched = spec, spec.key_of, spec.watched
        self.slots: MutableMapping[Key, int] = {} if slots is None else slots

    def enter(self, key: Key, n: int) -> None:
        """Give a key to a slot."""
        self.slots[key] = n

    def leave(self, key: Key, _n: int) -> None:
        """Take a key away from its slot."""
        del self.slots[key]

    def copy(self) -> Unique:
        """An index of the same content. Nothing may change the original any more."""
        return Unique(self.spec, copy_layered(self.slots))


class Group:
    """The slots of each key.

    A copy shares the buckets, and copies one before it first changes it; `_own` has the keys of those it copied.
    """

    __slots__ = ("_own", "buckets", "key_of", "spec", "watched")

    def __init__(self, spec: IndexSpec) -> None:
        self.spec, self.key_of, self.watched = spec, spec.key_of, spec.watched
        self.buckets: MutableMapping[Key, int | list[int]] = {}
        self._own: set[Key] | None = None

    def slots(self, key: Key) -> Sequence[int]:
        """The slots of a key in order of creation."""
        bucket = self.buckets.get(key)
        if bucket is None:
            return ()
        return (bucket,) if isinstance(bucket, int) else bucket

    def between(self, key: Key, first: int, end: int) -> Sequence[int]:
        """The slots of a key from `first` to before `end`."""
        slots = self.slots(key)
        return slots[bisect_left(slots, first) : bisect_left(slots, end)]

    def enter(self, key: Key, n: int) -> None:
        """Add a slot to a key."""
        bucket = self.buckets.get(key)
        if bucket is None:
            self.buckets[key] = n
            return
        if isinstance(bucket, int):
            bucket = self.buckets[key] = [bucket]
            if self._own is not None:
                self._own.add(key)
        elif self._own is not None and key not in self._own:
            bucket = self._copied(key, bucket)
        if bucket[-1] < n:
            bucket.append(n)
        else:
            insort(bucket, n)

    def extend(self, records: Iterable[Any]) -> None:
        """Add the slots of records, which come after those that are there, to an index that was not copied."""
        buckets, key_of = self.buckets, self.key_of
        for record in records:
            if (key := key_of(record)) is not None:
                bucket = buckets.get(key)
                if bucket is None:
                    buckets[key] = record.n
                elif isinstance(bucket, int):
                    buckets[key] = [bucket, record.n]
                else:
                    bucket.append(record.n)

    def leave(self, key: Key, n: int) -> None:
        """Remove a slot from a key."""
        bucket = self.buckets[key]
        if isinstance(bucket, int):
            del self.buckets[key]
            return
        if self._own is not None and key not in self._own:
            bucket = self._copied(key, bucket)
        del bucket[bisect_left(bucket, n)]
        if len(bucket) == 1:
            self.buckets[key] = bucket[0]

    def copy(self) -> Group:
        """An index of the same content. Nothing may change the original any more."""
        twin = Group(self.spec)
        twin.buckets, twin._own = copy_layered(self.buckets), set()
        return twin

    def _copied(self, key: Key, bucket: list[int]) -> list[int]:
        own = self.buckets[key] = bucket.copy()
        if self._own is not None:
            self._own.add(key)
        return own


class PartitionedGroup:
    """The slots of each key, as in a Group, with one Group for every PARTITION_SIZE slots of the table.

    A copy shares the partitions, and copies one before it first changes it; `_own` has the numbers of those not shared.
    """

    __slots__ = ("_own", "key_of", "partitions", "spec", "watched")

    def __init__(self, spec: IndexSpec) -> None:
        self.spec, self.key_of, self.watched = spec, spec.key_of, spec.watched
        self.partitions: list[Group] = []
        self._own: set[int] = set()

    def slots(self, key: Key) -> Sequence[int]:
        """The slots of a key in order of creation, over all partitions."""
        parts = [slots for partition in self.partitions if (slots := partition.slots(key))]
        return parts[0] if len(parts) == 1 else Slots(parts)

    def between(self, key: Key, first: int, end: int) -> Sequence[int]:
        """The slots of a key from `first` to before `end`."""
        low, high = first >> PARTITION_BITS, end >> PARTITION_BITS
        numbered = enumerate(self.partitions[low : high + 1], low)
        whole = range(low + 1, high)
        return Slots([part.slots(key) if i in whole else part.between(key, first, end) for i, part in numbered])

    def enter(self, key: Key, n: int) -> None:
        """Add a slot to a key."""
        number = n >> PARTITION_BITS
        if number not in self._own:
            self._make_own(number)
        self.partitions[number].enter(key, n)

    def extend(self, records: Iterable[Any]) -> None:
        """Add the slots of records, which come after those that are there, to an index that was not copied."""
        for number, part in groupby(records, lambda record: record.n >> PARTITION_BITS):
            self._make_own(number)
            self.partitions[number].extend(part)

    def leave(self, key: Key, n: int) -> None:
        """Remove a slot from a key."""
        number = n >> PARTITION_BITS
        if number not in self._own:
            self._make_own(number)
        self.partitions[number].leave(key, n)

    def copy(self) -> PartitionedGroup:
        """An index of the same content. Nothing may change the original any more."""
        twin = PartitionedGroup(self.spec)
        twin.partitions = self.partitions.copy()
        return twin

    def _make_own(self, number: int) -> None:
        """Copy a shared partition, or add the missing ones up to this number."""
        partitions = self.partitions
        if number < len(partitions):
            partitions[number] = partitions[number].copy()
        while number >= len(partitions):
            partitions.append(Group(self.spec))
        self._own.add(number)


class Slots(Sequence[int]):
    """Ascending slots that several lists hold one after the other. A slice shares the lists it takes whole."""

    __slots__ = ("_parts",)

    def __init__(self, parts: Sequence[Sequence[int]]) -> None:
        self._parts = parts

    def __len__(self) -> int:
        return sum(map(len, self._parts))

    def __iter__(self) -> Iterator[int]:
        return chain.from_iterable(self._parts)

    def __reversed__(self) -> Iterator[int]:
        return chain.from_iterable(map(reversed, reversed(self._parts)))

    @overload
    def __getitem__(self, i: int) -> int: ...
    @overload
    def __getitem__(self, i: slice) -> Sequence[int]: ...
    def __getitem__(self, i: int | slice) -> int | Sequence[int]:
        if isinstance(i, slice):
            start, stop, step = i.indices(len(self))
            return self._slice(start, stop) if step == 1 else list(self)[i]
        at = i if i >= 0 else i + len(self)
        for part in self._parts:
            if 0 <= at < len(part):
                return part[at]
            at -= len(part)
        raise IndexError(f"there is no slot at {i} of {len(self)}")

    def _slice(self, start: int, stop: int) -> Sequence[int]:
        parts: list[Sequence[int]] = []
        for part in self._parts:
            if piece := part[max(start, 0) : max(stop, 0)]:
                parts.append(piece)
            start, stop = start - len(part), stop - len(part)
        return Slots(parts)
