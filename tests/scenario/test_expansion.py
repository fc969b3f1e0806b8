"""Variables of a file, loops over data, and included files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from giftsim.workbench.scenario import InvalidScenario, Report, load_scenario, play
from giftsim.workbench.scenario.steps.expansion import MAX_ITEMS, file_ending, parse_items
from tests.scenario.builders import FILE, HEAD, FakeSimulator, assert_passed, play_steps, response, write_files


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


PEOPLE = 'name,email\nBo,bo@example.com\n\n"Cy, jr",cy@example.com\n'


def play_files(tmp_path: Path, fake: FakeSimulator, **files: str) -> Report:
    """Write files and play `scenario.yaml`."""
    return play(load_scenario(write_files(tmp_path, **files), FILE), fake)


def bodies(fake: FakeSimulator, call: str = "POST /x") -> list[Any]:
    return fake.bodies(call)


def accepting(*calls: str) -> FakeSimulator:
    """A simulator that accepts these calls."""
    fake = FakeSimulator()
    for call in calls or ("POST /x",):
        fake.respond(call, response(201, {"id": 7}))
    return fake


def test_vars_are_used_in_steps_and_in_later_vars() -> None:
    fake = accepting()
    head = {"vars": "{city: Reno, line: '1 Main St, ${city}', at: {day: '${start_date+1d}', tags: [a, b]}}"}
    play_steps("  - {call: POST /x, body: {line: '${line}', day: '${at.day}', tag: '${at.tags.1}'}}", fake, **head)
    assert bodies(fake) == [{"line": "1 Main St, Reno", "day": "2027-01-05", "tag": "b"}]


def test_a_saved_value_may_replace_one_of_vars() -> None:
    fake = accepting()
    play_steps("  - {call: POST /x, save: {id: $.id}}\n  - {call: POST /x, body: '${id}'}", fake, vars="{id: none}")
    assert bodies(fake)[1] == 7


def test_a_loop_runs_its_steps_for_each_item_and_counts_them() -> None:
    fake = accepting()
    report = play_steps(
        """
  - for_each: {person: [{name: Bo}, {name: "${who}"}]}
    steps:
      - call: POST /x
        body: {key: "order-${n}", name: "${person.name}", all: "${person}"}
  - call: POST /x
""",
        fake,
        vars="{who: Cy}",
    )
    assert bodies(fake) == [
        {"key": "order-1", "name": "Bo", "all": {"name": "Bo"}},
        {"key": "order-2", "name": "Cy", "all": {"name": "Cy"}},
        None,
    ]
    assert [(step.number, step.line, step.title) for step in report.steps] == [
        (1, 6, 'POST /x (person 1 of 2: {"name": "Bo"})'),
        (2, 6, 'POST /x (person 2 of 2: {"name": "${who}"})'),
        (3, 8, "POST /x"),
    ]


def test_a_failure_in_a_loop_names_the_item() -> None:
    fake = FakeSimulator()
    fake.respond("POST /x", response(201, {}), response(402, {}))
    report = play_steps("  - {for_each: {city: [Reno, Bath]}, steps: [call: POST /x]}", fake)
    assert report.steps[1].detail == (
        'scenario.yaml:3: step 2, POST /x (city 2 of 2: "Bath")\n  status: expected 2xx, actual 402\n'
        "  the response was 402 {}"
    )


def test_an_inner_loop_may_run_over_a_variable_of_the_outer_one() -> None:
    fake = accepting()
    play_steps(
        """
  - for_each: {team: [{name: a, people: [Bo, Cy]}, {name: b, people: [Di]}]}
    steps:
      - for_each: {person: "${team.people}"}
        steps: [{call: POST /x, body: "${team.name} ${person} ${n}"}]
""",
        fake,
    )
    assert bodies(fake) == ["a Bo 1", "a Cy 2", "b Di 1"]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("people__csv", PEOPLE),
        ("people__json", '[{"name": "Bo", "email": "bo@example.com"}, {"name": "Cy, jr", "email": "cy@example.com"}]'),
        ("people__yaml", "- {name: Bo, email: bo@example.com}\n- {name: 'Cy, jr', email: cy@example.com}\n"),
    ],
)
def test_a_loop_runs_over_a_data_file(tmp_path: Path, name: str, text: str) -> None:
    fake = accepting()
    file = name.replace("__", ".")
    steps = f"steps:\n  - for_each: {{who: {{file: {file}}}}}\n    steps: [{{call: POST /x, body: '${{who.name}}'}}]\n"
    play_files(tmp_path, fake, scenario__yaml=HEAD + steps, **{name: text})
    assert bodies(fake) == ["Bo", "Cy, jr"]


def test_data_can_be_looped_over_and_selected_from(tmp_path: Path) -> None:
    fake = accepting()
    scenario = (
        "data: {people: {file: people.csv}, statuses: [500, 503]}\nsteps:\n"
        "  - {for_each: {person: '${people}'}, steps: [{call: POST /x, body: '${person.email}'}]}\n"
        "  - {call: POST /x, body: ['${people.1.name}', '${statuses.0}']}\n"
    )
    play_files(tmp_path, fake, scenario__yaml=HEAD + scenario, people__csv=PEOPLE)
    assert bodies(fake) == ["bo@example.com", "cy@example.com", ["Cy, jr", 500]]


def test_expressions_in_a_data_file_are_literal_text(tmp_path: Path) -> None:
    fake = accepting()
    steps = "steps: [{for_each: {who: {file: a.json}}, steps: [{call: POST /x, body: {who: '${who}'}}]}]\n"
    play_files(tmp_path, fake, scenario__yaml=HEAD + steps, a__json='[{"name": "${world} $${x}"}]')
    assert bodies(fake) == [{"who": {"name": "${world} $${x}"}}]


def test_an_include_runs_the_steps_of_its_file_with_variables(tmp_path: Path) -> None:
    fake = accepting("POST /x", "POST /y")
    report = play_files(
        tmp_path,
        fake,
        scenario__yaml=HEAD
        + "steps:\n  - {call: POST /x, save: {id: $.id}}\n  - include: parts/pay.yaml\n    with: {cents: '${id}00'}\n"
        "  - {call: POST /y, body: '${paid}'}\n",
        parts___pay__yaml="steps:\n  - include: more.yaml\n  - {call: POST /y, body: '${cents}', save: {paid: $.id}}\n",
        parts___more__yaml="steps:\n  - {call: POST /x, body: '${cents} ${id}'}\n",
    )
    assert_passed(report)
    assert bodies(fake) == [None, "700 7"]
    assert bodies(fake, "POST /y") == ["700", 7]
    assert [step.number for step in report.steps] == [1, 2, 3, 4]


def test_a_failure_in_an_included_file_names_that_file(tmp_path: Path) -> None:
    fake = FakeSimulator()
    fake.respond("POST /x", response(402, {}))
    report = play_files(
        tmp_path,
        fake,
        scenario__yaml=HEAD + "steps: [include: parts/pay.yaml]\n",
        parts___pay__yaml="steps:\n\n  - call: POST /x\n",
    )
    assert report.steps[0].detail.startswith("parts/pay.yaml:3: step 1, POST /x\n")


def test_durations_and_times_may_be_variables() -> None:
    fake = FakeSimulator()
    play_steps(
        "  - advance: '${span}'\n  - advance: {to: '${end}'}\n"
        "  - {receiver: {host: h.example, outage: {from: '${end}', to: +3d}}}",
        fake,
        vars="{span: 2h, end: +2d}",
    )
    assert fake.bodies("POST /_sim/v1/worlds/w1/clock/advance") == [{"by": "2h"}, {"to": "2027-01-06T09:00:00Z"}]
    outage = fake.bodies("PUT /_sim/v1/worlds/w1/receivers/h.example")[0]["outage"]
    assert outage == {"from": "2027-01-06T09:00:00Z", "to": "2027-01-07T09:00:00Z"}


def test_a_variable_that_is_not_a_time_fails_the_step() -> None:
    report = play_steps("  - advance: {to: '${end}'}", vars="{end: soon}")
    assert report.steps[0].detail == (
        "scenario.yaml:4: step 1, advance to ${end}\n  'soon' is not an instant like 2027-01-04T09:00:00Z"
    )


def test_a_variable_without_the_selected_member_fails_the_step() -> None:
    fake = accepting()
    report = play_steps("  - {call: POST /x, save: {it: $}}\n  - {call: POST /x, body: '${it.ids.0}'}", fake)
    assert report.steps[1].detail == ('scenario.yaml:4: step 2, POST /x\n  it has no "ids"; did you mean "id"?')
