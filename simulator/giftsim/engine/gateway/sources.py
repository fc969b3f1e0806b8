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
from giftsim.engine.gateway.member_sources import SOURCE
from giftsim.engine.gateway.node import Node, Part, Schema

STATEMENT = re.compile(r"[TPM]-\d+\.\d+")

# The source of an interface that simulates nothing, and of all its items: it is the product's own.
OWN = "giftsim"


class Item(msgspec.Struct, frozen=True):
    """One item of a contract, at `place` in the published document (a JSON pointer).

    `operation` is the id of its operation or event, empty for an error code; `status` is that of its response, if it is
    of one. `name` is that of a parameter, header or code, or the path of a member, such as `people[].email`.
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


def _children(part: Part, *path: str | int) -> Iterator[tuple[str, Part]]:
    """The entries of the map at a path below, none if there is no map."""
    node: Any = part.schema
    for step in path:
        node = node.get(step, {})
    for name in node:
        yield name, part.child(*path, name)


def _operations(document: Schema) -> Iterator[Item]:
    root = Part("", document)
    for section, kind in (("paths", "operation"), ("webhooks", "event")):
        for _, path in _children(root, section):
            for method in METHODS:
                if method in path.schema:
                    yield from _operation(document, kind, path, path.child(method))


def _operation(document: Schema, kind: str, path: Part, spot: Part) -> Iterator[Item]:
    name = spot.schema["operationId"]
    yield Item(kind, name, "", "", spot.place, _ids(spot))
    for holder in (path, spot):
        for i in range(len(holder.schema.get("parameters", ()))):
            parameter = holder.child("parameters", i).resolved(document)
            yield Item("parameter", name, "", parameter.schema["name"], parameter.place, _ids(parameter))
    member = "event member" if kind == "event" else "request member"
    for member_path, place, ids in _body_members(document, spot, "requestBody", "content"):
        yield Item(member, name, "", member_path, place, ids)
    for status, entry in _children(spot, "responses"):
        yield from _response(document, name, status, entry.resolved(document))


def _response(document: Schema, operation: str, status: str, spot: Part) -> Iterator[Item]:
    yield Item("status", operation, status, "", spot.place, _ids(spot))
    for name, entry in _children(spot, "headers"):
        header = entry.resolved(document)
        yield Item("header", operation, status, name, header.place, _ids(header))
    for path, place, ids in _body_members(document, spot, "content"):
        yield Item("response member", operation, status, path, place, ids)


def _codes(document: Schema) -> Iterator[Item]:
    for i, entry in enumerate(document.get("x-errors", ())):
        yield Item("code", "", "", entry["code"], f"/x-errors/{i}", tuple(entry.get(SOURCE, ())))


def _ids(spot: Part) -> tuple[str, ...]:
    return tuple(spot.schema.get(SOURCE, ()))


def _body_members(document: Schema, spot: Part, *content: str) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    for _, media in _children(spot, *content):
        if "schema" in media.schema:
            yield from _members(Node(document, [media.child("schema")]))


def _members(node: Node, prefix: str = "") -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """The path, place and ids of each member of an object, and of those inside."""
    for name, member in node.members.items():
        schemas = [part for part in member.given if isinstance(part.schema, Mapping)]
        if schemas:
            first = next((part for part in schemas if SOURCE in part.schema), schemas[0])
            yield prefix + name, first.place, _ids(first)
            yield from _members(member, f"{prefix}{name}.")
    for inner, step in ((node.items, "[]"), (node.others, ".*")):
        if inner.given:
            yield from _members(inner, f"{prefix.removesuffix('.')}{step}.")
