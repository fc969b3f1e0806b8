"""The command `play` in several processes."""

from __future__ import annotations

from pathlib import Path

from tests.cli.test_play import BAD, GOOD, TYPO, outcome, play_in_processes
from tests.scenario.builders import write_files

ORDERS = "scenario: Orders are listed\nsteps:\n  - call: GET /api/external/team-orders\n    as: partner.prepaid\n"


def test_several_processes_print_and_write_what_one_does(tmp_path: Path) -> None:
    write_files(tmp_path, a__yaml=GOOD, b__yaml=BAD, c__yaml=TYPO, d__yaml=GOOD, e__yaml=ORDERS)
    outputs, written = set(), []
    for jobs in ("1", "2", "3", "auto"):
        folder = tmp_path / f"of {jobs}"
        done = play_in_processes(
            *[str(tmp_path / f"{name}.yaml") for name in "abcde"], "--jobs", jobs,
            "--junit", str(tmp_path / f"{jobs}.xml"), "--coverage", str(folder), "--trace", str(folder / "traces"),
        )  # fmt: skip
        assert done.returncode == 2, done.stderr
        outputs.add(done.stdout.replace(f"of {jobs}", "FOLDER"))
        traces = sorted((path.name, path.name == "index.html" or outcome(path)) for path in folder.rglob("*-?.html"))
        files = ((folder / "coverage.json").read_bytes(), (tmp_path / f"{jobs}.xml").read_bytes(), traces)
        written.append(files)
    assert len(outputs) == 1
    assert written == [written[0]] * 4
    assert [outcome for _, outcome in written[0][2]] == ["passed", "failed", "passed", "passed"]
