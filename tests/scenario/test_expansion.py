"""Values of a file, loops over data and included files: what they come to, and what is said when they are wrong."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from giftsim.scenario import Report, load, play, stories
from tests.scenario.service import Service, reply, told

STORY = "scenario: A story\n"
PEOPLE = 'name,email\nBo,bo@example.com\n\n"Cy, jr",cy@example.com\n'


def folder(tmp_path: Path, **files: str) -> Path:
    """Files by name, with `__` for the dot and `___` for the slash; the story among them."""
    for name, text in files.items():
        path = tmp_path / name.replace("___", "/").replace("__", ".")
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return tmp_path / "story.yaml"


def played(tmp_path: Path, service: Service, **files: str) -> Report:
    """Plays the story of a folder."""
    return play(load(folder(tmp_path, **files), "story.yaml"), service)


def bodies(service: Service, call: str = "POST /x") -> list[Any]:
    return service.sent(call)


def obliging(*calls: str) -> Service:
    """A service that takes these calls."""
    service = Service()
    for call in calls or ("POST /x",):
        service.answer(call, reply(201, {"id": 7}))
    return service


def test_values_of_the_file_fill_steps_and_one_another() -> None:
    service = obliging()
    head = {"vars": "{city: Reno, line: '1 Main St, ${city}', at: {day: '${start_date+1d}', tags: [a, b]}}"}
    told("  - {call: POST /x, body: {line: '${line}', day: '${at.day}', tag: '${at.tags.1}'}}", service, **head)
    assert bodies(service) == [{"line": "1 Main St, Reno", "day": "2027-01-05", "tag": "b"}]


def test_a_saved_value_may_take_the_place_of_one_of_the_file() -> None:
    service = obliging()
    told("  - {call: POST /x, save: {id: $.id}}\n  - {call: POST /x, body: '${id}'}", service, vars="{id: none}")
    assert bodies(service)[1] == 7


def test_a_loop_takes_its_steps_with_each_item_and_counts() -> None:
    service = obliging()
    report = told(
        """
  - for_each: {person: [{name: Bo}, {name: "${who}"}]}
    steps:
      - call: POST /x
        body: {key: "order-${n}", name: "${person.name}", all: "${person}"}
  - call: POST /x
""",
        service,
        vars="{who: Cy}",
    )
    assert bodies(service) == [
        {"key": "order-1", "name": "Bo", "all": {"name": "Bo"}},
        {"key": "order-2", "name": "Cy", "all": {"name": "Cy"}},
        None,
    ]
    assert [(step.number, step.line, step.title) for step in report.steps] == [
        (1, 6, 'POST /x (person 1 of 2: {"name": "Bo"})'),
        (2, 6, 'POST /x (person 2 of 2: {"name": "${who}"})'),
        (3, 8, "POST /x"),
    ]


def test_a_failure_in_a_loop_says_which_item_it_was() -> None:
    service = Service()
    service.answer("POST /x", reply(201, {}), reply(402, {}))
    report = told("  - {for_each: {city: [Reno, Bath]}, steps: [call: POST /x]}", service)
    assert report.steps[1].detail == (
        'story.yaml:3: step 2, POST /x (city 2 of 2: "Bath")\n  status: expected 2xx, actual 402\n'
        "  the answer was 402 {}"
    )


def test_loops_nest_and_the_inner_one_may_run_over_what_the_outer_one_gives() -> None:
    service = obliging()
    told(
        """
  - for_each: {team: [{name: a, people: [Bo, Cy]}, {name: b, people: [Di]}]}
    steps:
      - for_each: {person: "${team.people}"}
        steps: [{call: POST /x, body: "${team.name} ${person} ${n}"}]
""",
        service,
    )
    assert bodies(service) == ["a Bo 1", "a Cy 2", "b Di 1"]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("people__csv", PEOPLE),
        ("people__json", '[{"name": "Bo", "email": "bo@example.com"}, {"name": "Cy, jr", "email": "cy@example.com"}]'),
        ("people__yaml", "- {name: Bo, email: bo@example.com}\n- {name: 'Cy, jr', email: cy@example.com}\n"),
    ],
)
def test_a_loop_runs_over_a_file_beside_the_story(tmp_path: Path, name: str, text: str) -> None:
    service = obliging()
    file = name.replace("__", ".")
    steps = f"steps:\n  - for_each: {{who: {{file: {file}}}}}\n    steps: [{{call: POST /x, body: '${{who.name}}'}}]\n"
    played(tmp_path, service, story__yaml=STORY + steps, **{name: text})
    assert bodies(service) == ["Bo", "Cy, jr"]


def test_data_has_a_name_to_loop_over_and_to_pick_from(tmp_path: Path) -> None:
    service = obliging()
    story = (
        "data: {people: {file: people.csv}, statuses: [500, 503]}\nsteps:\n"
        "  - {for_each: {person: '${people}'}, steps: [{call: POST /x, body: '${person.email}'}]}\n"
        "  - {call: POST /x, body: ['${people.1.name}', '${statuses.0}']}\n"
    )
    played(tmp_path, service, story__yaml=STORY + story, people__csv=PEOPLE)
    assert bodies(service) == ["bo@example.com", "cy@example.com", ["Cy, jr", 500]]


def test_nothing_in_a_file_of_data_is_filled(tmp_path: Path) -> None:
    service = obliging()
    steps = "steps: [{for_each: {who: {file: a.json}}, steps: [{call: POST /x, body: {who: '${who}'}}]}]\n"
    played(tmp_path, service, story__yaml=STORY + steps, a__json='[{"name": "${world} $${x}"}]')
    assert bodies(service) == [{"who": {"name": "${world} $${x}"}}]


def test_an_included_file_stands_for_its_steps_and_gets_values_with_it(tmp_path: Path) -> None:
    service = obliging("POST /x", "POST /y")
    report = played(
        tmp_path,
        service,
        story__yaml=STORY
        + "steps:\n  - {call: POST /x, save: {id: $.id}}\n  - include: parts/pay.yaml\n    with: {cents: '${id}00'}\n"
        "  - {call: POST /y, body: '${paid}'}\n",
        parts___pay__yaml="steps:\n  - include: more.yaml\n  - {call: POST /y, body: '${cents}', save: {paid: $.id}}\n",
        parts___more__yaml="steps:\n  - {call: POST /x, body: '${cents} ${id}'}\n",
    )
    assert report.outcome == "passed", report.timeline
    assert bodies(service) == [None, "700 7"]
    assert bodies(service, "POST /y") == ["700", 7]
    assert [step.number for step in report.steps] == [1, 2, 3, 4]


def test_parts_are_no_stories(tmp_path: Path) -> None:
    folder(tmp_path, a__yaml="", b__yaml="", parts___c__yaml="")
    assert [file.name for file in stories(tmp_path)] == ["a.yaml", "b.yaml"]


def test_a_failure_in_an_included_file_names_that_file(tmp_path: Path) -> None:
    service = Service()
    service.answer("POST /x", reply(402, {}))
    report = played(
        tmp_path,
        service,
        story__yaml=STORY + "steps: [include: parts/pay.yaml]\n",
        parts___pay__yaml="steps:\n\n  - call: POST /x\n",
    )
    assert report.steps[0].detail.startswith("parts/pay.yaml:3: step 1, POST /x\n")


def test_a_value_may_say_how_long_and_when(tmp_path: Path) -> None:
    service = Service()
    told(
        "  - advance: '${span}'\n  - advance: {to: '${end}'}\n"
        "  - {receiver: {host: h.example, outage: {from: '${end}', to: +3d}}}",
        service,
        vars="{span: 2h, end: +2d}",
    )
    assert service.sent("POST /_sim/v1/worlds/w1/clock/advance") == [{"by": "2h"}, {"to": "2027-01-06T09:00:00Z"}]
    outage = service.sent("PUT /_sim/v1/worlds/w1/receivers/h.example")[0]["outage"]
    assert outage == {"from": "2027-01-06T09:00:00Z", "to": "2027-01-07T09:00:00Z"}


def test_a_time_that_turns_out_to_be_none_fails_the_step() -> None:
    report = told("  - advance: {to: '${end}'}", vars="{end: soon}")
    assert report.steps[0].detail == (
        "story.yaml:4: step 1, advance to ${end}\n  'soon' is no instant like 2027-01-04T09:00:00Z"
    )


def test_a_member_that_turns_out_to_be_missing_fails_the_step() -> None:
    service = obliging()
    report = told("  - {call: POST /x, save: {it: $}}\n  - {call: POST /x, body: '${it.ids.0}'}", service)
    assert report.steps[1].detail == ('story.yaml:4: step 2, POST /x\n  it has no "ids"; did you mean "id"?')
