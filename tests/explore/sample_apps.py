"""The sample shop in a process of its own, with chosen bugs; and the command line as a user runs it."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from giftsim.engine.worlds import system_clock
from giftsim.workbench.app.protocol import AppProtocol
from giftsim.workbench.explore.explorer import Explorer
from giftsim.workbench.explore.plan_runner import PlanRunner

ROOT = Path(__file__).parent.parent.parent
ENDED_S = 60.0
BUGS = ("duplicates", "order", "new-key")


@contextmanager
def shop(*bugs: str) -> Iterator[str]:
    """The URL of a running shop with these bugs."""
    options = [argument for bug in bugs for argument in ("--bug", bug)]
    command = [sys.executable, str(ROOT / "examples" / "shop.py"), "0", *options]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield f"http://127.0.0.1:{process.stdout.readline().split()[-1]}"
        finally:
            process.terminate()


def deadly_shop(file: Path) -> str:
    """The command of a shop that ends the process that started it, unless there is a file, which it then makes."""
    return f"exec {sys.executable} {ROOT / 'tests' / 'explore' / 'deadly_shop.py'} {{port}} {file}"


def wait_until_ended(word: str) -> bool:
    """Whether, after some seconds at most, no process of this machine has the word in its command."""
    deadline = system_clock.monotonic() + ENDED_S
    while any(word.encode() in command for command in _commands()):
        if system_clock.monotonic() > deadline:
            return False
        system_clock.pause(0.1)
    return True


def _commands() -> Iterator[bytes]:
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(OSError):
            yield path.read_bytes()


def run(*arguments: object, cwd: Path, **env: str) -> subprocess.CompletedProcess[str]:
    """Run `python run_sim.py ARGUMENTS` in a folder."""
    return subprocess.run(
        [sys.executable, str(ROOT / "run_sim.py"), *map(str, arguments)], cwd=cwd, env={**os.environ, **env},
        capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip


@contextmanager
def exploring(app: str, *, command: str | None = None, **protocol: Any) -> Iterator[Explorer]:
    """An exploration in this process."""
    runner = PlanRunner(AppProtocol(app=app, **protocol), command)
    try:
        yield Explorer(runner)
    finally:
        runner.close()
