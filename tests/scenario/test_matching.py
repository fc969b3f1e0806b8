"""Matching: what contains an expected value, and how a mismatch reads."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from giftsim.scenario.matching import matches, mismatches
from tests.scenario.test_yaml_source import JSON

MATCHING = [
    ({}, {"a": 1}),
    ({"a": {"b": 1}}, {"a": {"b": 1, "c": 2}, "d": 3}),
    ([{"a": 1}, {}], [{"a": 1, "b": 2}, {"c": 3}]),
    ({"a": None}, {"a": None}),
    ({"a": {"$absent": True}}, {}),
    ({"a": {"$absent": False}}, {"a": None}),
    ({"$matches": "^whsec_"}, "whsec_1"),
    ({"$length": 2}, [1, 2]),
    ({"$length": 0}, {}),
    ({"$includes": {"a": 1}}, [{"a": 2}, {"a": 1, "b": 1}]),
    ({"$length": 1, "$includes": 7}, [7]),
]

DIFFERENT = [
    ({"a": 1}, {"a": 2}, "body.a: expected 1, actual 2"),
    ({"a": 1}, {}, "body.a: expected 1, actual absent"),
    ({"a": None}, {}, "body.a: expected null, actual absent"),
    ({"a": 1}, {"a": 1.0}, "body.a: expected 1, actual 1.0"),
    ({"a": 1}, {"a": True}, "body.a: expected 1, actual true"),
    ({"a": 0}, {"a": False}, "body.a: expected 0, actual false"),
    ({"a": "1"}, {"a": 1}, 'body.a: expected "1", actual 1'),
    ({"a": {"b": 1}}, {"a": [1]}, 'body.a: expected {"b": 1}, actual [1]'),
    ([1, 2], [1], "body: expected 2 items [1, 2], actual 1 items [1]"),
    ([], [1], "body: expected 0 items [], actual 1 items [1]"),
    ({"a": [{"b": 1}, {"b": 2}]}, {"a": [{"b": 1}, {"b": 3}]}, "body.a[1].b: expected 2, actual 3"),
    ({"a": {"$absent": True}}, {"a": 1}, "body.a: expected no such member, actual 1"),
    ({"a": {"$absent": False}}, {}, "body.a: expected any value, actual absent"),
    ({"$matches": "^a"}, "ba", 'body: expected text matching "^a", actual "ba"'),
    ({"$matches": "1"}, 1, 'body: expected text matching "1", actual 1'),
    ({"$length": 2}, [1], "body: expected length 2, actual length 1 [1]"),
    ({"$length": 2}, 2, "body: expected length 2, actual 2"),
    ({"$includes": 3}, [1, 2], "body: expected a list that includes 3, actual [1, 2]"),
    ({"$includes": 3}, {"a": 3}, 'body: expected a list that includes 3, actual {"a": 3}'),
]


@pytest.mark.parametrize(("expected", "actual"), MATCHING)
def test_a_subset_matches(expected: Any, actual: Any) -> None:
    assert matches(expected, actual)


@pytest.mark.parametrize(("expected", "actual", "message"), DIFFERENT)
def test_a_mismatch_has_path_expected_and_actual_value(expected: Any, actual: Any, message: str) -> None:
    assert [str(mismatch) for mismatch in mismatches(expected, actual, "body")] == [message]


def test_all_mismatches_are_reported() -> None:
    differences = mismatches({"a": 1, "b": {"c": [2, 3]}}, {"a": 2, "b": {"c": [2, 4]}}, "body")
    assert [mismatch.path for mismatch in differences] == ["body.a", "body.b.c[1]"]


def test_a_long_value_is_shortened() -> None:
    [mismatch] = mismatches("a", "b" * 1_000, "body")
    assert mismatch.actual == '"' + "b" * 299 + "... (1,002 characters)"


@given(JSON)
def test_every_value_matches_itself(value: Any) -> None:
    assert matches(value, value)


@given(st.dictionaries(st.text("abc"), JSON), st.dictionaries(st.text("def"), JSON))
def test_more_members_still_match(expected: dict[str, Any], more: dict[str, Any]) -> None:
    assert matches(expected, {**more, **expected})
