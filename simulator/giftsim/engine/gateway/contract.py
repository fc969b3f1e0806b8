"""A compiled OpenAPI 3.1 contract: the only source of routes, parameters, scopes, idempotency and schemas."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import msgspec

from giftsim.engine.gateway.body_schema import Schema
from giftsim.engine.gateway.contract_file import METHODS, BadContract, document
from giftsim.engine.gateway.member_sources import published
from giftsim.engine.gateway.node import Node, resolve_ref
from giftsim.engine.gateway.parameter import Parameter

ORDER = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")


def in_order(methods: Iterable[str]) -> list[str]:
    """Methods in the order in which `Allow` lists them."""
    return sorted(methods, key=ORDER.index)


class Operation(msgspec.Struct, frozen=True, dict=True):
    """One method of one path; `template` is the path below the prefix, `node` the operation's node in the contract."""

    id: str
    method: str
    template: str
    node: Mapping[str, Any]
    path_params: tuple[Parameter, ...]
    query_params: tuple[Parameter, ...]
    document: Mapping[str, Any]

    @cached_property
    def idempotency(self) -> str | None:
        """Where the idempotency key is: `body`, a `required` or `optional` header, or None for no key."""
        value: str | None = self.node.get("x-idempotency")
        return value

    @cached_property
    def scopes(self) -> tuple[str, ...]:
        """All scopes that the operation requires."""
        security = self.node.get("security", self.document.get("security", []))
        return tuple(scope for entry in security for scopes in entry.values() for scope in scopes)

    @cached_property
    def documented(self) -> tuple[int, ...]:
        """The statuses that the contract documents for this operation."""
        return tuple(int(status) for status in self.node["responses"])

    @cached_property
    def body_required(self) -> bool:
        """Whether a call without a body is refused; else its body is `{}`."""
        return bool(self.node.get("requestBody", {}).get("required", False))

    @cached_property
    def body_schema(self) -> Schema | None:
        """The compiled schema of the JSON request body, or None where the operation takes none."""
        content = self.node.get("requestBody", {}).get("content", {})
        schema = content.get("application/json", {}).get("schema")
        return Schema(schema, self.document) if schema is not None else None

    @cached_property
    def body_node(self) -> Node:
        """What the schema of the body says about it, to find null where it may not be."""
        return Node.root(self.body_schema.document if self.body_schema is not None else {})

    def body_schema_for(self, mode: str | None) -> Schema:
        """The body schema with the ids of a mode, `live` or `test`; with those of both for None."""
        if self.body_schema is None:
            raise ValueError(f"{self.id} takes no body")
        return self.body_schema if mode is None else self.body_schema.for_mode(mode)


class RouteNode(msgspec.Struct):
    """A node of the routing tree: the children of one path prefix, and the operations at it by method."""

    literal: dict[str, RouteNode] = {}
    pattern: list[tuple[re.Pattern[str], RouteNode]] = []
    operations: dict[str, Operation] = {}

    @property
    def methods(self) -> list[str]:
        """The methods of the path. HEAD is answered wherever GET is, OPTIONS everywhere."""
        return in_order((*self.operations, *(("HEAD",) if "GET" in self.operations else ()), "OPTIONS"))

    def operation(self, method: str) -> Operation | None:
        """The operation of a method, for HEAD that of GET; None where the path has no such method."""
        return self.operations.get("GET" if method == "HEAD" else method)


class Contract:
    """The compiled contract of one interface."""

    def __init__(self, document: Mapping[str, Any]) -> None:
        self.document = document
        self.prefix: str = document["servers"][0]["url"].rstrip("/")
        self.operations: dict[str, Operation] = {}
        self.root = RouteNode()
        self._fixed: dict[str, RouteNode] = {}  # the nodes at paths without parameters
        for template, item in document["paths"].items():
            for method in METHODS:
                if method in item:
                    self._add(_operation(document, method, template, item))
        for alias, template in document.get("x-aliases", {}).items():
            self._alias(alias, template)

    @classmethod
    @cache
    def load(cls, path: Path) -> Contract:
        """The compiled contract of a file and its parts: one for all simulators of a process. Nobody changes it."""
        return cls(document(path))

    @classmethod
    @cache
    def load_part(cls, path: Path, operations: frozenset[str]) -> Contract:
        """The compiled contract with these operations only."""
        whole = cls.load(path)
        if operations.issuperset(whole.operations):
            return whole
        paths = {template: _item_part(item, operations) for template, item in whole.document["paths"].items()}
        kept = {template: item for template, item in paths.items() if any(method in item for method in METHODS)}
        aliases = {name: to for name, to in whole.document.get("x-aliases", {}).items() if to in kept}
        return cls({**whole.document, "paths": kept, "x-aliases": aliases})

    @cached_property
    def published(self) -> Mapping[str, Any]:
        """The document as it is published: every member has its source."""
        return published(self.document)

    def match(self, path: str) -> tuple[RouteNode, dict[str, str]] | None:
        """The node at a path below the prefix and the texts of the path parameters; None for an unknown path."""
        if (node := self._fixed.get(path)) is not None:
            return node, {}
        match = _descend(self.root, path.split("/")[1:], 0)
        return match if match and match[0].operations else None

    def _add(self, op: Operation) -> None:
        if op.id in self.operations:
            raise BadContract(f"two operations have the id {op.id}")
        self.operations[op.id] = op
        node = self.root
        for segment in op.template.split("/")[1:]:
            node = _child(node, segment)
        node.operations[op.method] = op
        if "{" not in op.template:
            self._fixed[op.template] = node

    def _alias(self, alias: str, template: str) -> None:
        """Serve a path such as `/worlds/{w}/calls`, and the paths below it, also with another last segment."""
        *parents, name = template.split("/")[1:]
        node = self.root
        for segment in parents:
            node = _child(node, segment)
        node.literal[alias.rpartition("/")[2]] = node.literal[name]


def _item_part(item: Mapping[str, Any], operations: frozenset[str]) -> dict[str, Any]:
    """A path with those of its methods whose operations are wanted."""
    return {key: node for key, node in item.items() if key not in METHODS or node["operationId"] in operations}


def _operation(document: Mapping[str, Any], method: str, template: str, item: Mapping[str, Any]) -> Operation:
    node = item[method]
    nodes = [resolve_ref(document, entry) for entry in (*item.get("parameters", ()), *node.get("parameters", ()))]
    parameters: dict[str, list[Parameter]] = {"path": [], "query": []}
    for entry in nodes:
        if entry["in"] in parameters:
            parameters[entry["in"]].append(Parameter.read(document, entry))
    return Operation(
        node["operationId"],
        method.upper(),
        template,
        node,
        tuple(parameters["path"]),
        tuple(parameters["query"]),
        document,
    )


def _child(node: RouteNode, segment: str) -> RouteNode:
    """The child for a segment of a path template, made if there is none."""
    if "{" not in segment:
        return node.literal.setdefault(segment, RouteNode())
    text = re.sub(r"\\\{(\w+)\\\}", r"(?P<\1>[^/]+?)", re.escape(segment))
    for pattern, child in node.pattern:
        if pattern.pattern == text:
            return child
    node.pattern.append((re.compile(text), RouteNode()))
    return node.pattern[-1][1]


def _descend(node: RouteNode, segments: list[str], i: int) -> tuple[RouteNode, dict[str, str]] | None:
    if i == len(segments):
        return node, {}
    if (child := node.literal.get(segments[i])) and (match := _descend(child, segments, i + 1)):
        return match
    for pattern, child in node.pattern:
        if (values := pattern.fullmatch(segments[i])) and (match := _descend(child, segments, i + 1)):
            return match[0], {**values.groupdict(), **match[1]}
    return None


def path_templates(contract: Contract) -> Iterator[str]:
    """Every path of the contract with its prefix."""
    for op in contract.operations.values():
        yield contract.prefix + op.template
