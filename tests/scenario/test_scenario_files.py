"""Which files are scenarios: those that say so by a text `scenario` and by `steps`."""

from __future__ import annotations

from pathlib import Path

import pytest

from giftsim.scenario import find_scenarios
from giftsim.scenario.scenario_files import read_title
from tests.scenario.builders import write_files

STEPS = "steps:\n  - advance: 1d\n"


def title(tmp_path: Path, text: str) -> str | None:
    """The title of a file with this text."""
    file = tmp_path / "file.yaml"
    file.write_text(text, encoding="utf-8")
    return read_title(file)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (f"scenario: A day\n{STEPS}", "A day"),
        (f"# a comment\n---\nscenario: 'A day'  # why\n{STEPS}", "A day"),
        (f"{STEPS}scenario: A day\n", "A day"),
        (f"scenario: >-\n  A\n  day\n{STEPS}", "A day"),
        (f'scenario: "7"\n{STEPS}', "7"),
        ('{"scenario": "A day", "steps": []}', "A day"),
        ("scenario: A day\nsteps:\n  - [\n", "A day"),
        (f"vars: {{a: [1, {{b: 2}}]}}\nscenario: A day\n{STEPS}", "A day"),
    ],
    ids=["plain", "commented", "last", "folded", "quoted", "json", "broken", "after vars"],
)
def test_a_file_with_a_title_and_steps_is_a_scenario(tmp_path: Path, text: str, name: str) -> None:
    assert title(tmp_path, text) == name


@pytest.mark.parametrize(
    "text",
    [
        "", STEPS, "scenario: A day\n", f"scenario:\n{STEPS}", f"scenario: 7\n{STEPS}", f"scenario: true\n{STEPS}",
        f"scenario: {{name: default}}\n{STEPS}", f"scenario: [a]\n{STEPS}", f"scenario:\n  name: default\n{STEPS}",
        "jobs:\n  scenario: A day\n  steps: []\n", "- scenario: A day\n  steps: []\n", "scenario: steps\n",
        "{{ scenario: steps", "scenario: A day\n  steps: [\n", "\x00scenario steps",
    ],
)  # fmt: skip
def test_any_other_file_is_none(tmp_path: Path, text: str) -> None:
    assert title(tmp_path, text) is None


def test_a_folder_is_searched_in_order_without_hidden_folders_and_parts(tmp_path: Path) -> None:
    text = f"scenario: A day\n{STEPS}"
    write_files(
        tmp_path, b__yml=text, a__yaml=text, sub___c__YAML=text, d__txt=text, parts___e__yaml=text, f__yaml="jobs: {}"
    )
    (tmp_path / ".venv").mkdir()
    (tmp_path / ".venv" / "g.yaml").write_text(text)
    assert [str(file.relative_to(tmp_path)) for file in find_scenarios(tmp_path)] == ["a.yaml", "b.yml", "sub/c.YAML"]
