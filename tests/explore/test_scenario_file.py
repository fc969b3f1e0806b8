"""The scenario files of explore: named for the failure, and never written over what is there."""

from __future__ import annotations

from pathlib import Path

from giftsim.explore.scenario_writer import write_file


def test_a_file_is_named_for_its_failure_and_written_once(tmp_path: Path) -> None:
    paths = [write_file(tmp_path / "explored", "Order 1 was lost!", "a: 1\n") for _ in range(2)]
    assert paths == [tmp_path / "explored" / "order-1-was-lost.yaml"] * 2
    assert paths[0].read_text() == "a: 1\n"


def test_a_file_with_other_content_is_kept_unless_forced(tmp_path: Path) -> None:
    mine = tmp_path / "lost.yaml"
    mine.write_text("mine\n")
    (tmp_path / "lost-2.yaml").mkdir()
    assert write_file(tmp_path, "lost", "a: 1\n") == tmp_path / "lost-3.yaml"
    assert mine.read_text() == "mine\n"
    assert write_file(tmp_path, "lost", "a: 1\n", force=True) == mine
    assert mine.read_text() == "a: 1\n"


def test_two_failures_of_one_run_have_two_files(tmp_path: Path) -> None:
    first = write_file(tmp_path, "lost", "a: 1\n", force=True)
    assert write_file(tmp_path, "lost", "a: 2\n", [first], force=True) == tmp_path / "lost-2.yaml"
