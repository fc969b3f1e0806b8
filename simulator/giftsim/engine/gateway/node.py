"""What the schemas of a document say about one place of a value: their members, items and alternatives.

Several schemas may describe the same place: the one that stands there, those that it refers to, its combinations
(`allOf` and its like) and the branches of its conditions. A `Node` has them all, so nobody else walks a schema.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, Final, NamedTuple

from giftsim.engine.gateway.validator import compile_validator, self_contained

Schema = Mapping[str, Any]

COMBINATIONS: Final = ("allOf", "anyOf", "oneOf")
CONDITION: Final = "if"
BRANCHES: Final = ("then", "else")


def resolve_ref(document: Schema, node: Schema) -> Schema:
    """The node itself, or the node that its `$ref` points to."""
    while "$ref" in node:
        node = node_at(document, node["$ref"])
    return node


def node_at(document: Any, pointer: str) -> Any:
    """The node that a JSON pointer such as `/components/schemas/Id` or `#/components/schemas/Id` leads to."""
    node = document
    for part in pointer.removeprefix("#").split("/")[1:]:
        node = node[int(part) if isinstance(node, list) else part.replace("~1", "/").replace("~0", "~")]
    return node


def nodes_along(document: Schema, trail: Sequence[str | int]) -> Iterator[Schema]:
    """The schemas from the root to the one whose keyword ends the trail, including every `$ref` target on the way.

    A trail is an evaluation path of the validator. A `$ref` that it does not name is followed too.
    """
    node: Any = document
    yield node
    for i, part in enumerate(trail, 1):
        while isinstance(node, Mapping) and "$ref" in node and part not in node:
            node = node_at(document, node["$ref"])
            yield node
        if i == len(trail):
            return
        node = node_at(document, node["$ref"]) if part == "$ref" else node[part]
        if isinstance(node, Mapping):
            yield node


class Part(NamedTuple):
    """A schema, or another node, with its place in the document: a JSON pointer such as `/components/schemas/Id`."""

    place: str
    schema: Any

    def child(self, *path: str | int) -> Part:
        """The node at a path below."""
        schema, place = self.schema, self.place
        for part in path:
            schema = schema[part]
            place += "/" + str(part).replace("~", "~0").replace("/", "~1")
        return Part(place, schema)

    def resolved(self, document: Schema) -> Part:
        """The node itself, or the node that its `$ref` points to."""
        part = self
        while "$ref" in part.schema:
            place = part.schema["$ref"].removeprefix("#")
            part = Part(place, node_at(document, place))
        return part


class Node:
    """All that a document says about one place of a value. Nodes below are made when they are asked for, and kept.

    `given` are the schemas that stand at the place, in the order of the document; without any, nothing is known.
    """

    def __init__(
        self, document: Schema, given: Iterable[Part], checks: dict[int, Any] | None = None, *, is_named: bool = True
    ) -> None:
        self.given = tuple(given)
        self.document, self._is_named = document, is_named
        self._checks: dict[int, Any] = {} if checks is None else checks  # compiled schemas, by the id of their node
        self._by_name: dict[str, Node] = {}

    @classmethod
    def root(cls, schema: Schema) -> Node:
        """The node of a whole value that a self-contained schema describes."""
        return cls(schema, [Part("", schema)])

    @cached_property
    def parts(self) -> tuple[Part, ...]:
        """Every schema that may apply to the value, whichever branch of a condition does; conditions themselves not."""
        return self._parts(lambda schema: [each for each in BRANCHES if each in schema])

    def of_value(self, value: Any) -> Node:
        """The node with only those parts that apply to a value; of a condition that holds, the condition too."""
        if not any(CONDITION in part.schema for part in self.parts):
            return self
        node = Node(self.document, self.given, self._checks, is_named=self._is_named)
        node.__dict__["parts"] = self._parts(lambda schema: self._branches(schema, value))
        return node

    @cached_property
    def members(self) -> Mapping[str, Node]:
        """The members that the document describes, in its order; those that it only forbids not."""
        described = [part.schema.get("properties", {}).items() for part in self.parts]
        names = dict.fromkeys(name for each in described for name, schema in each if schema is not False)
        return {name: self.member(name) for name in names}

    def member(self, name: str) -> Node:
        """A member of an object; where the document does not name it, that of any other name."""
        node = self._by_name.get(name)
        if node is None:
            named = [part.child("properties", name) for part in self.parts if name in part.schema.get("properties", ())]
            if not named:
                return self.others
            node = self._by_name[name] = self._below(named)
        return node

    @cached_property
    def others(self) -> Node:
        """A member that the document does not name, such as an entry of a map."""
        keyword = "additionalProperties"
        schemas = [part.child(keyword) for part in self.parts if isinstance(part.schema.get(keyword), Mapping)]
        return self._below(schemas, is_named=False)

    @cached_property
    def items(self) -> Node:
        """An item of a list."""
        return self._below([part.child("items") for part in self.parts if "items" in part.schema])

    @cached_property
    def has_members(self) -> bool:
        """Whether the document names members of an object here."""
        return any("properties" in part.schema for part in self.parts)

    @cached_property
    def takes_null(self) -> bool:
        """Whether the value may be null; any member may be that the document does not name."""
        return not self._is_named or all(self._is_valid(part.schema, None) for part in self.given)

    def _below(self, given: Iterable[Part], *, is_named: bool = True) -> Node:
        return Node(self.document, given, self._checks, is_named=is_named)

    def _parts(self, branches: Callable[[Schema], Iterable[str]]) -> tuple[Part, ...]:
        return tuple(part for each in self.given for part in _applying(self.document, each, branches))

    def _branches(self, schema: Schema, value: Any) -> tuple[str, ...]:
        if CONDITION not in schema:
            return ()
        taken = (CONDITION, "then") if self._is_valid(schema[CONDITION], value) else ("else",)
        return tuple(each for each in taken if each in schema)

    def _is_valid(self, schema: Any, value: Any) -> bool:
        if not isinstance(schema, Mapping):
            return bool(schema)
        if id(schema) not in self._checks:
            self._checks[id(schema)] = compile_validator(self_contained(schema, self.document))
        return bool(self._checks[id(schema)].is_valid(value))


def _applying(document: Schema, part: Part, branches: Callable[[Schema], Iterable[str]]) -> Iterator[Part]:
    """The schema and all that apply to the same value: what it refers to, its combinations, and these branches."""
    if not isinstance(part.schema, Mapping):
        return
    yield part
    if "$ref" in part.schema:
        yield from _applying(document, part.resolved(document), branches)
    for keyword in COMBINATIONS:
        for i in range(len(part.schema.get(keyword, ()))):
            yield from _applying(document, part.child(keyword, i), branches)
    for keyword in branches(part.schema):
        yield from _applying(document, part.child(keyword), branches)


def described_node(document: Schema, schema: Schema, value: Any, path: Iterable[str | int]) -> tuple[Schema, Any]:
    """The schema and the value at a path, or the deepest ones on the way that the document describes.

    Of alternatives, the schema is the one that describes values of this type.
    """
    schema = _meant(document, schema, value)
    for part in path:
        below = schema.get("items") if isinstance(part, int) else schema.get("properties", {}).get(part)
        if not isinstance(below, Mapping):
            break
        try:
            value = value[part]
        except (KeyError, IndexError, TypeError):
            value = None
        schema = _meant(document, below, value)
    return schema, value


def _meant(document: Schema, schema: Schema, value: Any) -> Schema:
    """The schema, or the one of its alternatives that describes a value of this type."""
    schema = resolve_ref(document, schema)
    describes = "properties" if isinstance(value, dict) else "items" if isinstance(value, list) else None
    branches = [_meant(document, branch, value) for branch in (*schema.get("anyOf", ()), *schema.get("oneOf", ()))]
    return next((branch for branch in branches if describes in branch), schema)
