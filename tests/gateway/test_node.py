"""What the schemas of a document say about a place of a value: one walk for all who ask."""

from __future__ import annotations

from typing import Any

import pytest

from giftsim.engine.gateway.node import Node, described_node, node_at, nodes_along

TEXT = {"type": "string"}
DOCUMENT: dict[str, Any] = {
    "$ref": "#/components/schemas/Order",
    "components": {
        "schemas": {
            "Order": {
                "properties": {
                    "name": TEXT,
                    "lines": {"type": "array", "items": {"$ref": "#/components/schemas/Line"}},
                },
                "anyOf": [{"properties": {"note": {"type": ["string", "null"]}}}, {"required": ["name"]}],
                "if": {"properties": {"mode": {"const": "gift"}}, "required": ["mode"]},
                "then": {"properties": {"message": TEXT}},
                "else": {"properties": {"address": TEXT, "name": False}},
            },
            "Line": {"properties": {"sku": TEXT}, "additionalProperties": {"type": "integer"}},
        }
    },
}
ORDER = "/components/schemas/Order"


def test_members_are_those_of_references_combinations_and_every_branch() -> None:
    node = Node.root(DOCUMENT)
    assert list(node.members) == ["name", "lines", "note", "message", "address"]
    assert [part.place for part in node.member("name").given] == [
        f"{ORDER}/properties/name",
        f"{ORDER}/else/properties/name",
    ]
    assert all(node_at(DOCUMENT, part.place) is part.schema for part in node.parts)


@pytest.mark.parametrize(
    ("value", "members"),
    [({"mode": "gift"}, ["name", "lines", "note", "mode", "message"]), ({}, ["name", "lines", "note", "address"])],
)
def test_for_a_value_only_the_branch_counts_that_its_condition_selects(value: Any, members: list[str]) -> None:
    assert list(Node.root(DOCUMENT).of_value(value).members) == members


def test_items_other_members_and_null() -> None:
    node = Node.root(DOCUMENT)
    line = node.member("lines").items
    assert (list(line.members), line.member("weight").given[0].schema) == (["sku"], {"type": "integer"})
    assert not node.member("unknown").given
    assert [name for name, member in node.members.items() if member.takes_null] == ["note"]
    assert node.member("unknown").takes_null


def test_the_schema_at_a_path_is_the_deepest_that_is_described() -> None:
    schemas = DOCUMENT["components"]["schemas"]
    lines, value = schemas["Order"]["properties"]["lines"], [{"sku": {"deep": 1}}]
    assert described_node(DOCUMENT, lines, value, (0,)) == (schemas["Line"], value[0])
    assert described_node(DOCUMENT, lines, value, (0, "sku", "deep")) == (TEXT, {"deep": 1})
    either = {"anyOf": [TEXT, {"$ref": "#/components/schemas/Line"}]}
    assert described_node(DOCUMENT, either, {"sku": 1}, ()) == (schemas["Line"], {"sku": 1})


def test_a_trail_of_the_validator_goes_through_references() -> None:
    trail = ("$ref", "properties", "lines", "items", "$ref", "properties", "sku", "type")
    schemas = DOCUMENT["components"]["schemas"]
    *_, lines, items, line, _, sku = nodes_along(DOCUMENT, trail)
    assert (lines["type"], items, line, sku) == ("array", {"$ref": "#/components/schemas/Line"}, schemas["Line"], TEXT)
