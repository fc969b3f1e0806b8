"""Files beside a story that cannot be had, or do not hold what they should, are refused at their own place."""

from __future__ import annotations

from pathlib import Path

import pytest

from giftsim.scenario import InvalidScenario, load
from tests.scenario.test_expansion import STORY, folder

LOOP = "steps: [{for_each: {who: {file: FILE}}, steps: [advance: 1d]}]\n"
INCLUDE = "steps:\n  - include: FILE\n"
ENDINGS = 'its name ends with "csv", "json", "yaml" and "yml"'

WRONG = {
    "a part that is not there": (
        {"story__yaml": INCLUDE.replace("FILE", "parts/pya.yaml"), "parts___pay__yaml": ""},
        'story.yaml:3:14: there is no file "parts/pya.yaml"; did you mean "pay.yaml"?',
    ),
    "a part outside": (
        {"story__yaml": INCLUDE.replace("FILE", "../pay.yaml")},
        'story.yaml:3:14: "../pay.yaml" leads out of the folder of the scenario',
    ),
    "a part at the root of the machine": (
        {"story__yaml": INCLUDE.replace("FILE", "/etc/hostname")},
        'story.yaml:3:14: "/etc/hostname" leads out of the folder of the scenario',
    ),
    "a part that includes itself": (
        {"story__yaml": INCLUDE.replace("FILE", "a.yaml"), "a__yaml": "steps:\n  - include: a.yaml\n"},
        'a.yaml:2:14: "a.yaml" includes itself: a.yaml, a.yaml',
    ),
    "parts that include one another": (
        {
            "story__yaml": INCLUDE.replace("FILE", "a.yaml"),
            "a__yaml": "steps: [include: b.yaml]\n",
            "b__yaml": "steps: [include: a.yaml]\n",
        },
        'b.yaml:1:18: "a.yaml" includes itself: a.yaml, b.yaml, a.yaml',
    ),
    "a part that is a story": (
        {"story__yaml": INCLUDE.replace("FILE", "a.yaml"), "a__yaml": STORY + "steps: [advance: 1d]\n"},
        'a.yaml:1:1: "scenario" is no part of an included file; there is "steps"',
    ),
    "a step of a part": (
        {"story__yaml": INCLUDE.replace("FILE", "a.yaml"), "a__yaml": "steps:\n  - cal: GET /x\n"},
        'a.yaml:2:5: "cal" is no kind of step; did you mean "call"?',
    ),
    "a name of a part that nobody gives": (
        {"story__yaml": INCLUDE.replace("FILE", "a.yaml"), "a__yaml": "steps:\n  - call: GET /x/${hots}\n"},
        'a.yaml:2:11: ${hots} is filled by nothing before it; there is "origin", "start", "start_date" and "world"',
    ),
    "a value given to a part that nothing fills": (
        {
            "story__yaml": INCLUDE.replace("FILE", "a.yaml") + "    with: {host: '${hots}'}\n",
            "a__yaml": "steps: [advance: 1d]\n",
        },
        'story.yaml:4:18: ${hots} is filled by nothing before it; there is "origin", "start", "start_date" and "world"',
    ),
    "a part that saves what it was given": (
        {
            "story__yaml": INCLUDE.replace("FILE", "a.yaml") + "    with: {id: 1}\n",
            "a__yaml": "steps:\n  - {call: GET /x, save: {id: $.id}}\n",
        },
        'a.yaml:2:27: "id" is given by the loop or include around this; save under another name',
    ),
    "a part that is no YAML": (
        {"story__yaml": INCLUDE.replace("FILE", "a.yaml"), "a__yaml": "steps: a: b\n"},
        "a.yaml:1:9: not YAML: mapping values are not allowed in this context",
    ),
    "data that is not there": (
        {"story__yaml": LOOP.replace("FILE", "people.csv")},
        'story.yaml:2:33: there is no file "people.csv"; there is "story.yaml"',
    ),
    "data of another kind": (
        {"story__yaml": LOOP.replace("FILE", "people.xlsx")},
        f'story.yaml:2:33: "people.xlsx" is no file of data; {ENDINGS}',
    ),
    "a table without rows": (
        {"story__yaml": LOOP.replace("FILE", "a.csv"), "a__csv": "name\n"},
        "a.csv:1:1: the file has no items to loop over",
    ),
    "a table with a column twice": (
        {"story__yaml": LOOP.replace("FILE", "a.csv"), "a__csv": "name,name\nBo,Bo\n"},
        "a.csv:1:1: the first line of a CSV file names its columns, each once",
    ),
    "a row that is too short": (
        {"story__yaml": LOOP.replace("FILE", "a.csv"), "a__csv": "name,email\nBo,b\nCy\n"},
        "a.csv:3:1: the line has 1 fields, and the first line 2",
    ),
    "a table with an open quote": (
        {"story__yaml": LOOP.replace("FILE", "a.csv"), "a__csv": 'name\n"Bo\n'},
        "a.csv:2:1: not CSV: unexpected end of data",
    ),
    "data that is no list": (
        {"story__yaml": LOOP.replace("FILE", "a.json"), "a__json": '{"name": "Bo"}'},
        "a.json:1:1: the file must be a list of items",
    ),
    "a column that is not there": (
        {
            "story__yaml": "steps:\n  - for_each: {who: {file: a.csv}}\n    steps: [call: 'GET /${who.mail}']\n",
            "a__csv": "name,email\nBo,b\n",
        },
        'story.yaml:4:19: ${who.mail}: who has no "mail"; did you mean "email"?',
    ),
}


@pytest.mark.parametrize(("files", "said"), WRONG.values(), ids=WRONG.keys())
def test_what_is_wrong_with_files_beside_a_story_is_told_at_its_place(
    tmp_path: Path, files: dict[str, str], said: str
) -> None:
    story = folder(tmp_path, **{**files, "story__yaml": STORY + files["story__yaml"]})
    with pytest.raises(InvalidScenario) as refused:
        load(story, "story.yaml")
    assert str(refused.value) == said


def test_a_link_that_leads_out_of_the_folder_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "secret.yaml").write_text("steps: [advance: 1d]\n", encoding="utf-8")
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.yaml").symlink_to(tmp_path / "secret.yaml")
    story = folder(tmp_path / "in", story__yaml=STORY + INCLUDE.replace("FILE", "a.yaml"))
    with pytest.raises(InvalidScenario, match=r'"a\.yaml" leads out of the folder of the scenario'):
        load(story)


def test_a_story_without_a_folder_reads_no_file() -> None:
    with pytest.raises(InvalidScenario, match=r'"a\.yaml" cannot be read: a scenario that is sent as text'):
        load(STORY + INCLUDE.replace("FILE", "a.yaml"))


def test_loops_that_multiply_are_refused_before_they_grow() -> None:
    inner = "{advance: 1d}"
    for name in "abcdef":
        inner = f"{{for_each: {{{name}: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]}}, steps: [{inner}]}}"
    with pytest.raises(InvalidScenario, match=r"written out, the story has more than 10,000 steps"):
        load(f"{STORY}steps: [{inner}]\n")


def test_nests_of_loops_are_bounded() -> None:
    inner = "{advance: 1d}"
    for number in range(45):
        inner = f"{{for_each: {{a{number}: [1]}}, steps: [{inner}]}}"
    with pytest.raises(InvalidScenario, match=r"nested more than (40|100) deep"):
        load(f"{STORY}steps: [{inner}]\n")
