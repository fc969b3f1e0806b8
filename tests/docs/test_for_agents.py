"""What is for agents: AGENTS.md, the skill, and server.json of the MCP server name only what there is."""

from __future__ import annotations

import json
import re
from typing import Any

import click
import jsonschema
import pytest
import yaml

from giftsim.cli.commands import LISTED
from giftsim.cli.main import main
from tests.docs.pages import ROOT

SKILL = ROOT / "simulator" / "giftsim" / ".agents" / "skills" / "giftsim" / "SKILL.md"
AGENTS = ROOT / "AGENTS.md"
INPUT: dict[str, Any] = {
    "type": "object",
    "properties": {
        "type": {"enum": ["named", "positional"]}, "name": {"type": "string"}, "value": {"type": "string"},
        "description": {"type": "string"}, "placeholder": {"type": "string"}, "isSecret": {"type": "boolean"},
    },
    "additionalProperties": False,
}  # fmt: skip
# What the registry of MCP servers asks for, as its schema of 2025-12-11 says, of what is used here.
SERVER: dict[str, Any] = {
    "type": "object",
    "required": ["$schema", "name", "description", "version", "packages"],
    "properties": {
        "name": {"pattern": r"^[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+$", "maxLength": 200},
        "title": {"maxLength": 100},
        "description": {"minLength": 1, "maxLength": 100},
        "packages": {
            "items": {
                "required": ["registryType", "identifier", "transport", "version"],
                "properties": {
                    "registryType": {"enum": ["npm", "pypi", "cargo", "oci", "nuget", "mcpb"]},
                    "transport": {"properties": {"type": {"enum": ["stdio"]}}, "required": ["type"]},
                    "runtimeArguments": {"items": INPUT},
                    "packageArguments": {"items": INPUT},
                    "environmentVariables": {"items": {**INPUT, "required": ["name"]}},
                },
            }
        },
    },
}


def test_the_skill_has_a_name_and_says_when_to_use_it() -> None:
    _, head, text = SKILL.read_text(encoding="utf-8").split("---\n", 2)
    about = yaml.safe_load(head)
    assert about["name"] == SKILL.parent.name
    assert 50 < len(about["description"]) <= 1024
    assert len(text.split()) < 700


@pytest.mark.parametrize("path", [SKILL, AGENTS], ids=lambda path: path.name)
def test_the_pages_and_commands_that_it_names_are_there(path: Any) -> None:
    text = path.read_text(encoding="utf-8")
    named = set(re.findall(r"`giftsim ([a-z]+)", text))
    assert named <= set(LISTED)
    pages = re.findall(r"`((?:how-to|reference|explanation|tutorials)/[\w-]+\.md)`", text)
    assert [page for page in pages if not (ROOT / "docs" / page).is_file()] == []
    links = re.findall(r"\]\(([^)#]+)(?:#[\w-]+)?\)", text)
    assert [link for link in links if not (path.parent / link).exists()] == []


def test_server_json_describes_the_command_of_this_version() -> None:
    server = json.loads((ROOT / "server.json").read_text(encoding="utf-8"))
    jsonschema.validate(server, SERVER)
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    [package] = server["packages"]
    assert f'version = "{server["version"]}"' in project
    assert package["version"] == server["version"]
    assert package["runtimeArguments"][0]["value"] == f"giftsim[mcp]=={server['version']}"
    command, *options = package["packageArguments"]
    found = main.get_command(click.Context(main), command["value"])
    assert found is not None
    assert {option["name"] for option in options} <= {name for each in found.params for name in each.opts}
    assert f"mcp-name: {server['name']}" in (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_pages_that_messages_name_are_there() -> None:
    texts = [path.read_text(encoding="utf-8") for path in (ROOT / "simulator").rglob("*.py")]
    named = {page for text in texts for page in re.findall(r"docs/((?:how-to|reference|explanation)/[\w-]+)\.md", text)}
    assert len(named) > 5
    assert [page for page in sorted(named) if not (ROOT / "docs" / f"{page}.md").is_file()] == []
