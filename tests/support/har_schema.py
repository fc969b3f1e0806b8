"""The JSON Schema of HAR 1.2, of the npm package har-schema 2.0.0."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

from jsonschema import Draft6Validator
from referencing import Registry, Resource

SCHEMA = Path(__file__).parents[1] / "data/schemas/har"


@cache
def validator() -> Draft6Validator:
    """Checks by the schema of the npm package har-schema."""
    schemas = {f"{path.stem}.json": json.loads(path.read_text()) for path in SCHEMA.glob("*.json")}
    registry = Registry().with_resources((name, Resource.from_contents(each)) for name, each in schemas.items())
    return Draft6Validator(schemas["har.json"], registry=registry)


def problems(har: Any) -> list[str]:
    """Where a HAR differs from the schema."""
    return [f"{error.json_path}: {error.message}" for error in validator().iter_errors(har)]
