"""The action, the workflows of the pages and the issue forms are valid by the schemas that editors use for them."""

from __future__ import annotations

import json
from typing import Any

import jsonschema
import pytest
import yaml

from tests.docs.pages import ROOT, pages

SCHEMAS = ROOT / "tests" / "data" / "schemas"
FORMS = ROOT / ".github" / "ISSUE_TEMPLATE"
WORKFLOWS = [(page.name, block.code) for page in pages() for block in page.blocks("yaml job", "yaml workflow")]


class Yaml12Loader(yaml.SafeLoader):
    """YAML in which `on` is a text, as GitHub reads it."""


Yaml12Loader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in resolvers if tag != "tag:yaml.org,2002:bool" or first in "tTfF"]
    for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}


def problems(schema: str, text: str) -> list[str]:
    """What is wrong with a document by a schema."""
    document: Any = yaml.load(text, Yaml12Loader)  # it is a safe loader
    validator = jsonschema.Draft7Validator(json.loads((SCHEMAS / f"{schema}.json").read_text(encoding="utf-8")))
    return [error.message for error in validator.iter_errors(document)]


def test_the_action_is_valid() -> None:
    assert problems("github-actions", (ROOT / "action.yml").read_text(encoding="utf-8")) == []


def test_the_schema_refuses_a_step_without_a_shell() -> None:
    text = (ROOT / "action.yml").read_text(encoding="utf-8").replace("      shell: bash\n", "", 1)
    assert problems("github-actions", text)


@pytest.mark.parametrize(("page", "text"), WORKFLOWS)
def test_the_workflows_of_the_pages_are_valid(page: str, text: str) -> None:
    assert problems("github-workflows", text) == [], page


@pytest.mark.parametrize("name", sorted(path.name for path in FORMS.iterdir()))
def test_the_issue_forms_are_valid(name: str) -> None:
    schema = "github-issue-config" if name == "config.yml" else "github-issue-forms"
    assert problems(schema, (FORMS / name).read_text(encoding="utf-8")) == []
