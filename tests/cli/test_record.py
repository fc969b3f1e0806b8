"""The command `record` and the file that it writes."""

from __future__ import annotations

from pathlib import Path

from click.testing import CliRunner

from giftsim.cli.main import main


def test_record_does_not_touch_a_file_that_has_content(tmp_path: Path) -> None:
    notes, ran = tmp_path / "notes", tmp_path / "ran"
    notes.write_text("buy milk\n")
    arguments = ["record", "--fixture", "bare", "--out", str(notes), "--", "touch", str(ran)]
    result = CliRunner().invoke(main, arguments)
    assert (result.exit_code, notes.read_text(), ran.exists()) == (2, "buy milk\n", False)
    assert f"{notes} exists already and stays as it is: name another file, or replace it with --force" in result.stderr
    assert CliRunner().invoke(main, ["record", "--force", *arguments[1:]]).exit_code == 0
    assert notes.read_text().startswith("# yaml-language-server:")
