"""An OpenAPI 3.1 contract, compiled: the only source of routes, parameters, scopes, idempotency and shapes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from giftsim.gateway import contract_cache
from giftsim.gateway.parameter import Parameter
from giftsim.gateway.schema import Shape

METHODS = ("get", "post", "put", "patch", "delete")


class BadContract(Exception):
    """A contract or its handlers do not fit together; the simulator does not start."""


@dataclass(frozen=True)
class Operation:
    """One method of one path. `idempotency` is `body`, `required`, `optional` or None; `scopes` are literal."""

    id: str
    method: str
    template: str
    node: Mapping[str, Any]
    path_params: tuple[Parameter, ...]
    query_params: tuple[Parameter, ...]
    document: Mapping[str, Any]

    @property
    def idempotency(self) -> str | None:
        """How a repeated call is known: by a member of the body, by the header, or not at all."""
        value: str | None = self.node.get("x-idempotency")
        return value

    @cached_property
    def scopes(self) -> tuple[str, ...]:
        """The scopes that the operation asks for, all of them."""
        security = self.node.get("security", self.document.get("security", []))
        return tuple(scope for entry in security for scopes in entry.values() for scope in scopes)

    @cached_property
    def documented(self) -> tuple[int, ...]:
        """The statuses that the contract names for this operation."""
        return tuple(int(status) for status in self.node["responses"])

    @cached_property
    def body_required(self) -> bool:
        """Whether a call without a body is refused, rather than taken for `{}`."""
        return bool(self.node.get("requestBody", {}).get("required", False))

    @cached_property
    def shape(self) -> Shape | None:
        """The compiled schema of the JSON request body, or None where the operation takes none."""
        content = self.node.get("requestBody", {}).get("content", {})
        schema = content.get("application/json", {}).get("schema")
        return Shape(schema, self.document) if schema is not None else None

    def shape_of(self, mode: str | None) -> Shape | None:
        """The shape whose ids are of a mode, `live` or `test`, or of either."""
        return self.shape if mode is None or self.shape is None else self.shape.of_mode(mode)


@dataclass
class Branch:
    """One path segment of the routing tree."""

    literal: dict[str, Branch] = field(default_factory=dict)
    pattern: list[tuple[re.Pattern[str], Branch]] = field(default_factory=list)
    operations: dict[str, Operation] = field(default_factory=dict)


class Contract:
    """The compiled contract of one interface."""

    def __init__(self, document: Mapping[str, Any]) -> None:
        self.document = document
        self.prefix: str = document["servers"][0]["url"].rstrip("/")
        self.operations: dict[str, Operation] = {}
        self.root = Branch()
        for template, item in document["paths"].items():
            for method in METHODS:
                if method in item:
                    self._add(_operation(document, method, template, item))

    @classmethod
    def load(cls, path: Path) -> Contract:
        """Read and compile a contract file, with the parts that it names."""
        return cls(document(path))

    def match(self, path: str) -> tuple[Branch, dict[str, str]] | None:
        """The routes at a path below the prefix, with its path parameters as text."""
        found = _descend(self.root, path.split("/")[1:], 0)
        return found if found and found[0].operations else None

    def _add(self, op: Operation) -> None:
        if op.id in self.operations:
            raise BadContract(f"two operations are called {op.id}")
        self.operations[op.id] = op
        branch = self.root
        for segment in op.template.split("/")[1:]:
            branch = _grow(branch, segment)
        branch.operations[op.method] = op


def document(path: Path) -> dict[str, Any]:
    """A contract as it is published: its file, with paths and components of the files beside it in `x-parts`."""
    whole: dict[str, Any] = contract_cache.read(path)
    for name in whole.pop("x-parts", ()):
        part = contract_cache.read(path.with_name(name))
        _join(whole["paths"], part.get("paths", {}), f"{name}: paths")
        for kind, entries in part.get("components", {}).items():
            _join(whole["components"].setdefault(kind, {}), entries, f"{name}: {kind}")
    return whole


def _join(into: dict[str, Any], entries: Mapping[str, Any], place: str) -> None:
    twice = [name for name in entries if name in into]
    if twice:
        raise BadContract(f"{place} {', '.join(twice)} stand in another part already")
    into.update(entries)


def resolve(document: Mapping[str, Any], node: Mapping[str, Any]) -> Mapping[str, Any]:
    """The node itself, or what its `$ref` names."""
    while "$ref" in node:
        target: Any = document
        for part in node["$ref"].removeprefix("#/").split("/"):
            target = target[part.replace("~1", "/").replace("~0", "~")]
        node = target
    return node


def _operation(document: Mapping[str, Any], method: str, template: str, item: Mapping[str, Any]) -> Operation:
    node = item[method]
    nodes = [resolve(document, entry) for entry in (*item.get("parameters", ()), *node.get("parameters", ()))]
    inside = {"path": [], "query": []}  # type: dict[str, list[Parameter]]
    for entry in nodes:
        if entry["in"] in inside:
            inside[entry["in"]].append(Parameter.read(document, entry))
    return Operation(
        node["operationId"], method.upper(), template, node, tuple(inside["path"]), tuple(inside["query"]), document
    )


def _grow(branch: Branch, segment: str) -> Branch:
    if "{" not in segment:
        return branch.literal.setdefault(segment, Branch())
    text = re.sub(r"\\\{(\w+)\\\}", r"(?P<\1>[^/]+?)", re.escape(segment))
    for pattern, below in branch.pattern:
        if pattern.pattern == text:
            return below
    branch.pattern.append((re.compile(text), Branch()))
    return branch.pattern[-1][1]


def _descend(branch: Branch, segments: list[str], i: int) -> tuple[Branch, dict[str, str]] | None:
    if i == len(segments):
        return branch, {}
    if (below := branch.literal.get(segments[i])) and (found := _descend(below, segments, i + 1)):
        return found
    for pattern, below in branch.pattern:
        if (matched := pattern.fullmatch(segments[i])) and (found := _descend(below, segments, i + 1)):
            return found[0], {**matched.groupdict(), **found[1]}
    return None


def templates(contract: Contract) -> Iterator[str]:
    """Every path of the contract with its prefix (for the nearest known route in a 404)."""
    for op in contract.operations.values():
        yield contract.prefix + op.template
