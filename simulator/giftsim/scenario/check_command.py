"""A command of the user's own that judges a world once its scenario has been played.

It comes from the command line alone: a scenario, which may be sent by anybody, names no programs.
"""

from __future__ import annotations

import os
import subprocess
from typing import Final

LONGEST_S: Final = 60


def commanded(command: str, *, origin: str, world: str, app: str | None) -> str | None:
    """Why a world is wrong, None if the shell's exit status is 0; the last line that the command printed says why.

    GIFTSIM_ORIGIN, GIFTSIM_WORLD, GIFTSIM_KEY (of partner.prepaid) and GIFTSIM_APP are in its environment.
    """
    told = {"GIFTSIM_ORIGIN": origin, "GIFTSIM_WORLD": world, "GIFTSIM_KEY": f"pk_live_{world}_prepaid"}
    named = {"GIFTSIM_APP": app} if app else {}
    try:
        done = subprocess.run(
            command, shell=True, env={**os.environ, **told, **named}, stdin=subprocess.DEVNULL, capture_output=True,
            text=True, errors="replace", timeout=LONGEST_S, check=False,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return f"the command did not end within {LONGEST_S} s"
    if done.returncode == 0:
        return None
    lines = [line for line in (done.stdout + "\n" + done.stderr).splitlines() if line.strip()]
    return lines[-1].strip() if lines else f"the command ended with {done.returncode}"
