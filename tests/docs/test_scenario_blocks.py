"""The scenarios in the documentation, whole or in part, are valid."""

from __future__ import annotations

from pathlib import Path
from textwrap import indent

import pytest

from giftsim.scenario import load
from tests.docs.pages import pages_with

SCENARIO, STEPS = "yaml scenario", "yaml steps"
BLOCKS = [
    (page.name, block.info, block.code)
    for page in pages_with(SCENARIO, STEPS)
    for block in page.blocks(SCENARIO, STEPS)
]  # fmt: skip
PEOPLE = "name,email\nBo,bo@example.com\nCy,cy@example.com\n"


@pytest.mark.parametrize(("page", "info", "code"), BLOCKS, ids=[f"{page} {info}" for page, info, _ in BLOCKS])
def test_a_scenario_compiles(page: str, info: str, code: str, tmp_path: Path) -> None:
    text = code if info == SCENARIO else f"scenario: {page}\nsteps:\n{indent(code, '  ')}"
    (tmp_path / "scenario.yaml").write_text(text, encoding="utf-8")
    (tmp_path / "people.csv").write_text(PEOPLE, encoding="utf-8")
    assert load(tmp_path / "scenario.yaml").steps


def test_the_example_of_the_language_repeats_its_loop_for_each_person(tmp_path: Path) -> None:
    [code] = [code for page, _, code in BLOCKS if page == "docs/reference/scenario-language.md"]
    (tmp_path / "scenario.yaml").write_text(code, encoding="utf-8")
    (tmp_path / "people.csv").write_text(PEOPLE, encoding="utf-8")
    assert [step.kind for step in load(tmp_path / "scenario.yaml").steps] == ["app", "app", "app", "advance"]
