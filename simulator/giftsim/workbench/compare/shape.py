"""What a contract says about one position of a body: its types, values and formats, and on which source it rests."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any
from weakref import WeakKeyDictionary

from giftsim.engine.gateway.contract import Contract
from giftsim.engine.gateway.member_sources import SOURCE
from giftsim.engine.gateway.node import Node, Part
from giftsim.workbench.compare.called_operation import CalledOperation

JSON = "json"


class Shape:
    """What the contract says about one position; `node` has no parts for a position that it does not know.

    `pointer` is the place in the contract that first describes the position, or that of its parent if none does.
    `around` are the sources of its parent, which are used if it has none.
    """

    def __init__(self, node: Node, pointer: str, around: tuple[str, ...]) -> None:
        self.node, self._around = node, around
        self._members: dict[str, Shape] = {}
        self.pointer = f"#{node.given[0].place}" if node.given else pointer

    def member(self, name: str) -> Shape:
        """The shape of a member of an object."""
        shape = self._members.get(name)
        if shape is None:
            shape = self._members[name] = Shape(self.node.member(name), self.pointer, self.sources)
        return shape

    def item(self) -> Shape:
        """The shape of an item of a list."""
        return self._item

    @cached_property
    def _item(self) -> Shape:
        return Shape(self.node.items, self.pointer, self.sources)

    @cached_property
    def is_map(self) -> bool:
        """Whether the names of an object's members are values, such as ids, and not fixed."""
        return bool(self.node.others.given) and not self.node.has_members

    @cached_property
    def listed_values(self) -> frozenset[str]:
        """The texts that the contract lists for the position."""
        listed = [
            value for part in self.node.parts for value in (*part.schema.get("enum", ()), part.schema.get("const"))
        ]
        return frozenset(value for value in listed if isinstance(value, str))

    @cached_property
    def is_number(self) -> bool:
        """Whether numbers with and without a fraction are the same here."""
        return any("number" in _types(part.schema) for part in self.node.parts)

    @cached_property
    def is_id(self) -> bool:
        """Whether the contract says that an id stands here."""
        return any(
            part.schema.get("format") == "uuid" or "x-mode-id" in part.schema or part.place.endswith("/schemas/Id")
            for part in self.node.parts
        )

    @cached_property
    def kind(self) -> str:
        """A short name of the place that defines the position, by which ids of different records are told apart."""
        return self.pointer.removeprefix("#/components/schemas/").replace("/properties/", ".")

    @cached_property
    def sources(self) -> tuple[str, ...]:
        """The ids of the statements or decisions on which the position rests."""
        own = tuple(dict.fromkeys(source for part in self.node.parts for source in sources_of(part.schema)))
        return own or self._around


_SHAPES: WeakKeyDictionary[Contract, dict[tuple[str, int], Shape]] = WeakKeyDictionary()


def body_shape(called: CalledOperation, status: int) -> Shape:
    """The shape of the JSON body of a response, whose source is that of the response or else of the operation."""
    if called.operation is None:
        return _body_shape(called, status)
    known = _SHAPES.setdefault(called.contract, {})
    place = (called.operation.id, status)
    if place not in known:
        known[place] = _body_shape(called, status)
    return known[place]


def _body_shape(called: CalledOperation, status: int) -> Shape:
    pointer, response = called.response(status)
    document = called.contract.published
    content = response.get("content", {})
    media_type = next((name for name in content if name.endswith(JSON)), None)
    given = []
    if media_type is not None and "schema" in content[media_type]:
        given = [Part(pointer.removeprefix("#"), response).child("content", media_type, "schema")]
    around = sources_of(response) or sources_of(called.operation.node if called.operation else {})
    return Shape(Node(document, given), pointer, around)


def sources_of(node: Mapping[str, Any]) -> tuple[str, ...]:
    """The statements and decisions from which a node of the contract comes."""
    return tuple(map(str, node.get(SOURCE, ())))


def code_sources(called: CalledOperation, code: str) -> tuple[str, ...]:
    """The sources of an error code."""
    errors = called.contract.published.get("x-errors", ())
    return next((sources_of(error) for error in errors if error["code"] == code), ())


def _types(schema: Mapping[str, Any]) -> tuple[str, ...]:
    types = schema.get("type", ())
    return (types,) if isinstance(types, str) else tuple(types)
