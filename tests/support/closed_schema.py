"""Contracts whose schemas refuse every member that they do not name, at any depth, to check answers against.

A schema with `type` and `properties` becomes closed; one without `type` only adds to what another says of the object.
Schemas that describe one object together, by `allOf`, `if` and their like, stay open each, and the one that combines
them is closed: a component that is used both ways has an open copy too.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

OPEN = "~open"  # behind the name of a component's open copy
ONE, SEVERAL, NAMED = ("items", "contains", "propertyNames"), ("prefixItems",), ("properties", "patternProperties")
SAME_ONE, SAME_SEVERAL = ("if", "then", "else"), ("allOf", "anyOf", "oneOf")
LIMITS = ("additionalProperties", "unevaluatedProperties")


def closed_document(document: Mapping[str, Any]) -> dict[str, Any]:
    """The document with closed schemas among its components, and an open copy of each."""
    schemas = document["components"]["schemas"]
    closed = {name: closed_schema(schema) for name, schema in schemas.items()}
    copies = {f"{name}{OPEN}": closed_schema(schema, part=True) for name, schema in schemas.items()}
    return {**document, "components": {**document["components"], "schemas": {**closed, **copies}}}


def closed_schema(schema: Any, *, part: bool = False) -> Any:
    """A schema that refuses members that it does not name; as a `part` of a schema that does so, it stays open."""
    if not isinstance(schema, Mapping):
        return schema
    combined = _combines(schema)
    closed = {keyword: _closed_value(keyword, value, part or combined) for keyword, value in schema.items()}
    if (
        not part
        and (combined or schema.keys() >= {"type", "properties"})
        and not any(limit in schema for limit in LIMITS)
    ):
        closed["unevaluatedProperties" if combined else "additionalProperties"] = False
    return closed


def _closed_value(keyword: str, value: Any, part: bool) -> Any:
    if keyword == "$ref":
        return f"{value}{OPEN}" if part else value
    if keyword in SAME_ONE:
        return closed_schema(value, part=True)
    if keyword in SAME_SEVERAL:
        return [closed_schema(each, part=part) for each in value]
    if keyword in (*ONE, *LIMITS):
        return closed_schema(value)
    if keyword in SEVERAL:
        return [closed_schema(each) for each in value]
    return {name: closed_schema(each) for name, each in value.items()} if keyword in NAMED else value


def _combines(schema: Mapping[str, Any]) -> bool:
    """Whether several schemas describe the object: `allOf`, conditions, or alternatives beside its own members."""
    if "allOf" in schema or "if" in schema:
        return True
    return "properties" in schema and any(keyword in schema for keyword in ("$ref", *SAME_SEVERAL))
