"""The coverage of explorations: one process and several write the same."""

from __future__ import annotations

import sys
from pathlib import Path

from tests.coverage.test_runs import areas, folder
from tests.explore.sample_apps import ROOT, run
from tests.support.free_ports import free_ports

__all__ = ["folder"]  # a fixture of theirs

SHOP = f"{sys.executable} {ROOT / 'examples' / 'shop.py'} {{port}}"


def test_explore_covers_its_seeds_with_the_same_bytes_in_one_process_or_two(folder: Path) -> None:
    explore = ("explore", "--app-command", SHOP, "--seeds", 12)
    for name, jobs in (("one", 1), ("two", 2)):
        app = f"http://127.0.0.1:{free_ports(jobs)}"
        done = run(*explore, "--app", app, "--jobs", jobs, "--coverage", name, cwd=folder)
        assert (done.returncode, done.stdout.endswith(f"{name}/coverage.html\n")) == (0, True), done.stderr
    found = areas(folder / "one")
    assert "createTeamOrder" in found["operations"]["met"]
    assert {"team_order.claimed", "team_order.shipped"} <= set(found["events"]["met"])
    assert any(fault.startswith("webhook") for fault in found["faults"]["met"])
    assert (folder / "one" / "coverage.json").read_bytes() == (folder / "two" / "coverage.json").read_bytes()
