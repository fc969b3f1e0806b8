"""The YAML writer: what it writes reads well and loads as the same data."""

from __future__ import annotations

from typing import Any

import yaml
from hypothesis import example, given
from hypothesis import strategies as st

from giftsim.workbench.recording.yaml_writer import MAX_INLINE, MODELINE, OneLine, scenario_text
from giftsim.workbench.scenario import load_scenario
from giftsim.workbench.scenario.variables import escape_variables

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=150)
LEAVES = st.one_of(st.none(), st.booleans(), st.integers(-(10**17), 10**17), TEXTS)
VALUES = st.recursive(
    LEAVES, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4), max_leaves=12
)


def written(*steps: dict[str, Any], **head: Any) -> str:
    """The text of a scenario with these steps, without its first line `scenario: A`."""
    return scenario_text({"scenario": "A", **head}, steps).removeprefix("scenario: A\n")


@given(st.dictionaries(TEXTS, VALUES, min_size=1, max_size=4))
def test_any_data_loads_as_it_was_written(data: dict[str, Any]) -> None:
    text = scenario_text({"scenario": "A", "settings": data}, [{"control": "POST /x", "body": data}])
    assert yaml.safe_load(text) == {
        "scenario": "A",
        "settings": data,
        "steps": [{"control": "POST /x", "body": data}],
    }


@given(VALUES)
@example("1e3")
@example("0x1F")
@example("2027-01-04")
@example("no")
@example("- a\n  b: |\n\n")
@example("x\n...\n")
@example("...")
@example("\ttext\r\n\x85\u2028\ufeff")
@example("${}")
def test_the_scenario_loader_reads_any_body_unchanged(value: Any) -> None:
    body = {"value": escape_variables(value)}
    text = scenario_text({"scenario": "A"}, [{"control": "POST /worlds", "body": body}])
    assert load_scenario(text).steps[0].number == 1
    assert yaml.load(text, yaml.CSafeLoader)["steps"][0]["body"] == body


def test_comments_come_first_then_the_head_then_the_steps() -> None:
    assert scenario_text({"scenario": "A", "seed": 1}, [{"advance": "1h"}], (MODELINE, "Why.")) == (
        "# yaml-language-server: $schema=http://127.0.0.1:8080/schemas/scenario.json\n"
        "# Why.\n"
        "scenario: A\n"
        "seed: 1\n"
        "steps:\n"
        "  - advance: 1h\n"
    )


def test_each_member_of_a_step_has_a_line_and_short_values_stay_on_it() -> None:
    step = {"call": "GET /x", "headers": {"Accept": "*/*"}, "expect": {"status": 200, "body": [1, {"a": None}]}}
    assert written(step) == (
        "steps:\n  - call: GET /x\n    headers: {Accept: '*/*'}\n    expect: {status: 200, body: [1, {a: null}]}\n"
    )


def test_a_collection_that_is_too_long_for_one_line_gets_a_line_per_member() -> None:
    long = {"first": "x" * 60, "second": "y" * 60}
    assert written({"settings": long}) == f"steps:\n  - settings:\n      first: {'x' * 60}\n      second: {'y' * 60}\n"


def test_a_one_line_mapping_stays_on_one_line_at_any_length() -> None:
    long = OneLine(first="x" * 60, second="y" * 60)
    assert written({"headers": long}) == f"steps:\n  - headers: {{first: {'x' * 60}, second: {'y' * 60}}}\n"


def test_json_text_and_text_of_several_lines_are_blocks() -> None:
    assert written({"body": '{"a":1}'}) == 'steps:\n  - body: |-\n      {"a":1}\n'
    assert written({"body": "one\n\ntwo\n"}) == "steps:\n  - body: |\n      one\n\n      two\n"


def test_long_text_that_a_block_cannot_hold_is_quoted_and_never_folded() -> None:
    long = "a b\t" * MAX_INLINE
    assert written({"body": long}) == f'steps:\n  - body: "{long.replace(chr(9), chr(92) + "t")}"\n'


def test_text_that_looks_like_a_number_is_quoted() -> None:
    assert written({"body": ["1", "1e3", "-0.5", "12:30"]}) == 'steps:\n  - body: ["1", "1e3", "-0.5", \'12:30\']\n'


def test_a_value_that_is_used_twice_is_written_twice() -> None:
    shared = {"a": 1}
    assert written({"body": [shared, shared]}) == "steps:\n  - body: [{a: 1}, {a: 1}]\n"
