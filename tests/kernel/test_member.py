"""Rows of members: Python, the contract of the control API and the schema of scenarios take the same values."""

from __future__ import annotations

from typing import Any

import jsonschema_rs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from giftsim.engine.gateway.validator import compile_validator
from giftsim.engine.kernel.member import Member, Number, NumberOrRange, Object, OneOf, Text
from giftsim.engine.webhooks import receiver_script
from giftsim.services.gifting.domain import actor
from giftsim.services.known import merged_service
from giftsim.workbench.scenario import json_schema

EFFECT_TYPES = merged_service().effect_types
MEMBERS = [*EFFECT_TYPES.members, *receiver_script.MEMBERS, *actor.MEMBERS]
CHECKED = [member for member in MEMBERS if not (isinstance(member.takes, Text) and member.takes.pattern)]
NUMBERS = st.integers(-10, 5000) | st.integers() | st.floats(-10, 5000).map(lambda value: round(value, 1))
VALUES = (
    NUMBERS
    | st.none()
    | st.booleans()
    | st.text(max_size=5)
    | st.integers(0, 5000).map("x".__mul__)
    | st.fixed_dictionaries({"from": NUMBERS, "to": NUMBERS})
    | st.dictionaries(st.text(max_size=3), st.integers(), max_size=2)
    | st.lists(st.integers(), max_size=2)
)


def values_of(member: Member) -> st.SearchStrategy[Any]:
    """Any values, and those near the bounds of the member."""
    takes = member.takes
    if isinstance(takes, OneOf):
        return VALUES | st.sampled_from(takes.words)
    number = takes.number if isinstance(takes, NumberOrRange) else takes
    bounds = (number.minimum, number.maximum) if isinstance(number, Number) else ()
    return VALUES | st.sampled_from([each + by for each in bounds for by in (-1, 0, 1)] or [1])


def is_ordered(value: Any) -> bool:
    """Whether a range does not end before it begins, which JSON Schema cannot say."""
    return not isinstance(value, dict) or "from" not in value or bool(value["from"] <= value["to"])


@pytest.mark.parametrize("member", CHECKED, ids=lambda member: member.name)
@given(st.data())
def test_python_the_contract_and_scenarios_take_the_same_values(member: Member, data: st.DataObject) -> None:
    value = data.draw(values_of(member))
    takes = member.takes
    in_contract = takes.in_scenario() if isinstance(takes, Object) else member.in_contract()
    in_scenario = {**member.in_scenario(), "$defs": json_schema()["$defs"]}
    if is_ordered(value):
        assert takes.accepts(value) == compile_validator(in_contract).is_valid(value)
    if not isinstance(value, float | dict):  # 1.0 is an integer there: its files are YAML
        assert takes.accepts(value) == jsonschema_rs.is_valid(in_scenario, value)


@pytest.mark.parametrize("member", MEMBERS, ids=lambda member: member.name)
def test_a_variable_may_stand_in_a_scenario_for_what_is_not_text(member: Member) -> None:
    schema, text = {**member.in_scenario(), "$defs": json_schema()["$defs"]}, "${each.value}"
    literal = isinstance(member.takes, Object) or getattr(member.takes, "literal", False) or member.name == "id"
    assert jsonschema_rs.is_valid(schema, text) != literal


def test_the_published_schemas_have_the_members_of_the_rows() -> None:
    definitions = json_schema()["$defs"]
    for node, members in (
        (definitions["fault"]["properties"]["effect"], EFFECT_TYPES.members),
        (definitions["reaction"], receiver_script.MEMBERS),
        (definitions["actor"], actor.MEMBERS),
    ):
        published = {name: schema for name, schema in node["properties"].items() if name != "optional"}
        assert published == {member.name: member.in_scenario() for member in members}
