"""The files of the scenario library: enough of them, each with a head that says what it is for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

from giftsim.docgen.scenario_index import InvalidHead, scenario_heads, scenario_index
from giftsim.scenario import json_schema

ROOT = Path(__file__).parents[2]
DEFINITIONS = json_schema()["$defs"]
# Members that need an app, or that only recordings have.
NOT_IN_LIBRARY = {"app", "recorded", "base64", "fingerprint"}
MODELINE = "# yaml-language-server: $schema=../../simulator/giftsim/scenario/schema.json"
HEAD = f"{MODELINE}\n# Somebody wants to know.\n# question: What if?\nscenario: A scenario\nsteps: []\n"


def test_the_library_has_forty_scenarios_or_more_and_some_for_each_interface() -> None:
    counts = Counter(head.folder for head in scenario_heads(ROOT))
    assert counts.total() >= 40
    assert all(counts[folder] for folder in ("partner", "team", "museum"))


def test_titles_are_unique() -> None:
    titles = Counter(head.title for head in scenario_heads(ROOT))
    assert [title for title, count in titles.items() if count > 1] == []


def test_the_index_lists_each_scenario_under_its_question(tmp_path: Path) -> None:
    folder = tmp_path / "scenarios" / "team"
    (folder / "parts").mkdir(parents=True)
    (folder / "parts" / "subscribe.yaml").write_text("steps: []\n")
    (folder / "parts" / "people.yaml").write_text("- {name: Bo, scenario: none}\n")
    (folder / "scenario.yaml").write_text(HEAD)
    (folder / "tried.yaml").write_text(HEAD.replace("steps:", "sandbox: free\nsteps:"))
    assert scenario_index(tmp_path).splitlines() == [
        "## team",
        "",
        "### What if?",
        "",
        "- [A scenario](scenarios/team/scenario.yaml): Somebody wants to know.",
        "- [A scenario](scenarios/team/tried.yaml): Somebody wants to know. (sandbox: free)",
    ]


def test_every_member_of_the_file_format_is_used_in_some_scenario() -> None:
    scenarios = [yaml.safe_load((ROOT / head.path).read_bytes()) for head in scenario_heads(ROOT)]
    steps = [step for scenario in scenarios for step in walk(scenario["steps"])]
    known = {
        *json_schema()["properties"],
        *(member for each in DEFINITIONS["step"]["oneOf"] for member in definition(each)["properties"]),
        *DEFINITIONS["answer_expectation"]["properties"],
        *DEFINITIONS["world_expectation"]["properties"],
    }
    shown = {member for entry in (*scenarios, *steps, *(step.get("expect", {}) for step in steps)) for member in entry}
    assert known - shown - NOT_IN_LIBRARY == set()


def walk(steps: list[dict[str, Any]]) -> Iterator[Mapping[str, Any]]:
    """Steps and the steps nested in them."""
    for step in steps:
        yield step
        for inner in (step, *step.get("on_delivery", [])):
            yield from walk(inner.get("steps", []))


def definition(reference: Mapping[str, str]) -> dict[str, Any]:
    """The definition that a reference of the schema points to."""
    members: dict[str, Any] = DEFINITIONS[reference["$ref"].rpartition("/")[2]]
    return members


@pytest.mark.parametrize(
    ("head", "line"),
    [
        (HEAD.replace("../../", "../"), 1),
        (HEAD.replace("# Somebody wants to know.\n", ""), 2),
        (HEAD.replace("# question: What if?\n", ""), 3),
    ],
)
def test_an_invalid_head_is_reported_with_its_line(tmp_path: Path, head: str, line: int) -> None:
    folder = tmp_path / "scenarios" / "team"
    folder.mkdir(parents=True)
    (folder / "scenario.yaml").write_text(head)
    with pytest.raises(InvalidHead, match=rf"^scenarios/team/scenario\.yaml:{line}: "):
        scenario_heads(tmp_path)
