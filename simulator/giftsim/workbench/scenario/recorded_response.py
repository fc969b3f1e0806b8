"""The `recorded` member of a step: a response that the call must repeat byte for byte, or both side by side."""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import Any, Final, NamedTuple

import msgspec

from giftsim.engine.client.response import Response
from giftsim.engine.kernel.texts import one_line

# Headers of the connection or of the day, which may differ between two equal responses.
IGNORED_HEADERS: Final = frozenset(
    {"date", "server", "via", "content-length", "connection", "keep-alive", "transfer-encoding", "trailer"}
)
WIDTH = 56
ROWS_BEFORE, ROWS_AFTER = 3, 8
HEX_BYTES_PER_ROW = 16


class ResponseDifference(NamedTuple):
    """A recorded response and the actual one that differs from it; `actual` is None if the connection was lost."""

    recorded: Response
    actual: Response | None

    @property
    def summary(self) -> str:
        """The difference in one line."""
        if self.actual is None:
            return f"recorded: expected a response, {self.recorded.status}, actual lost"
        return "recorded: the response differs"

    def side_by_side(self, width: int = WIDTH) -> str:
        """Both responses next to each other, `width` columns each; "" if there is no actual one."""
        return diff_responses(self.recorded, self.actual, width=width) if self.actual else ""

    @property
    def text(self) -> str:
        """The summary and both responses, for a report."""
        return "\n".join((self.summary, *(f"    {line}" for line in self.side_by_side().split("\n") if line)))


def resolve_recorded(data: Mapping[str, Any], resolve: Callable[[Any], Any]) -> Response:
    """The recorded response of a step with its variables resolved; a `{base64: ...}` body has none."""
    headers = {str(name).lower(): str(resolve(text)) for name, text in data.get("headers", {}).items()}
    body = data.get("body", "")
    if isinstance(body, Mapping):
        return Response(data["status"], headers, decode_base64(body["base64"]))
    return Response(data["status"], headers, str(resolve(body)).encode())


def decode_base64(text: str) -> bytes:
    """The bytes of a base64 text; ValueError if it is not base64."""
    try:
        return base64.b64decode(text, validate=True)
    except binascii.Error as error:
        raise ValueError(f"not base64: {error}") from None


def compare_recorded(recorded: Response, response: Response | None) -> ResponseDifference | None:
    """How a response differs from the recorded one; None if it does not.

    The newline that ends every JSON body is not compared: recordings are made of bodies before it is added (G113).
    """
    if response is None:
        return ResponseDifference(recorded, None)
    headers = compared_headers(response.headers) if recorded.headers else {}
    recorded = msgspec.structs.replace(recorded, body=recorded.body.removesuffix(b"\n"))
    body = response.body.removesuffix(b"\n")
    difference = ResponseDifference(recorded, Response(response.status, headers, body))
    return difference if difference.side_by_side() else None


class _Row(NamedTuple):
    """A line of both responses; None on the side that has no such line."""

    left: str | None
    right: str | None

    @property
    def equal(self) -> bool:
        return self.left == self.right


def diff_responses(expected: Response, actual: Response, *, width: int = WIDTH) -> str:
    """The lines around the first difference of two responses, side by side; "" if they are equal.

    The expected one is on the left. Each side is `width` columns wide, and every line that differs is marked with `>`.
    Every byte of the body is compared, and all headers except those of the connection. JSON is pretty-printed unless
    only its formatting differs.
    """
    rows = list(_rows(expected, actual))
    first = next((index for index, row in enumerate(rows) if not row.equal), None)
    if first is None:
        return ""
    begin, end = max(0, first - ROWS_BEFORE), first + ROWS_AFTER
    lines = [_line(" ", "recorded", "now", width)]
    lines += [_line(" ", "...", "...", width)] if begin else []
    for index, row in enumerate(rows[begin:end], start=begin):
        lines += _format_row(row, width, point=index == first)
    lines += [_line(" ", "...", "...", width)] if end < len(rows) else []
    return "\n".join(lines)


def compared_headers(headers: Mapping[str, str]) -> dict[str, str]:
    """The headers that are compared, by lower-case name, sorted."""
    return {name.lower(): headers[name] for name in sorted(headers) if name.lower() not in IGNORED_HEADERS}


def _rows(expected: Response, actual: Response) -> Iterator[_Row]:
    yield _Row(f"status {expected.status}", f"status {actual.status}")
    left_headers, right_headers = compared_headers(expected.headers), compared_headers(actual.headers)
    for name in sorted(left_headers.keys() | right_headers.keys()):
        yield _Row(_header(name, left_headers), _header(name, right_headers))
    yield _Row("", "")
    yield from _body_rows(expected.body, actual.body)


def _header(name: str, headers: Mapping[str, str]) -> str | None:
    return f"{name}: {headers[name]}" if name in headers else None


def _body_rows(left: bytes, right: bytes) -> Iterator[_Row]:
    """The bodies line by line; if one has more lines, equal lines at the end stay side by side."""
    lefts, rights = _split_bodies(left, right)
    tail = 0
    while tail < min(len(lefts), len(rights)) and lefts[-1 - tail] == rights[-1 - tail]:
        tail += 1
    tail = 0 if len(lefts) == len(rights) else tail
    middle = (lefts[: len(lefts) - tail], rights[: len(rights) - tail])
    yield from (_Row(*pair) for pair in zip_longest(*middle))
    yield from (_Row(line, line) for line in lefts[len(lefts) - tail :])


def _split_bodies(left: bytes, right: bytes) -> tuple[Sequence[str], Sequence[str]]:
    """The lines of both bodies: of pretty JSON, unless only formatting differs; else of text; else of a hex dump."""
    try:
        pretty = tuple(json.dumps(json.loads(body), indent=2, ensure_ascii=False).split("\n") for body in (left, right))
        if pretty[0] != pretty[1] or left == right:
            return pretty[0], pretty[1]
    except ValueError:
        pass
    try:
        return left.decode().splitlines(keepends=True), right.decode().splitlines(keepends=True)
    except UnicodeDecodeError:
        return _hex_dump(left), _hex_dump(right)


def _hex_dump(body: bytes) -> Sequence[str]:
    return [body[at : at + HEX_BYTES_PER_ROW].hex(" ") for at in range(0, len(body), HEX_BYTES_PER_ROW)]


def _format_row(row: _Row, width: int, *, point: bool) -> Iterator[str]:
    if row.equal or row.left is None or row.right is None:
        left, right = ("(none)" if text is None else _shorten(one_line(text), 0, width)[0] for text in row)
        yield _line(" " if row.equal else ">", left, right, width)
        return
    left, right = one_line(row.left), one_line(row.right)
    at = next((index for index, pair in enumerate(zip_longest(left, right)) if pair[0] != pair[1]), 0)
    (left, column), (right, _) = _shorten(left, at, width), _shorten(right, at, width)
    yield _line(">", left, right, width)
    if point:
        yield _line(" ", " " * column + "^", " " * column + "^", width)


def _shorten(text: str, at: int, width: int) -> tuple[str, int]:
    """The part of a line around the character at `at` that fits, and the column of that character in it."""
    if len(text) <= width:
        return text, at
    begin = max(0, at - width // 2)
    part = ("..." if begin else "") + text[begin:]
    return (part if len(part) <= width else part[: width - 3] + "..."), at - begin + (3 if begin else 0)


def _line(mark: str, left: str, right: str, width: int) -> str:
    return f"{mark} {left:{width}} | {right}".rstrip()
