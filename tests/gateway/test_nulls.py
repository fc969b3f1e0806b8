"""Where null counts as absent: for members that the schema names and does not let be null."""

from __future__ import annotations

from typing import Any

import pytest

from giftsim.engine.gateway import ignored_members
from giftsim.engine.gateway.node import Node

TEXT, NULLABLE = {"type": "string"}, {"type": ["string", "null"]}
COMPONENTS = {"components": {"schemas": {"Name": {"properties": {"name": TEXT}}}}}


def without_nulls(schema: dict[str, Any], value: Any) -> Any:
    """What is left of a value by a schema."""
    return ignored_members.without_nulls(Node.root({**schema, **COMPONENTS}), value)


def test_a_named_member_that_may_not_be_null_is_left_out() -> None:
    schema = {"properties": {"name": TEXT, "note": NULLABLE}}
    assert without_nulls(schema, {"name": None, "note": None, "age": None}) == {"note": None, "age": None}
    assert without_nulls(schema, {"name": "null", "note": "x"}) == {"name": "null", "note": "x"}


@pytest.mark.parametrize("value", [None, 5, "null", [], {}, [None]])
def test_what_is_not_a_member_stays(value: Any) -> None:
    assert without_nulls({"properties": {"name": TEXT}, "items": TEXT}, value) == value


def test_members_are_left_out_in_objects_lists_and_maps_within() -> None:
    inner = {"properties": {"name": TEXT}}
    schema = {"properties": {"one": inner, "many": {"items": inner}, "by_id": {"additionalProperties": inner}}}
    value = {"one": {"name": None}, "many": [{"name": None}, None], "by_id": {"a": {"name": None}, "b": None}}
    assert without_nulls(schema, value) == {"one": {}, "many": [{}, None], "by_id": {"a": {}, "b": None}}


@pytest.mark.parametrize("keyword", ["allOf", "anyOf", "oneOf", "then", "else"])
def test_every_part_and_every_branch_names_members(keyword: str) -> None:
    part = {"$ref": "#/components/schemas/Name"}
    assert without_nulls({keyword: part if keyword in ("then", "else") else [part]}, {"name": None}) == {}


def test_a_condition_does_not_say_what_a_member_may_be() -> None:
    schema = {"properties": {"mode": NULLABLE}, "if": {"properties": {"mode": {"const": "x"}}}}
    assert without_nulls(schema, {"mode": None}) == {"mode": None}


def test_a_rule_of_a_branch_that_says_no_type_does_not_allow_null() -> None:
    schema = {"properties": {"choices": {"type": "array"}}, "else": {"properties": {"choices": {"minItems": 1}}}}
    assert without_nulls(schema, {"choices": None}) == {}


def test_a_member_of_any_kind_may_be_null() -> None:
    assert without_nulls({"properties": {"data": True, "more": {}}}, {"data": None, "more": None}) == {
        "data": None,
        "more": None,
    }
