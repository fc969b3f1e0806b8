"""The command of `play --check` and `explore --check`: it checks a world after its scenario has been played.

Only the command line can name it. A scenario file may come from anybody and names no programs.
"""

from __future__ import annotations

import os
import subprocess
from typing import Final

TIMEOUT_S: Final = 60


def run_check_command(command: str, *, origin: str, world: str, app: str | None) -> str | None:
    """Run a shell command; None if its exit status is 0, else the last line that it printed.

    Its environment has GIFTSIM_ORIGIN, GIFTSIM_WORLD, GIFTSIM_KEY (the key of partner.prepaid) and GIFTSIM_APP.
    """
    variables = {"GIFTSIM_ORIGIN": origin, "GIFTSIM_WORLD": world, "GIFTSIM_KEY": f"pk_live_{world}_prepaid"}
    if app:
        variables["GIFTSIM_APP"] = app
    try:
        process = subprocess.run(
            command, shell=True, env={**os.environ, **variables}, stdin=subprocess.DEVNULL, capture_output=True,
            text=True, errors="replace", timeout=TIMEOUT_S, check=False,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return f"the command did not end within {TIMEOUT_S} s"
    if process.returncode == 0:
        return None
    lines = [line for line in (process.stdout + "\n" + process.stderr).splitlines() if line.strip()]
    return lines[-1].strip() if lines else f"the command ended with exit status {process.returncode}"
