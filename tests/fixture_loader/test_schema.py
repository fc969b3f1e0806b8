"""The published JSON Schema of fixtures."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml
from jsonschema import Draft202012Validator

from giftsim.fixture_loader import FOLDERS, fixture_names, read_fixture
from giftsim.fixture_loader.check import check_merged, json_schema
from tests.support.fixture_schema import fixture_schema

FILE = Path(__file__).parents[2] / "simulator/giftsim/fixture_loader/schema.json"


def test_the_schema_is_a_json_schema() -> None:
    Draft202012Validator.check_schema(json_schema())


def test_the_schema_is_that_of_the_types_that_fixtures_are_read_into() -> None:
    """`python -m tests.support.fixture_schema` prints it, for the file to be written again."""
    assert json.loads(FILE.read_text("utf-8")) == json.loads(json.dumps(fixture_schema()))


@pytest.mark.parametrize("name", fixture_names())
def test_the_fixtures_of_the_simulator_fit_the_schema(name: str) -> None:
    data = yaml.safe_load((FOLDERS[1] / f"{name}.yaml").read_bytes())
    assert list(Draft202012Validator(json_schema()).iter_errors(data)) == []
    check_merged(read_fixture(name), name)
