"""Reads YAML to plain data, with the line and column of every member for error messages.

An unquoted scalar is what it would be in JSON, and text otherwise. There are no dates, no octal numbers, and `yes` and
`no` are text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from math import isinf
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import msgspec
import yaml

from giftsim.engine.kernel.merge_conflict import MESSAGE, conflict_line
from giftsim.engine.system import MORE, TooLarge, read_file
from giftsim.workbench.scenario.scenario_error import InvalidScenario

# The names and indexes that lead from the top of a file to a value.
YamlPath: TypeAlias = tuple[str | int, ...]

# Limits against files that would exhaust the machine: aliases of aliases multiply, deep nesting overflows the stack.
MAX_DEPTH = 100


class Limits(NamedTuple):
    """How many bytes a file may have, and how many members once its aliases are expanded."""

    max_bytes: int
    max_members: int


MEBIBYTE = 1_048_576
DEFAULT_LIMITS = Limits(MEBIBYTE, 100_000)
RECORDING_LIMITS = Limits(16 * MEBIBYTE, 250_000)  # for files that a simulator wrote
LARGE_LIMITS = Limits(128 * MEBIBYTE, 10_000_000)  # with --large-files


def limits_of(*, large: bool) -> Limits:
    """The limits of scenario files; `large` ones may take gigabytes of memory."""
    return LARGE_LIMITS if large else DEFAULT_LIMITS


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


class Positions:
    """The positions of values and of their names. Each path has both in one number: a file has many."""

    def __init__(self) -> None:
        self._packed: dict[YamlPath, int] = {}

    def __contains__(self, path: YamlPath) -> bool:
        return path in self._packed

    def add_name(self, path: YamlPath, position: Position) -> None:
        """Add the position of a name, before that of its value."""
        self._packed[path] = _pack(position) << _POSITION_BITS

    def add_value(self, path: YamlPath, position: Position) -> None:
        """Add the position of a value."""
        self._packed[path] = self._packed.get(path, 0) | _pack(position)

    def name(self, path: YamlPath) -> Position | None:
        """The position of a name, if there is one."""
        return _unpack(self._packed.get(path, 0) >> _POSITION_BITS)

    def value(self, path: YamlPath) -> Position | None:
        """The position of a value, if it has one of its own."""
        return _unpack(self._packed.get(path, 0) & (1 << _POSITION_BITS) - 1)


_COLUMN_BITS, _POSITION_BITS = 28, 56  # a file has at most 128 MiB


def _pack(position: Position) -> int:
    return position.line << _COLUMN_BITS | position.column


def _unpack(packed: int) -> Position | None:
    return Position(packed >> _COLUMN_BITS, packed & (1 << _COLUMN_BITS) - 1) if packed else None


class Source(msgspec.Struct, frozen=True):
    """The data of one file and the positions of its values and names; `file_path` is None for text without a file."""

    file: str
    data: Any
    positions: Positions
    file_path: Path | None = None

    def value_at(self, path: YamlPath) -> Any:
        """The value at a path."""
        value = self.data
        for step in path:
            value = value[step]
        return value

    def position(self, path: YamlPath, *, name: bool = False) -> Position:
        """The position of the value (or of the name) at a path; for a value inside an alias, that of the alias."""
        found = self.positions.name(path) if name else None
        while found is None and path and path not in self.positions:
            path = path[:-1]
        return found or self.positions.value(path) or Position(1, 1)

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


def read_document(text: str | bytes, file: str, path: Path | None = None, limits: Limits = DEFAULT_LIMITS) -> Source:
    """Read one YAML document; InvalidScenario if it is not one, repeats a name, or exceeds the limits."""
    if isinstance(text, str) and len(text) <= limits.max_bytes:
        text = text.encode("utf-8", "replace")
    if isinstance(text, str) or len(text) > limits.max_bytes:
        message = f"the file has {len(text):,} bytes; the limit is {limits.max_bytes:,}{MORE}"
        raise InvalidScenario(file, 1, 1, message)
    reader = _Reader(file, _events(text, file), limits)
    return Source(file, reader.document(), reader.positions, path)


def read_path(path: Path, file: str, limits: Limits = DEFAULT_LIMITS) -> Source:
    """Read a file, as `read_document` does; OSError if the system does not let it be read."""
    try:
        content = read_file(path, limits.max_bytes)
    except TooLarge as error:
        raise InvalidScenario(file, 1, 1, str(error.strerror)) from None
    return read_document(content, file, path.resolve(), limits)


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
        if (conflict := conflict_line(raw)) is not None:
            raise InvalidScenario(file, conflict, 1, MESSAGE) from None
        mark = error.problem_mark or error.context_mark
        line, column = (mark.line + 1, mark.column + 1) if mark else (1, 1)
        reason = f"{error.context}, {error.problem}" if error.context else error.problem
        raise InvalidScenario(file, line, column, f"not YAML: {reason}") from None


def iterate_members(value: Any) -> Iterator[tuple[str | int, Any]]:
    """The members of a mapping or the items of a list, each with its name or index."""
    if isinstance(value, Mapping):
        yield from value.items()
    elif isinstance(value, list):
        yield from enumerate(value)


class _Node(NamedTuple):
    """A value, how many members and characters it has with its aliases expanded, and how deep it is nested."""

    value: Any
    size: int
    characters: int
    depth: int


class _Reader:
    """Builds the data from the events of the parser, and checks every limit before it builds anything."""

    def __init__(self, file: str, events: Iterator[Any], limits: Limits) -> None:
        self.file, self._events, self._limits = file, events, limits
        self.positions = Positions()
        self._anchors: dict[str, _Node] = {}
        self._members = self._aliased_characters = 0

    def document(self) -> Any:
        """The data of the one document."""
        root: _Node | None = None
        for event in self._events:
            if isinstance(event, yaml.DocumentStartEvent) and root is not None:
                raise self._error(_position(event), "a file holds one scenario, but a second document begins here")
            if isinstance(event, yaml.NodeEvent):
                root = self._node(event, ())
        if root is None:
            raise InvalidScenario(self.file, 1, 1, "the file is empty")
        return root.value

    def _node(self, event: Any, path: YamlPath) -> _Node:
        """The value at a path, which begins with this event."""
        position = _position(event)
        if isinstance(event, yaml.AliasEvent):
            node = self._aliased(event.anchor, position)
        else:
            self._reject_tag(event, position)
            node = self._new(event, path, position)
            self._count(1, position)
            if event.anchor is not None:
                self._anchors[event.anchor] = node
        self._check_depth(len(path) + node.depth, position)
        self.positions.add_value(path, position)
        return node

    def _new(self, event: Any, path: YamlPath, position: Position) -> _Node:
        if isinstance(event, yaml.ScalarEvent):
            return _Node(self._scalar_value(event, position), 1, len(event.value), 1)
        self._anchors.pop(event.anchor, None)
        self._check_depth(len(path) + 1, position)
        return self._mapping(path) if isinstance(event, yaml.MappingStartEvent) else self._list(path)

    def _list(self, path: YamlPath) -> _Node:
        nodes: list[_Node] = []
        for event in self._until(yaml.SequenceEndEvent):
            nodes.append(self._node(event, (*path, len(nodes))))
        return _whole([node.value for node in nodes], nodes)

    def _mapping(self, path: YamlPath) -> _Node:
        members: dict[str, Any] = {}
        merged: dict[str, Any] = {}
        nodes: list[_Node] = []
        for event in self._until(yaml.MappingEndEvent):
            name, is_merge = self._name(event, path)
            value = next(self._events)
            nodes.append(self._node(value, (*path, name)))
            if is_merge:
                merged = self._merge(merged, nodes[-1].value, _position(value))
            else:
                members[name] = nodes[-1].value
        return _whole({**merged, **members}, nodes)

    def _until(self, end: type[yaml.Event]) -> Iterator[Any]:
        for event in self._events:
            if isinstance(event, end):
                return
            yield event

    def _name(self, event: Any, parent: YamlPath) -> tuple[str, bool]:
        """The name of a member, and whether it is `<<`, which merges others."""
        position = _position(event)
        if not isinstance(event, yaml.ScalarEvent):
            raise self._error(position, "the name of a member must be text")
        self._reject_tag(event, position)
        path, is_merge = (*parent, event.value), event.value == "<<" and event.implicit[0]
        first = None if is_merge else self.positions.name(path)
        if first is not None:
            raise self._error(position, f'"{event.value}" appears twice, first on line {first.line}')
        self.positions.add_name(path, position)
        return event.value, is_merge

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

    def _aliased(self, anchor: str | None, position: Position) -> _Node:
        node = self._anchors.get(anchor or "")
        if node is None:
            raise self._error(position, f"*{anchor} refers to an anchor that does not end before it")
        self._count(node.size, position)
        self._aliased_characters += node.characters
        if self._aliased_characters > self._limits.max_bytes:
            raise self._error(position, f"its aliases repeat more than {self._limits.max_bytes:,} characters{MORE}")
        return node

    def _merge(self, merged: dict[str, Any], value: Any, position: Position) -> dict[str, Any]:
        for part in value if isinstance(value, list) else [value]:
            if not isinstance(part, dict):
                raise self._error(position, '"<<" takes a mapping or a list of mappings')
            merged = {**part, **merged}
        return merged

    def _count(self, size: int, position: Position) -> None:
        self._members += size
        most = self._limits.max_members
        if self._members > most:
            raise self._error(position, f"with its aliases expanded the file has more than {most:,} members{MORE}")

    def _check_depth(self, depth: int, position: Position) -> None:
        if depth > MAX_DEPTH:
            raise self._error(position, f"the file is nested more than {MAX_DEPTH} levels deep")

    def _reject_tag(self, event: Any, position: Position) -> None:
        if event.tag is not None:
            raise self._error(position, f"tags such as {event.tag} are not allowed; write the value without it")

    def _error(self, position: Position, message: str) -> InvalidScenario:
        return InvalidScenario(self.file, *position, message)


def _position(event: Any) -> Position:
    return Position(event.start_mark.line + 1, event.start_mark.column + 1)


def _whole(value: Any, parts: Sequence[_Node]) -> _Node:
    """A mapping or list of these parts."""
    size = 1 + sum(part.size for part in parts)
    depth = 1 + max((part.depth for part in parts), default=0)
    return _Node(value, size, sum(part.characters for part in parts), depth)
