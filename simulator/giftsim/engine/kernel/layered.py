"""A copy of a large dict that costs nothing: a layer of what was written since, over content that copies share."""

from __future__ import annotations

from collections.abc import Iterator, MutableMapping
from typing import Any, Final, TypeVar, overload

K = TypeVar("K")
V = TypeVar("V")
D = TypeVar("D")

LARGE: Final = 4096  # entries; copying fewer is faster than asking two dicts from then on
_MISSING: Final[Any] = object()


def copy_layered(content: MutableMapping[K, V]) -> MutableMapping[K, V]:
    """A copy that may be changed. Nothing may change the original afterwards."""
    if isinstance(content, Layered):
        return content.copy()
    return Layered(content, {}, set(), len(content)) if len(content) >= LARGE else dict(content)


class Layered(MutableMapping[K, V]):
    """The entries of `base`, which nothing changes, without those of `removed` and with those of `own`.

    Its order is that of a dict: an entry that was removed and added again is the last one.
    """

    __slots__ = ("_base", "_count", "_own", "_removed")

    def __init__(self, base: MutableMapping[K, V], own: dict[K, V], removed: set[K], count: int) -> None:
        self._base, self._own, self._removed, self._count = base, own, removed, count

    def __getitem__(self, key: K) -> V:
        value = self.get(key, _MISSING)
        if value is _MISSING:
            raise KeyError(key)
        return value

    @overload
    def get(self, key: K, /) -> V | None: ...
    @overload
    def get(self, key: K, default: V | D, /) -> V | D: ...
    def get(self, key: K, default: Any = None, /) -> Any:
        """The value of a key, or the default."""
        value = self._own.get(key, _MISSING)
        if value is not _MISSING:
            return value
        return default if key in self._removed else self._base.get(key, default)

    def __contains__(self, key: object) -> bool:
        return key in self._own or (key in self._base and key not in self._removed)

    def __setitem__(self, key: K, value: V) -> None:
        if key not in self:
            self._count += 1
        self._own[key] = value

    def __delitem__(self, key: K) -> None:
        if key not in self:
            raise KeyError(key)
        self._count -= 1
        self._own.pop(key, None)
        if key in self._base:
            self._removed.add(key)

    def __iter__(self) -> Iterator[K]:
        base, removed = self._base, self._removed
        yield from (key for key in base if key not in removed)
        yield from (key for key in self._own if key not in base or key in removed)

    def __len__(self) -> int:
        return self._count

    def copy(self) -> MutableMapping[K, V]:
        """The same entries, in one dict if much of the base was written since."""
        if len(self._own) + len(self._removed) > len(self._base) // 2:
            return dict(self.items())
        return Layered(self._base, self._own.copy(), self._removed.copy(), self._count)
