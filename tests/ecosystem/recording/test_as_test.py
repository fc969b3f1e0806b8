"""A test that a recording became fails where the service answers otherwise."""

from __future__ import annotations

from pathlib import Path

from tests.recording.test_as_test import record, recording, run

__all__ = ["recording"]  # a fixture of theirs


def test_it_fails_where_the_service_answers_otherwise(recording: Path, tmp_path: Path) -> None:
    file = tmp_path / "test_mug.py"
    record("--as", "pytest", "--from", str(recording), "--out", str(file))
    written = file.read_text(encoding="utf-8")
    for told, other, reason in (
        ('giftsim.advance("3d")', 'giftsim.advance("1h")', "expected 1 x team_order.claimed"),
        ("sku_not_found", "sku_retired", "AssertionError"),
        ('credential="partner.prepaid"', 'credential="partner.no_funds"', "insufficient_funds"),
    ):
        assert told in written
        file.write_text(written.replace(told, other), encoding="utf-8")
        ran = run(file)
        assert (ran.returncode, reason in ran.stdout) == (1, True), ran.stdout
