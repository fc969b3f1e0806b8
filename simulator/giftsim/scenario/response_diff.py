"""Two answers side by side, with the first difference pointed at."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import Final, NamedTuple, Protocol

# What belongs to the connection or to the day, and so differs between ways to the same answer.
PASSING: Final = frozenset(
    {"date", "server", "via", "content-length", "connection", "keep-alive", "transfer-encoding", "trailer"}
)
WIDTH = 56
BEFORE, AFTER = 3, 8
HEX_WIDTH = 16


class Told(Protocol):
    """An answer: header names are in lower case."""

    @property
    def status(self) -> int:
        """The HTTP status."""

    @property
    def headers(self) -> Mapping[str, str]:
        """The headers."""

    @property
    def body(self) -> bytes:
        """The exact body."""


class _Row(NamedTuple):
    """One line of both; None where one has no such line."""

    left: str | None
    right: str | None

    @property
    def same(self) -> bool:
        return self.left == self.right


def difference(
    expected: Told | bytes, actual: Told | bytes, titles: tuple[str, str] = ("recorded", "now"), *, width: int = WIDTH
) -> str:
    """Lines that show where two answers (or two bodies) first differ, left the expected one; "" where they do not.

    Each has so many columns. Whatever differs is marked.

    Every byte of the body counts, and of the headers all that do not belong to the connection. JSON is laid out for
    the eye, unless it is only the layout that differs.
    """
    rows = list(_rows(expected, actual))
    first = next((index for index, row in enumerate(rows) if not row.same), None)
    if first is None:
        return ""
    begin, end = max(0, first - BEFORE), first + AFTER
    lines = [_line(" ", *titles, width)]
    lines += [_line(" ", "...", "...", width)] if begin else []
    for index, row in enumerate(rows[begin:end], start=begin):
        lines += _shown(row, width, pointed=index == first)
    lines += [_line(" ", "...", "...", width)] if end < len(rows) else []
    return "\n".join(lines)


def lasting(headers: Mapping[str, str]) -> dict[str, str]:
    """The headers that count, by lower-case name in order."""
    return {name.lower(): headers[name] for name in sorted(headers) if name.lower() not in PASSING}


def _rows(expected: Told | bytes, actual: Told | bytes) -> Iterator[_Row]:
    if isinstance(expected, bytes) or isinstance(actual, bytes):
        left, right = (told if isinstance(told, bytes) else told.body for told in (expected, actual))
        yield from _body_rows(left, right)
        return
    yield _Row(f"status {expected.status}", f"status {actual.status}")
    left_headers, right_headers = lasting(expected.headers), lasting(actual.headers)
    for name in sorted(left_headers.keys() | right_headers.keys()):
        yield _Row(_header(name, left_headers), _header(name, right_headers))
    yield _Row("", "")
    yield from _body_rows(expected.body, actual.body)


def _header(name: str, headers: Mapping[str, str]) -> str | None:
    return f"{name}: {headers[name]}" if name in headers else None


def _body_rows(left: bytes, right: bytes) -> Iterator[_Row]:
    """Line by line; where one has more lines, what stands below the difference is left beside its like."""
    lefts, rights = _laid_out(left, right)
    tail = 0
    while tail < min(len(lefts), len(rights)) and lefts[-1 - tail] == rights[-1 - tail]:
        tail += 1
    tail = 0 if len(lefts) == len(rights) else tail
    middle = (lefts[: len(lefts) - tail], rights[: len(rights) - tail])
    yield from (_Row(*pair) for pair in zip_longest(*middle))
    yield from (_Row(line, line) for line in lefts[len(lefts) - tail :])


def _laid_out(left: bytes, right: bytes) -> tuple[Sequence[str], Sequence[str]]:
    try:
        pretty = tuple(json.dumps(json.loads(body), indent=2, ensure_ascii=False).split("\n") for body in (left, right))
        if pretty[0] != pretty[1] or left == right:
            return pretty[0], pretty[1]
    except ValueError:
        pass
    try:
        return left.decode().splitlines(keepends=True), right.decode().splitlines(keepends=True)
    except UnicodeDecodeError:
        return _hexed(left), _hexed(right)


def _hexed(body: bytes) -> Sequence[str]:
    return [body[at : at + HEX_WIDTH].hex(" ") for at in range(0, len(body), HEX_WIDTH)]


def _shown(row: _Row, width: int, *, pointed: bool) -> Iterator[str]:
    if row.same or row.left is None or row.right is None:
        left, right = ("(none)" if text is None else _cut(_plain(text), 0, width)[0] for text in row)
        yield _line(" " if row.same else ">", left, right, width)
        return
    left, right = _plain(row.left), _plain(row.right)
    at = next((index for index, pair in enumerate(zip_longest(left, right)) if pair[0] != pair[1]), 0)
    (left, place), (right, _) = _cut(left, at, width), _cut(right, at, width)
    yield _line(">", left, right, width)
    if pointed:
        yield _line(" ", " " * place + "^", " " * place + "^", width)


def _cut(text: str, at: int, width: int) -> tuple[str, int]:
    """As much of a line as fits, so that the character at `at` is seen; with where that one stands then."""
    if len(text) <= width:
        return text, at
    begin = max(0, at - width // 2)
    shown = ("..." if begin else "") + text[begin:]
    return (shown if len(shown) <= width else shown[: width - 3] + "..."), at - begin + (3 if begin else 0)


def _plain(text: str) -> str:
    """Control characters made visible."""
    return "".join(char if char.isprintable() else repr(char)[1:-1] for char in text)


def _line(mark: str, left: str, right: str, width: int) -> str:
    return f"{mark} {left:{width}} | {right}".rstrip()
