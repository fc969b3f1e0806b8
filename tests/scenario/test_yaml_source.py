"""How YAML is read: as JSON would have it, with positions, and within limits."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from giftsim.workbench.scenario.scenario_error import InvalidScenario
from giftsim.workbench.scenario.yaml_source import Position, read_document

PLAIN = {
    "1": 1,
    "-7": -7,
    "0": 0,
    "1.5": 1.5,
    "1e3": 1000.0,
    "true": True,
    "False": False,
    "null": None,
    "~": None,
    "": None,
    # Text here, but something else in YAML
    "2027-03-02T09:00:00Z": "2027-03-02T09:00:00Z",
    "2027-03-02": "2027-03-02",
    "12:30:00": "12:30:00",
    "01234": "01234",
    "0x1F": "0x1F",
    "1_000": "1_000",
    "+3": "+3",
    "+3d": "+3d",
    "NO": "NO",
    "on": "on",
    ".5": ".5",
    ".inf": ".inf",
    "1.": "1.",
    "'1'": "1",
    '"true"': "true",
    "''": "",
}


@pytest.mark.parametrize(("text", "value"), PLAIN.items())
def test_an_unquoted_scalar_is_what_it_would_be_in_json_and_text_otherwise(text: str, value: Any) -> None:
    result = read_document(f"a: {text}\n", "f").data["a"]
    assert (result, type(result)) == (value, type(value))


@pytest.mark.parametrize("text", ["2027-03-02T09:00:00Z", "'2027-03-02T09:00:00Z'", '"2027-03-02T09:00:00Z"'])
def test_an_instant_is_text_whether_quoted_or_not(text: str) -> None:
    assert read_document(f"now: {text}\n", "f").data == {"now": "2027-03-02T09:00:00Z"}


def test_names_are_always_text() -> None:
    assert read_document("1: a\nnull: b\ntrue: c\n", "f").data == {"1": "a", "null": "b", "true": "c"}


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**17), 10**17)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(
        st.characters(min_codepoint=0x20, max_codepoint=0xD7FF, exclude_characters="\x7f", exclude_categories=["Cc"])
    ),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text("abcdef<", max_size=3), inner, max_size=4),
    max_leaves=12,
)


@given(JSON)
def test_json_is_read_as_json(value: Any) -> None:
    result = read_document(json.dumps({"value": value}, ensure_ascii=False), "f").data["value"]
    assert result == value
    assert json.dumps(result) == json.dumps(value)


def test_every_value_and_name_has_a_position() -> None:
    source = read_document("a:\n  - b: 1\n    c: [2,  3]\n", "f")
    assert source.position(("a", 0, "c", 1)) == Position(3, 13)
    assert source.position(("a", 0, "c"), name=True) == Position(3, 5)
    assert source.position(("a", 0, "nothing", "here")) == Position(2, 5)


def test_an_alias_has_the_anchored_value_and_its_own_position() -> None:
    source = read_document("a: &x {b: [1]}\nc: *x\n", "f")
    assert source.data == {"a": {"b": [1]}, "c": {"b": [1]}}
    assert source.position(("c", "b", 0)) == Position(2, 4)


def test_members_of_a_mapping_override_merged_ones() -> None:
    text = "a: &a {x: 1, y: 1}\nb: &b {y: 2, z: 2}\nc: {<<: *a, y: 3}\nd: {<<: [*b, *a]}\n"
    data = read_document(text, "f").data
    assert data["c"] == {"x": 1, "y": 3}
    assert data["d"] == {"x": 1, "y": 2, "z": 2}


def test_a_quoted_merge_sign_is_an_ordinary_name() -> None:
    assert read_document('{"<<": 1}', "f").data == {"<<": 1}


def test_aliases_that_multiply_are_refused() -> None:
    lines = ["a0: &a0 [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 9)]
    with pytest.raises(InvalidScenario, match="with its aliases expanded the file has more than 100,000 members"):
        read_document("\n".join(lines), "f")


@pytest.mark.parametrize("text", ["[" * 5_000, "a: " + "[" * 101 + "]" * 101, "- " * 5_000 + "1"])
def test_deep_nesting_is_refused(text: str) -> None:
    with pytest.raises(InvalidScenario, match="the file is nested more than 100 levels deep"):
        read_document(text, "f")


def test_deeply_nested_aliases_are_refused() -> None:
    lines = ["a0: &a0 [1]", *(f"a{n}: &a{n} [*a{n - 1}]" for n in range(1, 200))]
    with pytest.raises(InvalidScenario, match="the file is nested more than 100 levels deep"):
        read_document("\n".join(lines), "f")


def test_a_file_over_the_size_limit_is_not_parsed() -> None:
    with pytest.raises(InvalidScenario, match=r"the file has 1,048,577 bytes; the limit is 1,048,576"):
        read_document("#" * 1_048_577, "f")
