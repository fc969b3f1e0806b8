"""What the library promises of its files: enough of them, each with a head that tells a newcomer what it is for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

from giftsim.docgen.scenario_index import InvalidHead, scenario_heads, scenario_index
from giftsim.scenario import schema

ROOT = Path(__file__).parents[2]
DEFINITIONS = schema()["$defs"]
# What asks for an application beside the simulator, and what a recorder writes.
ELSEWHERE = {"app", "recorded", "base64", "fingerprint"}
MODELINE = "# yaml-language-server: $schema=../../simulator/giftsim/scenario/schema.json"
HEAD = f"{MODELINE}\n# Somebody wants to know.\n# question: What if?\nscenario: A story\n"


def test_there_are_more_than_forty_stories_and_some_of_each_interface() -> None:
    told = Counter(story.folder for story in scenario_heads(ROOT))
    assert told.total() >= 40
    assert all(told[folder] for folder in ("partner", "team", "museum"))


def test_no_two_stories_have_one_title() -> None:
    told = Counter(story.title for story in scenario_heads(ROOT))
    assert [title for title, count in told.items() if count > 1] == []


def test_the_index_names_each_story_under_its_question(tmp_path: Path) -> None:
    folder = tmp_path / "scenarios" / "team"
    (folder / "parts").mkdir(parents=True)
    (folder / "parts" / "subscribe.yaml").write_text("steps: []\n")
    (folder / "parts" / "people.yaml").write_text("- {name: Bo, scenario: none}\n")
    (folder / "story.yaml").write_text(HEAD)
    assert scenario_index(tmp_path).split("\n\n") == [
        "## team",
        "### What if?",
        "- [A story](scenarios/team/story.yaml): Somebody wants to know.",
    ]


def test_every_member_of_the_language_is_shown_in_some_story() -> None:
    told = [yaml.safe_load((ROOT / story.path).read_bytes()) for story in scenario_heads(ROOT)]
    steps = [step for story in told for step in walk(story["steps"])]
    known = {
        *schema()["properties"],
        *(member for each in DEFINITIONS["step"]["oneOf"] for member in definition(each)["properties"]),
        *DEFINITIONS["answer_expectation"]["properties"],
        *DEFINITIONS["world_expectation"]["properties"],
    }
    shown = {member for entry in (*told, *steps, *(step.get("expect", {}) for step in steps)) for member in entry}
    assert known - shown - ELSEWHERE == set()


def walk(steps: list[dict[str, Any]]) -> Iterator[Mapping[str, Any]]:
    """Steps with those that stand inside them."""
    for step in steps:
        yield step
        for inner in (step, *step.get("on_delivery", [])):
            yield from walk(inner.get("steps", []))


def definition(reference: Mapping[str, str]) -> dict[str, Any]:
    """What a reference of the schema stands for."""
    found: dict[str, Any] = DEFINITIONS[reference["$ref"].rpartition("/")[2]]
    return found


@pytest.mark.parametrize(
    ("head", "line"),
    [
        (HEAD.replace("../../", "../"), 1),
        (HEAD.replace("# Somebody wants to know.\n", ""), 2),
        (HEAD.replace("# question: What if?\n", ""), 3),
    ],
)
def test_a_story_without_a_proper_head_is_named_with_its_line(tmp_path: Path, head: str, line: int) -> None:
    folder = tmp_path / "scenarios" / "team"
    folder.mkdir(parents=True)
    (folder / "story.yaml").write_text(head)
    with pytest.raises(InvalidHead, match=rf"^scenarios/team/story\.yaml:{line}: "):
        scenario_heads(tmp_path)
