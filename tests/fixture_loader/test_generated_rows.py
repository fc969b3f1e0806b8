"""Rows of fixtures that are `generated`: byte for byte those of version 0.2.0, which made them with Faker 40.54."""

from __future__ import annotations

import json
from hashlib import sha256

import pytest

from giftsim.services.fixture_loader import read_fixture
from giftsim.services.fixture_loader.generated_rows import GENERATORS, NAMES, Draws

# The SHA-256 of 2,000 people and 2,000 contacts of a seed as JSON, made by Faker.
MADE_BY_FAKER = {
    0: "e4499084397e55daad9895951f29fe41feefb9faa757fb2ac3b57af8f0140413",
    1: "ed5e923c2d704e71c70d4b06129774dc92a62424e038c1886802525652aa78bd",
    7: "f40ab5a0cb0be79ab6a05601d5eced538c2a48cad072b9f95b94f4c123551fdb",
    -3: "34e4e29d6e3d6797be028586df21e2b23964d4347d20456284ad488b295e1e16",
}


@pytest.mark.parametrize(("seed", "expected"), MADE_BY_FAKER.items())
def test_rows_are_those_that_faker_made(seed: int, expected: str) -> None:
    rows = []
    for make in GENERATORS.values():
        draws = Draws(seed)
        rows += [make(draws, number) for number in range(1, 2_001)]
    assert sha256(json.dumps(rows).encode()).hexdigest() == expected


def test_a_fixture_has_as_many_rows_as_it_asks_for_behind_its_own() -> None:
    own = {"work_email": "ada@people.example"}
    [entry] = read_fixture({"extends": "empty", "people": [{"team": "northwind", "generated": 3, "rows": [own]}]})[
        "people"
    ]
    assert [row["work_email"] for row in entry["rows"]] == [
        "ada@people.example", *(make_person["work_email"] for make_person in people(3)),
    ]  # fmt: skip


def people(count: int) -> list[dict[str, object]]:
    draws = Draws(1)
    return [GENERATORS["people"](draws, number) for number in range(1, count + 1)]


def test_the_names_come_with_their_licence() -> None:
    licence = NAMES.with_name("names-LICENSE.txt").read_text(encoding="utf-8")
    assert "Copyright (c) 2012 Daniele Faraglia" in licence
    assert "Permission is hereby granted, free of charge" in licence
