"""Cut a large body into parts that are examined one by one: an input costs no more than its size (G85)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

Path = tuple[str | int, ...]

SIZE = 5_000  # bodies of up to this many values are examined whole
MOST = 1 << 32  # more values than fit into memory


class Part(NamedTuple):
    """A body with some consecutive entries of its longest list, the one at `path`.

    The first `skipped` entries belong to the part before; the one after them has the index `start` in the whole list.
    """

    body: Any
    path: Path = ()
    start: int = 0
    skipped: int = 0

    def original(self, path: Path) -> Path | None:
        """The path in the whole body, or None if it leads into a skipped entry."""
        depth = len(self.path)
        if len(path) <= depth or path[:depth] != self.path or not self.start:
            return path
        place = int(path[depth]) - self.skipped
        return None if place < 0 else (*path[:depth], self.start + place, *path[depth + 1 :])


def parts(body: Any, known: frozenset[str]) -> Iterator[Part]:
    """The parts of a large body, with about SIZE values each. Together they have every entry of its longest list.

    What surrounds the list is in each of them, cut to SIZE values and the members that the schema names (`known`).
    A part has at least two entries, which is as many as any schema requires.
    """
    path, entries = _longest_list((), body)
    frame = excerpt(_replaced(body, path, []), SIZE, known)
    start = 0
    for end in _ends(entries):
        first = min(start, max(0, end - 2))
        yield Part(_replaced(frame, path, entries[first:end]), path, start, start - first)
        start = end


def _ends(entries: list[Any]) -> Iterator[int]:
    """Where to cut a list into pieces of up to SIZE values, or of one entry that has more."""
    size = 0
    for i, entry in enumerate(entries):
        more = number_of_values(entry)
        if size and size + more > SIZE:
            yield i
            size = 0
        size += more
    if entries:
        yield len(entries)


def _longest_list(path: Path, value: Any) -> tuple[Path, list[Any]]:
    """The longest list of a body that is not inside another list, and the members that lead to it."""
    if isinstance(value, list):
        return path, value
    inner = value.items() if isinstance(value, Mapping) else ()
    lists = (_longest_list((*path, name), member) for name, member in inner if isinstance(member, (Mapping, list)))
    return max(lists, key=lambda each: len(each[1]), default=(path, []))


def _replaced(value: Any, path: Path, entries: list[Any]) -> Any:
    if not path:
        return entries
    return {**value, path[0]: _replaced(value.get(path[0], {}), path[1:], entries)}


def number_of_values(value: Any) -> int:
    """The number of values in a value of JSON, itself included."""
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return 1 + sum([number_of_values(each) if isinstance(each, (dict, list)) else 1 for each in inner])


def invalid_part(body: Any, known: frozenset[str], is_valid: Callable[[Any], bool], size: int = SIZE) -> Any:
    """The shortest beginning of an invalid body that is invalid too, to within `size` values.

    `known` are the members that the schema names. They are never cut off, so that none is reported as missing. Of a
    list two entries stay, which is as many as any schema requires.
    """
    valid, invalid = 0, size
    while is_valid(part := excerpt(body, invalid, known)) and invalid < MOST:
        valid, invalid = invalid, 2 * invalid
    while invalid - valid > size:
        middle = (valid + invalid) // 2
        if is_valid(shorter := excerpt(body, middle, known)):
            valid = middle
        else:
            invalid, part = middle, shorter
    return part


FEW = 200
LONGEST = 5_000  # longer than any text that a schema takes


def small_invalid_part(data: Any, known: frozenset[str], is_valid: Callable[[Any], bool]) -> Any:
    """The invalid part of data from a file, to within FEW values and with short texts.

    Each error of the validator has a copy of what is wrong, and a file can have a long text in many places.
    """
    part = invalid_part(data, known, is_valid, FEW)
    short = _with_short_texts(part)
    return part if is_valid(short) else short


def _with_short_texts(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {name: _with_short_texts(member) for name, member in value.items()}
    if isinstance(value, list):
        return [_with_short_texts(entry) for entry in value]
    return value[:LONGEST] if isinstance(value, str) else value


def excerpt(body: Any, size: int, known: frozenset[str]) -> Any:
    """The first `size` values of a body, in the order of the text, and all members that are `known`."""
    return _copy(body, [size], known)


def _copy(value: Any, left: list[int], known: frozenset[str]) -> Any:
    left[0] -= 1
    if isinstance(value, Mapping):
        return {name: _copy(member, left, known) for name, member in value.items() if left[0] > 0 or name in known}
    if isinstance(value, list):
        return [_copy(entry, left, known) for i, entry in enumerate(value) if left[0] > 0 or i < 2]
    return value
