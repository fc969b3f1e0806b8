"""Starts an app with a mistake: `python -m tests.exam.planted NAME PORT`."""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

from tests.exam.planted.table import MISTAKES
from tests.exam.sample_shop import serve
from tools.explored_apps import BUGS, command_of


def main(name: str, port: int) -> None:
    """Serve until stopped."""
    mistake = MISTAKES[name]
    if mistake.shop is not None:
        serve(mistake.shop(), port)
    command = command_of(BUGS[name], Path(tempfile.mkdtemp()), name).replace("{port}", str(port))
    os.execl("/bin/sh", "sh", "-c", f"exec {command}")


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
