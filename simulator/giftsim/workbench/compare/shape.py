"""What a contract says about one position of a body: its types, values and formats, and on which source it rests."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any, NamedTuple

from giftsim.engine.gateway.member_sources import SOURCE
from giftsim.workbench.compare.called_operation import CalledOperation, node_at

_PARTS = ("allOf", "anyOf", "oneOf")
JSON = "json"


class SchemaNode(NamedTuple):
    """A schema of the contract, and the JSON pointer to it."""

    pointer: str
    schema: Mapping[str, Any]


class Shape:
    """All schemas that describe one position; none for a position that the contract does not know.

    `pointer` is the place in the contract that first describes the position, or that of its parent if none does.
    `around` are the sources of its parent, which are used if it has none.
    """

    def __init__(
        self, document: Mapping[str, Any], nodes: tuple[SchemaNode, ...], pointer: str, around: tuple[str, ...]
    ) -> None:
        self._document, self.nodes, self.pointer, self._around = document, nodes, pointer, around

    def member(self, name: str) -> Shape:
        """The shape of a member of an object."""
        named = [
            SchemaNode(f"{node.pointer}/properties/{_escape(name)}", node.schema["properties"][name])
            for node in self.nodes
            if name in node.schema.get("properties", {})
        ]
        others = [
            SchemaNode(f"{node.pointer}/additionalProperties", node.schema["additionalProperties"])
            for node in self.nodes
            if isinstance(node.schema.get("additionalProperties"), Mapping)
        ]
        return self._inner(named or others)

    def item(self) -> Shape:
        """The shape of an item of a list."""
        return self._inner(
            [SchemaNode(f"{node.pointer}/items", node.schema["items"]) for node in self.nodes if "items" in node.schema]
        )

    def _inner(self, nodes: list[SchemaNode]) -> Shape:
        pointer = nodes[0].pointer if nodes else self.pointer
        return Shape(self._document, tuple(_expand(self._document, nodes)), pointer, self.sources)

    @cached_property
    def is_map(self) -> bool:
        """Whether the names of an object's members are values, such as ids, and not fixed."""
        return any(isinstance(node.schema.get("additionalProperties"), Mapping) for node in self.nodes) and not any(
            "properties" in node.schema for node in self.nodes
        )

    @cached_property
    def listed_values(self) -> frozenset[str]:
        """The texts that the contract lists for the position."""
        listed = [value for node in self.nodes for value in (*node.schema.get("enum", ()), node.schema.get("const"))]
        return frozenset(value for value in listed if isinstance(value, str))

    @cached_property
    def is_number(self) -> bool:
        """Whether numbers with and without a fraction are the same here."""
        return any("number" in _types(node.schema) for node in self.nodes)

    @cached_property
    def is_id(self) -> bool:
        """Whether the contract says that an id stands here."""
        return any(
            node.schema.get("format") == "uuid" or "x-mode-id" in node.schema or node.pointer.endswith("/schemas/Id")
            for node in self.nodes
        )

    @cached_property
    def kind(self) -> str:
        """A short name of the place that defines the position, by which ids of different records are told apart."""
        return self.pointer.removeprefix("#/components/schemas/").replace("/properties/", ".")

    @cached_property
    def sources(self) -> tuple[str, ...]:
        """The ids of the statements or decisions on which the position rests."""
        own = tuple(dict.fromkeys(source for node in self.nodes for source in sources_of(node.schema)))
        return own or self._around


def body_shape(called: CalledOperation, status: int) -> Shape:
    """The shape of the JSON body of a response, whose source is that of the response or else of the operation."""
    pointer, response = called.response(status)
    document = called.contract.published
    content = response.get("content", {})
    media_type = next((name for name in content if name.endswith(JSON)), None)
    nodes: list[SchemaNode] = []
    if media_type is not None and "schema" in content[media_type]:
        pointer = f"{pointer}/content/{_escape(media_type)}/schema"
        nodes = list(_expand(document, [SchemaNode(pointer, content[media_type]["schema"])]))
    around = sources_of(response) or sources_of(called.operation.node if called.operation else {})
    return Shape(document, tuple(nodes), pointer, around)


def sources_of(node: Mapping[str, Any]) -> tuple[str, ...]:
    """The statements and decisions from which a node of the contract comes."""
    return tuple(map(str, node.get(SOURCE, ())))


def code_sources(called: CalledOperation, code: str) -> tuple[str, ...]:
    """The sources of an error code."""
    errors = called.contract.published.get("x-errors", ())
    return next((sources_of(error) for error in errors if error["code"] == code), ())


def _expand(document: Mapping[str, Any], nodes: list[SchemaNode]) -> Iterator[SchemaNode]:
    """The schemas with those that they refer to and consist of."""
    for node in nodes:
        if not isinstance(node.schema, Mapping):
            continue
        reference = node.schema.get("$ref")
        if reference is None or len(node.schema) > 1:
            yield node
        inner = [] if reference is None else [SchemaNode(reference, node_at(document, reference))]
        for part in _PARTS:
            inner += [
                SchemaNode(f"{node.pointer}/{part}/{i}", each) for i, each in enumerate(node.schema.get(part, ()))
            ]
        yield from _expand(document, inner)


def _types(schema: Mapping[str, Any]) -> tuple[str, ...]:
    types = schema.get("type", ())
    return (types,) if isinstance(types, str) else tuple(types)


def _escape(name: str) -> str:
    return name.replace("~", "~0").replace("/", "~1")
