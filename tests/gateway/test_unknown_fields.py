"""Unknown fields: members of a body that no schema names, wherever they are."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from giftsim.gateway import middleware
from giftsim.gateway.call import Response
from giftsim.gateway.execute import Stack, transact
from giftsim.gateway.unknown_fields import find_unknown_fields
from giftsim.problem import Problem
from tests.support.sample_api import gateway_state, make_call, sample_interface

NAME = {"properties": {"name": {"type": "string"}}}
AGE = {"properties": {"age": {"type": "integer"}}}


def unknown(schema: Mapping[str, Any], body: Any) -> list[tuple[str | None, str]]:
    """The code and message of every unknown member."""
    return [(violation.code, violation.message) for violation in find_unknown_fields(schema, body)]


def test_a_member_that_the_schema_does_not_name_is_found() -> None:
    assert unknown(NAME, {"name": "Bo", "nmae": "Bo"}) == [(None, "nmae: unknown member")]
    assert unknown(NAME, {"name": "Bo"}) == []


def test_members_are_found_in_objects_and_arrays_within() -> None:
    schema = {"properties": {"people": {"items": NAME}, "boss": NAME}}
    body = {"people": [{"name": "a"}, {"nmae": "b"}], "boss": {"nmae": "c"}}
    assert unknown(schema, body) == [(None, "people[1].nmae: unknown member"), (None, "boss.nmae: unknown member")]


@pytest.mark.parametrize("keyword", ["allOf", "anyOf", "oneOf"])
def test_a_member_named_by_one_of_several_schemas_is_known(keyword: str) -> None:
    schema = {keyword: [NAME, AGE]}
    assert unknown(schema, {"name": "Bo", "age": 7}) == []
    assert unknown(schema, {"agee": 7}) == [(None, "agee: unknown member")]


@pytest.mark.parametrize(
    ("body", "unknown_members"),
    [
        ({"name": "Bo", "age": 7}, []),
        ({"name": "Bo", "size": 7}, ["size"]),
        ({"size": 7}, []),
        ({"age": 7}, ["age"]),
    ],
)
def test_a_condition_makes_the_members_of_the_branch_that_it_selects_known(
    body: Any, unknown_members: list[str]
) -> None:
    schema = {**NAME, "if": {"required": ["name"]}, "then": AGE, "else": {"properties": {"size": {}}}}
    assert unknown(schema, body) == [(None, f"{name}: unknown member") for name in unknown_members]


def test_a_condition_may_refer_to_a_component() -> None:
    schema = {
        **NAME, "if": {"$ref": "#/components/schemas/Named"}, "then": AGE,
        "components": {"schemas": {"Named": {"required": ["name"]}}},
    }  # fmt: skip
    assert unknown(schema, {"name": "Bo", "age": 7}) == []
    assert unknown(schema, {"age": 7}) == [(None, "age: unknown member")]


def test_references_are_followed() -> None:
    schema = {"$ref": "#/components/schemas/Person", "components": {"schemas": {"Person": NAME}}}
    assert unknown(schema, {"name": "Bo", "age": 7}) == [(None, "age: unknown member")]


def test_an_object_without_named_members_may_have_any() -> None:
    assert unknown({"type": "object"}, {"anything": {"at": "all"}}) == []
    assert unknown({"properties": {"extra": {"type": "object"}}}, {"extra": {"a": 1}}) == []


def test_members_of_a_map_are_checked_by_its_schema() -> None:
    schema = {"additionalProperties": NAME}
    assert unknown(schema, {"a": {"name": "Bo"}, "b": {"nmae": "Bo"}}) == [(None, "b.nmae: unknown member")]


@pytest.mark.parametrize(
    ("inner", "code"),
    [
        ({}, "bad_body"),
        ({"x-code": "bad_person"}, "bad_person"),
        ({"x-code": {"additionalProperties": "unknown_member", "*": "bad_person"}}, "unknown_member"),
        ({"x-code": {"*": "bad_person"}}, "bad_person"),
        ({"x-code": {"required": "person_required"}}, "bad_body"),
    ],
)
def test_the_nearest_node_with_a_code_gives_it(inner: Mapping[str, Any], code: str) -> None:
    schema = {"x-code": "bad_body", "properties": {"boss": {**NAME, **inner}}}
    assert unknown(schema, {"boss": {"x": 1}}) == [(code, "boss.x: unknown member")]


@pytest.mark.parametrize("body", [None, 1, "text", [], [1, [2]]])
def test_what_is_no_object_has_no_members(body: object) -> None:
    assert unknown(NAME, body) == []


def test_a_violation_can_be_reported_without_the_members_name() -> None:
    (violation,) = find_unknown_fields(NAME, {"secret": 1})
    assert (violation.path, violation.keyword) == (("secret",), "additionalProperties")
    assert violation.safe_message == "is not known"


def test_unknown_members_are_refused_where_the_world_says_so() -> None:
    state = gateway_state()

    def validate(**fields: Any) -> Response:
        call = make_call("POST", "/things", state=state, interface=sample_interface(**fields))
        call.body = {"name": "a", "nmae": "b"}
        return Stack(middleware.validate_body, transact).plan(call)(call)

    assert validate().status == 200
    state.set_setting("strict_bodies", True)
    with pytest.raises(Problem, match=r"^nmae: unknown member$"):
        validate()
    assert validate(can_refuse_unknown_fields=False).status == 200
    assert validate(simulated=False).status == 200
