"""The time of an app, moved in the real runtimes: which clocks follow, and which stay real."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from giftsim.engine.kernel.instants import parse_instant
from giftsim.workbench.app_clock.app_time import AppTime, CannotMove
from tests.support.tools import require_tool

PROGRAMS = Path(__file__).parent / "app_clock"
FIRST_MS, SECOND_MS = parse_instant("2031-05-06T07:08:09Z"), parse_instant("2031-05-16T23:00:00Z") + 250
ENDS_S = 60
# By name: the program, Debian's package that has it, and what runs the client.
CLOCKS = {
    "node": ("node", "nodejs", ["node", "clock.mjs"]),
    "python": ("sh", "dash", [sys.executable, "clock.py"]),
    "java": ("java", "default-jdk-headless", ["java", "Clock.java"]),
    "ruby": ("ruby", "ruby", ["ruby", "clock.rb"]),
    "php": ("php", "php-cli", ["php", "clock.php"]),
    "perl": ("perl", "perl", ["perl", "clock.pl"]),
    "shell": ("sh", "dash", ["sh", "clock.sh"]),
}


def program(name: str) -> list[str]:
    """The command of a program that tells its clocks."""
    tool, package, words = CLOCKS[name]
    require_tool(tool, package)
    require_tool("faketime", "faketime")
    return words


@contextmanager
def started(words: list[str], folder: Path, time: AppTime, **variables: str) -> Iterator[subprocess.Popen[str]]:
    """A program whose time is moved, in a folder with all programs."""
    shutil.copytree(PROGRAMS, folder, dirs_exist_ok=True)
    environment = {**os.environ, **variables}
    process = subprocess.Popen(
        words,
        cwd=folder,
        env={**environment, **time.variables(environment)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    with process:
        try:
            yield process
        finally:
            process.kill()


def show(time: AppTime, at_ms: int) -> list[int]:
    """Show an instant; what the app's parts want next."""
    return [next_ms for clock in time.clocks if (next_ms := clock.show(at_ms)) is not None]


def asked(process: subprocess.Popen[str]) -> list[int]:
    """What a program says about its clocks."""
    assert process.stdin and process.stdout
    process.stdin.write("\n")
    process.stdin.flush()
    return [int(word) for word in process.stdout.readline().split()]


@pytest.mark.parametrize("zone", ["UTC", "Asia/Kathmandu"])
@pytest.mark.parametrize("name", CLOCKS)
def test_the_wall_clock_stands_and_moves_with_the_world_and_waits_are_real(
    name: str, zone: str, tmp_path: Path
) -> None:
    words = program(name)
    with closing(AppTime(words)) as time:
        show(time, FIRST_MS)
        with started(words, tmp_path, time, TZ=zone) as process:
            before, after, waited, *others = asked(process)
            assert [before, after, *others] == [FIRST_MS] * (2 + len(others))
            assert 95 <= waited < 2_000
            show(time, SECOND_MS)
            before, after, waited, *others = asked(process)
            assert [before, after, *others] == [SECOND_MS] * (2 + len(others))
            assert 95 <= waited < 2_000


@pytest.mark.parametrize("name", CLOCKS)
def test_the_wall_clock_ticks_as_that_of_a_running_world(name: str, tmp_path: Path) -> None:
    words = program(name)
    with closing(AppTime(words)) as time:
        show(time, FIRST_MS)
        for clock in time.clocks[:2]:
            clock.ticks(1.0)  # type: ignore[attr-defined]
        with started(words, tmp_path, time) as process:
            before, after, waited, *_ = asked(process)
            assert FIRST_MS - 1_000 <= before < FIRST_MS + 1_000 * ENDS_S
            assert abs(after - before - waited) <= 100


def test_go_is_refused_by_name(tmp_path: Path) -> None:
    require_tool("go", "golang-go")
    with pytest.raises(CannotMove, match="cannot move the time of go: Go asks the kernel"):
        AppTime(["go", "run", "clock.go"])
    shutil.copy(PROGRAMS / "clock.go", tmp_path)
    variables = {"GOCACHE": str(tmp_path / "cache"), "GO111MODULE": "off", "GOTOOLCHAIN": "local"}
    subprocess.run(["go", "build", "clock.go"], cwd=tmp_path, env={**os.environ, **variables}, check=True)
    with pytest.raises(CannotMove, match="cannot move the time of clock: Go"):
        AppTime([str(tmp_path / "clock")])
