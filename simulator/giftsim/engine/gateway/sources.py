"""Where each item of a contract comes from: statements of the service's documents, or decisions of the simulator.

An item is an operation, an event, a parameter, a header, a status, a member of a body or an error code. In the
published contract it has `x-source`, a list of ids: statements like `P-2.4`, decisions like `B19`. With a statement
among them the item is documented, and the decisions say what the documents leave open about it; else it is decided.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any

import msgspec

from giftsim.engine.gateway.contract import Contract
from giftsim.engine.gateway.contract_file import METHODS
from giftsim.engine.gateway.member_sources import ONE, SEVERAL, SOURCE

STATEMENT = re.compile(r"[TPM]-\d+\.\d+")

# The source of an interface that simulates nothing, and of all its items: it is the product's own.
OWN = "giftsim"

Node = Mapping[str, Any]


class Item(msgspec.Struct, frozen=True):
    """One item of a contract, at `place` in the published document (a JSON pointer).

    `operation` is the id of its operation or event, empty for an error code; `status` is that of its response, if it is
    of one. `name` is that of a parameter, header or code, or the path of a member, such as `recipients[].email`.
    """

    kind: str
    operation: str
    status: str
    name: str
    place: str
    ids: tuple[str, ...]

    @property
    def statements(self) -> tuple[str, ...]:
        """The ids of statements of the service's documents."""
        return tuple(name for name in self.ids if STATEMENT.fullmatch(name))

    @property
    def decisions(self) -> tuple[str, ...]:
        """The ids of decisions of the simulator."""
        return tuple(name for name in self.ids if name != OWN and not STATEMENT.fullmatch(name))

    @property
    def documented(self) -> bool:
        """Whether the service's documents name it."""
        return bool(self.statements)


class Sources:
    """The items of a contract with their sources."""

    def __init__(self, contract: Contract) -> None:
        self.document = contract.published

    @cached_property
    def whole(self) -> tuple[str, ...]:
        """The ids that are about the whole interface."""
        return tuple(self.document.get(SOURCE, ()))

    @cached_property
    def items(self) -> tuple[Item, ...]:
        """Every item of every operation and event, in the order of the contract, then the error codes."""
        items = (*_operations(self.document), *_codes(self.document))
        return tuple(msgspec.structs.replace(item, ids=self.whole) for item in items) if OWN in self.whole else items

    @cached_property
    def distinct(self) -> tuple[Item, ...]:
        """The items. An item that several operations share is listed once."""
        return tuple({(item.kind, item.place): item for item in reversed(self.items)}.values())[::-1]


def _at(document: Node, place: str) -> Any:
    node: Any = document
    for part in place.split("/")[1:]:
        node = node[part.replace("~1", "/").replace("~0", "~")] if isinstance(node, Mapping) else node[int(part)]
    return node


# ---- Walking a contract. A spot is a node with its place.


class _Spot(msgspec.Struct, frozen=True):
    place: str
    node: Any

    def child(self, *path: str | int) -> _Spot:
        node, place = self.node, self.place
        for part in path:
            node = node[part]
            place += "/" + str(part).replace("~", "~0").replace("/", "~1")
        return _Spot(place, node)

    def children(self, *path: str | int) -> Iterator[tuple[str, _Spot]]:
        """The entries of the map at a path below, none if there is no map."""
        node: Any = self.node
        for part in path:
            node = node.get(part, {})
        for name in node:
            yield name, self.child(*path, name)


def _resolved(document: Node, spot: _Spot) -> _Spot:
    while "$ref" in spot.node:
        place = spot.node["$ref"].removeprefix("#")
        spot = _Spot(place, _at(document, place))
    return spot


def _operations(document: Node) -> Iterator[Item]:
    root = _Spot("", document)
    for section, kind in (("paths", "operation"), ("webhooks", "event")):
        for _, path in root.children(section):
            for method in METHODS:
                if method in path.node:
                    yield from _operation(document, kind, path, path.child(method))


def _operation(document: Node, kind: str, path: _Spot, spot: _Spot) -> Iterator[Item]:
    name = spot.node["operationId"]
    yield Item(kind, name, "", "", spot.place, _ids(spot))
    for holder in (path, spot):
        for i in range(len(holder.node.get("parameters", ()))):
            parameter = _resolved(document, holder.child("parameters", i))
            yield Item("parameter", name, "", parameter.node["name"], parameter.place, _ids(parameter))
    member = "event member" if kind == "event" else "request member"
    for member_path, place, ids in _body_members(document, spot, "requestBody", "content"):
        yield Item(member, name, "", member_path, place, ids)
    for status, entry in spot.children("responses"):
        yield from _response(document, name, status, _resolved(document, entry))


def _response(document: Node, operation: str, status: str, spot: _Spot) -> Iterator[Item]:
    yield Item("status", operation, status, "", spot.place, _ids(spot))
    for name, entry in spot.children("headers"):
        header = _resolved(document, entry)
        yield Item("header", operation, status, name, header.place, _ids(header))
    for path, place, ids in _body_members(document, spot, "content"):
        yield Item("response member", operation, status, path, place, ids)


def _codes(document: Node) -> Iterator[Item]:
    for i, entry in enumerate(document.get("x-errors", ())):
        yield Item("code", "", "", entry["code"], f"/x-errors/{i}", tuple(entry.get(SOURCE, ())))


def _ids(spot: _Spot) -> tuple[str, ...]:
    return tuple(spot.node.get(SOURCE, ()))


def _body_members(document: Node, spot: _Spot, *content: str) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    for _, media in spot.children(*content):
        if "schema" in media.node:
            yield from _members(document, [media.child("schema")])


def _members(document: Node, schemas: list[_Spot], prefix: str = "") -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """The path, place and ids of each member of the objects that the schemas describe together, and of those inside."""
    parts = [part for schema in schemas for part in _parts(document, schema)]
    by_name: dict[str, list[_Spot]] = {}
    for part in parts:
        for name, member in part.children("properties"):
            if isinstance(member.node, Mapping):
                by_name.setdefault(name, []).append(member)
    for name, spots in by_name.items():
        first = next((spot for spot in spots if SOURCE in spot.node), spots[0])
        yield prefix + name, first.place, _ids(first)
        yield from _members(document, spots, f"{prefix}{name}.")
    for keyword, step in (("items", "[]"), ("additionalProperties", ".*")):
        if inner := [part.child(keyword) for part in parts if isinstance(part.node.get(keyword), Mapping)]:
            yield from _members(document, inner, f"{prefix.removesuffix('.')}{step}.")


def _parts(document: Node, spot: _Spot) -> Iterator[_Spot]:
    """The schemas that apply to the same value as this one: itself, what it refers to, and its alternatives."""
    if not isinstance(spot.node, Mapping):
        return
    yield spot
    if "$ref" in spot.node:
        yield from _parts(document, _resolved(document, spot))
    for keyword in ONE:
        if keyword in spot.node:
            yield from _parts(document, spot.child(keyword))
    for keyword in SEVERAL:
        for i in range(len(spot.node.get(keyword, ()))):
            yield from _parts(document, spot.child(keyword, i))
