"""The clock of Node's processes: each kind of timer at its instant, in workers, beside test runners."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from giftsim.engine.kernel.instants import parse_instant
from giftsim.workbench.app_clock.app_time import AppTime
from tests.ecosystem.test_app_clock import PROGRAMS, show, started
from tests.support.node_packages import node_packages
from tests.support.served_simulator import ROOT
from tests.support.tools import require_tool

FIRST_MS = parse_instant("2031-05-06T07:08:09Z")
TIMERS = """
main 0 false true
main 0 ready
worker 0 ready
main 1900 set later, due earlier
main 2000 arguments 1 2
worker 2100 timer
main 3000 unreferenced
main 3100 promise value
main 3200 promisified value
main 3300 waited
main 3400 AbortError ABORT_ERR
main 4000 interval
main 4900 refreshed
main 7000 each value
main 8000 interval
main 12000 interval
main 14000 each value
main 17000 uncaught of a timer
main 18000 after a program
main 19000 at once
"""
VITEST = ROOT / "clients" / "typescript"
RUNNERS = {
    "jest": (Path(__file__).parent / "jest", ["jest", "clock.test.js"]),
    "vitest in processes": (VITEST, ["vitest", "run", "--globals", "--pool=forks", "clock.test.js"]),
    "vitest in threads": (VITEST, ["vitest", "run", "--globals", "--pool=threads", "clock.test.js"]),
    "vitest in contexts": (VITEST, ["vitest", "run", "--globals", "--pool=vmThreads", "clock.test.js"]),
}


def test_each_timer_fires_at_its_instant(tmp_path: Path) -> None:
    require_tool("node", "nodejs")
    words = ["node", "timers.mjs"]
    with closing(AppTime(words)) as time:
        show(time, FIRST_MS)
        with started(words, tmp_path, time) as process:
            assert process.stdout is not None
            told = sorted(process.stdout.readline().rstrip() for _ in range(3))
            now_ms, end_ms = FIRST_MS, FIRST_MS + 20_000
            while now_ms < end_ms:
                now_ms = min([*show(time, now_ms), end_ms])
            process.kill()
            assert [*told, *process.stdout.read().splitlines()] == TIMERS.split("\n")[1:-1]


def test_the_processes_of_a_cluster_act_in_the_order_in_which_they_were_started(tmp_path: Path) -> None:
    require_tool("node", "nodejs")
    words = ["node", "cluster.cjs"]
    with closing(AppTime(words)) as time:
        show(time, FIRST_MS)
        with started(words, tmp_path, time) as process:
            assert process.stdout is not None
            assert [process.stdout.readline() for _ in range(2)] == ["ready\n"] * 2
            for span_ms in (20_000, 40_000):
                assert show(time, FIRST_MS + span_ms) == [FIRST_MS + span_ms + 20_000]
                told = [process.stdout.readline().strip() for _ in range(3)]
                assert told == [f"{name} {span_ms}" for name in ("primary", "worker 1", "worker 2")]


def test_a_process_that_waits_for_an_advance_sees_its_end_and_acts_then(tmp_path: Path) -> None:
    require_tool("node", "nodejs")
    giftsim = [sys.executable, str(ROOT / "run_sim.py")]
    words = [*giftsim, "run", "--quiet", "--app-clock", "--", "node", str(PROGRAMS / "waits.mjs"), *giftsim]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False)
    assert done.stdout.splitlines() == [
        "advanced to 2027-01-05T09:00:00.000Z",
        "timer at 2027-01-05T09:00:00.000Z",
    ], done.stderr


@pytest.mark.parametrize("runner", RUNNERS)
def test_a_test_runner_sees_the_worlds_time_and_keeps_its_own(runner: str, tmp_path: Path) -> None:
    tree, words = RUNNERS[runner]
    modules = node_packages(tree)
    (tmp_path / "node_modules").symlink_to(modules)
    shutil.copy(PROGRAMS / "clock.test.js", tmp_path)
    (tmp_path / "package.json").write_text("{}")
    run = [sys.executable, str(ROOT / "run_sim.py"), "run", "--quiet", "--app-clock", "--"]
    done = subprocess.run(
        [*run, str(modules / ".bin" / words[0]), *words[1:]],
        cwd=tmp_path,
        env={**os.environ, "NO_COLOR": "1"},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "2 passed" in done.stdout + done.stderr
