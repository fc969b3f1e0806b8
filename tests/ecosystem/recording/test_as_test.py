"""Tests that recordings and scenarios became pass, and fail where the service answers otherwise."""

from __future__ import annotations

from contextlib import closing, suppress
from pathlib import Path

from giftsim import Simulator, __version__
from giftsim.workbench.recording.as_test import NotATest, write_test
from tests.recording.test_as_test import record, recording, run
from tests.support.library import SCENARIOS

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


def test_the_library_as_tests_passes(tmp_path: Path) -> None:
    written = 0
    with closing(Simulator(fixture="bare")) as simulator:
        for file in SCENARIOS:
            name = f"test_{file.parent.name}_{file.stem}.py"
            with suppress(NotATest):
                text = write_test(file.read_bytes(), "it", "pytest", name, __version__, simulator.client, path=file)
                (tmp_path / name).write_text(text, encoding="utf-8")
                written += 1
    ran = run(tmp_path)
    assert f"{written} passed" in ran.stdout, ran.stdout
    assert written > 0.9 * len(SCENARIOS)
