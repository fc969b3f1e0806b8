"""The schema of scenarios is valid and complete, and the scenarios of the library fit it."""

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

from giftsim.workbench.scenario import find_scenarios, json_schema, load_scenario
from giftsim.workbench.scenario.schema import kinds
from giftsim.workbench.scenario.steps.step_kinds import KINDS
from giftsim.workbench.scenario.yaml_source import read_document

SCENARIOS = find_scenarios(Path(__file__).parents[2] / "scenarios")
SLOW_LIBRARIES = ("jsonschema", "jsonschema_rs", "jsonpath_ng", "difflib")


def nodes(value: Any) -> Iterator[dict[str, Any]]:
    """Every object of a schema."""
    if isinstance(value, dict):
        yield value
    for member in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from nodes(member)


def test_the_schema_is_valid() -> None:
    Draft202012Validator.check_schema(json_schema())


def test_every_node_that_error_messages_name_has_a_title() -> None:
    needing = [node for node in nodes(json_schema()) if node.get("additionalProperties") is False or "enum" in node]
    assert [node for node in needing if "title" not in node] == []


def test_all_references_of_the_schema_exist() -> None:
    names = {
        node["$ref"].removeprefix("#/$defs/") for node in nodes(json_schema()) if isinstance(node.get("$ref"), str)
    }
    assert names - json_schema()["$defs"].keys() == set()
    assert json_schema()["$defs"].keys() - names == {"part"}  # part.json refers to it


def test_every_member_has_a_description() -> None:
    def described(node: dict[str, Any]) -> bool:
        return "description" in node or "description" in json_schema()["$defs"][node["$ref"].removeprefix("#/$defs/")]

    bare = [
        f"{node.get('title', 'the file')}: {name}"
        for node in nodes(json_schema())
        for name, member in node.get("properties", {}).items()
        if isinstance(member, dict) and not (("description" in member or "$ref" in member) and described(member))
    ]
    assert bare == []


def test_the_schema_has_every_kind_of_step() -> None:
    expanded = {"include", "for_each"}
    assert set(kinds()) - expanded == KINDS.keys()


def test_included_files_have_a_schema_for_editors() -> None:
    rules = json.loads(
        (Path(__file__).parents[2] / "simulator/giftsim/workbench/scenario/part.json").read_text(encoding="utf-8")
    )
    assert rules["$ref"] == "schema.json#/$defs/part"


@pytest.mark.parametrize("file", SCENARIOS, ids=lambda file: file.stem)
def test_a_library_scenario_is_valid_for_editors_and_for_the_runner(file: Path) -> None:
    assert load_scenario(file).steps
    data = read_document(file.read_bytes(), file.name).data
    assert Draft202012Validator(json_schema()).is_valid(data)
    assert jsonschema_rs.validator_for(json_schema()).is_valid(data)


@pytest.mark.parametrize("file", SCENARIOS, ids=lambda file: file.stem)
def test_a_library_scenario_begins_with_its_schema_and_its_purpose(file: Path) -> None:
    modeline, *lines = file.read_text(encoding="utf-8").splitlines()
    why = list(takewhile(lambda line: line.startswith("# ") and not line.startswith("# question: "), lines))
    place = modeline.removeprefix("# yaml-language-server: $schema=")
    assert (file.parent / place).resolve().name == "schema.json"
    assert (file.parent / place).is_file()
    assert why
    assert why[-1].endswith(".")


def test_importing_the_package_imports_no_slow_libraries() -> None:
    code = f"import sys, giftsim.workbench.scenario; print([name for name in {SLOW_LIBRARIES} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
