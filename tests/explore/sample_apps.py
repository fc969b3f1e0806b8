"""The sample shop in a process of its own, with chosen bugs; and the command line as a user runs it."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from giftsim.explore.app import AppProtocol
from giftsim.explore.explorer import Explorer
from giftsim.explore.runner import PlanRunner

ROOT = Path(__file__).parent.parent.parent
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
