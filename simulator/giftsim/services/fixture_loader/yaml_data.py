"""Builds the data of a YAML file from the parser's events.

`yaml.load` builds a tree of nodes first, which takes ten times the memory of the data.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import Any, Final

import yaml
from yaml.constructor import ConstructorError, SafeConstructor
from yaml.resolver import Resolver

_TEXT, _MERGE = "tag:yaml.org,2002:str", "tag:yaml.org,2002:merge"
_COLLECTIONS: Final = (None, "!", "tag:yaml.org,2002:map", "tag:yaml.org,2002:seq")


class TooManyValues(Exception):
    """A file has more values than the caller takes."""


def load_yaml(raw: bytes, most: int) -> Any:
    """The data of a file, as `yaml.safe_load` reads it. YAMLError, ValueError, RecursionError, TooManyValues."""
    return _Builder(yaml.parse(raw, Loader=yaml.CSafeLoader), most).document()


class _Builder(SafeConstructor, Resolver):
    """Builds each value as its events come; `most` is how many there may be before aliases are expanded."""

    def __init__(self, events: Iterator[Any], most: int) -> None:
        SafeConstructor.__init__(self)
        Resolver.__init__(self)
        self._events, self._left = events, most
        self._anchors: dict[str, Any] = {}

    def document(self) -> Any:
        """The value of the one document; None if the file is empty."""
        root, begun = None, False
        for event in self._events:
            if isinstance(event, yaml.DocumentStartEvent) and begun:
                raise _error("expected a single document", event)
            if isinstance(event, yaml.NodeEvent):
                root, begun = self._value(event), True
        return root

    def _value(self, event: Any) -> Any:
        self._left -= 1
        if self._left < 0:
            raise TooManyValues
        if isinstance(event, yaml.AliasEvent):
            if event.anchor not in self._anchors:
                raise _error(f"*{event.anchor} refers to an anchor that does not end before it", event)
            return self._anchors[event.anchor]
        value = self._scalar(event)[1] if isinstance(event, yaml.ScalarEvent) else self._collection(event)
        if event.anchor is not None:
            self._anchors[event.anchor] = value
        return value

    def _collection(self, event: Any) -> Any:
        if event.tag not in _COLLECTIONS:
            raise _error(f"could not determine a constructor for {event.tag!r}", event)
        if isinstance(event, yaml.SequenceStartEvent):
            return [self._value(each) for each in self._until(yaml.SequenceEndEvent)]
        return self._mapping()

    def _mapping(self) -> dict[Hashable, Any]:
        members: dict[Hashable, Any] = {}
        merged: dict[Hashable, Any] = {}
        for event in self._until(yaml.MappingEndEvent):
            tag, name = self._scalar(event) if isinstance(event, yaml.ScalarEvent) else (None, self._value(event))
            value = self._value(next(self._events))
            if tag == _MERGE:
                for part in value if isinstance(value, list) else [value]:
                    if not isinstance(part, dict):
                        raise _error("expected a mapping for merging", event)
                    merged = {**part, **merged}
            elif isinstance(name, Hashable):
                members[name] = value
            else:
                raise _error("found unhashable key", event)
        return {**merged, **members} if merged else members

    def _until(self, end: type[yaml.Event]) -> Iterator[Any]:
        for event in self._events:
            if isinstance(event, end):
                return
            yield event

    def _scalar(self, event: Any) -> tuple[str, Any]:
        """The tag and the value of a scalar."""
        tag: str = event.tag
        if tag in (None, "!"):
            tag = self.resolve(yaml.ScalarNode, event.value, event.implicit)  # type: ignore[no-untyped-call]
        if tag in (_TEXT, _MERGE):
            return tag, event.value
        value = self.construct_object(yaml.ScalarNode(tag, event.value, event.start_mark, event.end_mark))
        self.constructed_objects.clear()
        return tag, value


def _error(message: str, event: Any) -> ConstructorError:
    return ConstructorError(None, None, message, event.start_mark)
