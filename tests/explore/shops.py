"""The sample shop in a process of its own, with the mistakes it is told to make; and the command as a user runs it."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from giftsim.explore.app_protocol import Contract
from giftsim.explore.explorer import Hunt
from giftsim.explore.runner import Stage

ROOT = Path(__file__).parent.parent.parent
BUGS = ("duplicates", "order", "new-key")


@contextmanager
def shop(*bugs: str) -> Iterator[str]:
    """The address of a shop with these mistakes."""
    wrong = [word for bug in bugs for word in ("--bug", bug)]
    command = [sys.executable, str(ROOT / "examples" / "shop.py"), "0", *wrong]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield f"http://127.0.0.1:{process.stdout.readline().split()[-1]}"
        finally:
            process.terminate()


def run(*words: object, cwd: Path, **env: str) -> subprocess.CompletedProcess[str]:
    """`python run_sim.py WORDS` in a folder."""
    return subprocess.run(
        [sys.executable, str(ROOT / "run_sim.py"), *map(str, words)], cwd=cwd, env={**os.environ, **env},
        capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip


@contextmanager
def hunting(app: str, *, command: str | None = None, **contract: Any) -> Iterator[Hunt]:
    """An exploration in this process."""
    stage = Stage(Contract(app=app, **contract), command)
    try:
        yield Hunt(stage)
    finally:
        stage.close()
