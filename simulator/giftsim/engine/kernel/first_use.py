"""Values that are made when they are first read, such as those whose modules take long to import."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TypeVar

T = TypeVar("T")


class MadeAtFirstUse(Mapping[str, T]):
    """A table whose values are made by the functions in `makers`, each when it is first read, and then kept."""

    def __init__(self, makers: Mapping[str, Callable[[], T]]) -> None:
        self._makers = makers
        self._made: dict[str, T] = {}

    def __getitem__(self, name: str) -> T:
        made = self._made.get(name)
        return self._made.setdefault(name, self._makers[name]()) if made is None else made

    def __iter__(self) -> Iterator[str]:
        return iter(self._makers)

    def __len__(self) -> int:
        return len(self._makers)

    def __contains__(self, name: object) -> bool:
        return name in self._makers
