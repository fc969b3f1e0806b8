"""The published schema, and that the room stays quick to import."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from itertools import takewhile
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
from jsonschema import Draft202012Validator

from giftsim.scenario import load, schema, stories
from giftsim.scenario.kind import KINDS
from giftsim.scenario.schema import kinds
from giftsim.scenario.yaml_source import read

SCENARIOS = stories(Path(__file__).parents[2] / "scenarios")
DEAR = ("jsonschema", "jsonschema_rs", "jsonpath_ng", "difflib")


def nodes(value: Any) -> Iterator[dict[str, Any]]:
    """Every object of a schema."""
    if isinstance(value, dict):
        yield value
    for member in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from nodes(member)


def test_the_schema_is_one_by_its_own_rules() -> None:
    Draft202012Validator.check_schema(schema())


def test_the_schema_has_a_title_wherever_a_refusal_needs_a_word_for_the_thing() -> None:
    needing = [node for node in nodes(schema()) if node.get("additionalProperties") is False or "enum" in node]
    assert [node for node in needing if "title" not in node] == []


def test_every_member_of_the_schema_that_is_referred_to_exists() -> None:
    names = {node["$ref"].removeprefix("#/$defs/") for node in nodes(schema()) if isinstance(node.get("$ref"), str)}
    assert names - schema()["$defs"].keys() == set()
    assert schema()["$defs"].keys() - names == {"part"}  # for which part.json is there


def test_every_member_of_the_language_is_described() -> None:
    def described(node: dict[str, Any]) -> bool:
        return "description" in node or "description" in schema()["$defs"][node["$ref"].removeprefix("#/$defs/")]

    bare = [
        f"{node.get('title', 'the file')}: {name}"
        for node in nodes(schema())
        for name, member in node.get("properties", {}).items()
        if isinstance(member, dict) and not (("description" in member or "$ref" in member) and described(member))
    ]
    assert bare == []


def test_the_schema_has_every_kind_of_step_that_there_is() -> None:
    written_out = {"include", "for_each"}
    assert set(kinds()) - written_out == KINDS.keys()


def test_an_included_file_has_a_schema_of_its_own_for_editors() -> None:
    rules = json.loads((Path(__file__).parents[2] / "simulator/giftsim/scenario/part.json").read_text(encoding="utf-8"))
    assert rules["$ref"] == "schema.json#/$defs/part"


@pytest.mark.parametrize("file", SCENARIOS, ids=lambda file: file.stem)
def test_a_scenario_of_the_library_is_valid_for_editors_as_it_is_for_the_runner(file: Path) -> None:
    assert load(file).steps
    data = read(file.read_bytes(), file.name).data
    assert Draft202012Validator(schema()).is_valid(data)
    assert jsonschema_rs.validator_for(schema()).is_valid(data)


@pytest.mark.parametrize("file", SCENARIOS, ids=lambda file: file.stem)
def test_a_scenario_of_the_library_points_editors_at_the_schema_and_says_why_it_is_there(file: Path) -> None:
    modeline, *lines = file.read_text(encoding="utf-8").splitlines()
    why = list(takewhile(lambda line: line.startswith("# ") and not line.startswith("# question: "), lines))
    place = modeline.removeprefix("# yaml-language-server: $schema=")
    assert (file.parent / place).resolve().name == "schema.json"
    assert (file.parent / place).is_file()
    assert why
    assert why[-1].endswith(".")


def test_importing_the_room_costs_nothing_that_is_wanted_only_now_and_then() -> None:
    code = f"import sys, giftsim.scenario; print([name for name in {DEAR} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
