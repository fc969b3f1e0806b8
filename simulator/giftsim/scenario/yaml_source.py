"""Reads YAML to plain data, with the line and column of every member for error messages.

An unquoted scalar is what it would be in JSON, and text otherwise. There are no dates, no octal numbers, and `yes` and
`no` are text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from math import isinf
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import msgspec
import yaml

from giftsim.scenario.scenario_error import InvalidScenario

# The names and indexes that lead from the top of a file to a value.
YamlPath: TypeAlias = tuple[str | int, ...]

# Limits against files that would exhaust the machine: aliases of aliases multiply, deep nesting overflows the stack.
MAX_DEPTH = 100


class Limits(NamedTuple):
    """How many bytes a file may have, and how many members once its aliases are expanded."""

    max_bytes: int
    max_members: int


DEFAULT_LIMITS = Limits(1_048_576, 100_000)
RECORDING_LIMITS = Limits(128 * 1_048_576, 10_000_000)  # for files that a simulator wrote

_WORDS: Mapping[str, bool | None] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL")),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}
_INTEGER = re.compile(r"-?(0|[1-9][0-9]{0,17})", re.ASCII)
_NUMBER = re.compile(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]{1,3})?", re.ASCII)


class Position(NamedTuple):
    """A place in a file, both counted from 1."""

    line: int
    column: int


class Source(msgspec.Struct, frozen=True):
    """The data of one file and the positions of its values and names; `file_path` is None for text without a file."""

    file: str
    data: Any
    value_positions: Mapping[YamlPath, Position]
    name_positions: Mapping[YamlPath, Position]
    file_path: Path | None = None

    def value_at(self, path: YamlPath) -> Any:
        """The value at a path."""
        value = self.data
        for step in path:
            value = value[step]
        return value

    def position(self, path: YamlPath, *, name: bool = False) -> Position:
        """The position of the value (or of the name) at a path; for a value inside an alias, that of the alias."""
        if name and path in self.name_positions:
            return self.name_positions[path]
        while path and path not in self.value_positions:
            path = path[:-1]
        return self.value_positions.get(path, Position(1, 1))

    def error(self, path: YamlPath, message: str, *, name: bool = False) -> InvalidScenario:
        """The error to raise for the value (or for the name) at a path."""
        return InvalidScenario(self.file, *self.position(path, name=name), message)

    @contextmanager
    def checking(self, path: YamlPath) -> Iterator[None]:
        """Inside the block, a ValueError says what is wrong with the value at a path; InvalidScenario is raised."""
        try:
            yield
        except ValueError as error:
            raise self.error(path, str(error)) from None


def read(text: str | bytes, file: str, path: Path | None = None, limits: Limits = DEFAULT_LIMITS) -> Source:
    """Read one YAML document; InvalidScenario if it is not one, repeats a name, or exceeds the limits."""
    raw = text.encode("utf-8", "replace") if isinstance(text, str) else text
    if len(raw) > limits.max_bytes:
        raise InvalidScenario(file, 1, 1, f"the file has {len(raw):,} bytes; the limit is {limits.max_bytes:,}")
    reader = _Reader(file, limits.max_members)
    for event in _events(raw, file):
        reader.handle(event)
    if reader.root is None:
        raise InvalidScenario(file, 1, 1, "the file is empty")
    return Source(file, reader.root.value, reader.value_positions, reader.name_positions, path)


def is_text(event: yaml.ScalarEvent) -> bool:
    """Whether a scalar is text: quoted, or unquoted without being a word or number of JSON."""
    plain: bool = event.implicit[0]
    return not plain or not (event.value in _WORDS or _NUMBER.fullmatch(event.value))


def _events(raw: bytes, file: str) -> Iterator[yaml.Event]:
    try:
        yield from yaml.parse(raw, Loader=yaml.CSafeLoader)
    except yaml.reader.ReaderError as error:
        before = raw[: error.position].decode("utf-8", "replace")
        column = len(before) - before.rfind("\n")
        raise InvalidScenario(file, before.count("\n") + 1, column, f"not YAML: {error.reason}") from None
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line, column = (mark.line + 1, mark.column + 1) if mark else (1, 1)
        reason = f"{error.context}, {error.problem}" if error.context else error.problem
        raise InvalidScenario(file, line, column, f"not YAML: {reason}") from None


def members(value: Any) -> Iterator[tuple[str | int, Any]]:
    """The members of a mapping or the items of a list, each with its name or index."""
    if isinstance(value, Mapping):
        yield from value.items()
    elif isinstance(value, list):
        yield from enumerate(value)


class _Node(NamedTuple):
    value: Any
    size: int
    depth: int


class _Frame:
    """A mapping or list that is being read."""

    def __init__(self, path: YamlPath, anchor: str | None, position: Position, *, mapping: bool) -> None:
        self.path, self.anchor, self.position = path, anchor, position
        self.members: dict[str, Any] | None = {} if mapping else None
        self.items: list[Any] = []
        self.name: str | None = None
        self.is_merge = False
        self.merged: dict[str, Any] = {}
        self.size, self.depth = 1, 1

    def next_key(self) -> str | int:
        return len(self.items) if self.members is None else self.name or ""

    def node(self) -> _Node:
        value = self.items if self.members is None else {**self.merged, **self.members}
        return _Node(value, self.size, self.depth)


class _Reader:
    """Builds the data from parse events, and checks every limit before it builds anything."""

    def __init__(self, file: str, max_members: int) -> None:
        self.file, self._max_members = file, max_members
        self.root: _Node | None = None
        self.value_positions: dict[YamlPath, Position] = {}
        self.name_positions: dict[YamlPath, Position] = {}
        self._frames: list[_Frame] = []
        self._anchors: dict[str, _Node] = {}
        self._members = 0

    def handle(self, event: Any) -> None:
        """Handle the next event of the parser."""
        position = Position(event.start_mark.line + 1, event.start_mark.column + 1)
        match event:
            case yaml.DocumentStartEvent():
                self._start_document(position)
            case yaml.ScalarEvent():
                self._read_scalar(event, position)
            case yaml.AliasEvent():
                self._read_alias(event.anchor, position)
            case yaml.MappingStartEvent() | yaml.SequenceStartEvent():
                self._open(event, position)
            case yaml.MappingEndEvent() | yaml.SequenceEndEvent():
                self._close()

    def _start_document(self, position: Position) -> None:
        if self.root is not None:
            raise self._error(position, "a file holds one scenario, but a second document begins here")

    def _read_scalar(self, event: Any, position: Position) -> None:
        self._reject_tag(event, position)
        frame = self._frames[-1] if self._frames else None
        if frame is not None and frame.members is not None and frame.name is None:
            self._read_name(frame, event, position)
            return
        node = _Node(self._scalar_value(event, position), 1, 1)
        self._store_anchor(event.anchor, node)
        self._count(1, position)
        self._place(node, position)

    def _read_name(self, frame: _Frame, event: Any, position: Position) -> None:
        frame.name, frame.is_merge = event.value, event.value == "<<" and event.implicit[0]
        path = (*frame.path, event.value)
        if not frame.is_merge and path in self.name_positions:
            raise self._error(
                position, f'"{event.value}" appears twice, first on line {self.name_positions[path].line}'
            )
        self.name_positions[path] = position

    def _scalar_value(self, event: Any, position: Position) -> Any:
        text: str = event.value
        if not event.implicit[0]:
            return text
        if text in _WORDS:
            return _WORDS[text]
        if _INTEGER.fullmatch(text):
            return int(text)
        if not _NUMBER.fullmatch(text):
            return text
        if text.lstrip("-").isdecimal() or isinf(float(text)):
            raise self._error(position, "the number is too large; quote it to make it text")
        return float(text)

    def _read_alias(self, anchor: str | None, position: Position) -> None:
        node = self._anchors.get(anchor or "")
        if node is None:
            raise self._error(position, f"*{anchor} refers to an anchor that does not end before it")
        self._count(node.size, position)
        self._place(node, position)

    def _open(self, event: Any, position: Position) -> None:
        self._reject_tag(event, position)
        mapping = isinstance(event, yaml.MappingStartEvent)
        self._anchors.pop(event.anchor, None)
        self._check_depth(len(self._frames) + 1, position)
        self._require_name(position)
        path = (*self._frames[-1].path, self._frames[-1].next_key()) if self._frames else ()
        self._frames.append(_Frame(path, event.anchor, position, mapping=mapping))

    def _close(self) -> None:
        frame = self._frames.pop()
        self._count(1, frame.position)
        self._store_anchor(frame.anchor, frame.node())
        self._place(frame.node(), frame.position)

    def _place(self, node: _Node, position: Position) -> None:
        if not self._frames:
            self.root = node
            self.value_positions[()] = position
            return
        self._require_name(position)
        frame = self._frames[-1]
        frame.size += node.size
        frame.depth = max(frame.depth, node.depth + 1)
        self._check_depth(len(self._frames) + node.depth, position)
        self.value_positions[(*frame.path, frame.next_key())] = position
        if frame.members is None:
            frame.items.append(node.value)
        elif frame.is_merge:
            self._merge(frame, node.value, position)
        else:
            frame.members[frame.name or ""] = node.value
        frame.name, frame.is_merge = None, False

    def _merge(self, frame: _Frame, value: Any, position: Position) -> None:
        for part in value if isinstance(value, list) else [value]:
            if not isinstance(part, dict):
                raise self._error(position, '"<<" takes a mapping or a list of mappings')
            frame.merged = {**part, **frame.merged}

    def _store_anchor(self, name: str | None, node: _Node) -> None:
        if name is not None:
            self._anchors[name] = node

    def _count(self, size: int, position: Position) -> None:
        self._members += size
        if self._members > self._max_members:
            raise self._error(
                position, f"with its aliases expanded the file has more than {self._max_members:,} members"
            )

    def _check_depth(self, depth: int, position: Position) -> None:
        if depth > MAX_DEPTH:
            raise self._error(position, f"the file is nested more than {MAX_DEPTH} levels deep")

    def _require_name(self, position: Position) -> None:
        frame = self._frames[-1] if self._frames else None
        if frame is not None and frame.members is not None and frame.name is None:
            raise self._error(position, "the name of a member must be text")

    def _reject_tag(self, event: Any, position: Position) -> None:
        if event.tag is not None:
            raise self._error(position, f"tags such as {event.tag} are not allowed; write the value without it")

    def _error(self, position: Position, message: str) -> InvalidScenario:
        return InvalidScenario(self.file, *position, message)
