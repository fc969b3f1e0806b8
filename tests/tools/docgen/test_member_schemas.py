"""The members of effects, receivers' answers and actors in the contract of the control API and in scenarios' schema."""

from __future__ import annotations

from pathlib import Path

from tools.docgen.member_schemas import CONTRACT, SCENARIO, member_schemas

ROOT = Path(__file__).parents[3]


def test_the_files_have_the_members_of_the_rows() -> None:
    outdated = [path for path, text in member_schemas(ROOT).items() if path.read_text(encoding="utf-8") != text]
    assert outdated == [], "run: python -m tools docgen"


def test_a_member_that_was_changed_by_hand_is_written_anew(tmp_path: Path) -> None:
    for file, right, wrong in (
        (CONTRACT, "        webhook:\n          enum: [duplicate, ", "        webhook:\n          enum: ["),
        (SCENARIO, '"dns_error": {"$ref": "#/$defs/true", ', '"dns_error": {'),
    ):
        text = (ROOT / file).read_text(encoding="utf-8")
        assert right in text
        (tmp_path / file).parent.mkdir(parents=True)
        (tmp_path / file).write_text(text.replace(right, wrong), encoding="utf-8")
    for path, text in member_schemas(tmp_path).items():
        assert text == (ROOT / path.relative_to(tmp_path)).read_text(encoding="utf-8")
