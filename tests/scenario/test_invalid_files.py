"""Included files and data files that are missing or invalid are refused, with the position of the error."""

from __future__ import annotations

from pathlib import Path

import pytest

from giftsim.workbench.scenario import InvalidScenario, load_scenario
from tests.scenario.builders import FILE, HEAD, write_files

LOOP = "steps: [{for_each: {who: {file: FILE}}, steps: [advance: 1d]}]\n"
INCLUDE = "steps:\n  - include: FILE\n"
ENDINGS = 'its name must end with "csv", "json", "yaml" and "yml"'

ERRORS = {
    "a missing part": (
        {"scenario__yaml": INCLUDE.replace("FILE", "parts/pya.yaml"), "parts___pay__yaml": ""},
        'scenario.yaml:3:14: there is no file "parts/pya.yaml"; did you mean "pay.yaml"?',
    ),
    "a part outside of the folder": (
        {"scenario__yaml": INCLUDE.replace("FILE", "../pay.yaml")},
        'scenario.yaml:3:14: "../pay.yaml" is outside the folder of the scenario',
    ),
    "a part with an absolute path": (
        {"scenario__yaml": INCLUDE.replace("FILE", "/etc/hostname")},
        'scenario.yaml:3:14: "/etc/hostname" is outside the folder of the scenario',
    ),
    "a part that includes itself": (
        {"scenario__yaml": INCLUDE.replace("FILE", "a.yaml"), "a__yaml": "steps:\n  - include: a.yaml\n"},
        'a.yaml:2:14: "a.yaml" includes itself: a.yaml, a.yaml',
    ),
    "parts that include one another": (
        {
            "scenario__yaml": INCLUDE.replace("FILE", "a.yaml"),
            "a__yaml": "steps: [include: b.yaml]\n",
            "b__yaml": "steps: [include: a.yaml]\n",
        },
        'b.yaml:1:18: "a.yaml" includes itself: a.yaml, b.yaml, a.yaml',
    ),
    "a scenario as a part": (
        {"scenario__yaml": INCLUDE.replace("FILE", "a.yaml"), "a__yaml": HEAD + "steps: [advance: 1d]\n"},
        'a.yaml:1:1: "scenario" is not a member of an included file; known are "steps"',
    ),
    "an invalid step in a part": (
        {"scenario__yaml": INCLUDE.replace("FILE", "a.yaml"), "a__yaml": "steps:\n  - cal: GET /x\n"},
        'a.yaml:2:5: "cal" is not a kind of step; did you mean "call"?',
    ),
    "an undefined variable in a part": (
        {"scenario__yaml": INCLUDE.replace("FILE", "a.yaml"), "a__yaml": "steps:\n  - call: GET /x/${hots}\n"},
        'a.yaml:2:11: ${hots} is not defined here; known are "origin", "run", "start", "start_date" and "world"',
    ),
    "an undefined variable in the values of a part": (
        {
            "scenario__yaml": INCLUDE.replace("FILE", "a.yaml") + "    with: {host: '${hots}'}\n",
            "a__yaml": "steps: [advance: 1d]\n",
        },
        'scenario.yaml:4:18: ${hots} is not defined here; known are "origin", "run", "start", "start_date" and "world"',
    ),
    "a part that saves under the name of its own variable": (
        {
            "scenario__yaml": INCLUDE.replace("FILE", "a.yaml") + "    with: {id: 1}\n",
            "a__yaml": "steps:\n  - {call: GET /x, save: {id: $.id}}\n",
        },
        'a.yaml:2:27: "id" is a variable of the loop or include around this step; save under another name',
    ),
    "a part that is not YAML": (
        {"scenario__yaml": INCLUDE.replace("FILE", "a.yaml"), "a__yaml": "steps: a: b\n"},
        "a.yaml:1:9: not YAML: mapping values are not allowed in this context",
    ),
    "a missing data file": (
        {"scenario__yaml": LOOP.replace("FILE", "people.csv")},
        'scenario.yaml:2:33: there is no file "people.csv"; known are "scenario.yaml"',
    ),
    "a data file of an unknown type": (
        {"scenario__yaml": LOOP.replace("FILE", "people.xlsx")},
        f'scenario.yaml:2:33: "people.xlsx" is not a data file; {ENDINGS}',
    ),
    "a CSV file without rows": (
        {"scenario__yaml": LOOP.replace("FILE", "a.csv"), "a__csv": "name\n"},
        "a.csv:1:1: the file has no items to loop over",
    ),
    "a CSV file with a repeated column": (
        {"scenario__yaml": LOOP.replace("FILE", "a.csv"), "a__csv": "name,name\nBo,Bo\n"},
        "a.csv:1:1: the first line of a CSV file must name each column once",
    ),
    "a CSV file with a short row": (
        {"scenario__yaml": LOOP.replace("FILE", "a.csv"), "a__csv": "name,email\nBo,b\nCy\n"},
        "a.csv:3:1: the line has 1 fields, but the first line has 2",
    ),
    "a CSV file with an open quote": (
        {"scenario__yaml": LOOP.replace("FILE", "a.csv"), "a__csv": 'name\n"Bo\n'},
        "a.csv:2:1: not CSV: unexpected end of data",
    ),
    "data that is not a list": (
        {"scenario__yaml": LOOP.replace("FILE", "a.json"), "a__json": '{"name": "Bo"}'},
        "a.json:1:1: the file must be a list of items",
    ),
    "a missing column": (
        {
            "scenario__yaml": "steps:\n  - for_each: {who: {file: a.csv}}\n    steps: [call: 'GET /${who.mail}']\n",
            "a__csv": "name,email\nBo,b\n",
        },
        'scenario.yaml:4:19: ${who.mail}: who has no "mail"; did you mean "email"?',
    ),
}


@pytest.mark.parametrize(("files", "message"), ERRORS.values(), ids=ERRORS.keys())
def test_an_invalid_file_is_refused_with_its_position(tmp_path: Path, files: dict[str, str], message: str) -> None:
    scenario = write_files(tmp_path, **{**files, "scenario__yaml": HEAD + files["scenario__yaml"]})
    with pytest.raises(InvalidScenario) as refused:
        load_scenario(scenario, FILE)
    assert str(refused.value) == message


def test_a_symbolic_link_out_of_the_folder_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "secret.yaml").write_text("steps: [advance: 1d]\n", encoding="utf-8")
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.yaml").symlink_to(tmp_path / "secret.yaml")
    scenario = write_files(tmp_path / "in", scenario__yaml=HEAD + INCLUDE.replace("FILE", "a.yaml"))
    with pytest.raises(InvalidScenario, match=r'"a\.yaml" is outside the folder of the scenario'):
        load_scenario(scenario)


def test_a_scenario_sent_as_text_reads_no_files() -> None:
    with pytest.raises(InvalidScenario, match=r'"a\.yaml" cannot be read: a scenario that is sent as text'):
        load_scenario(HEAD + INCLUDE.replace("FILE", "a.yaml"))


def test_nested_loops_with_too_many_steps_are_refused() -> None:
    inner = "{advance: 1d}"
    for name in "abcdef":
        inner = f"{{for_each: {{{name}: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]}}, steps: [{inner}]}}"
    with pytest.raises(InvalidScenario, match=r"with its loops unrolled the scenario has more than 10,000 steps"):
        load_scenario(f"{HEAD}steps: [{inner}]\n")


def test_the_depth_of_loops_is_limited() -> None:
    inner = "{advance: 1d}"
    for number in range(45):
        inner = f"{{for_each: {{a{number}: [1]}}, steps: [{inner}]}}"
    with pytest.raises(InvalidScenario, match=r"nested more than (40|100) levels deep"):
        load_scenario(f"{HEAD}steps: [{inner}]\n")
