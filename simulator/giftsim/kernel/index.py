"""Indexes of tables: the slot of each unique key, and the slots of each group in order of creation.

A bucket with one slot is a bare int, a larger one a sorted list of ints, so that order is exact after a rollback and
the garbage collector has little to visit.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Callable, Sequence
from operator import attrgetter
from typing import Any

import msgspec

Key = str | int
KeyOf = Callable[[Any], Key | None]


class Derived(msgspec.Struct, frozen=True):
    """A key that a function makes of some columns, for an index whose records change more often than these columns."""

    columns: tuple[str, ...]
    key_of: KeyOf


By = str | tuple[str, ...] | KeyOf | Derived


class IndexSpec:
    """What an index goes by: a column, several columns with a space between their values, or a function of the record.

    A record with a key of None, or with None in one of several columns, is not in the index. `watched` is what the key
    follows from: as long as it is the same, the key is the same too.
    """

    __slots__ = ("key_of", "name", "watched")

    def __init__(self, name: str, by: By) -> None:
        self.name = name
        self.watched, self.key_of = _readers(by)


def _readers(by: By) -> tuple[Callable[[Any], Any], KeyOf]:
    """What to watch, and the key."""
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

    def __init__(self, spec: IndexSpec, slots: dict[Key, int] | None = None) -> None:
        self.spec, self.key_of, self.watched = spec, spec.key_of, spec.watched
        self.slots: dict[Key, int] = {} if slots is None else slots

    def enter(self, key: Key, n: int) -> None:
        """Give a key to a slot."""
        self.slots[key] = n

    def leave(self, key: Key, _n: int) -> None:
        """Take a key away from its slot."""
        del self.slots[key]

    def copy(self) -> Unique:
        """An index of the same content."""
        return Unique(self.spec, self.slots.copy())


class Group:
    """The slots of each key.

    A copy shares the buckets, and copies one before it first changes it; `_own` are the keys of those that it has.
    """

    __slots__ = ("_own", "buckets", "key_of", "spec", "watched")

    def __init__(self, spec: IndexSpec) -> None:
        self.spec, self.key_of, self.watched = spec, spec.key_of, spec.watched
        self.buckets: dict[Key, int | list[int]] = {}
        self._own: set[Key] | None = None

    def slots(self, key: Key) -> Sequence[int]:
        """The slots of a key in order of creation."""
        bucket = self.buckets.get(key)
        if bucket is None:
            return ()
        return (bucket,) if isinstance(bucket, int) else bucket

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
        """An index of the same content. Neither side may change this one any more."""
        twin = Group(self.spec)
        twin.buckets, twin._own = self.buckets.copy(), set()
        return twin

    def _copied(self, key: Key, bucket: list[int]) -> list[int]:
        own = self.buckets[key] = bucket.copy()
        if self._own is not None:
            self._own.add(key)
        return own
