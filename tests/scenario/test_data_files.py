"""Data files: which endings are known, and how CSV is read."""

from __future__ import annotations

import pytest

from giftsim.scenario import InvalidScenario
from giftsim.scenario.steps.for_each import MAX_ITEMS, file_ending, parse_items


def test_the_ending_of_a_file_is_in_lower_case() -> None:
    assert file_ending("data/People.CSV") == "csv"


def test_csv_has_text_values_by_trimmed_column_names_and_skips_empty_lines() -> None:
    raw = '\ufeffname , count\nBo,1\n\n"Cy, jr",2\n'.encode()
    assert parse_items(raw, "a.csv") == [{"name": "Bo", "count": "1"}, {"name": "Cy, jr", "count": "2"}]


def test_json_and_yaml_hold_lists_of_any_values() -> None:
    assert parse_items(b'[1, {"a": null}]', "a.json") == [1, {"a": None}]
    assert parse_items(b"- 1\n- {a: ~}\n", "a.yml") == [1, {"a": None}]


def test_csv_that_is_not_utf_8_is_refused_with_its_line() -> None:
    with pytest.raises(InvalidScenario) as refused:
        parse_items(b"name\nBo\n\xff\n", "a.csv")
    assert str(refused.value) == "a.csv:3:1: not UTF-8"


def test_the_number_of_items_is_limited() -> None:
    raw = b"n\n" + b"1\n" * (MAX_ITEMS + 1)
    with pytest.raises(InvalidScenario) as refused:
        parse_items(raw, "a.csv")
    assert str(refused.value) == "a.csv:1:1: the file has 10,001 items; a loop takes at most 10,000"
