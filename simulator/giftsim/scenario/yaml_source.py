"""YAML text to plain data that remembers, for every member, the line and column it came from.

A plain scalar is what JSON would make of it, and text otherwise: no dates, no octal numbers, no yes and no.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from math import isinf
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import msgspec
import yaml

from giftsim.scenario.scenario_error import InvalidScenario

Trail: TypeAlias = tuple[str | int, ...]

# Bounds against files made to exhaust the machine: aliases of aliases grow, and deep nests run out of stack.
DEEPEST = 100


class Bounds(NamedTuple):
    """How many bytes a file may have, and how many members with its aliases written out."""

    most_bytes: int
    most_nodes: int


USUAL = Bounds(1_048_576, 100_000)
RECORDED = Bounds(128 * 1_048_576, 10_000_000)  # for files that a simulator wrote

_WORDS: Mapping[str, bool | None] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL")),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}
_WHOLE = re.compile(r"-?(0|[1-9][0-9]{0,17})", re.ASCII)
_NUMBER = re.compile(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]{1,3})?", re.ASCII)


class Mark(NamedTuple):
    """A place in the file, both counted from 1."""

    line: int
    column: int


class Source(msgspec.Struct, frozen=True):
    """The data of one file, and where each member's value and name stand in it; `path` is None for a mere text."""

    file: str
    data: Any
    values: Mapping[Trail, Mark]
    names: Mapping[Trail, Mark]
    path: Path | None = None

    def at(self, path: Trail) -> Any:
        """The value at a path."""
        value = self.data
        for step in path:
            value = value[step]
        return value

    def mark(self, path: Trail, *, name: bool = False) -> Mark:
        """Where the value (or the name) at a path stands; what came through an alias is where the alias stands."""
        if name and path in self.names:
            return self.names[path]
        while path and path not in self.values:
            path = path[:-1]
        return self.values.get(path, Mark(1, 1))

    def refuse(self, path: Trail, message: str, *, name: bool = False) -> InvalidScenario:
        """The refusal to raise for what stands at a path."""
        return InvalidScenario(self.file, *self.mark(path, name=name), message)


def read(text: str | bytes, file: str, path: Path | None = None, bounds: Bounds = USUAL) -> Source:
    """Reads one YAML document; InvalidScenario where it is not one, or repeats a name, or grows out of bounds."""
    raw = text.encode("utf-8", "replace") if isinstance(text, str) else text
    if len(raw) > bounds.most_bytes:
        raise InvalidScenario(file, 1, 1, f"the file has {len(raw):,} bytes; at most {bounds.most_bytes:,} are read")
    reader = _Reader(file, bounds.most_nodes)
    for event in _events(raw, file):
        reader.take(event)
    if reader.root is None:
        raise InvalidScenario(file, 1, 1, "the file is empty")
    return Source(file, reader.root.value, reader.values, reader.names, path)


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
        said = f"{error.context}, {error.problem}" if error.context else error.problem
        raise InvalidScenario(file, line, column, f"not YAML: {said}") from None


class _Node(NamedTuple):
    value: Any
    size: int
    depth: int


class _Frame:
    """A mapping or list that is still open."""

    def __init__(self, path: Trail, anchor: str | None, mark: Mark, *, mapping: bool) -> None:
        self.path, self.anchor, self.mark = path, anchor, mark
        self.members: dict[str, Any] | None = {} if mapping else None
        self.items: list[Any] = []
        self.name: str | None = None
        self.merges = False
        self.merged: dict[str, Any] = {}
        self.size, self.depth = 1, 1

    def step(self) -> str | int:
        return len(self.items) if self.members is None else self.name or ""

    def node(self) -> _Node:
        value = self.items if self.members is None else {**self.merged, **self.members}
        return _Node(value, self.size, self.depth)


class _Reader:
    """Builds the data out of parse events, so that every bound is checked before anything is built."""

    def __init__(self, file: str, most_nodes: int) -> None:
        self.file, self._most_nodes = file, most_nodes
        self.root: _Node | None = None
        self.values: dict[Trail, Mark] = {}
        self.names: dict[Trail, Mark] = {}
        self._frames: list[_Frame] = []
        self._anchors: dict[str, _Node] = {}
        self._nodes = 0

    def take(self, event: Any) -> None:
        """Takes the next event of the parser."""
        mark = Mark(event.start_mark.line + 1, event.start_mark.column + 1)
        match event:
            case yaml.DocumentStartEvent():
                self._document(mark)
            case yaml.ScalarEvent():
                self._scalar(event, mark)
            case yaml.AliasEvent():
                self._alias(event.anchor, mark)
            case yaml.MappingStartEvent() | yaml.SequenceStartEvent():
                self._open(event, mark)
            case yaml.MappingEndEvent() | yaml.SequenceEndEvent():
                self._close()

    def _document(self, mark: Mark) -> None:
        if self.root is not None:
            raise self._refusal(mark, "one file holds one scenario, and here a second document begins")

    def _scalar(self, event: Any, mark: Mark) -> None:
        self._refuse_tag(event, mark)
        frame = self._frames[-1] if self._frames else None
        if frame is not None and frame.members is not None and frame.name is None:
            self._name(frame, event, mark)
            return
        node = _Node(self._scalar_value(event, mark), 1, 1)
        self._anchor(event.anchor, node)
        self._count(1, mark)
        self._place(node, mark)

    def _name(self, frame: _Frame, event: Any, mark: Mark) -> None:
        frame.name, frame.merges = event.value, event.value == "<<" and event.implicit[0]
        path = (*frame.path, event.value)
        if not frame.merges and path in self.names:
            raise self._refusal(mark, f'"{event.value}" is given twice, first on line {self.names[path].line}')
        self.names[path] = mark

    def _scalar_value(self, event: Any, mark: Mark) -> Any:
        text: str = event.value
        if not event.implicit[0]:
            return text
        if text in _WORDS:
            return _WORDS[text]
        if _WHOLE.fullmatch(text):
            return int(text)
        if not _NUMBER.fullmatch(text):
            return text
        if text.lstrip("-").isdecimal() or isinf(float(text)):
            raise self._refusal(mark, "the number is too large; quote it to make it text")
        return float(text)

    def _alias(self, anchor: str | None, mark: Mark) -> None:
        node = self._anchors.get(anchor or "")
        if node is None:
            raise self._refusal(mark, f"*{anchor} names nothing that ends before it")
        self._count(node.size, mark)
        self._place(node, mark)

    def _open(self, event: Any, mark: Mark) -> None:
        self._refuse_tag(event, mark)
        mapping = isinstance(event, yaml.MappingStartEvent)
        self._anchors.pop(event.anchor, None)
        self._check_depth(len(self._frames) + 1, mark)
        self._refuse_name(mark)
        path = (*self._frames[-1].path, self._frames[-1].step()) if self._frames else ()
        self._frames.append(_Frame(path, event.anchor, mark, mapping=mapping))

    def _close(self) -> None:
        frame = self._frames.pop()
        self._count(1, frame.mark)
        self._anchor(frame.anchor, frame.node())
        self._place(frame.node(), frame.mark)

    def _place(self, node: _Node, mark: Mark) -> None:
        if not self._frames:
            self.root = node
            self.values[()] = mark
            return
        self._refuse_name(mark)
        frame = self._frames[-1]
        frame.size += node.size
        frame.depth = max(frame.depth, node.depth + 1)
        self._check_depth(len(self._frames) + node.depth, mark)
        self.values[(*frame.path, frame.step())] = mark
        if frame.members is None:
            frame.items.append(node.value)
        elif frame.merges:
            self._merge(frame, node.value, mark)
        else:
            frame.members[frame.name or ""] = node.value
        frame.name, frame.merges = None, False

    def _merge(self, frame: _Frame, value: Any, mark: Mark) -> None:
        for part in value if isinstance(value, list) else [value]:
            if not isinstance(part, dict):
                raise self._refusal(mark, '"<<" takes a mapping, or a list of them, to start from')
            frame.merged = {**part, **frame.merged}

    def _anchor(self, name: str | None, node: _Node) -> None:
        if name is not None:
            self._anchors[name] = node

    def _count(self, size: int, mark: Mark) -> None:
        self._nodes += size
        if self._nodes > self._most_nodes:
            raise self._refusal(
                mark, f"with its aliases written out the file has more than {self._most_nodes:,} members"
            )

    def _check_depth(self, depth: int, mark: Mark) -> None:
        if depth > DEEPEST:
            raise self._refusal(mark, f"the file is nested more than {DEEPEST} deep")

    def _refuse_name(self, mark: Mark) -> None:
        frame = self._frames[-1] if self._frames else None
        if frame is not None and frame.members is not None and frame.name is None:
            raise self._refusal(mark, "the name of a member must be plain text")

    def _refuse_tag(self, event: Any, mark: Mark) -> None:
        if event.tag is not None:
            raise self._refusal(mark, f"the tag {event.tag} is no part of the language; write the plain value")

    def _refusal(self, mark: Mark, message: str) -> InvalidScenario:
        return InvalidScenario(self.file, *mark, message)
