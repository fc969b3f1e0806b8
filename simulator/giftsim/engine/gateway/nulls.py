"""Null for a member that the contract does not let be null: the member counts as absent (G188).

Serializers of Java, .NET and Go write null for what was not set. The setting `strict_nulls` refuses it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import Any

from giftsim.engine.gateway.body_schema import Schema
from giftsim.engine.kernel.setting import flag

STRICT_NULLS = flag("strict_nulls", False, "refuse null for members of a body that the contract does not let be null")
_PARTS = ("allOf", "anyOf", "oneOf")
_BRANCHES = ("then", "else")


class Place:
    """A place in a body: the schema nodes that name it, and those below it, whichever branch of a condition applies.

    `document` has the components that the nodes refer to. Places below are made when a body has them.
    """

    def __init__(self, nodes: Iterable[Any], document: Mapping[str, Any], *, named: bool = True) -> None:
        self._own, self._is_named = tuple(nodes), named
        self._document = document
        self._named: dict[str, Place] = {}

    def without_nulls(self, value: Any) -> Any:
        """The value without members that are null and may not be. A member that no node names is kept."""
        if isinstance(value, list):
            return [self._entry.without_nulls(each) for each in value]
        if not isinstance(value, dict):
            return value
        return {
            name: self._member(name).without_nulls(each)
            for name, each in value.items()
            if each is not None or self._member(name)._takes_null
        }

    @cached_property
    def _nodes(self) -> tuple[Mapping[str, Any], ...]:
        return tuple(part for node in self._own for part in _parts(node, self._document))

    @cached_property
    def _takes_null(self) -> bool:
        return not self._is_named or all(_is_null_valid(node, self._document) for node in self._own)

    @cached_property
    def _entry(self) -> Place:
        return Place([node["items"] for node in self._nodes if "items" in node], self._document)

    @cached_property
    def _other(self) -> Place:
        """A member that no node names, such as an entry of a map."""
        return Place([node.get("additionalProperties") for node in self._nodes], self._document, named=False)

    def _member(self, name: str) -> Place:
        if name not in self._named:
            nodes = [node["properties"][name] for node in self._nodes if name in node.get("properties", ())]
            if not nodes:
                return self._other
            self._named[name] = Place(nodes, self._document)
        return self._named[name]


def _parts(node: Any, document: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """The node and all other schemas that may apply to the same value, except conditions."""
    if not isinstance(node, Mapping):
        return
    yield node
    if "$ref" in node:
        yield from _parts(document["components"]["schemas"][node["$ref"].rsplit("/", 1)[1]], document)
    for keyword in _PARTS:
        for part in node.get(keyword, ()):
            yield from _parts(part, document)
    for keyword in _BRANCHES:
        yield from _parts(node.get(keyword), document)


def _is_null_valid(node: Any, document: Mapping[str, Any]) -> bool:
    return Schema(node, document).is_valid(None) if isinstance(node, Mapping) else bool(node)
