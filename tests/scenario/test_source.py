"""How YAML becomes data: as JSON would have it, with its places, and within bounds."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from giftsim.scenario.scenario_error import InvalidScenario
from giftsim.scenario.yaml_source import Mark, read

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
    # What YAML would make something else of, and JSON would not
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
def test_a_plain_scalar_is_what_json_would_make_of_it_and_text_otherwise(text: str, value: Any) -> None:
    found = read(f"a: {text}\n", "f").data["a"]
    assert (found, type(found)) == (value, type(value))


@pytest.mark.parametrize("text", ["2027-03-02T09:00:00Z", "'2027-03-02T09:00:00Z'", '"2027-03-02T09:00:00Z"'])
def test_an_instant_is_text_whether_quoted_or_not(text: str) -> None:
    assert read(f"now: {text}\n", "f").data == {"now": "2027-03-02T09:00:00Z"}


def test_names_are_text_whatever_they_look_like() -> None:
    assert read("1: a\nnull: b\ntrue: c\n", "f").data == {"1": "a", "null": "b", "true": "c"}


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
    found = read(json.dumps({"value": value}, ensure_ascii=False), "f").data["value"]
    assert found == value
    assert json.dumps(found) == json.dumps(value)


def test_every_value_and_name_has_its_place() -> None:
    source = read("a:\n  - b: 1\n    c: [2,  3]\n", "f")
    assert source.mark(("a", 0, "c", 1)) == Mark(3, 13)
    assert source.mark(("a", 0, "c"), name=True) == Mark(3, 5)
    assert source.mark(("a", 0, "nothing", "here")) == Mark(2, 5)


def test_an_alias_stands_for_what_was_anchored_and_is_where_it_stands() -> None:
    source = read("a: &x {b: [1]}\nc: *x\n", "f")
    assert source.data == {"a": {"b": [1]}, "c": {"b": [1]}}
    assert source.mark(("c", "b", 0)) == Mark(2, 4)


def test_a_merge_starts_from_other_mappings_and_is_overruled_by_what_is_written() -> None:
    text = "a: &a {x: 1, y: 1}\nb: &b {y: 2, z: 2}\nc: {<<: *a, y: 3}\nd: {<<: [*b, *a]}\n"
    data = read(text, "f").data
    assert data["c"] == {"x": 1, "y": 3}
    assert data["d"] == {"x": 1, "y": 2, "z": 2}


def test_a_quoted_merge_sign_is_a_name_like_any_other() -> None:
    assert read('{"<<": 1}', "f").data == {"<<": 1}


def test_aliases_that_multiply_are_refused_before_they_grow() -> None:
    lines = ["a0: &a0 [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 9)]
    with pytest.raises(InvalidScenario, match="with its aliases written out the file has more than 100,000 members"):
        read("\n".join(lines), "f")


@pytest.mark.parametrize("text", ["[" * 5_000, "a: " + "[" * 101 + "]" * 101, "- " * 5_000 + "1"])
def test_deep_nests_are_refused(text: str) -> None:
    with pytest.raises(InvalidScenario, match="the file is nested more than 100 deep"):
        read(text, "f")


def test_aliases_that_nest_are_refused() -> None:
    lines = ["a0: &a0 [1]", *(f"a{n}: &a{n} [*a{n - 1}]" for n in range(1, 200))]
    with pytest.raises(InvalidScenario, match="the file is nested more than 100 deep"):
        read("\n".join(lines), "f")


def test_a_huge_file_is_not_even_parsed() -> None:
    with pytest.raises(InvalidScenario, match=r"the file has 1,048,577 bytes; at most 1,048,576 are read"):
        read("#" * 1_048_577, "f")
