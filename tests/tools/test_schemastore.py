"""What a contribution to SchemaStore needs: entries that its catalogue allows."""

from __future__ import annotations

import json
import re
from fnmatch import fnmatch
from pathlib import Path

import jsonschema

from giftsim.build import schemas

CATALOG = Path(__file__).parents[2] / "tools/schemastore/catalog.json"
URL = {"type": "string", "format": "uri", "pattern": "^https://"}
# The rules of https://json.schemastore.org/schema-catalog.json.
RULES = {
    "type": "object",
    "additionalProperties": False,
    "required": ["schemas", "version", "$schema"],
    "properties": {
        "$schema": {"enum": ["https://json.schemastore.org/schema-catalog.json"]},
        "version": {"type": "number"},
        "schemas": {
            "type": "array",
            "items": {
                "type": "object",
                "additionalProperties": False,
                "required": ["name", "url", "description"],
                "properties": {
                    "name": {"type": "string"},
                    "description": {"type": "string"},
                    "fileMatch": {"type": "array", "uniqueItems": True, "items": {"type": "string"}},
                    "url": URL,
                    "versions": {"type": "object", "additionalProperties": URL},
                },
            },
        },
    },
}


def test_the_entries_fit_the_catalogue() -> None:
    catalog = json.loads(CATALOG.read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator(RULES).validate(catalog)
    urls = [entry["url"] for entry in catalog["schemas"]]
    kinds = [re.sub(r".*/giftsim-(\w+)\.json", r"\1", url) for url in urls]
    assert set(kinds) == set(schemas()) - {"part"}
    for entry in catalog["schemas"]:
        assert "schema" not in entry["name"].lower()
        assert not entry["description"].endswith(".")


def test_no_file_is_of_two_kinds() -> None:
    scenario, fixture = json.loads(CATALOG.read_text(encoding="utf-8"))["schemas"]
    for name, entry in (("refund.giftsim.yaml", scenario), ("shop.giftsim-fixture.yml", fixture)):
        matching = [each for each in (scenario, fixture) if any(fnmatch(name, glob) for glob in each["fileMatch"])]
        assert matching == [entry]
